"""The product over the questions of a kind: a temporary index, and outcomes that an interrupted run keeps."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import footnotary
from benchmarks.quality.answering.trials import QuestionKind, SourceFile, TrialQuestion
from benchmarks.quality.product import CachingEmbedder
from footnotary.corpus import Corpus
from footnotary.domain.draft import Claim, Draft
from footnotary.domain.evidence import Evidence
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Filters, Query, Scope
from footnotary.engine import Engine
from footnotary.ports import ManagedStore
from footnotary.profiles.load import load_profile
from footnotary.settings import Settings, load_settings
from footnotary.wiring.corpus_assembly import build_corpus
from footnotary.wiring.engine_assembly import build_engine
from footnotary.wiring.models import open_embedder
from footnotary.wiring.stores import open_store

SOURCE_TREE = Path(footnotary.__file__).parent
MODEL_PACKAGES = SOURCE_TREE.parents[1] / "packages"
TEXT_ENDINGS = (".py", ".toml", ".json")


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """What the product made of one question; `cites_gold` and `says_answer` are None where nothing is known of it."""

    key: str
    question: str
    answerable: bool
    close: str
    answered: bool
    reason: str
    text: str
    cited: tuple[str, ...]
    cites_gold: bool | None
    says_answer: bool | None
    seconds: float


class OutcomeCache:
    """The outcomes of one kind with one program and tier, a line each, written as soon as they are known."""

    def __init__(self, folder: Path, kind: QuestionKind, *, fresh: bool) -> None:
        self._path = folder / f"{re.sub(r'[^a-z0-9]+', '-', kind.name.lower())}-{kind.digest()}.jsonl"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            self._path.unlink(missing_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write("\n")  # ends the last line of a run that was killed
        self._known = {outcome.key: outcome for outcome in self._stored()}

    def get(self, question: TrialQuestion) -> TrialOutcome | None:
        return self._known.get(question.key())

    def add(self, outcome: TrialOutcome) -> None:
        self._known[outcome.key] = outcome
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(outcome), ensure_ascii=False) + "\n")

    def _stored(self) -> Iterator[TrialOutcome]:
        for line in self._path.read_text(encoding="utf-8").split("\n"):
            try:
                values = json.loads(line)
            except json.JSONDecodeError:
                continue  # empty, or cut off
            yield TrialOutcome(**{**values, "cited": tuple(values["cited"])})


def program_digest() -> str:
    """Changes whenever the program or its weights change, so that no outcome of another program is taken over."""
    digest = hashlib.sha256()
    folders = [SOURCE_TREE, *([MODEL_PACKAGES] if MODEL_PACKAGES.is_dir() else [])]
    for path in sorted(file for folder in folders for file in folder.rglob("*") if file.is_file()):
        if "__pycache__" not in path.parts:
            content = path.read_bytes() if path.suffix in TEXT_ENDINGS else _stamp(path)
            digest.update(f"{path.name}\0".encode() + content)
    return digest.hexdigest()[:12]


def _stamp(path: Path) -> bytes:
    held = path.stat()
    return f"{held.st_size} {held.st_mtime_ns}".encode()


class ScriptedGenerator:
    """Drafts one given sentence, citing the best passage."""

    name = "scripted"

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence

    def generate(self, query: Query, evidence: Evidence) -> Draft:  # noqa: ARG002
        cited = (evidence.hits[0].chunk.id,)
        return Draft((Claim(self._sentence, cited),), self.name, raw=self._sentence)


class Bench:
    """One kind's projects in a temporary index, each ingested when it is first asked for."""

    def __init__(self, kind: QuestionKind, settings: Settings, store: ManagedStore, embedder: CachingEmbedder) -> None:
        self._kind = kind
        self._settings = settings
        self._store = store
        self._embedder = embedder
        self._corpus: Corpus = build_corpus(settings, store, embedder)
        self._engines: dict[str, Engine] = {}

    def ask(self, question: TrialQuestion) -> TrialOutcome:
        self._ingest(question.project, self._kind.projects[question.project])
        scope = self._scope(question)
        engine = self._engine(question.profile)
        if question.draft is not None:
            engine = replace(engine, generator=ScriptedGenerator(question.draft))
        start = time.perf_counter()
        outcome = engine.ask(question.question, scope)
        seconds = time.perf_counter() - start
        answered = isinstance(outcome, Answer)
        text, cited, names = "", (), frozenset[str]()
        if isinstance(outcome, Answer):
            text = outcome.text
            cited = tuple(dict.fromkeys(citation.id for citation in outcome.citations))
            names = frozenset(citation.document_id for citation in outcome.citations)
            names |= {_without_last_number(name) for name in cited}
        return TrialOutcome(
            question.key(), question.question, question.answerable, question.close, answered,
            "" if isinstance(outcome, Answer) else outcome.reason.value, text, cited,
            bool(names & question.gold) if question.answerable and question.gold else None,
            any(_plain(phrase) in _plain(text) for phrase in question.phrases) if question.phrases else None,
            round(seconds, 3),
        )  # fmt: skip

    def found(self, question: TrialQuestion, count: int) -> Evidence:
        """What the gate would be given: at least `count` passages, where there are so many."""
        self._ingest(question.project, self._kind.projects[question.project])
        scope, engine = self._scope(question), self._engine(question.profile)
        policy = engine.profile.model_copy(
            update={"retrieval": engine.profile.retrieval.model_copy(update={"k": count, "follow_references": False})}
        )
        return replace(engine, profile=policy).search(question.question, scope)

    def _scope(self, question: TrialQuestion) -> Scope:
        if not question.passages:
            return Scope(question.project, filters=Filters(without=question.without))
        held = {file.name: file for file in self._kind.projects[question.project]}
        found = self._nearest(question, question.passages - question.answerable)
        if question.answerable:
            found += sorted(question.gold)
        project = f"nearest_{question.key()}"
        self._ingest(project, [held[name] for name in found])
        return Scope(project)

    def _nearest(self, question: TrialQuestion, number: int) -> list[str]:
        """The documents that the product's own retrieval finds first, the gold ones left out."""
        engine, found = self._engine(question.profile), list[str]()
        while len(found) < number:
            hidden = Filters(without=question.gold | frozenset(found))
            evidence = engine.search(question.question, Scope(question.project, filters=hidden))
            new = list(dict.fromkeys(hit.chunk.document_id for hit in evidence.hits))
            if not new:
                break
            found += new
        return found[:number]

    def _engine(self, profile: str) -> Engine:
        if profile not in self._engines:
            policy = load_profile(profile)
            self._engines[profile] = build_engine(self._settings, policy, self._store, self._embedder)
        return self._engines[profile]

    def _ingest(self, project: str, files: Sequence[SourceFile]) -> None:
        if project in self._store.projects():
            return
        with TemporaryDirectory() as folder:
            for file in files:
                (Path(folder) / file.name).write_text(file.text, encoding="utf-8")
            report = self._corpus.ingest([Path(folder)], project)
        for file in report.failed:
            if file.reason != "no_text":
                raise SystemExit(f"{self._kind.name}: {Path(file.path).name}: {file.message}")


@contextmanager
def opened_bench(kind: QuestionKind, tier: str, vectors: Path) -> Generator[Bench]:
    """The product with the settings a user would have, apart from the data directory and the tier of the model."""
    with TemporaryDirectory() as home:
        given = {"home": home, "audit": "off", "verifier": tier}
        settings = load_settings(given, environ={}, folder=Path(home))
        embedder = CachingEmbedder(open_embedder(settings.embedder), vectors)
        store = open_store(settings, embedder)
        try:
            yield Bench(kind, settings, store, embedder)
        finally:
            store.close()
            embedder.save()


def _without_last_number(passage: str) -> str:
    return passage.rsplit("_", 1)[0]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
