"""What requests and responses are made of. A name that is not here is refused, so nobody can pass a tenant in."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from footnotary.domain.validity import day_of

MAX_QUESTION = 4_000


def _day(given: object) -> date:
    if not isinstance(given, str) or given != given.strip():
        raise ValueError("a day is text, as 2021-04-01")
    return day_of(given)


Question = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_QUESTION, pattern=r"\S"),
    Field(description="The question, in English or Hindi."),
]
ProjectName = Annotated[
    str, StringConstraints(min_length=1, max_length=200), Field(description="A project of the credential's tenant.")
]
ProfileName = Annotated[
    str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$"), Field(description="A policy: see `GET /v1/profiles`.")
]
Day = Annotated[
    date,
    BeforeValidator(_day, json_schema_input_type=str),
    WithJsonSchema({"type": "string", "format": "date", "description": "As 2021-04-01."}),
]
Citations = Literal["show", "strip"]


class Request(BaseModel):
    """A body: every name known, every value of exactly its kind."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class RagQuery(Request):
    """A question for `/rag/query`."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={"examples": [{"query": "What are PHI identifiers?", "project_id": "hipaa-docs"}]},
    )

    query: Question
    project_id: ProjectName
    k: int | None = Field(default=None, ge=1, le=20, description="Passages to look at; the profile's own if left out.")
    min_sources: int = Field(default=1, ge=0, le=10, description="Sources needed before anything is generated.")
    backend: Literal["auto", "extractive", "openai", "runpod"] = Field(
        default="auto",
        description="Who drafts: `auto` is what the service is set to, `extractive` no model at all, the others the "
        "OpenAI-compatible model it is set to.",
    )
    mode: Literal["answer", "retrieve"] = Field(default="answer", description="`retrieve` calls no model.")
    policy_profile: ProfileName = "compliance"
    include_graph: bool = Field(default=False, description="Add the sections that results refer to, as sources.")
    citations: Citations = Field(default="show", description="`strip` leaves the markers out of the text.")


class SourceDocument(BaseModel):
    """A passage found for a question."""

    source_id: str = Field(description="What an answer cites it by.")
    content_snippet: str
    score: float = Field(ge=0.0, le=1.0, description="Calibrated relevance.")
    metadata: dict[str, Any]


class RagAnswer(BaseModel):
    """An answer with what it cites, or a refusal: the exact message, nothing cited, and why."""

    answer: str
    sources: list[SourceDocument]
    citations: list[str]
    refusal_reason: str | None
    query: str


class RagSearch(BaseModel):
    """What retrieval alone finds."""

    query: str
    project_id: str
    sources: list[SourceDocument]


class RagHealth(BaseModel):
    status: Literal["ok"]
    version: str


class Ask(Request):
    """A question for `/v1/ask`."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={
            "examples": [{"question": "What is the punishment for cheating?", "project": "demo", "profile": "legal"}]
        },
    )

    question: Question
    project: ProjectName
    profile: ProfileName | None = Field(default=None, description="The service's own if left out.")
    as_of: Day | None = Field(default=None, description="The day the question is about; today if left out.")
    k: int | None = Field(default=None, ge=1, le=50)
    min_sources: int | None = Field(default=None, ge=0, le=20)
    citations: Citations = "show"
    stream: bool = Field(default=False, description="Events as they happen; `Accept: text/event-stream` asks the same.")


class Asked(BaseModel):
    """The outcome of a question, and where to get the proof of it."""

    answer_id: str = Field(pattern=r"^ans_[a-z2-7]{26}$")
    outcome: dict[str, Any] = Field(description="As `footnotary ask --json` prints it.")
    bundle: str = Field(description="Address of the evidence bundle.")


class Retrieve(Request):
    """A search for `/v1/retrieve`."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={"examples": [{"query": "cheating", "project": "demo", "k": 3}]},
    )

    query: Question
    project: ProjectName
    profile: ProfileName | None = None
    as_of: Day | None = Field(default=None, description="The day the question is about; today if left out.")
    k: int | None = Field(default=None, ge=1, le=50)
    include_graph: bool = False


class Retrieved(BaseModel):
    query: str
    project: str
    as_of: str | None
    query_type: str
    query_analysis: dict[str, Any]
    retrieved_semantic_ids: list[str]
    results: list[dict[str, Any]]


class Whoami(BaseModel):
    tenant: str
    role: Literal["reader", "writer", "admin"]
    key_id: str
    open: bool = Field(description="Whether the service takes everybody on this machine for the admin.")


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
    """RFC 9457. `code` is for programs; nothing in it repeats the request."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    errors: list[dict[str, str]] | None = Field(default=None, description="Places of the request, where it is invalid.")


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
    """A place in a text, in characters."""

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


class Source(BaseModel):
    """What a citation points at; `superseded` says what became of a version that is not the present one."""

    model_config = ConfigDict(extra="allow")

    id: str
    project: str
    source: str
    text: str
    quote: str
    document: str
    document_sha256: str
    page: int | None
