"""Arguments and results of the tools as models; clients see their JSON schemas."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from footnotary.service.schemas.evidence import CitedSource, TextRange

QuestionArgument = Annotated[
    str, Field(min_length=1, max_length=4000, description="The question, in the user's own words.")
]
ProjectArgument = Annotated[
    str | None, Field(min_length=1, max_length=200, description="The project to search; default: the configured one.")
]
ProfileArgument = Annotated[
    str | None,
    Field(max_length=64, description="The policy to answer under, such as legal, compliance or tutor."),
]
PassageIdArgument = Annotated[str, Field(min_length=1, max_length=500)]


class _ToolArguments(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SearchEvidence(_ToolArguments):
    """Arguments of `search_evidence`."""

    question: QuestionArgument
    project: ProjectArgument = None
    profile: ProfileArgument = None
    k: int | None = Field(default=None, ge=1, le=20, description="Maximum number of passages.")


class AnswerGrounded(_ToolArguments):
    """Arguments of `answer_grounded`."""

    question: QuestionArgument
    project: ProjectArgument = None
    profile: ProfileArgument = None
    as_of: date | None = Field(default=None, description="The day the question is about; default: today.")


class PassageArgument(_ToolArguments):
    id: PassageIdArgument = Field(description="The id the answer cites it by.")
    text: str = Field(max_length=100_000)


class VerifyAnswer(_ToolArguments):
    """Arguments of `verify_answer`."""

    answer: str = Field(
        max_length=50_000, description="The answer with its markers: [id], or [1], [2] in the order of passages."
    )
    passages: list[PassageArgument] = Field(max_length=100, description="The only passages the answer may use.")
    profile: ProfileArgument = None
    question: str = Field(default="", max_length=4000, description="The question, if known.")


class GetSource(_ToolArguments):
    """Arguments of `get_source`."""

    id: PassageIdArgument = Field(description="The id in a citation, such as IPC_420_0.")
    project: ProjectArgument = None
    quote: str | None = Field(default=None, max_length=20_000, description="Part of the passage to locate.")
    version: str | None = Field(
        default=None, pattern="^[0-9a-f]{4,64}$", description="Prefix of the sha256 of the document version."
    )


class ListProjects(_ToolArguments):
    """Arguments of `list_projects`: none."""


class ListProfiles(_ToolArguments):
    """Arguments of `list_profiles`: none."""


class ListDocuments(_ToolArguments):
    """Arguments of `list_documents`."""

    project: ProjectArgument = None
    after: str | None = Field(default=None, max_length=1000, description="`next` of the page before.")
    limit: int = Field(default=100, ge=1, le=1000, description="Maximum number of documents.")


class ProjectEntry(BaseModel):
    name: str
    documents: int
    passages: int
    default: bool = Field(description="The project of calls that name none.")


class ProjectCatalog(BaseModel):
    """The projects that can be asked."""

    projects: list[ProjectEntry]


class ProfileEntry(BaseModel):
    name: str
    description: str
    default: bool = Field(description="The profile of calls that name none.")


class ProfileCatalog(BaseModel):
    """The policies that a question can be answered under."""

    profiles: list[ProfileEntry]


class DocumentEntry(BaseModel):
    id: str
    title: str
    media_type: str
    passages: int
    sha256: str
    in_force: bool | None = Field(description="Whether it is in force today; null if it has no dates.")


class DocumentCatalog(BaseModel):
    """The documents of a project, ordered by id."""

    project: str
    documents: list[DocumentEntry]
    next: str | None = Field(description="Pass as `after` to get the next page; null on the last page.")


class FoundPassage(BaseModel):
    id: str
    text: str
    score: float = Field(description="Relevance between 0 and 1.")
    source: str
    document: str
    page: int | None
    in_force: bool


class FoundEvidence(BaseModel):
    """Retrieved passages; they are not an answer."""

    question: str
    project: str
    passages: list[FoundPassage]


class ToolCitation(BaseModel):
    """Where a claim comes from. `quote` is verbatim from the passage, at `passage_span`."""

    id: str
    quote: str
    source: str
    document: str
    document_sha256: str
    page: int | None
    passage_span: TextRange
    answer_span: TextRange = Field(
        description="The claim's position in the claims joined by spaces, with lists on their own lines."
    )
    confidence: float


class AnsweredClaim(BaseModel):
    text: str
    citations: list[ToolCitation]


class MissingEvidence(BaseModel):
    """What is missing for an answer."""

    facet: str
    missing: str
    nearest: list[str] = Field(description="Ids of the nearest passages; they do not support an answer.")
    explanation: str = Field(default="", description="What is missing, in a sentence for people.")
    questions: list[str] = Field(default=[], description="Questions on the subject that the documents can answer.")


class GroundedAnswerOutput(BaseModel):
    """An answer in which every claim was verified against its citations, or an exact refusal."""

    answered: bool
    answer: str = Field(description="The text with its markers; for a refusal, the exact message.")
    claims: list[AnsweredClaim]
    refusal_reason: str | None
    needed: MissingEvidence | None
    quoted: bool = Field(default=False, description="The sources are quoted, because the model's draft was rejected.")
    answer_id: str = Field(description="The id of its audit record.")
    project: str
    profile: str
    profile_digest: str


class CheckedToolClaim(BaseModel):
    text: str
    span: TextRange | None
    cites: list[str]
    supported: bool
    label: Literal["supported", "contradicted", "not_enough_information"]
    score: float
    reasons: list[str]
    supported_by: list[str] = Field(description="Passages that each support the claim on their own.")
    nearest_id: str | None
    nearest_quote: str | None


class FailedCheck(BaseModel):
    check: str
    status: Literal["fail", "skip"]
    reason: str | None
    detail: str
    values: dict[str, str | bool | int | float] = Field(description="What the check measured, and its thresholds.")


class VerifiedAnswer(BaseModel):
    """Whether the passages support the answer: `holds` is true only if every check passed."""

    holds: bool
    is_refusal: bool
    claims: list[CheckedToolClaim]
    failed: list[FailedCheck]
    profile: str


class ToolSource(CitedSource):
    """A passage with its provenance."""

    passage_span: TextRange
    superseded: bool = Field(description="Whether this text is from a former version.")
    in_force: bool
