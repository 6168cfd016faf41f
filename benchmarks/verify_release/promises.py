"""What is promised, how long each promise is tried, and what tries it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from benchmarks.verify_release.tally import Tally

Harness = Callable[[int, int, bool], Tally]


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise of FAULTS by its row, tried `slices` times `each`; `planted` tries must show a planted bug.

    A `patient` one only computes, and no clock is held against it: it takes what time the others leave, and slows none.
    """

    name: str
    row: str
    says: str
    slices: int
    each: int
    planted: int
    module: str
    patient: bool = False

    def harness(self) -> Harness:
        if self.module == "tests":
            from benchmarks.verify_release import repeated_tests

            return partial(_tests, repeated_tests.tried, self.name)
        from importlib import import_module

        return import_module(f"benchmarks.verify_release.{self.module}").tried


def _tests(run: Callable[[str, bool], Tally], name: str, _count: int, _seed: int, planted: bool) -> Tally:
    return run(name, planted)


PROMISES = (
    Promise("model_output", "A1-A12", "whatever a model says, only verified and cited sentences are delivered", 1, 1, 1, "tests"),
    Promise("model_faults", "F1-F5, F7, F8, F12", "a failing model server or caller is a problem, within the deadline", 1, 1, 1, "tests"),
    Promise("bombs", "D1-D12", "hostile files fail by themselves, and the file beside them is taken in", 1, 1, 1, "tests"),
    Promise("store", "E1, E2, E5, E9", "killed, locked out, damaged, full: the store tells the truth", 1, 1, 1, "tests"),
    Promise("qdrant", "E12", "a store on a real Qdrant server keeps the contract of every store", 1, 1, 1, "tests"),
    Promise("access", "C1, C3-C5, F9", "each key reaches what is its own and nothing else", 1, 1, 1, "tests"),
    Promise("concurrency", "C7, C8, F10", "many at once: each tenant gets its own, nothing deleted, and its share", 1, 1, 1, "tests"),
    Promise("memory", "E7", "memory runs out: a parser fails its file alone, a writer leaves the store whole", 1, 1, 1, "tests"),
    Promise("clock", "E8", "the clock jumps: limits, repeats and jobs go on, and records keep their order", 1, 1, 1, "tests"),
    Promise("browser", "B5", "hostile answers are text in a real browser, and nothing is fetched", 1, 1, 1, "tests"),
    Promise("questions", "A9, A11, B3, B8, B10, B11, F11", "orders in questions, lies beside the truth, empty replies, other sites: refused, or within the contract", 1, 1, 1, "tests"),
    Promise("quotes", "D8", "every quote stands in the stored original where its citation says, in every format", 1, 1, 1, "tests"),
    Promise("killed", "E1", "killed in an ingest, nothing acknowledged is lost and nothing is there in part", 20, 50, 10, "durability.killed_ingest"),
    Promise("failing_writes", "E2", "a write or sync that fails is never acknowledged, and later ones work", 10, 30, 12, "durability.failing_writes"),
    Promise("power_loss", "E4", "the power fails: what was acknowledged is there, nothing is there in part, and all goes on", 10, 50, 12, "durability.power_loss"),
    Promise("full_disk", "E3", "without room for its record no answer leaves", 4, 250, 60, "durability.full_disk"),
    Promise("flipped", "E5", "a flipped bit is noticed, or changes nothing", 20, 500, 200, "durability.bit_flips"),
    Promise("upgraded", "E10", "killed while a store of an earlier schema is brought up to date, it is old or new, and whole", 10, 50, 12, "durability.interrupted_upgrade"),
    Promise("backed_up", "E11", "a backup taken while another process writes is a committed state, whole", 10, 50, 6, "durability.backups"),
    Promise("terminated", "E6", "told to stop under load, it finishes what it took and ends with 0", 10, 10, 1, "service.graceful_stop"),
    Promise("tenants", "C2", "no order of steps shows a tenant what another holds, or what is deleted", 50, 2000, 150, "service.tenants"),
    Promise("requests", "F6", "no spoiled request is answered with 5xx or repeated in a problem", 25, 4000, 400, "service.malformed_requests"),
    Promise("evolving", "B11", "an attacker who learns from refusals gets nothing uncited and no strange figure delivered, and no detail told", 10, 1000, 400, "contract.evolving_attacker"),
    Promise("streams", "A14", "no byte of a rejected claim leaves in a stream", 5, 400, 20, "contract.streams"),
    Promise("tampers", "F14", "every change of a bundle or a log is found", 10, 2000, 40, "contract.tampered_bundles"),
    Promise("cluster", "E12", "a node of a cluster killed in puts and questions: nothing acknowledged is lost, all nodes agree", 1, 3, 1, "durability.cluster_node_loss"),
    Promise("answers", "A13", "a checker that shares no code finds no breach of form and no strange figure", 100, 10_000, 60, "contract.random_drafts", patient=True),
)  # fmt: skip
