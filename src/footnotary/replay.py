"""Replays a recorded outcome from the recorded evidence and model output, and compares the result byte by byte.

Records of version 0.1 are compared without their sentences for people, which are worded differently now.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from footnotary.audit.bundle_content import (
    Content,
    draft_in,
    evidence_in,
    outcome_content,
    profile_in,
    readings_in,
    rejected_in,
)
from footnotary.audit.canonical_json import canonical_json, to_plain
from footnotary.deprecated import MODELS, present_names
from footnotary.domain.draft import Draft
from footnotary.domain.evidence import Evidence
from footnotary.domain.outcome import Answer, Outcome
from footnotary.domain.query import Query
from footnotary.domain.verdict import PROJECT_HAS_DOCUMENTS, Reason
from footnotary.engine import answer_from, refuse_without_documents
from footnotary.errors import FootnotaryError
from footnotary.gate.intent import understand
from footnotary.gate.question_parts import Written
from footnotary.generate.chat.completion_body import UnreadableReply
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.ports import Check, Generator, Message, Reader
from footnotary.profiles.schema import Profile
from footnotary.reader.language_model.readings import replaying_readings


@dataclass(frozen=True, slots=True)
class ReplayVerifiers:
    """What decides under a profile: its checks, its reader if any, and the names of the model weights."""

    checks: Sequence[tuple[str, Check]]
    reader: Reader | None
    models: Mapping[str, str]


ReplayVerifiersLookup: TypeAlias = Callable[[Profile], ReplayVerifiers]


@dataclass(frozen=True, slots=True)
class ReplayMatch:
    """The outcome is identical to the byte; `recomputed_steps` names the steps that were recomputed."""

    recomputed_steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReplayMismatch:
    """`what` is the first step whose result differs; later steps were not compared."""

    what: str
    detail: str = ""


def replay(content: Content, verifiers_for: ReplayVerifiersLookup) -> ReplayMatch | ReplayMismatch:
    """Parses the question, rebuilds the draft, gates, verifies and cites it again, and compares.

    No language model is called: its recorded output is parsed as if it had just arrived, and what one on a server said
    of claims and passages is taken from the record. `verifiers_for` gives the
    checks and models of a profile, as the engine has them. Retrieval is not repeated; the evidence is as recorded.
    """
    try:
        with replaying_readings(readings_in(content)):
            return _replay_unguarded(content, verifiers_for)
    except (ValueError, KeyError, TypeError, AttributeError, FootnotaryError) as error:
        return ReplayMismatch("content", f"the recorded content cannot be read back: {error}")


def _replay_unguarded(content: Content, verifiers_for: ReplayVerifiersLookup) -> ReplayMatch | ReplayMismatch:
    profile, evidence, draft = profile_in(content), evidence_in(content), draft_in(content)
    if profile.digest != content["profile_digest"]:
        return ReplayMismatch("profile", "its digest is not the recorded one")
    if not _parses_identically(evidence.query, profile):
        return ReplayMismatch("query", "the question is parsed differently")
    verifiers = verifiers_for(profile)
    recorded = present_names(content["models"], MODELS)
    if others := [name for name in verifiers.models if verifiers.models[name] != recorded.get(name)]:
        return ReplayMismatch("models", f"{', '.join(others)}: not the recorded model weights")
    rejected = rejected_in(content)
    proposed = draft if rejected is None else rejected.draft
    generator = _replay_generator(proposed, profile, verifiers.reader)
    outcome = _replayed_outcome(content, evidence, generator, profile, verifiers)
    quoted_for = outcome.rejected if isinstance(outcome, Answer) else None
    # The sentences of version 0.1 were worded differently.
    is_former = not any("values" in one for one in content["outcome"]["verdicts"])
    compared: Callable[[Content | None], Content | None] = _without_wording if is_former else lambda part: part
    if canonical_json(compared(to_plain(quoted_for))) != canonical_json(compared(content.get("rejected"))):
        return ReplayMismatch("rejected", "the checks decide differently about the model's draft")
    if canonical_json(to_plain(outcome.draft)) != canonical_json(content["draft"]):
        return ReplayMismatch("draft", "the recorded model output is parsed differently")
    again = outcome_content(outcome)
    if "unsupported" not in content["outcome"]:
        again.pop("unsupported", None)  # a record of version 0.1 does not name them
    again, made = compared(again) or {}, compared(content["outcome"]) or {}
    differing = [name for name, value in made.items() if again.get(name) != value]
    if canonical_json(again) != canonical_json(made):
        return ReplayMismatch("outcome", ", ".join(differing) or "its fields differ")
    drafted = draft is not None and not isinstance(generator, _RecordedGenerator)
    return ReplayMatch(("query", "gate", *(("draft",) if drafted else ()), "verdicts", "outcome"))


def _without_wording(part: Content | None) -> Content | None:
    """An outcome without its sentences for people and without values of checks: version 0.1 had none."""
    if part is None:
        return None
    kept = dict(part)
    kept["verdicts"] = [{k: v for k, v in one.items() if k not in ("detail", "values")} for one in part["verdicts"]]
    if "needed" in part:
        kept["needed"] = part["needed"]["nearest"]
    if part.get("beginning"):
        kept["beginning"] = _without_wording(part["beginning"])
    return kept


def _replayed_outcome(
    content: Content, evidence: Evidence, generator: Generator, profile: Profile, verifiers: ReplayVerifiers
) -> Outcome:
    if content["outcome"].get("reason") == Reason.COLLECTION_NOT_FOUND.value:
        is_created = any(one["check"] == PROJECT_HAS_DOCUMENTS for one in content["outcome"]["verdicts"])
        return refuse_without_documents(evidence.query, profile, is_created=is_created)
    part = content["outcome"]
    answered = part if part["kind"] == "answer" else part["beginning"]
    originals = {
        citation["document_id"]: (citation["document_sha256"], citation["path"])
        for citation in (answered["citations"] if answered else ())
    }
    source_lookup = _source_lookup(originals)
    # A refusal is replayed without one: where there was a quoter, what it quoted did not pass either.
    quotes = "rejected" in content and profile.generation.on_rejected == "quote"
    quoter = ExtractiveGenerator(profile, verifiers.reader) if quotes else None
    return answer_from(
        evidence, generator, profile, verifiers.checks, source_lookup, reader=verifiers.reader, quoter=quoter
    )


def _source_lookup(originals: Mapping[str, tuple[str, str]]) -> Callable[[str], tuple[str, str]]:
    return lambda document: originals.get(document, ("", ""))


def _parses_identically(recorded: Query, profile: Profile) -> bool:
    """Whether the question is understood as recorded, given the document that was found for it.

    What the documents write together ("search and seizure") is not recorded: either way counts.
    """
    same: Callable[[Query], Query] = _without_terms if profile.retrieval.model_expansion else lambda query: query
    ways: tuple[Written | None, ...] = (None, lambda _: False, lambda phrase: " and " not in phrase)
    return any(
        same(understand(recorded.text, recorded.scope, profile, recorded.named, written))
        == same(replace(recorded, context=None))
        for written in ways
    )


def _without_terms(query: Query) -> Query:
    """The question without its search terms, to which a model may have added."""
    return replace(query, facets=tuple(replace(facet, terms=()) for facet in query.facets))


def _replay_generator(draft: Draft | None, profile: Profile, reader: Reader | None) -> Generator:
    if draft is None or draft.extractive:
        return ExtractiveGenerator(profile, reader)
    if draft.request is None:
        return _RecordedGenerator(draft)
    model = _RecordedModel(draft.generator.removeprefix("chat:"), draft.raw, draft.unusable)
    return ChatGenerator(model, profile, request=draft.request)


@dataclass(frozen=True, slots=True)
class _RecordedModel:
    """A model that returns its recorded output, or fails with it where it could not be read."""

    name: str
    said: str
    unusable: str

    def complete(self, messages: Sequence[Message], schema: dict[str, object] | None = None) -> str:  # noqa: ARG002
        if self.unusable:
            raise UnreadableReply(self.unusable, hint="", text=self.said)
        return self.said


@dataclass(frozen=True, slots=True)
class _RecordedGenerator:
    """The recorded draft of a third-party generator, which cannot be run again."""

    draft: Draft

    @property
    def name(self) -> str:
        return self.draft.generator

    def generate(self, query: Query, evidence: Evidence) -> Draft:  # noqa: ARG002
        return self.draft
