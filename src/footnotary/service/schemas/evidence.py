"""Schemas for checking an answer, and of a cited source."""

from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag

from footnotary.service.schemas.answers import MAX_QUESTION_CHARS, ProfileName, RequestBody


class VerifyPassage(RequestBody):
    """A passage to check an answer against."""

    id: str = Field(min_length=1, max_length=160)
    text: str = Field(min_length=1, max_length=20_000)


class VerifyClaim(RequestBody):
    """A claim, and the passages it cites by id or by number."""

    text: str = Field(min_length=1, max_length=10_000)
    cites: list[Annotated[str, StringConstraints(min_length=1, max_length=160)]] = Field(
        default_factory=list[str], max_length=50
    )


class _VerifyRequest(RequestBody):
    passages: list[VerifyPassage] = Field(max_length=100)
    profile: ProfileName | None = None
    question: str = Field(
        default="", max_length=MAX_QUESTION_CHARS, description="The question the answer responds to, if known."
    )


class VerifyText(_VerifyRequest):
    """An answer with its markers: `[id]` as in `passages`, `[SOURCE: id]`, or `[1]` for the first passage."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={
            "examples": [
                {
                    "answer": "The term may extend to seven years [IPC_420_0].",
                    "passages": [
                        {"id": "IPC_420_0", "text": "The term of imprisonment may extend to seven years."},
                    ],
                }
            ]
        },
    )

    answer: str = Field(min_length=1, max_length=20_000)


class VerifyClaims(_VerifyRequest):
    """An answer as a list of claims."""

    claims: list[VerifyClaim] = Field(min_length=1, max_length=100)


def _verify_form(body: object) -> str | None:
    """Which of the two forms a body has, by the one field that only that form has."""
    forms = [form for form, field in (("VerifyText", "answer"), ("VerifyClaims", "claims")) if _has(body, field)]
    return forms[0] if len(forms) == 1 else None


def _has(body: object, field: str) -> bool:
    return field in cast("dict[str, object]", body) if isinstance(body, dict) else hasattr(body, field)


VerifyRequest = Annotated[
    Annotated[VerifyText, Tag("VerifyText")] | Annotated[VerifyClaims, Tag("VerifyClaims")],
    Discriminator(
        _verify_form,
        custom_error_type="answer_or_claims",
        custom_error_message="Give exactly one of answer and claims.",
    ),
]


class TextRange(BaseModel):
    """Characters of a text, from `start` up to `end`."""

    start: int
    end: int


class DecisiveSentence(BaseModel):
    """The sentence of a passage that is closest to the claim."""

    id: str
    quote: str
    span: TextRange


class ClaimCheck(BaseModel):
    """The result for one claim, checked against the passages it cites, or the nearest ones if it cites none."""

    text: str
    span: TextRange | None = Field(description="Its position in the answer, markers included.")
    cites: list[str]
    supported: bool
    label: Literal["supported", "contradicted", "not_enough_information"]
    score: float = Field(ge=0.0, le=1.0)
    reason: str | None = Field(description="The first of `reasons`; null if the claim is supported.")
    reasons: list[str]
    details: list[str]
    supported_by: list[str] = Field(description="Passages that each support the claim on their own.")
    decisive: DecisiveSentence | None
    unsupported_words: list[TextRange] = Field(
        default=[], description="Characters of `text` that the cited passages do not support."
    )


class VerifyResponse(BaseModel):
    """Whether the passages support the answer under the contract, and the result for each claim."""

    holds: bool
    refused: bool = Field(description="Whether the answer is exactly a refusal.")
    support_score: float = Field(ge=0.0, le=1.0, description="The share of claims that are supported.")
    claims: list[ClaimCheck]
    verdicts: list[dict[str, Any]]
    profile: str
    profile_digest: str


class CitedSource(BaseModel):
    """A passage with its provenance."""

    id: str
    project: str
    source: str
    text: str
    quote: str
    document: str
    document_sha256: str
    page: int | None


class SourceRecord(CitedSource):
    """What a citation points at; `superseded` says how a former version was replaced or deleted."""

    model_config = ConfigDict(extra="allow")
