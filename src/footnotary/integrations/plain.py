"""What every framework is given: a text, whether it is a refusal, and the sources that carry it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from footnotary.contracts.given import SCOPE, answer_given, evidence_of, hit_of, read_answer
from footnotary.domain.document import Labels
from footnotary.domain.draft import Draft
from footnotary.domain.evidence import Evidence
from footnotary.domain.outcome import Answer, Citation, Outcome
from footnotary.domain.query import Query, Scope
from footnotary.domain.verdict import Verdict
from footnotary.engine import Engine
from footnotary.gate.intent import understand
from footnotary.ports import Submission
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.render.styles import render
from footnotary.settings import load_settings
from footnotary.verify.run import verify
from footnotary.wiring import open_checks


@dataclass(frozen=True, slots=True)
class Source:
    """The words of a passage that carry a claim, and where they stand."""

    id: str
    quote: str
    score: float
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Plain:
    """An outcome for those who know nothing of our types. A refusal has a reason and no source."""

    text: str
    refused: bool
    reason: str | None
    sources: tuple[Source, ...]


def asked(engine: Engine, question: str, project: str) -> Plain:
    """The engine's answer to a question, or its refusal."""
    return _plain(engine.ask(question, Scope(project)), engine.profile)


def checked(question: str, passages: Sequence[tuple[str, str]], answer: str, *, profile: str = "default") -> Plain:
    """An answer that anything wrote from passages (id, text), if it keeps the contract, or else the refusal.

    It cites by `[1]`, the place of the passage, or by id. Nothing of an answer that does not hold is given back.
    """
    policy = load_profile(profile)
    evidence, draft = _read(question, passages, answer, policy)
    return _plain(answer_given(evidence, _Written(draft), policy, open_checks(policy, load_settings())), policy)


def own_names(ids: Sequence[str | None]) -> tuple[str, ...]:
    """A name for each of the passages that an answer cites by place: its id, or D and its place.

    An id that another passage has too would stand for the wrong text, and so would one that reads as a place.
    """
    given = [str(one or "").strip() for one in ids]
    usable = [bool(one) and not one.isdecimal() and given.count(one) == 1 for one in given]
    free = {one for one, is_usable in zip(given, usable, strict=True) if is_usable}
    names: list[str] = []
    for place, (one, is_usable) in enumerate(zip(given, usable, strict=True), 1):
        name = one if is_usable else f"D{place}"
        while not is_usable and name in free:
            name = f"D{name}"
        names.append(name)
    return tuple(names)


def verdicts_on(
    answer: str, passages: Sequence[tuple[str, str]], *, question: str = "", profile: str = "default"
) -> tuple[Verdict, ...]:
    """What the checks of a profile find in an answer from passages; without a question, no check asks what it was."""
    policy = load_profile(profile)
    evidence, draft = _read(question or answer, passages, answer, policy)
    return tuple(verify(Submission(evidence.query, evidence, draft), open_checks(policy, load_settings())))


@dataclass(frozen=True, slots=True)
class _Written:
    """A generator of what has been written already."""

    draft: Draft
    name: str = "given"

    def generate(self, query: Query, evidence: Evidence) -> Draft:  # noqa: ARG002 - it was written elsewhere
        return self.draft


def _read(question: str, passages: Sequence[tuple[str, str]], answer: str, policy: Profile) -> tuple[Evidence, Draft]:
    ids = [name for name, _ in passages]

    def resolve(target: str) -> str:
        place = int(target) if target.isascii() and target.isdecimal() and len(target) < 6 else 0
        return ids[place - 1] if 0 < place <= len(ids) and target not in ids else target

    query = understand(question, SCOPE, policy)
    evidence = evidence_of(query, (hit_of(name, text, 1.0, Labels()) for name, text in passages))
    return evidence, read_answer(answer, lambda _marker, _raw: True, resolve).draft()


def _plain(outcome: Outcome, policy: Profile) -> Plain:
    if not isinstance(outcome, Answer):
        return Plain(outcome.message, True, outcome.reason.value, ())
    text = render(outcome, policy.presentation.style).text
    return Plain(text, False, None, tuple(_source(citation) for citation in outcome.citations))


def _source(citation: Citation) -> Source:
    return Source(
        citation.id,
        citation.quote,
        citation.confidence,
        {
            "id": citation.id,
            "claim": citation.claim,
            "document": citation.document_id,
            "document_sha256": citation.document_sha256,
            "path": citation.path,
            "page": citation.page,
        },
    )
