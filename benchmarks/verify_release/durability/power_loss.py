"""E4: power loss while documents, records, accepted files and keys are written; unsynced writes are lost or torn.

Everything acknowledged is complete, nothing is partial, and the data directory keeps working.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.verify_release.durability.killed_ingest import CHUNKS
from benchmarks.verify_release.durability.simulated_disk import Call, Disk, calls, recorded
from benchmarks.verify_release.tally import Tally
from footnotary.audit.chain_verification import IntactChain
from footnotary.audit.record import RequestOrigin
from footnotary.audit.recorder import Notary
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.errors import FootnotaryError
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.profiles.load import load_profile
from footnotary.service.auth.api_keys import ApiKeyStore
from footnotary.service.jobs.queue import JobQueue
from footnotary.settings import Settings, load_settings
from footnotary.testing.sample_documents import EMBEDDER, SampleDocument, SamplePassage, make_document
from footnotary.testing.search_queries import all_ids, search_lexical
from footnotary.verify.run import checks_for
from footnotary.wiring import open_notary, open_store, tenant_folder

STEPS = 24
CUTS_PER_RECORDING = 50
NEVER_SYNCS = "the store never syncs"
POLICY = load_profile("default")


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    if shutil.which("strace") is None:
        return Tally(skipped="strace is not installed")
    tally, rng = Tally(), random.Random(seed)
    while tally.attempts < count:
        with tempfile.TemporaryDirectory() as folder:
            recording = Recording.made(Path(folder), rng.randrange(1 << 30), NEVER_SYNCS if seeded_bug else "")
            for cut in recording.cuts(min(CUTS_PER_RECORDING, count - tally.attempts), rng):
                tally.attempts += 1
                tally.count(f"{cut.keeps} of the unsynced writes survived")
                if cut.wrong:
                    tally.fault(f"after call {cut.after}, {cut.keeps} of the unsynced writes survived: {cut.wrong}")
            tally.count("acknowledged", len(recording.acknowledged))
    return tally


@dataclass(frozen=True, slots=True)
class Cut:
    """The call after which power was lost, which unsynced writes survived, and what was wrong afterwards."""

    after: int
    keeps: str
    wrong: str


@dataclass(frozen=True, slots=True)
class Recording:
    """The system calls of one process on a data directory, and its acknowledgements: (calls before it, content)."""

    folder: Path
    home: Path
    steps: "list[Step]"
    done: list[Call]
    acknowledged: list[tuple[int, dict[str, str]]] = field(default_factory=list)

    @classmethod
    def made(cls, folder: Path, seed: int, seeded_bug: str = "") -> "Recording":
        """Records a process, with the bug named here or in the environment."""
        home, trace = (folder / "home").resolve(), folder / "trace"
        home.mkdir()
        seeded_bug = seeded_bug or os.environ.get("FOOTNOTARY_SEEDED_BUG", "")
        script = "from benchmarks.verify_release.durability.power_loss import main; import sys; main(*sys.argv[1:])"
        script = f"import benchmarks.verify_release.mutation.pytest_plugin; {script}" if seeded_bug else script
        command = [sys.executable, "-c", script, str(home), str(seed)]
        ran = recorded(
            command, trace, os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "FOOTNOTARY_SEEDED_BUG": seeded_bug}
        )
        if ran.returncode:
            raise subprocess.CalledProcessError(ran.returncode, command, ran.stdout, ran.stderr)
        recording = cls(folder, home, steps(seed), [])
        for call in calls(trace):
            if call.name == "write" and call.number(0) == 1:
                recording.acknowledged.append((len(recording.done), json.loads(call.strings()[0])))
            recording.done.append(call)
        assert len(recording.acknowledged) == STEPS, "not all steps were done"
        return recording

    def cuts(self, count: int, rng: random.Random) -> Iterator[Cut]:
        """`count` power losses, at random moments at which something changed."""
        disk = Disk(self.home)
        moments = [at for at, call in enumerate(self.done) if disk.do(call)]
        drawn = sorted(rng.choices(moments, k=count))
        yield from self._cut([(at, rng.choice(("nothing", "some", "some", "all"))) for at in drawn], rng)

    def strict_cuts(self) -> Iterator[Cut]:
        """A power loss just after each acknowledgement; only synced writes survive."""
        return self._cut([(at, "nothing") for at, _ in self.acknowledged], random.Random(0))

    def _cut(self, wanted: list[tuple[int, str]], rng: random.Random) -> Iterator[Cut]:
        disk = Disk(self.home)
        for at, call in enumerate(self.done):
            disk.do(call)
            while wanted and wanted[0][0] == at:
                yield self._left(disk, at, wanted.pop(0)[1], rng)

    def _left(self, disk: Disk, at: int, keeps: str, rng: random.Random) -> Cut:
        with tempfile.TemporaryDirectory(dir=self.folder) as left:
            disk.after_power_loss(Path(left) / "home", rng, keeps=keeps)
            said = [content for when, content in self.acknowledged if when <= at]
            return Cut(at, keeps, _inspect(Path(left) / "home", self.steps, said))


@dataclass(frozen=True, slots=True)
class Step:
    """One operation: `put`, `delete`, `answer`, `accept` or `key`, with its document."""

    what: str
    number: int = 0
    version: int = 0


def steps(seed: int) -> list[Step]:
    """Random operations of every kind that is acknowledged; there is always at least one document."""
    rng = random.Random(seed)
    made = [Step("put", 0, 0)]
    while len(made) < STEPS:
        what = rng.choice(("put", "put", "put", "delete", "answer", "accept", "key"))
        made.append(Step(what, rng.randrange(4), len(made)))
    return made


def held_after(done: list[Step]) -> dict[str, str]:
    """The documents that exist after these steps, with the hashes of their texts."""
    held: dict[str, str] = {}
    for step in done:
        said = document(step)
        if step.what == "put":
            held[said.document.id] = said.document.source.sha256
        elif step.what == "delete":
            held.pop(said.document.id, None)
    return held


def document(step: Step) -> SampleDocument:
    said = [
        SamplePassage(
            f"D{step.number}_{i}_0", f"Section {i}. Keeper {step.number} of version{step.version} must keep a book."
        )
        for i in range(CHUNKS)
    ]
    return make_document(f"doc{step.number}", said)


def _settings(home: Path) -> Settings:
    return load_settings({"verifier": "lexical", "home": home, "project": "law"}, environ={})


def _inspect(home: Path, planned: list[Step], said: list[dict[str, str]]) -> str:
    """What is wrong with the data directory after a power loss."""
    try:
        with ExitStack() as opened:
            settings = _settings(home)
            store = open_store(settings, EMBEDDER)
            opened.callback(store.close)
            notary = opened.enter_context(closing(open_notary(settings, EMBEDDER.name)))
            jobs = opened.enter_context(closing(JobQueue(tenant_folder(settings))))
            ring = opened.enter_context(closing(ApiKeyStore(home)))
            return (
                _check_documents(store, planned, len(said))
                or _check_acknowledged(notary, jobs, ring, said)
                or _check_later_writes(store, notary, jobs, ring)
            )
    except FootnotaryError as error:
        return f"{type(error).__name__}: {error}"


def _check_documents(store: EmbeddedStore, planned: list[Step], done: int) -> str:
    held = {document.id: document.sha256 for document in store.documents("law")}
    # Only the step in progress may be there or not.
    if held not in (held_after(planned[:done]), held_after(planned[: done + 1])):
        return f"documents differ from those acknowledged: {sorted(held)} after {done} steps"
    if any(document.chunks != CHUNKS for document in store.documents("law")):
        return "a document is partial"
    if len(all_ids(store)) != CHUNKS * len(held):
        return "the vector index has other passages"
    return next(iter(store.check(deep=True)), "")


def _check_acknowledged(notary: Notary, jobs: JobQueue, ring: ApiKeyStore, said: list[dict[str, str]]) -> str:
    if not isinstance(found := notary.log.verify(), IntactChain):
        return f"the audit log does not verify: {found}"
    for acknowledged in said:
        match acknowledged["what"]:
            case "answer" if notary.log.content(acknowledged["id"]) is None:
                return "an answer was delivered without a record"
            case "accept":
                job = jobs.get(acknowledged["id"])
                if job is None or jobs.file(job).read_bytes() != acknowledged["name"].encode():
                    return "an accepted file is missing"
            case "key" if ring.holder(acknowledged["id"]) is None:
                return "a created key is not valid"
    return ""


def _check_later_writes(store: EmbeddedStore, notary: Notary, jobs: JobQueue, ring: ApiKeyStore) -> str:
    acknowledgements = [
        _run_step(step, store, notary, jobs, ring)
        for step in (Step("put", 9, 99), Step("answer"), Step("accept"), Step("key"))
    ]
    if "D9_0_0" not in search_lexical(store, "version99", 100):
        return "a later document is not found"
    return _check_acknowledged(notary, jobs, ring, acknowledgements)


def _run_step(step: Step, store: EmbeddedStore, notary: Notary, jobs: JobQueue, ring: ApiKeyStore) -> dict[str, str]:
    """Does a step; returns its acknowledgement."""
    acknowledgement = {"what": step.what}
    match step.what:
        case "put":
            document(step).put_into(store)
        case "delete":
            store.delete("law", f"doc{step.number}")
        case "answer":
            engine = Engine(store, EMBEDDER, ExtractiveGenerator(POLICY), POLICY, checks_for(POLICY, None))
            outcome = engine.ask(f"What must keeper {step.number} keep?", Scope("law"))
            digest = store.index_digest("law")
            recorded = notary.record(
                outcome, POLICY, RequestOrigin("local", "k", "verify-release"), index_digest=digest, generator="g"
            )
            acknowledgement["id"] = recorded.answer_id
        case "accept":
            acknowledgement["name"] = f"file {step.version}"
            coming = jobs.receive(1_000)
            coming.write(acknowledgement["name"].encode())
            (job,) = jobs.submit([(coming, f"{step.version}.txt")], "law")
            acknowledgement["id"] = job.id
        case _:
            acknowledgement["id"] = ring.create("local", "reader")[1]
    return acknowledgement


def main(home: str, seed: str) -> None:
    """Does the steps, and writes an acknowledgement after each."""
    settings = _settings(Path(home))
    store, notary = open_store(settings, EMBEDDER), open_notary(settings, EMBEDDER.name)
    jobs, ring = JobQueue(tenant_folder(settings)), ApiKeyStore(Path(home))
    for step in steps(int(seed)):
        acknowledgement = _run_step(step, store, notary, jobs, ring)
        os.write(1, json.dumps(acknowledgement).encode())
