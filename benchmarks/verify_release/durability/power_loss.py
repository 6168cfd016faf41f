"""E4: the power fails while documents, records, accepted files and keys are written; what was not synced is gone or torn.

What had been acknowledged is there, whole; nothing is there in part; and the home works on.
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
from footnotary.service.api_keys import ApiKeyStore
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


def tried(count: int, seed: int, planted: bool) -> Tally:
    if shutil.which("strace") is None:
        return Tally(skipped="strace is not installed")
    tally, chance = Tally(), random.Random(seed)
    while tally.tried < count:
        with tempfile.TemporaryDirectory() as folder:
            recording = Recording.made(Path(folder), chance.randrange(1 << 30), NEVER_SYNCS if planted else "")
            for cut in recording.cuts(min(CUTS_PER_RECORDING, count - tally.tried), chance):
                tally.tried += 1
                tally.count(f"left {cut.keeps} of what was not synced")
                if cut.wrong:
                    tally.fault(f"after call {cut.after}, {cut.keeps} of the rest: {cut.wrong}")
            tally.count("acknowledged", len(recording.acknowledged))
    return tally


@dataclass(frozen=True, slots=True)
class Cut:
    """After which call the power failed, what of the unsynced was left, and what was wrong then."""

    after: int
    keeps: str
    wrong: str


@dataclass(frozen=True, slots=True)
class Recording:
    """What one process did to a home, and when it acknowledged what: (how many calls were made, what it said)."""

    folder: Path
    home: Path
    steps: "list[Step]"
    done: list[Call]
    acknowledged: list[tuple[int, dict[str, str]]] = field(default_factory=list)

    @classmethod
    def made(cls, folder: Path, seed: int, planted: str = "") -> "Recording":
        """Of a process with a bug planted where one is named, here or by whoever tries the tests."""
        home, trace = (folder / "home").resolve(), folder / "trace"
        home.mkdir()
        planted = planted or os.environ.get("FOOTNOTARY_PLANTED", "")
        script = "from benchmarks.verify_release.durability.power_loss import main; import sys; main(*sys.argv[1:])"
        script = f"import benchmarks.verify_release.mutation.pytest_plugin; {script}" if planted else script
        command = [sys.executable, "-c", script, str(home), str(seed)]
        ran = recorded(command, trace, os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "FOOTNOTARY_PLANTED": planted})
        if ran.returncode:
            raise subprocess.CalledProcessError(ran.returncode, command, ran.stdout, ran.stderr)
        recording = cls(folder, home, steps(seed), [])
        for call in calls(trace):
            if call.name == "write" and call.number(0) == 1:
                recording.acknowledged.append((len(recording.done), json.loads(call.strings()[0])))
            recording.done.append(call)
        assert len(recording.acknowledged) == STEPS, "not all of it was done"
        return recording

    def cuts(self, count: int, chance: random.Random) -> Iterator[Cut]:
        """Cuts the power `count` times, at moments drawn from those at which something changed."""
        disk = Disk(self.home)
        moments = [at for at, call in enumerate(self.done) if disk.do(call)]
        drawn = sorted(chance.choices(moments, k=count))
        yield from self._cut([(at, chance.choice(("nothing", "some", "some", "all"))) for at in drawn], chance)

    def strict_cuts(self) -> Iterator[Cut]:
        """Cuts the power just after each acknowledgement; nothing is left but what was synced."""
        return self._cut([(at, "nothing") for at, _ in self.acknowledged], random.Random(0))

    def _cut(self, wanted: list[tuple[int, str]], chance: random.Random) -> Iterator[Cut]:
        disk = Disk(self.home)
        for at, call in enumerate(self.done):
            disk.do(call)
            while wanted and wanted[0][0] == at:
                yield self._left(disk, at, wanted.pop(0)[1], chance)

    def _left(self, disk: Disk, at: int, keeps: str, chance: random.Random) -> Cut:
        with tempfile.TemporaryDirectory(dir=self.folder) as left:
            disk.after_a_cut(Path(left) / "home", chance, keeps=keeps)
            said = [told for when, told in self.acknowledged if when <= at]
            return Cut(at, keeps, _looked_at(Path(left) / "home", self.steps, said))


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: `put`, `delete`, `answer`, `accept` or `key`, with the document it is about."""

    what: str
    number: int = 0
    version: int = 0


def steps(seed: int) -> list[Step]:
    """A way through everything that is acknowledged; at any time some documents are there."""
    chance = random.Random(seed)
    made = [Step("put", 0, 0)]
    while len(made) < STEPS:
        what = chance.choice(("put", "put", "put", "delete", "answer", "accept", "key"))
        made.append(Step(what, chance.randrange(4), len(made)))
    return made


def held_after(done: list[Step]) -> dict[str, str]:
    """The documents that are there after some steps, each by the hash of its text."""
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


def _looked_at(home: Path, planned: list[Step], said: list[dict[str, str]]) -> str:
    """What is wrong with what a cut has left."""
    try:
        with ExitStack() as opened:
            settings = _settings(home)
            store = open_store(settings, EMBEDDER)
            opened.callback(store.close)
            notary = opened.enter_context(closing(open_notary(settings, EMBEDDER.name)))
            jobs = opened.enter_context(closing(JobQueue(tenant_folder(settings))))
            ring = opened.enter_context(closing(ApiKeyStore(home)))
            return (
                _documents(store, planned, len(said))
                or _promised(notary, jobs, ring, said)
                or _goes_on(store, notary, jobs, ring)
            )
    except FootnotaryError as error:
        return f"{type(error).__name__}: {error}"


def _documents(store: EmbeddedStore, planned: list[Step], done: int) -> str:
    held = {document.id: document.sha256 for document in store.documents("law")}
    # What was under way may be there or not, and nothing else.
    if held not in (held_after(planned[:done]), held_after(planned[: done + 1])):
        return f"other documents than were acknowledged: {sorted(held)} after {done} steps"
    if any(document.chunks != CHUNKS for document in store.documents("law")):
        return "a document is there in part"
    if len(all_ids(store)) != CHUNKS * len(held):
        return "the vector index holds other passages"
    return next(iter(store.check(deep=True)), "")


def _promised(notary: Notary, jobs: JobQueue, ring: ApiKeyStore, said: list[dict[str, str]]) -> str:
    if not isinstance(found := notary.log.verify(), IntactChain):
        return f"the audit log is broken: {found}"
    for told in said:
        match told["what"]:
            case "answer" if notary.log.content(told["id"]) is None:
                return "an answer left without a record"
            case "accept":
                job = jobs.get(told["id"])
                if job is None or jobs.file(job).read_bytes() != told["name"].encode():
                    return "an accepted file is lost"
            case "key" if ring.holder(told["id"]) is None:
                return "a key that was made opens nothing"
    return ""


def _goes_on(store: EmbeddedStore, notary: Notary, jobs: JobQueue, ring: ApiKeyStore) -> str:
    told = [
        _done(step, store, notary, jobs, ring)
        for step in (Step("put", 9, 99), Step("answer"), Step("accept"), Step("key"))
    ]
    if "D9_0_0" not in search_lexical(store, "version99", 100):
        return "a later document is not found"
    return _promised(notary, jobs, ring, told)


def _done(step: Step, store: EmbeddedStore, notary: Notary, jobs: JobQueue, ring: ApiKeyStore) -> dict[str, str]:
    """Does a step, and what is said of it once it may be relied on."""
    told = {"what": step.what}
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
                outcome, POLICY, RequestOrigin("local", "k", "prove"), index_digest=digest, generator="g"
            )
            told["id"] = recorded.answer_id
        case "accept":
            told["name"] = f"file {step.version}"
            coming = jobs.receive(1_000)
            coming.write(told["name"].encode())
            (job,) = jobs.submit([(coming, f"{step.version}.txt")], "law")
            told["id"] = job.id
        case _:
            told["id"] = ring.create("local", "reader")[1]
    return told


def main(home: str, seed: str) -> None:
    """Does the steps, and says of each that it is done."""
    settings = _settings(Path(home))
    store, notary = open_store(settings, EMBEDDER), open_notary(settings, EMBEDDER.name)
    jobs, ring = JobQueue(tenant_folder(settings)), ApiKeyStore(Path(home))
    for step in steps(int(seed)):
        told = _done(step, store, notary, jobs, ring)
        os.write(1, json.dumps(told).encode())
