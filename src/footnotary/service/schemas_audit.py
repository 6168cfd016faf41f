"""What requests and responses about records, bundles, feedback and review are made of."""

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from footnotary.service.schemas import Asked, Request

AnswerId = Annotated[str, Path(pattern=r"^ans_[a-z2-7]{26}$", description="As the answer came with.")]


class KeptAnswer(Asked):
    """A recorded outcome, as it was delivered."""

    seq: int = Field(description="Its number in the audit log.")
    at: str


class RecordSummary(BaseModel):
    """One record of the audit log. `question` and `answer_id` are null where the profile keeps no questions."""

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


class Records(BaseModel):
    """A page of the log; `next` is what to ask on with, and null at the end."""

    records: list[RecordSummary]
    next: int | None


class LogState(BaseModel):
    """Whether the log is as it was written; `seq` is the first record that is not, and `why` what is wrong with it."""

    intact: bool
    records: int
    signed: int
    losses: list[int] = Field(description="Records that say that something was lost before them.")
    seq: int | None = None
    why: str | None = None


class PublicKeyRecord(BaseModel):
    """What bundles and records are checked with."""

    algorithm: Literal["Ed25519"]
    id: str
    pem: str


class GivenFeedback(Request):
    """What a person thinks of an answer."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={"examples": [{"rating": "down", "comment": "The proviso is missing."}]},
    )

    rating: Literal["up", "down"]
    comment: str | None = Field(default=None, max_length=4_000)


class KeptFeedback(BaseModel):
    answer_id: str
    rating: Literal["up", "down"]
    comment_kept: bool = Field(description="False also where the profile keeps no questions: people repeat them.")


class ReviewSummary(BaseModel):
    """A case for a person: a draft that was rejected, or an answer that somebody disputes."""

    id: int
    answer_id: str | None = Field(description="Null where the profile keeps no questions; then nothing can be shown.")
    seq: int
    kind: Literal["rejected_draft", "disputed_answer"]
    reason: str | None
    state: Literal["open", "kept", "dismissed"]
    at: str
    supported: bool | None
    note: str | None
    decided_by: str | None
    decided_at: str | None


class Reviews(BaseModel):
    reviews: list[ReviewSummary]
    next: int | None


class ReviewCase(ReviewSummary):
    """A case with what there is to judge it by. A rejected draft was not delivered, but for the claims that had left
    one by one, and nothing done here delivers it."""

    question: str | None
    delivered: bool = Field(description="Whether what follows was delivered as a whole; a rejected draft was not.")
    released_claims: int = Field(
        description="How many of a rejected draft's first claims had left, in a stream that releases claim by claim."
    )
    claims: list[dict[str, Any]]
    verdicts: list[dict[str, Any]]
    passages: list[dict[str, Any]]
    raw: str | None = Field(description="The generator's output as received.")


class Decision(Request):
    """What a person decided of a case. `kept` keeps it as evaluation data, `dismissed` does not."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={"examples": [{"state": "kept", "supported": False, "note": "Seven years, not ten."}]},
    )

    state: Literal["kept", "dismissed"]
    supported: bool | None = Field(
        default=None, description="Whether the claims hold; left out, they do not, and the refusal stands."
    )
    note: str | None = Field(default=None, max_length=4_000)
