"""Schemas of requests and responses. Unknown fields are rejected, so nobody can pass in a tenant."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from footnotary.domain.validity import Trust, parse_day

MAX_QUESTION_CHARS = 4_000


def _parse_day(given: object) -> date:
    try:
        if isinstance(given, str) and given == given.strip():
            return parse_day(given)
    except ValueError:
        pass
    raise PydanticCustomError("not_a_day", "must be a date such as 2020-01-31")


QuestionText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_QUESTION_CHARS, pattern=r"\S"),
    Field(description="The question, in English or Hindi."),
]
ProjectName = Annotated[
    str, StringConstraints(min_length=1, max_length=200), Field(description="A project of the key's tenant.")
]
ProfileName = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$"),
    Field(description="A policy profile: see `GET /v1/profiles`."),
]
DayField = Annotated[
    date,
    BeforeValidator(_parse_day, json_schema_input_type=str),
    WithJsonSchema({"type": "string", "format": "date", "description": "For example 2021-04-01."}),
]
ConversationField = Annotated[str, StringConstraints(pattern=r"^(?:new|conv_[a-z2-7]{26})$")]
AnswerIdField = Annotated[str, StringConstraints(pattern=r"^ans_[a-z2-7]{26}$")]
CitationDisplay = Literal["show", "strip"]
DocumentId = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]


class RequestBody(BaseModel):
    """A request body: no unknown fields, no type coercion."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class RagQuery(RequestBody):
    """A question for `/rag/query`."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={"examples": [{"query": "What are PHI identifiers?", "project_id": "hipaa-docs"}]},
    )

    query: QuestionText
    project_id: ProjectName
    k: int | None = Field(default=None, ge=1, le=20, description="Number of passages; default: the profile's.")
    min_sources: int = Field(default=1, ge=0, le=10, description="Sources required before an answer is generated.")
    backend: Literal["auto", "extractive", "openai", "runpod"] = Field(
        default="auto",
        description="What drafts the answer: `auto` uses the service's setting, `extractive` no model at all, the "
        "others the configured OpenAI-compatible model.",
    )
    mode: Literal["answer", "retrieve"] = Field(default="answer", description="`retrieve` calls no model.")
    policy_profile: ProfileName = "compliance"
    include_graph: bool = Field(default=False, description="Also return the sections that results refer to.")
    citations: CitationDisplay = Field(default="show", description="`strip` removes the markers from the text.")


class SourceDocument(BaseModel):
    """A retrieved passage."""

    source_id: str = Field(description="The id an answer cites it by.")
    content_snippet: str
    score: float = Field(ge=0.0, le=1.0, description="Calibrated relevance.")
    metadata: dict[str, Any]


class RagAnswer(BaseModel):
    """An answer with its citations, or a refusal: the exact message, no citations, and the reason."""

    answer: str
    sources: list[SourceDocument]
    citations: list[str]
    refusal_reason: str | None
    query: str
    conflicts: list[dict[str, str]] = Field(
        default_factory=list[dict[str, str]],
        description="Only where sources contradict each other: `value_a`, `id_a`, `quote_a` and the same of b.",
    )


class RagSearch(BaseModel):
    """The result of retrieval without an answer."""

    query: str
    project_id: str
    sources: list[SourceDocument]


class RagHealth(BaseModel):
    status: Literal["ok"]
    version: str


class Ask(RequestBody):
    """A question for `/v1/ask`."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={
            "examples": [{"question": "What is the punishment for cheating?", "project": "demo", "profile": "legal"}]
        },
    )

    question: QuestionText
    project: ProjectName
    profile: ProfileName | None = Field(default=None, description="Default: the service's profile.")
    as_of: DayField | None = Field(default=None, description="The day the question is about; today if left out.")
    document: DocumentId | None = Field(default=None, description="Only this document is asked.")
    trust: Trust | None = Field(default=None, description="Only documents trusted at least so far are asked.")
    k: int | None = Field(default=None, ge=1, le=50)
    min_sources: int | None = Field(default=None, ge=0, le=20)
    citations: CitationDisplay = "show"
    stream: bool = Field(default=False, description="Stream events; `Accept: text/event-stream` does the same.")
    history: list[QuestionText] = Field(
        default=[], max_length=20, description="The questions before this one in the conversation, oldest first."
    )
    conversation: ConversationField | None = Field(
        default=None, description="`new` records the question as the first of a conversation; an id continues one."
    )
    follows: AnswerIdField | None = Field(
        default=None,
        description="The answer in `conversation` that this question comes after, if it is left out the latest; null "
        "makes it the first one. An edited question follows the answer before it, and takes the place of what came "
        "after.",
    )


class AskResponse(BaseModel):
    """The outcome of a question, and the path of its evidence bundle."""

    answer_id: str = Field(pattern=r"^ans_[a-z2-7]{26}$")
    outcome: dict[str, Any] = Field(description="The record that `footnotary ask --json` prints.")
    bundle: str = Field(description="Path of the evidence bundle.")
    conversation: str | None = Field(
        default=None, description="The conversation it is recorded in; null if none was asked for or kept."
    )
    asked_as: str | None = Field(
        default=None, description="The question as it was asked, if it was made to stand on its own; else null."
    )


class Retrieve(RequestBody):
    """A search for `/v1/retrieve`."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={"examples": [{"query": "cheating", "project": "demo", "k": 3}]},
    )

    query: QuestionText
    project: ProjectName
    profile: ProfileName | None = None
    as_of: DayField | None = Field(default=None, description="The day the question is about; today if left out.")
    document: DocumentId | None = Field(default=None, description="Only this document is searched.")
    trust: Trust | None = Field(default=None, description="Only documents trusted at least so far are searched.")
    k: int | None = Field(default=None, ge=1, le=50)
    include_graph: bool = False


class RetrieveResponse(BaseModel):
    query: str
    project: str
    as_of: str | None
    query_type: str
    query_analysis: dict[str, Any]
    retrieved_semantic_ids: list[str]
    reranking: str = Field(description="`done` if the entailment model reranked the results, else why not.")
    results: list[dict[str, Any]]


class Whoami(BaseModel):
    tenant: str
    role: Literal["reader", "writer", "admin"]
    key_id: str
    open: bool = Field(description="True if no key is configured and every local caller is admin.")


class ProfileSummary(BaseModel):
    name: str
    description: str
    digest: str
    default: bool


class Profiles(BaseModel):
    profiles: list[ProfileSummary]


class Health(BaseModel):
    status: Literal["ok"]


class ProblemDetails(BaseModel):
    """RFC 9457 problem details. `code` is for programs; nothing repeats the request."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    errors: list[dict[str, str]] | None = Field(
        default=None,
        description="Invalid fields of the request: `in` and `at` say where, `requirement` what the field must be.",
    )
    error: dict[str, str | None] | None = Field(
        default=None, description="The problem in the form of OpenAI's API, on its routes: message, type, param, code."
    )
