"""The content of a bundle: an outcome with everything it was derived from, serialized and read back without loss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import PurePath
from typing import Any, cast, get_args

from pydantic import TypeAdapter, ValidationError

from footnotary.audit.canonical_json import to_plain
from footnotary.deprecated import RERANKING
from footnotary.domain.draft import Draft
from footnotary.domain.evidence import Evidence, Hit, Reranking
from footnotary.domain.outcome import Answer, Outcome, Refusal, RejectedDraft
from footnotary.domain.query import Query
from footnotary.profiles.schema import Profile

Content = dict[str, Any]

_SEPARATE_FIELDS = frozenset({"query", "evidence", "draft", "beginning", "readings", "rejected"})


@dataclass(frozen=True, slots=True)
class OutcomeProvenance:
    """What an outcome depended on that is not part of it.

    `software` is the version that produced it, `models` names the weights that were used: embedder and verifiers.
    """

    software: str
    index_digest: str
    models: Mapping[str, str]


def bundle_content(
    outcome: Outcome, profile: Profile, circumstances: OutcomeProvenance, answer_id: str, at: str
) -> Content:
    """Contains: question, profile, index digest, evidence with hashes, prompt hash, raw output, verdicts, answer.

    Also the readings of a model on a server, if one verified it, and a model's draft with its verdicts, if the sources
    are quoted in its place.
    """
    content: Content = {
        "answer_id": answer_id,
        "at": at,
        "software": circumstances.software,
        "models": dict(circumstances.models),
        "index_digest": circumstances.index_digest,
        "profile": profile.stored(),
        "profile_digest": outcome.profile_digest,
        "query": to_plain(outcome.query),
        "evidence": [to_plain(hit) for hit in outcome.evidence.hits],
        "reranking": outcome.evidence.reranking,
        "draft": to_plain(outcome.draft),
        "outcome": outcome_content(outcome),
    }
    if outcome.readings:
        content["readings"] = dict(outcome.readings)
    if isinstance(outcome, Answer) and outcome.rejected is not None:
        content["rejected"] = to_plain(outcome.rejected)
    return content


def outcome_content(outcome: Outcome) -> Content:
    """What was decided and delivered: verdicts, and the claims with their citations or the refusal.

    Original files are given by name only, without their path on this machine.
    """
    part: Content = {
        one.name: to_plain(getattr(outcome, one.name))
        for one in fields(outcome)
        if one.name not in _SEPARATE_FIELDS and (getattr(outcome, one.name) or "later" not in one.metadata)
    }
    if isinstance(outcome, Answer):
        part["citations"] = [one | {"path": PurePath(one["path"]).name} for one in part["citations"]]
    else:
        part["beginning"] = outcome.beginning and outcome_content(outcome.beginning)
    kind = "answer" if isinstance(outcome, Answer) else "refusal"
    return {"kind": kind, "text": delivered_text(outcome), **part}


def delivered_text(outcome: Outcome) -> str:
    """The delivered text without markers: `answer_sha256` in a record is its hash."""
    return outcome.text if isinstance(outcome, Answer) else outcome.message


def query_in(content: Content) -> Query:
    return _validate(Query, content["query"])


def evidence_in(content: Content) -> Evidence:
    hits = tuple(_validate(Hit, hit) for hit in content["evidence"])
    reranking = RERANKING.get(content["reranking"], content["reranking"])
    if reranking not in get_args(Reranking):
        raise ValueError(f"reranking: {reranking!r} is not one of {', '.join(get_args(Reranking))}")
    return Evidence(query_in(content), hits, cast("Reranking", reranking))


def draft_in(content: Content) -> Draft | None:
    return None if content["draft"] is None else _validate(Draft, content["draft"])


def rejected_in(content: Content) -> RejectedDraft | None:
    """The model's draft in whose place the sources are quoted, if there was one."""
    return _validate(RejectedDraft, content["rejected"]) if "rejected" in content else None


def readings_in(content: Content) -> dict[str, float]:
    """The readings of a model on a server, by the hash of the request; empty if none was asked."""
    return {str(key): float(value) for key, value in content.get("readings", {}).items()}


def profile_in(content: Content) -> Profile:
    return Profile.model_validate(content["profile"])


def outcome_in(content: Content) -> Outcome:
    """The outcome as it was. Raises `ValueError` if the content was not written by `bundle_content`."""
    outcome = _read_outcome(content["outcome"], evidence_in(content), draft_in(content))
    readings, rejected = readings_in(content), rejected_in(content)
    if isinstance(outcome, Answer) and rejected is not None:
        outcome = replace(outcome, rejected=rejected)
    return replace(outcome, readings=tuple(sorted(readings.items()))) if readings else outcome


def _read_outcome(part: Content, evidence: Evidence, draft: Draft | None) -> Outcome:
    own = {name: value for name, value in part.items() if name not in ("kind", "text")}
    if own.get("beginning"):
        own["beginning"] = _read_outcome(own["beginning"], evidence, draft)
    parts = own | {"query": evidence.query, "evidence": evidence, "draft": draft}
    return _validate(Answer, parts) if part["kind"] == "answer" else _validate(Refusal, parts)


def _validate(kind: type[Any], value: Any) -> Any:
    try:
        return _adapter(kind).validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{kind.__name__}.{where}: {first['msg']}") from None


@cache
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    return cast("TypeAdapter[Any]", TypeAdapter(kind))
