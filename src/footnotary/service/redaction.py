"""Redaction: an outcome's record for clients, without anything of a rejected draft and without local paths."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, cast

from footnotary.domain.outcome import Outcome, Refusal
from footnotary.domain.verdict import Reason
from footnotary.profiles.schema import Profile
from footnotary.render.outcome_record import Record, outcome_record

_QUOTES_DRAFT = ("claims", "unsupported_words")
_DRAFT_WITHHELD = "the draft did not pass the checks and was not delivered"
_OFF_QUESTION = "the draft did not answer the question and was not delivered"


def redacted_record(
    outcome: Outcome, profile: Profile, *, strip: bool = False, questions: Sequence[str] = ()
) -> Record:
    """The outcome's record. If a draft was rejected, the details that quote it stay in the audit log, and the record
    contains only the reason codes of the failed checks; so it does for a draft that was replaced by a quotation."""
    presentation = profile.presentation
    record = outcome_record(outcome, presentation.style, strip=strip, reading_level=presentation.show_reading_level)
    for detail in cast("list[Record]", record["citation_details"]):
        detail["path"] = file_name(detail["path"])
    if record.get("rejected"):
        record["rejected"] = _without_draft(record["rejected"])
    if isinstance(outcome, Refusal):
        record["needed"]["questions"] = list(questions)
    if isinstance(outcome, Refusal) and has_rejected_draft(outcome):
        record["verdicts"] = _without_details(record["verdicts"])
        record["unsupported_words"] = [
            words | {"text": ""} for words in cast("list[Record]", record["unsupported_words"])
        ]
        record["needed"] = record["needed"] | {
            "missing": _OFF_QUESTION if outcome.reason is Reason.OFF_QUESTION else _DRAFT_WITHHELD,
            "detail": "",
        }
        record["hallucination_reason"] = outcome.reason.value if record["hallucination_detected"] else None
    return record


def _without_details(verdicts: list[Record]) -> list[Record]:
    return [{name: part for name, part in one.items() if name != "values"} | {"detail": ""} for one in verdicts]


def _without_draft(rejected: Record) -> Record:
    """Which checks rejected a draft, and nothing that quotes it."""
    verdicts = _without_details(rejected["verdicts"])
    return {name: value for name, value in rejected.items() if name not in _QUOTES_DRAFT} | {"verdicts": verdicts}


def has_rejected_draft(refusal: Refusal) -> bool:
    """Whether a draft was rejected, rather than no draft made."""
    return refusal.reason.order > Reason.INSUFFICIENT_EVIDENCE.order


def file_name(path: Any) -> str:
    """The file's name without its folder."""
    return PurePath(str(path)).name
