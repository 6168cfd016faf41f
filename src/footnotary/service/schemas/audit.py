"""Schemas of requests and responses about records, bundles, feedback and review."""

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from footnotary.service.schemas.answers import AskResponse, RequestBody

AnswerId = Annotated[str, Path(pattern=r"^ans_[a-z2-7]{26}$", description="The `answer_id` of the response.")]


class RecordedAnswer(AskResponse):
    """A recorded outcome as delivered, but for the questions that a refusal suggested: they are not recorded."""

    seq: int = Field(description="The record's number in the audit log.")
    at: str


class RecordSummary(BaseModel):
    """One record of the audit log. `question` and `answer_id` are null if the profile stores no questions."""

    model_config = ConfigDict(extra="allow")

    seq: int
    at: str
    outcome: Literal["answered", "refused", "loss"]
    hash: str
    question: str | None = None
    answer_id: str | None = None
    reason: str | None = None
    project: str | None = None
    profile: str | None = None


class RecordPage(BaseModel):
    """A page of the log; pass `next` to get the following page, null at the end."""

    records: list[RecordSummary]
    next: int | None


class LogVerification(BaseModel):
    """Whether the log is intact; if not, `seq` is the first broken record, and `why` says what is wrong with it."""

    intact: bool
    records: int
    signed: int
    losses: list[int] = Field(description="Numbers of the records that document a loss before them.")
    seq: int | None = None
    why: str | None = None


class PublicKeyRecord(BaseModel):
    """The key for checking bundles and records."""

    algorithm: Literal["Ed25519"]
    id: str
    pem: str


class FeedbackRequest(RequestBody):
    """A rating of an answer."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={"examples": [{"rating": "down", "comment": "The proviso is missing."}]},
    )

    rating: Literal["up", "down"]
    comment: str | None = Field(default=None, max_length=4_000)


class FeedbackReceipt(BaseModel):
    answer_id: str
    rating: Literal["up", "down"]
    comment_kept: bool = Field(description="Always false if the profile stores no questions: comments repeat them.")


class ReviewSummary(BaseModel):
    """A case for human review: a rejected draft, or a disputed answer."""

    id: int
    answer_id: str | None = Field(
        description="Null if the profile stores no questions; then there is no content to show."
    )
    seq: int
    kind: Literal["rejected_draft", "disputed_answer"]
    reason: str | None
    state: Literal["open", "kept", "dismissed"]
    at: str
    supported: bool | None
    note: str | None
    decided_by: str | None
    decided_at: str | None


class ReviewPage(BaseModel):
    reviews: list[ReviewSummary]
    next: int | None


class ReviewCase(ReviewSummary):
    """A review case with its evidence. A rejected draft was not delivered, except for claims that were streamed before
    the rejection, and no decision delivers it."""

    question: str | None
    delivered: bool = Field(description="Whether the claims were delivered as a whole; false for a rejected draft.")
    released_claims: int = Field(
        description="Number of claims of a rejected draft that were streamed before the rejection."
    )
    claims: list[dict[str, Any]]
    verdicts: list[dict[str, Any]]
    unsupported_words: list[dict[str, Any]] = Field(
        default=[],
        description="Words of the claims that their sources do not support: the claim, their characters, the text.",
    )
    passages: list[dict[str, Any]]
    raw: str | None = Field(description="The generator's raw output.")


class ReviewDecision(RequestBody):
    """A reviewer's decision. `kept` keeps the case as evaluation data, `dismissed` does not."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={"examples": [{"state": "kept", "supported": False, "note": "Seven years, not ten."}]},
    )

    state: Literal["kept", "dismissed"]
    supported: bool | None = Field(
        default=None, description="Whether the claims are supported; default: no, the refusal was right."
    )
    note: str | None = Field(default=None, max_length=4_000)
