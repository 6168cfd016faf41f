"""An answer as one JSON object: what `response_format` selects its fields from."""

from pydantic import BaseModel, Field


class StructuredCitation(BaseModel):
    """Where a claim comes from; `quote` is verbatim."""

    id: str
    quote: str
    title: str = Field(description="The name of the source, for people.")
    url: str
    document: str
    page: int | None
    confidence: float


class StructuredClaim(BaseModel):
    text: str
    citations: list[StructuredCitation]


class StructuredConflict(BaseModel):
    """Two passages that contradict each other, each with its value and verbatim quote."""

    value_a: str
    id_a: str
    quote_a: str
    value_b: str
    id_b: str
    quote_b: str


class StructuredAnswer(BaseModel):
    """An answer with its claims and citations; a refusal has neither, and `answer` is its exact text."""

    question: str = Field(description="The question as it was asked.")
    answer: str = Field(description="The text of the claims without markers, or the refusal.")
    refused: bool
    refusal_reason: str | None
    complete: bool = Field(description="False if a rejected rest is withheld.")
    claims: list[StructuredClaim]
    citations: list[StructuredCitation] = Field(description="The citations of all claims, in order.")
    conflicts: list[StructuredConflict]
    answer_id: str = Field(description="The id of the audit record.")
