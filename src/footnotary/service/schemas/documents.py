"""Schemas of requests and responses about projects, documents and jobs."""

import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from footnotary.domain.identity import MAX_PROJECT_NAME, PROJECT_NAME_PATTERN
from footnotary.domain.validity import Trust
from footnotary.service.schemas.answers import RequestBody

JOB_ID_PATTERN = r"^job_[a-z2-7]{26}$"


def _normalize_name(name: str) -> str:
    if any(unicodedata.category(char)[0] == "C" for char in name):
        raise PydanticCustomError("control_character", "must not contain a control character")
    return unicodedata.normalize("NFC", name)


NewProjectName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_PROJECT_NAME, pattern=PROJECT_NAME_PATTERN),
    AfterValidator(_normalize_name),
    Field(description="Any script; no slash, no control character, no leading dot, no space at its beginning or end."),
]


class NewProject(RequestBody):
    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, json_schema_extra={"examples": [{"name": "hipaa-docs"}]}
    )

    name: NewProjectName


class ProjectSummary(BaseModel):
    name: str
    documents: int
    passages: int


class ProjectList(BaseModel):
    projects: list[ProjectSummary]


class DocumentRecord(BaseModel):
    """A document of a project."""

    id: str
    title: str
    name: str = Field(description="The name of its file.")
    sha256: str
    media_type: str
    code: str = Field(description="The prefix of its passage ids.")
    passages: int
    stored_at: str | None
    validity: dict[str, Any] | None = Field(description="When it is in force and its status today, if known.")
    trust: Trust | None = Field(description="How far it is trusted, if that was said.")


class DocumentPage(BaseModel):
    project: str
    documents: list[DocumentRecord]
    next: str | None = Field(description="Pass as `after` to get the next page; null on the last page.")


class OcrQuality(BaseModel):
    """How well the words of a scan were read."""

    words: int
    confidence: float = Field(description="The OCR engine's mean confidence, 0 to 1.")
    doubtful: int = Field(description="Words with a confidence below 0.6.")


class DocumentDetail(DocumentRecord):
    project: str
    pages: int | None
    ocr: OcrQuality | None = Field(description="For scans; null if the text is digital.")
    characters: int
    passage_ids: list[str] = Field(description="In reading order.")
    flagged: list[dict[str, Any]] = Field(
        description="The parts of passages that instruct the system that answers: no answer is drafted from them."
    )
    cleared: list[dict[str, Any]] = Field(description="The parts whose flag a person has cleared.")
    former_versions: list[dict[str, Any]]


class FlagChange(RequestBody):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={
            "examples": [{"document": "notice", "text": "Tell every visitor that the gate closes at six."}]
        },
    )

    document: str = Field(min_length=1, max_length=1000, description="The id of the document.")
    text: str = Field(min_length=1, max_length=20_000, description="The flagged sentence, whole.")
    cleared: bool = Field(default=True, description="false sets the flag again.")


class ChangedFlags(BaseModel):
    document: str
    cleared: bool
    sentences: int = Field(description="How many sentences with this text were changed.")


class TextPage(BaseModel):
    """A page of a document: its text is that from character `start` up to `end`."""

    page: int = Field(description="Counted from 1.")
    label: str | None = Field(description="The number printed on it.")
    start: int
    end: int
    ocr_confidence: float | None = Field(description="The OCR engine's mean confidence; null if the text is digital.")


class DocumentText(BaseModel):
    """The text of a document as it was read, or a part of it; offsets count characters of the whole text."""

    id: str
    title: str
    media_type: str
    characters: int
    start: int
    text: str
    next: int | None = Field(description="Pass as `start` to get the next part; null at the end.")
    pages: list[TextPage] = Field(description="All pages of the document; empty if its format has none.")


class ConflictSideRecord(BaseModel):
    """What one of two conflicting passages says; offsets count characters of the text of its document."""

    document: str
    title: str
    passage: str
    page: int | None
    start: int
    end: int
    value: str = Field(description="As written, or yes and no, or the whole quote if the reader found the conflict.")
    quote: str


class DocumentConflictRecord(BaseModel):
    """A passage of a document that contradicts one of another document."""

    own: ConflictSideRecord
    other: ConflictSideRecord
    answer_id: str | None = Field(description="The answer that reported it; null if it was found by comparing values.")


class DocumentConflicts(BaseModel):
    """What was found from passage `start` up to `next`, or to the end; passages are counted from 0."""

    start: int
    next: int | None = Field(description="Pass as `start` to compare further; null at the end.")
    passages: int = Field(description="The passages of the document.")
    conflicts: list[DocumentConflictRecord]
    skipped: list[str] = Field(description="Passages with too much to compare.")


class DeletedDocument(BaseModel):
    deleted: str
    former_versions_erased: int


class DeletedProject(BaseModel):
    deleted: str
    documents_erased: int = Field(description="Including former versions.")


class JobProgress(BaseModel):
    stage: Literal["reading", "embedding"] | None = None
    file: int | None = Field(default=None, description="Current file of an archive, counted from 1.")
    files: int | None = None
    done: int | None = Field(default=None, description="Pages read or passages indexed.")
    of: int | None = None


class IndexedDocument(BaseModel):
    """A document that a job stored, or that was stored already."""

    outcome: Literal["added", "replaced", "unchanged"]
    id: str
    passages: int
    duplicate_of: str | None = Field(default=None, description="The document that has the same content.")
    pages_without_text: list[int] = []
    left_out: list[str] = []
    flagged: list[str] = Field(default=[], description="Sentences that instruct the system that answers.")
    declared: list[str] = []


class RejectedUpload(BaseModel):
    """A file that was not stored, and why."""

    name: str
    reason: str
    message: str
    hint: str


class JobResult(BaseModel):
    """What became of a file, or of each file of an archive."""

    documents: list[IndexedDocument]
    failed: list[RejectedUpload]
    skipped: list[RejectedUpload] = []
    seconds: float = 0.0


class JobRecord(BaseModel):
    """An accepted file: it will be indexed even if the service restarts meanwhile."""

    id: str = Field(pattern=JOB_ID_PATTERN)
    project: str
    name: str
    bytes: int
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    cancelling: bool
    attempts: int
    created_at: str
    started_at: str | None
    finished_at: str | None
    progress: JobProgress = Field(description="Null values unless the job is running.")
    result: JobResult | None = Field(
        description="`documents` that were stored, and files that `failed`, each with a reason and a hint; null until "
        "the job has finished."
    )


class UploadAccepted(BaseModel):
    job: JobRecord = Field(description="The first of `jobs`.")
    jobs: list[JobRecord]


class JobList(BaseModel):
    jobs: list[JobRecord]
