"""The closed list of refusal reasons, and the verdict of a check."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from footnotary.domain.identity import Span

Status = Literal["pass", "fail", "skip"]
# What is checked first: both fail with one reason, because there is nothing to answer from.
PROJECT_EXISTS = "project_exists"
PROJECT_HAS_DOCUMENTS = "project_has_documents"
Value = str | bool | int | float


class Reason(StrEnum):
    """Why nothing was delivered. API, CLI, audit and evaluation use these codes.

    They are in the order in which failures are reported: the first failed one is a refusal's `reason`.
    """

    # before any generation
    COLLECTION_NOT_FOUND = "collection_not_found"
    NO_RELEVANT_CONTENT = "no_relevant_content"
    INSUFFICIENT_SOURCES = "insufficient_sources"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"
    # the generation itself
    GENERATION_ERROR = "generation_error"
    GENERATOR_DECLINED = "generator_declined"
    EMPTY_ANSWER = "empty_answer"
    # the form of the citations
    CITATION_MALFORMED = "citation_malformed"
    CITATION_UNKNOWN = "citation_unknown"
    CLAIM_UNCITED = "claim_uncited"
    SOURCE_UNCITED = "source_uncited"
    CITATION_UNSUPPORTING = "citation_unsupporting"
    # what the claims say
    NUMBER_UNSUPPORTED = "number_unsupported"
    DATE_UNSUPPORTED = "date_unsupported"
    SECTION_UNSUPPORTED = "section_unsupported"
    NEGATION_MISMATCH = "negation_mismatch"
    MODALITY_MISMATCH = "modality_mismatch"
    QUANTIFIER_MISMATCH = "quantifier_mismatch"
    COMPARATOR_MISMATCH = "comparator_mismatch"
    CONNECTIVE_MISMATCH = "connective_mismatch"
    EXCEPTION_DROPPED = "exception_dropped"
    NAME_UNSUPPORTED = "name_unsupported"
    ROLE_SWAPPED = "role_swapped"
    TERM_SUBSTITUTED = "term_substituted"
    QUOTATION_ALTERED = "quotation_altered"
    CLAIM_UNSUPPORTED = "claim_unsupported"
    CONFLICTING_SOURCES = "conflicting_sources"
    UNCORROBORATED = "uncorroborated"
    # the answer as a whole
    OVERLAP_LOW = "overlap_low"
    OUTSIDE_KNOWLEDGE = "outside_knowledge"
    GROUNDING_LOW = "grounding_low"
    LENGTH_IMPLAUSIBLE = "length_implausible"
    CITATION_DENSITY_LOW = "citation_density_low"
    LANGUAGE_MISMATCH = "language_mismatch"
    PROMPT_LEAKED = "prompt_leaked"
    # the answer against the question
    OFF_QUESTION = "off_question"

    @property
    def order(self) -> int:
        return _ORDER[self]


# No check gives these any more; records of version 0.1 hold them.
FORMER_REASONS = frozenset(
    {
        Reason.QUANTIFIER_MISMATCH,
        Reason.CONNECTIVE_MISMATCH,
        Reason.EXCEPTION_DROPPED,
        Reason.NAME_UNSUPPORTED,
        Reason.ROLE_SWAPPED,
    }
)

_ORDER = {reason: place for place, reason in enumerate(Reason)}


@dataclass(frozen=True, slots=True)
class UnsupportedWords:
    """Words of a refused claim that its sources do not support: `claims[claim].text[span] == text`."""

    claim: int
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of one check. Programs read `reason` and `values`, people read `detail`; `claims` are those at fault.

    `values` are what the check measured or found, by name, with the thresholds it applied. Nothing may be decided by
    the wording of `detail`. A check that could not run is a `skip`, and a skip is not a pass.
    """

    check: str
    status: Status
    reason: Reason | None = None
    detail: str = ""
    claims: tuple[int, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict[str, Value], hash=False, metadata={"later": True})

    def __post_init__(self) -> None:
        if (self.status == "pass") != (self.reason is None):
            raise ValueError(f"{self.check}: a verdict has a reason exactly when it is not a pass")

    @staticmethod
    def passed(check: str, detail: str = "", /, **values: Value) -> "Verdict":
        return Verdict(check, "pass", None, detail, values=_rounded(values))

    @staticmethod
    def failed(check: str, reason: Reason, detail: str, claims: tuple[int, ...] = (), /, **values: Value) -> "Verdict":
        return Verdict(check, "fail", reason, detail, claims, _rounded(values))

    @staticmethod
    def skipped(check: str, reason: Reason, detail: str) -> "Verdict":
        return Verdict(check, "skip", reason, detail)


def _rounded(values: Mapping[str, Value]) -> dict[str, Value]:
    """Two decimals: further digits of a model's scores differ between processors, and a replay compares values."""
    return {name: round(value, 2) if isinstance(value, float) else value for name, value in values.items()}
