"""What every framework gets: a text, whether it is a refusal, and the sources that support it."""

import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from footnotary.app.delivery import deliver
from footnotary.app.opening import notary_for, session_of, tenant_of
from footnotary.app.session import Session
from footnotary.audit.record import RequestOrigin
from footnotary.audit.recorder import Notary
from footnotary.domain.document import Labels
from footnotary.domain.draft import Draft
from footnotary.domain.evidence import Evidence
from footnotary.domain.outcome import Answer, Citation, Outcome
from footnotary.domain.query import Query, Scope
from footnotary.domain.verdict import Verdict
from footnotary.engine import Engine
from footnotary.external.passages import SCOPE, answer_from_given_evidence, make_evidence, make_hit, read_answer
from footnotary.gate.intent import understand
from footnotary.ports import Submission
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.render.answer_text import render
from footnotary.render.citation_styles import source_names
from footnotary.settings import Settings, load_settings
from footnotary.verify.run import verify
from footnotary.wiring import open_checks

_PRINCIPAL = "python"


@dataclass(frozen=True, slots=True)
class SupportingQuote:
    """The words of a passage that support a claim, and where they are."""

    id: str
    quote: str
    score: float
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class PlainOutcome:
    """An outcome without our types. A refusal has a reason and no source.

    `answer_id` names its record in the audit log; it is empty where the settings turn the log off.
    """

    text: str
    refused: bool
    reason: str | None
    sources: tuple[SupportingQuote, ...]
    answer_id: str = ""


class Answerer:
    """Asks an engine for a framework; what it answers is recorded before it is returned. Threads may share it.

    An engine from `footnotary.open_engine` records as its settings say; a `Session` of the caller records as it is set
    up. `channel` names the framework in the record. Raises like `Session.ask`.
    """

    def __init__(self, engine: Engine | Session, project: str, *, channel: str) -> None:
        tenant = tenant_of(engine)
        self._engine = engine
        self._scope = Scope(project, tenant)
        self._asker = RequestOrigin(tenant, _PRINCIPAL, channel)
        self._session: Session | None = None
        self._lock = Lock()

    def ask(self, question: str) -> PlainOutcome:
        session = self._opened()
        delivery = session.ask(question, self._scope, self._asker)
        return _plain(delivery.outcome, session.engine.profile, delivery.answer_id)

    def _opened(self) -> Session:
        # Opened for the first question: a pipeline may be put together where nothing can be written.
        with self._lock:
            if self._session is None:
                self._session = session_of(self._engine)
                if self._session is not self._engine:
                    weakref.finalize(self, self._session.close)
            return self._session


class Checker:
    """Checks answers of any system; what it returns is recorded first, as the settings say.

    `settings` are those of the environment unless given. Threads may share it.
    """

    def __init__(self, profile: str = "default", *, channel: str, settings: Settings | None = None) -> None:
        self._settings = settings or load_settings()
        self._policy = load_profile(profile)
        self._asker = RequestOrigin(self._settings.tenant, _PRINCIPAL, channel)
        self._opened: tuple[Notary | None] | None = None
        self._lock = Lock()

    def check(self, question: str, passages: Sequence[tuple[str, str]], answer: str) -> PlainOutcome:
        """An answer written from passages (id, text), if it keeps the contract, or else the refusal.

        It cites by `[1]`, the position of the passage, or by id. Nothing of a rejected answer is returned. Raises
        `RecordingFailed`.
        """
        policy = self._policy
        evidence, draft = _parse_answer(question, passages, answer, policy)
        outcome = answer_from_given_evidence(
            evidence, _WrittenDraft(draft), policy, open_checks(policy, self._settings)
        )
        delivery = deliver(outcome, policy, self._notary(), self._asker)
        return _plain(outcome, policy, delivery.answer_id)

    def _notary(self) -> Notary | None:
        with self._lock:
            if self._opened is None:
                self._opened = (notary_for(self._settings),)
                if self._opened[0] is not None:
                    weakref.finalize(self, self._opened[0].close)
            return self._opened[0]


def unique_names(ids: Sequence[str | None]) -> tuple[str, ...]:
    """A name for each of the passages that an answer cites by position: its id, or D and its position.

    A duplicate id, or one that looks like a position, would name the wrong text.
    """
    given = [str(one or "").strip() for one in ids]
    usable = [bool(one) and not one.isdecimal() and given.count(one) == 1 for one in given]
    free = {one for one, is_usable in zip(given, usable, strict=True) if is_usable}
    names: list[str] = []
    for position, (one, is_usable) in enumerate(zip(given, usable, strict=True), 1):
        name = one if is_usable else f"D{position}"
        while not is_usable and name in free:
            name = f"D{name}"
        names.append(name)
    return tuple(names)


def verdicts_on(
    answer: str, passages: Sequence[tuple[str, str]], *, question: str = "", profile: str = "default"
) -> tuple[Verdict, ...]:
    """What the checks of a profile find in an answer from passages; without a question, none compares with it."""
    policy = load_profile(profile)
    evidence, draft = _parse_answer(question, passages, answer, policy)
    return tuple(verify(Submission(evidence.query, evidence, draft), open_checks(policy, load_settings())))


@dataclass(frozen=True, slots=True)
class _WrittenDraft:
    """A generator that returns a draft written elsewhere."""

    draft: Draft
    name: str = "given"

    def generate(self, query: Query, evidence: Evidence) -> Draft:  # noqa: ARG002 - it was written elsewhere
        return self.draft


def _parse_answer(
    question: str, passages: Sequence[tuple[str, str]], answer: str, policy: Profile
) -> tuple[Evidence, Draft]:
    ids = [name for name, _ in passages]

    def resolve(target: str) -> str:
        position = int(target) if target.isascii() and target.isdecimal() and len(target) < 6 else 0
        return ids[position - 1] if 0 < position <= len(ids) and target not in ids else target

    query = understand(question, SCOPE, policy)
    evidence = make_evidence(query, (make_hit(name, text, 1.0, Labels()) for name, text in passages))
    return evidence, read_answer(answer, lambda _marker, _raw: True, resolve).draft()


def _plain(outcome: Outcome, policy: Profile, answer_id: str) -> PlainOutcome:
    if not isinstance(outcome, Answer):
        return PlainOutcome(outcome.message, True, outcome.reason.value, (), answer_id)
    text = render(outcome, policy.presentation.style).text
    names = source_names(outcome)
    quotes = tuple(_quote(citation, names[citation.id]) for citation in outcome.citations)
    return PlainOutcome(text, False, None, quotes, answer_id)


def _quote(citation: Citation, source: str) -> SupportingQuote:
    return SupportingQuote(
        citation.id,
        citation.quote,
        citation.confidence,
        {
            "id": citation.id,
            "claim": citation.claim,
            "source": source,
            "document": citation.document_id,
            "document_sha256": citation.document_sha256,
            "path": citation.path,
            "page": citation.page,
        },
    )
