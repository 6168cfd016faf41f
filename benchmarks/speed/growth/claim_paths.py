"""Paths over claims, questions and records: verification, conversations, the audit log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from benchmarks.speed.growth.libraries import PROJECT, library, sections, settings_of
from benchmarks.speed.growth.measuring import GrowthPath, Work
from benchmarks.speed.questions import QUESTIONS
from footnotary.app.index_digests import IndexDigests
from footnotary.app.opening import notary_for
from footnotary.app.session import Session
from footnotary.audit.chain_verification import IntactChain
from footnotary.audit.record import RequestOrigin
from footnotary.domain.conversation import EarlierTurn
from footnotary.domain.draft import Claim
from footnotary.domain.query import Scope
from footnotary.external.answer_check import CitablePassage, check_answer
from footnotary.gate.follow_up import follow_up
from footnotary.gate.intent import understand
from footnotary.injection.detection import instruction_spans
from footnotary.profiles.load import load_profile
from footnotary.text.sentences.splitter import sentences

Prepare = Callable[[int, Path], AbstractContextManager[Work]]
ASKER = RequestOrigin("local", "benchmark", "python")


def paths() -> list[GrowthPath]:
    return [
        GrowthPath("verify copied claims, lexical mode", 40, "claims", _claims(reworded=False)),
        GrowthPath("verify reworded claims, lexical mode", 40, "claims", _claims(reworded=True)),
        GrowthPath("verify reworded claims, small tier", 5, "claims", _claims(reworded=True, verifier="small")),
        GrowthPath("verify one claim against passages", 40, "passages", _passages),
        GrowthPath("verify one claim without citations against", 40, "passages", _uncited),
        GrowthPath("verify one claim against a long passage", 60, "sentences", _long_passage),
        GrowthPath("read an answer written as one text", 60, "sentences", _written_answer),
        GrowthPath("understand a question", 500, "words", _question),
        GrowthPath("find injected instructions", 60, "sections", _instructions),
        GrowthPath("find instructions in one long sentence", 200, "lines", _long_sentence),
        GrowthPath("understand a follow-up", 40, "earlier turns", _follow_up),
        GrowthPath("record questions in the audit log", 24, "questions", _recording, is_repeatable=False),
        GrowthPath("verify an audit log", 24, "records", _audit_verify),
        GrowthPath("sign the bundles of an audit log", 24, "records", _bundles),
    ]


def _sentences(count: int) -> list[str]:
    """So many sentences of real acts of the same form, none twice: twice as many are twice as much to read."""
    found: dict[str, None] = {}
    for row in sections():
        for sentence in sentences(" ".join(str(row["text"]).split())):
            if 80 < len(sentence) < 160 and sentence[0].isupper() and sentence[-1] == "." and _is_plain(sentence):
                found.setdefault(sentence)
        if len(found) >= count:
            break
    if len(found) < count:
        raise SystemExit(f"there are only {len(found)} sentences of the form that is needed, not {count}")
    return list(found)[:count]


def _is_plain(sentence: str) -> bool:
    return not any(mark in sentence for mark in ";:[") and len(sentences(f"{sentence} It is so.")) == 2


def _reworded(sentence: str) -> str:
    words = sentence.rstrip(".").split()
    return " ".join(["As", "provided,", *words[: len(words) - 1]]) + "."


def _claims(*, reworded: bool, verifier: str = "lexical") -> Prepare:
    @contextmanager
    def prepare(size: int, folder: Path) -> Iterator[Work]:
        settings, said = settings_of(folder, verifier=verifier), _sentences(size)
        passages = [CitablePassage(f"P_{at}", text) for at, text in enumerate(said)]
        claims = [Claim(_reworded(text) if reworded else text, (f"P_{at}",)) for at, text in enumerate(said)]
        yield lambda: check_answer(claims, passages, settings=settings)

    return prepare


@contextmanager
def _passages(size: int, folder: Path) -> Iterator[Work]:
    settings, said = settings_of(folder), _sentences(size)
    passages = [CitablePassage(f"P_{at}", text) for at, text in enumerate(said)]
    claims = [Claim(_reworded(said[3]), tuple(passage.id for passage in passages))]
    yield lambda: check_answer(claims, passages, settings=settings)


@contextmanager
def _uncited(size: int, folder: Path) -> Iterator[Work]:
    settings, said = settings_of(folder), _sentences(size)
    passages = [CitablePassage(f"P_{at}", text) for at, text in enumerate(said)]
    yield lambda: check_answer([Claim(_reworded(said[3]), ())], passages, settings=settings)


@contextmanager
def _long_passage(size: int, folder: Path) -> Iterator[Work]:
    settings, said = settings_of(folder), _sentences(size)
    passages = [CitablePassage("P_1", " ".join(said))]
    yield lambda: check_answer([Claim(_reworded(said[3]), ("P_1",))], passages, settings=settings)


@contextmanager
def _written_answer(size: int, folder: Path) -> Iterator[Work]:
    settings, said = settings_of(folder), _sentences(size)
    passages = [CitablePassage(f"P_{at}", text) for at, text in enumerate(said)]
    answer = " ".join(f"{text} [{at}]" for at, text in enumerate(said, 1))
    yield lambda: check_answer(answer, passages, settings=settings)


@contextmanager
def _question(size: int, folder: Path) -> Iterator[Work]:  # noqa: ARG001 (the form of a path)
    words = " ".join(_sentences(200)).split()[:size]
    profile, asked = load_profile("legal"), f"What is the punishment for {' '.join(words)}?"
    yield lambda: understand(asked, Scope(PROJECT), profile)


@contextmanager
def _instructions(size: int, folder: Path) -> Iterator[Work]:  # noqa: ARG001 (the form of a path)
    text = "\n\n".join(str(row["text"]) for row in sections()[:size])
    yield lambda: instruction_spans(text)


@contextmanager
def _long_sentence(size: int, folder: Path) -> Iterator[Work]:  # noqa: ARG001 (the form of a path)
    words = " ".join(_sentences(230)).replace(".", "").lower().split()
    text = "\n".join(" ".join(words[10 * at : 10 * at + 10]) for at in range(size))
    yield lambda: instruction_spans(text)


@contextmanager
def _follow_up(size: int, folder: Path) -> Iterator[Work]:  # noqa: ARG001 (the form of a path)
    profile = load_profile("legal")
    earlier = [EarlierTurn(QUESTIONS[at % len(QUESTIONS)], "It is so.") for at in range(size)]
    yield lambda: follow_up("And what about theft?", earlier, profile)


@contextmanager
def _session(size: int, folder: Path, *, asked: bool) -> Iterator[Session]:
    with library(folder, 20) as open_:
        session = Session(open_.engine, open_.store, IndexDigests(open_.store), notary_for(open_.settings))
        try:
            if asked:
                _ask(session, size)
            yield session
        finally:
            session.close()


def _ask(session: Session, size: int) -> list[str]:
    asked = [f"{QUESTIONS[at % 12]}{' ' * (at // 12)}" for at in range(size)]
    return [session.ask(question, Scope(PROJECT), ASKER).answer_id for question in asked]


@contextmanager
def _recording(size: int, folder: Path) -> Iterator[Work]:
    with _session(size, folder, asked=False) as session:
        _ask(session, 12)
        yield lambda: _ask(session, size)


@contextmanager
def _audit_verify(size: int, folder: Path) -> Iterator[Work]:
    with _session(size, folder, asked=True) as session:
        assert session.notary is not None
        log, signer = session.notary.log, session.notary.signer

        def work() -> None:
            found = log.verify(signer.public if signer else None)
            if not (isinstance(found, IntactChain) and found.records == size):
                raise SystemExit(f"the log is not whole: {found}")

        yield work


@contextmanager
def _bundles(size: int, folder: Path) -> Iterator[Work]:
    with _session(size, folder, asked=False) as session:
        notary = session.notary
        assert notary is not None
        ids = _ask(session, size)
        yield lambda: [notary.bundle(answer_id) for answer_id in ids]
