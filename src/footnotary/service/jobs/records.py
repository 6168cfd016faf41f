"""Documents and jobs as API records: names and ids, never a path of this machine."""

from pathlib import PurePath
from typing import Any

from footnotary.domain.validity import ValidityStatus
from footnotary.ingest.uploads import UPLOAD_ORIGIN_PREFIX
from footnotary.ports import FormerVersion, StoredDocument
from footnotary.render.former_version_record import former_version_record
from footnotary.render.outcome_record import validity_record
from footnotary.service.jobs.job import IndexingJob
from footnotary.service.schemas.documents import DocumentRecord, JobProgress, JobRecord, JobResult


def document_record(document: StoredDocument, standing: ValidityStatus | None) -> DocumentRecord:
    return DocumentRecord(
        id=document.id,
        title=document.title,
        name=PurePath(document.path.removeprefix(UPLOAD_ORIGIN_PREFIX)).name,
        sha256=document.sha256,
        media_type=document.media_type,
        code=document.code,
        passages=document.chunks,
        stored_at=document.stored_at.isoformat() if document.stored_at else None,
        validity=validity_record(standing),
        trust=document.validity.trust,
    )


def version_record(version: FormerVersion) -> dict[str, Any]:
    return document_record(version.document, None).model_dump() | former_version_record(version)


def job_record(job: IndexingJob) -> JobRecord:
    return JobRecord(
        id=job.id,
        project=job.project,
        name=job.name,
        bytes=job.size,
        state=job.state,
        cancelling=job.is_cancelling,
        attempts=job.attempts,
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        progress=JobProgress(**job.progress),
        result=None if job.result is None else _job_result(job.result, job.name),
    )


def _job_result(result: dict[str, Any], name: str) -> JobResult:
    """The result; one that an earlier version stored may lack the name of the file that failed."""
    failed = [{"name": name, **entry} for entry in result["failed"]]
    return JobResult.model_validate(result | {"failed": failed})
