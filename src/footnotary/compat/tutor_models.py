"""The textbook tutor's data types: its configuration, its result, and the five result states."""

from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from footnotary.profiles.schema import MarkerStyle


class AnswerStatus(Enum):
    """How a question ended; only `SUCCESS` is safe to use. Each refusal's reason belongs to one of the others."""

    SUCCESS = "success"
    INSUFFICIENT_CONTEXT = "insufficient_context"
    LOW_CONFIDENCE = "low_confidence"
    HALLUCINATION_DETECTED = "hallucination_detected"
    ERROR = "error"


class CitationStyle(Enum):
    """How citations are shown. `NONE` shows none in the text; `GeneratedAnswer.citations` still has them."""

    INLINE = "inline"
    FOOTNOTE = "footnote"
    SIMPLE = "simple"
    FULL = "full"
    NUMBER = "number"
    NONE = "none"

    @property
    def markers(self) -> MarkerStyle | None:
        """The renderer's name for it; None for no markers at all."""
        return _MARKERS[self]


_MARKERS: dict[CitationStyle, MarkerStyle | None] = {
    CitationStyle.INLINE: "source_number",
    CitationStyle.FOOTNOTE: "footnote",
    CitationStyle.SIMPLE: "simple",
    CitationStyle.FULL: "full",
    CitationStyle.NUMBER: "number",
    CitationStyle.NONE: None,
}


@dataclass
class GenerationConfig:
    """The tutor's configuration.

    `min_confidence` applies to the best chunk and to every cited one. Three settings cannot loosen the contract:
    a model is called at temperature 0 whatever `temperature` says; every sentence is cited whatever
    `require_citations` says; and the two `enable_` switches only control whether the hallucination reason and the
    grounding score are reported: all checks run, and a draft that fails one is never delivered.
    """

    model_name: str = "gpt-4"
    temperature: float = 0.1
    max_tokens: int = 500
    min_confidence: float = 0.6
    enable_hallucination_detection: bool = True
    enable_answer_verification: bool = True
    citation_style: CitationStyle = CitationStyle.INLINE
    require_citations: bool = True
    auto_detect_language: bool = True
    enforce_language_match: bool = True


@dataclass(frozen=True, slots=True)
class SourceCitation:
    """A cited chunk: its number in the answer, its id, its location, and the quote that supports the claim."""

    source_id: int
    chunk_id: str
    source: str
    quote: str
    page: int | None
    confidence: float


@dataclass
class GeneratedAnswer:
    """An answer with its sources, or the exact refusal; it never contains text that failed a check.

    `confidence` is the mean of the chunks' confidences, 0 where there was no usable context. `grounding_score` is
    the share of sentences that have at least half of their words in a source.
    """

    answer: str
    status: AnswerStatus
    confidence: float
    citations: list[SourceCitation] = field(default_factory=list[SourceCitation])
    hallucination_detected: bool = False
    hallucination_reason: str | None = None
    query: str = ""
    class_number: int | None = None
    language: str = "en"
    refusal_reason: str | None = None
    grounding_score: float | None = None
    reading_grade: float | None = None

    def is_safe(self) -> bool:
        """Whether the answer may be shown as one."""
        return self.status is AnswerStatus.SUCCESS and not self.hallucination_detected

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self) | {"status": self.status.value, "is_safe": self.is_safe()}
