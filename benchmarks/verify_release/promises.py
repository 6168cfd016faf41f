"""The promises, how many attempts each gets, and the harness that tests it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from benchmarks.verify_release.tally import Tally

Harness = Callable[[int, int, bool], Tally]


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise of the FAULTS table, tested in `batches` of `batch_size` attempts.

    `seeded_bug_attempts` attempts must find the seeded bug of its harness. A `low_priority` one only computes and has no
    time limits to meet, so it runs at a lower priority than the others.
    """

    name: str
    row: str
    statement: str
    batches: int
    batch_size: int
    seeded_bug_attempts: int
    module: str
    low_priority: bool = False

    def harness(self) -> Harness:
        if self.module == "tests":
            from benchmarks.verify_release import repeated_tests

            return partial(_tests, repeated_tests.run_attempts, self.name)
        from importlib import import_module

        return import_module(f"benchmarks.verify_release.{self.module}").run_attempts


def _tests(run: Callable[[str, bool], Tally], name: str, _count: int, _seed: int, seeded_bug: bool) -> Tally:
    return run(name, seeded_bug)


PROMISES = (
    Promise("model_output", "A1-A12", "whatever the model writes, only verified and cited sentences are delivered", 1, 1, 1, "tests"),
    Promise("model_faults", "F1-F5, F7, F8, F12", "a failing model server or client gets an error response within the deadline", 1, 1, 1, "tests"),
    Promise("bombs", "D1-D12", "hostile files fail alone, and the other files are ingested", 1, 1, 1, "tests"),
    Promise("store", "E1, E2, E5, E9", "after a kill, a lock timeout, damage or a full disk the store reports its true state", 1, 1, 1, "tests"),
    Promise("qdrant", "E12", "a store on a real Qdrant server passes the conformance suite of all stores", 1, 1, 1, "tests"),
    Promise("access", "C1, C3-C5, F9", "an API key gives access to its own tenant and role only", 1, 1, 1, "tests"),
    Promise("concurrency", "C7, C8, F10", "under concurrency each tenant sees its own data, nothing deleted, and gets its share", 1, 1, 1, "tests"),
    Promise("memory", "E7", "out of memory: a parser fails only its file, a writer leaves the store consistent", 1, 1, 1, "tests"),
    Promise("clock", "E8", "when the clock jumps, limits, retries and jobs continue, and records keep their order", 1, 1, 1, "tests"),
    Promise("browser", "B5", "hostile answers are plain text in a real browser, and nothing is fetched", 1, 1, 1, "tests"),
    Promise("questions", "A9, A11, B3, B8, B10, B11, F11", "injected questions, contradicting documents, empty replies, other origins: refused, or answered within the contract", 1, 1, 1, "tests"),
    Promise("connections", "F8", "half-open, slow and ambiguous connections end at a deadline, and real requests are served", 1, 1, 1, "tests"),
    Promise("permissions", "F13", "everything in a data directory is private to its owner, whatever the umask", 1, 1, 1, "tests"),
    Promise("quotes", "D8", "every quote is in the stored original at the place its citation gives, in every format", 1, 1, 1, "tests"),
    Promise("killed", "E1", "after a kill during ingestion nothing acknowledged is lost and no document is partial", 20, 50, 10, "durability.killed_ingest"),
    Promise("failing_writes", "E2", "a failed write or sync is never acknowledged, and later ones succeed", 10, 30, 12, "durability.failing_writes"),
    Promise("power_loss", "E4", "after a power loss everything acknowledged is there, nothing is partial, and all operations work", 10, 50, 12, "durability.power_loss"),
    Promise("full_disk", "E3", "no answer is delivered if the disk is too full for its record", 4, 250, 60, "durability.full_disk"),
    Promise("flipped", "E5", "a flipped bit is detected or changes nothing", 20, 500, 200, "durability.bit_flips"),
    Promise("upgraded", "E10", "after a kill during a schema upgrade the store has the old or the new schema, complete", 10, 50, 12, "durability.interrupted_upgrade"),
    Promise("backed_up", "E11", "a backup taken during writes holds exactly one committed state", 10, 50, 6, "durability.backups"),
    Promise("terminated", "E6", "SIGTERM under load: accepted requests are completed and the exit code is 0", 10, 10, 1, "service.graceful_stop"),
    Promise("tenants", "C2", "no sequence of requests shows a tenant another tenant's data or deleted data", 50, 2000, 150, "service.tenants"),
    Promise("requests", "F6", "no malformed request gets a 5xx or is echoed in an error", 25, 4000, 400, "service.malformed_requests"),
    Promise("evolving", "B11", "an attacker who learns from refusals gets no uncited sentence, no unsupported number and no details", 10, 1000, 400, "contract.evolving_attacker"),
    Promise("streams", "A14", "no byte of a rejected claim is sent in a stream", 5, 400, 20, "contract.streams"),
    Promise("tampers", "F14", "every change of a bundle or a log is detected", 10, 2000, 40, "contract.tampered_bundles"),
    Promise("cluster", "E12", "after a kill of a cluster node under load nothing acknowledged is lost and all nodes agree", 1, 3, 1, "durability.cluster_node_loss"),
    Promise("answers", "A13", "an independent checker finds no contract violation of form and no unsupported number", 100, 10_000, 60, "contract.random_drafts", low_priority=True),
)  # fmt: skip
