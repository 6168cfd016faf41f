"""Derives a recorded outcome again, from the evidence and the model's output as recorded, and compares every byte."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from footnotary.audit.canonical import canonical, plain
from footnotary.audit.content import Content, draft_in, evidence_in, outcome_part, profile_in
from footnotary.domain.draft import Draft
from footnotary.domain.evidence import Evidence
from footnotary.domain.outcome import Outcome
from footnotary.domain.query import Query
from footnotary.domain.verdict import Reason
from footnotary.engine import answer_from, unknown_project
from footnotary.errors import FootnotaryError
from footnotary.gate.intent import understand
from footnotary.generate.chat import ChatGenerator
from footnotary.generate.extractive import ExtractiveGenerator
from footnotary.ports import Answerability, Check, Generator, Message
from footnotary.profiles.schema import Profile


@dataclass(frozen=True, slots=True)
class Judges:
    """What decides under a profile: its checks, the sufficiency model if it asks one, and the names of the weights."""

    checks: Sequence[tuple[str, Check]]
    answerability: Answerability | None
    models: Mapping[str, str]


JudgesFor: TypeAlias = Callable[[Profile], Judges]


@dataclass(frozen=True, slots=True)
class Same:
    """The outcome came out the same to the byte; `rederived` names what was derived again on the way."""

    rederived: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Differs:
    """`what` came out otherwise, and everything behind it was not looked at."""

    what: str
    detail: str = ""


def replay(content: Content, judges_for: JudgesFor) -> Same | Differs:
    """Reads the question, makes or reads back the draft, gates, verifies and cites it again, and compares.

    No language model is asked: its recorded output is read as if it had just come in. `judges_for` gives what decides
    under a profile, as the engine has it. Retrieval is not repeated; the evidence is as recorded.
    """
    try:
        return _replayed(content, judges_for)
    except (ValueError, KeyError, TypeError, AttributeError, FootnotaryError) as error:
        return Differs("content", f"it cannot be read as it was written: {error}")


def _replayed(content: Content, judges_for: JudgesFor) -> Same | Differs:
    profile, evidence, draft = profile_in(content), evidence_in(content), draft_in(content)
    if profile.digest != content["profile_digest"]:
        return Differs("profile", "it does not have the digest that was recorded")
    if not _understood_alike(evidence.query, profile):
        return Differs("query", "the question is understood otherwise")
    judges = judges_for(profile)
    if others := [name for name in judges.models if judges.models[name] != content["models"].get(name)]:
        return Differs("models", f"{', '.join(others)}: other weights than were asked then")
    generator = _generator(draft, profile)
    outcome = _outcome(content, evidence, generator, profile, judges)
    if canonical(plain(outcome.draft)) != canonical(content["draft"]):
        return Differs("draft", "the recorded output is read otherwise")
    again = outcome_part(outcome)
    differing = [name for name, value in content["outcome"].items() if again.get(name) != value]
    if canonical(again) != canonical(content["outcome"]):
        return Differs("outcome", ", ".join(differing) or "it has other parts")
    drafted = draft is not None and not isinstance(generator, _AsRecorded)
    return Same(("query", "gate", *(("draft",) if drafted else ()), "verdicts", "outcome"))


def _outcome(content: Content, evidence: Evidence, generator: Generator, profile: Profile, judges: Judges) -> Outcome:
    if content["outcome"].get("reason") == Reason.COLLECTION_NOT_FOUND.value:
        return unknown_project(evidence.query, profile)
    part = content["outcome"]
    answered = part if part["kind"] == "answer" else part["beginning"]
    originals = {
        citation["document_id"]: (citation["document_sha256"], citation["path"])
        for citation in (answered["citations"] if answered else ())
    }
    where_from = _where_from(originals)
    return answer_from(evidence, generator, profile, judges.checks, where_from, answerability=judges.answerability)


def _where_from(originals: Mapping[str, tuple[str, str]]) -> Callable[[str], tuple[str, str]]:
    return lambda document: originals.get(document, ("", ""))


def _understood_alike(recorded: Query, profile: Profile) -> bool:
    again = understand(recorded.text, recorded.scope, profile)
    if profile.retrieval.model_expansion:  # a model may have added words to search for, and only that
        return _without_terms(again) == _without_terms(recorded)
    return again == recorded


def _without_terms(query: Query) -> Query:
    return replace(query, facets=tuple(replace(facet, terms=()) for facet in query.facets))


def _generator(draft: Draft | None, profile: Profile) -> Generator:
    if draft is None or draft.extractive:
        return ExtractiveGenerator(profile)
    if draft.request is None:
        return _AsRecorded(draft)
    fence = draft.request.fence
    model = _RecordedModel(draft.generator.removeprefix("chat:"), draft.raw)
    return ChatGenerator(model, profile, draft.request.structured, fence=lambda: fence)


@dataclass(frozen=True, slots=True)
class _RecordedModel:
    """A model that says what it said."""

    name: str
    said: str

    def complete(self, messages: Sequence[Message], schema: dict[str, object] | None = None) -> str:  # noqa: ARG002
        return self.said


@dataclass(frozen=True, slots=True)
class _AsRecorded:
    """The draft of a generator that is not ours to run, as it was."""

    draft: Draft

    @property
    def name(self) -> str:
        return self.draft.generator

    def generate(self, query: Query, evidence: Evidence) -> Draft:  # noqa: ARG002
        return self.draft
