"""Schemas of conversations: listed, reopened and exported."""

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from footnotary.service.schemas.answers import AnswerIdField, RequestBody

ConversationId = Annotated[str, Path(pattern=r"^conv_[a-z2-7]{26}$", description="The `conversation` of the response.")]


class ConversationSummary(BaseModel):
    """A recorded conversation; `title` is its first question."""

    id: str
    title: str
    turns: int
    at: str = Field(description="When its last question was answered.")


class ConversationPage(BaseModel):
    conversations: list[ConversationSummary]
    next: int | None = Field(description="Pass as `before` to get the next page; null on the last page.")


class ConversationTurnRecord(BaseModel):
    """A question of a conversation and its outcome as delivered."""

    answer_id: str
    at: str
    question: str = Field(description="As it was written.")
    asked_as: str | None = Field(description="As it was asked, if it was made to stand on its own.")
    released_claims: int = Field(description="Sentences that were delivered although the rest was refused.")
    outcome: dict[str, Any]
    bundle: str


class ConversationDetail(BaseModel):
    id: str
    project: str
    turns: list[ConversationTurnRecord]


class ConversationExport(RequestBody):
    """Recorded answers to export as one file, in this order."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={"examples": [{"answers": ["ans_aaaaaaaaaaaaaaaaaaaaaaaaaa"], "format": "docx"}]},
    )

    answers: list[AnswerIdField] = Field(min_length=1, max_length=200)
    format: Literal["markdown", "html", "docx"]
