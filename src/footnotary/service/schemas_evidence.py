"""What checking an answer takes and gives, and what a source is shown as."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from footnotary.service.schemas import MAX_QUESTION, ProfileName, Request


class GivenPassage(Request):
    """A passage to hold an answer against."""

    id: str = Field(min_length=1, max_length=160)
    text: str = Field(min_length=1, max_length=20_000)


class GivenClaim(Request):
    """A claim, and the passages it cites by id or by number."""

    text: str = Field(min_length=1, max_length=10_000)
    cites: list[Annotated[str, StringConstraints(min_length=1, max_length=160)]] = Field(
        default_factory=list[str], max_length=50
    )


class _Verify(Request):
    passages: list[GivenPassage] = Field(max_length=100)
    profile: ProfileName | None = None
    question: str = Field(default="", max_length=MAX_QUESTION, description="What the answer is an answer to, if known.")


class VerifyText(_Verify):
    """An answer with its markers: `[id]`, `[SOURCE: id]` or `[1]` for the first passage."""

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


class VerifyClaims(_Verify):
    """An answer as a list of claims."""

    claims: list[GivenClaim] = Field(min_length=1, max_length=100)


class Extent(BaseModel):
    """Characters of a text, from `start` up to `end`."""

    start: int
    end: int


class DecisiveSentence(BaseModel):
    """The words of a passage that come nearest to saying the claim."""

    id: str
    quote: str
    span: Extent


class ClaimCheck(BaseModel):
    """What one claim is worth on the passages it cites, or on the nearest ones where it cites none."""

    text: str
    span: Extent | None = Field(description="Its place in the answer, markers included.")
    cites: list[str]
    supported: bool
    label: Literal["supported", "contradicted", "not_enough_information"]
    score: float = Field(ge=0.0, le=1.0)
    reason: str | None = Field(description="The first of `reasons`; none where it is supported.")
    reasons: list[str]
    details: list[str]
    supported_by: list[str] = Field(description="Passages that carry it each on its own.")
    decisive: DecisiveSentence | None


class Verified(BaseModel):
    """Whether an answer keeps the contract on these passages, and claim by claim why not."""

    holds: bool
    refused: bool = Field(description="Whether the answer is exactly a refusal.")
    support_score: float = Field(ge=0.0, le=1.0, description="The share of claims that are supported.")
    claims: list[ClaimCheck]
    verdicts: list[dict[str, Any]]
    profile: str
    profile_digest: str


class CitedSource(BaseModel):
    """A passage and the way back to its file."""

    id: str
    project: str
    source: str
    text: str
    quote: str
    document: str
    document_sha256: str
    page: int | None


class Source(CitedSource):
    """What a citation points at; `superseded` says what became of a version that is not the present one."""

    model_config = ConfigDict(extra="allow")
