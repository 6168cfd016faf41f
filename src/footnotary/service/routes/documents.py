"""`/v1/projects/{project}/documents`: documents uploaded, listed and deleted."""

from __future__ import annotations

from datetime import date
from pathlib import PurePath
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from footnotary.app.document_listing import calendar_today, list_documents
from footnotary.domain.layout import Layout
from footnotary.domain.validity import Trust, Validity
from footnotary.ingest.uploads import MAX_NAME_CHARS, UPLOAD_ORIGIN_PREFIX
from footnotary.ports import StoredDocument
from footnotary.render.flagged_record import cleared_records, flagged_records
from footnotary.service.dependencies import InjectedService, ReaderCredential, WriterCredential
from footnotary.service.jobs.queue import JobQueue
from footnotary.service.jobs.records import document_record, job_record, version_record
from footnotary.service.problems import Problem, invalid_request
from footnotary.service.routes.projects import (
    JOB_RUNNING_PROBLEM,
    ProjectPath,
    require_project_name,
    require_unreserved_name,
)
from footnotary.service.schemas.answers import DayField
from footnotary.service.schemas.documents import (
    DeletedDocument,
    DocumentDetail,
    DocumentPage,
    OcrQuality,
    UploadAccepted,
)
from footnotary.service.state import TenantState
from footnotary.service.strict_json import StrictRoute
from footnotary.service.upload_body import UPLOAD_BODY, receive_files

router = APIRouter(prefix="/v1", tags=["documents"], route_class=StrictRoute)
DocumentId = Annotated[str, Path(min_length=1, max_length=1000)]

# Of the OCR engine's own confidence: below it, a word is more likely to be misread.
_DOUBTFUL_PERCENT = 60
NO_DOCUMENT = "This project has no such document; GET /v1/projects/{project}/documents lists them."


@router.get("/projects/{project}/documents", summary="The documents of a project, ordered by id")
async def documents(
    project: ProjectPath,
    who: ReaderCredential,
    service: InjectedService,
    after: Annotated[str | None, Query(max_length=1000)] = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1_000,
    q: Annotated[str | None, Query(max_length=200, description="Words of the title or the file name.")] = None,
    media_type: Annotated[str | None, Query(max_length=1000, description="Only these, separated by commas.")] = None,
) -> DocumentPage:
    terms, kinds = (q or "").casefold().split(), set((media_type or "").split(",")) - {""}

    def is_wanted(document: StoredDocument) -> bool:
        named = f"{document.title}\n{document.id}\n{PurePath(document.path).name}".casefold()
        return (not kinds or document.media_type in kinds) and all(term in named for term in terms)

    def listed(tenant: TenantState) -> DocumentPage:
        tenant.require_project(project)
        page = list_documents(tenant.store, project, after=after, limit=limit, is_wanted=is_wanted)
        records = [document_record(one, standing) for one, standing in page.documents]
        return DocumentPage(project=project, documents=records, next=page.next)

    return await service.work(who.tenant, listed)


@router.post(
    "/projects/{project}/documents",
    status_code=202,
    summary="Upload files to be indexed; 202 means they are on disk and will be indexed",
    openapi_extra=UPLOAD_BODY | {"x-problems": ["bad_name", "empty_file", "queue_full"]},
)
async def upload(
    request: Request,
    response: Response,
    project: ProjectPath,
    who: WriterCredential,
    service: InjectedService,
    name: Annotated[
        str | None,
        Query(
            # The limits are stated here and checked with the other rules for names, which say what is wrong.
            json_schema_extra={"minLength": 1, "maxLength": MAX_NAME_CHARS},
            description="The file name, such as act-1948.pdf; required if the body is a raw file "
            "(application/octet-stream), and not used for a form.",
        ),
    ] = None,
    effective_from: Annotated[DayField | None, Query(description="The first day the documents are in force.")] = None,
    effective_to: Annotated[DayField | None, Query(description="The last day the documents are in force.")] = None,
    supersedes: Annotated[
        list[str] | None, Query(max_length=50, description="Ids of documents that the uploaded ones replace.")
    ] = None,
    trust: Annotated[Trust | None, Query(description="How far the documents are trusted.")] = None,
) -> UploadAccepted:
    """Uploading to a project that does not exist creates it."""
    require_project_name(project)

    def queue_of(tenant: TenantState) -> JobQueue:
        require_unreserved_name(tenant, project, service, ("path", "project"))
        return tenant.jobs

    given = _parse_validity(effective_from, effective_to, supersedes, trust)
    queue = await service.work(who.tenant, queue_of)
    async with receive_files(request, queue, name, service.settings.max_file_mb * 1_000_000) as files:
        jobs = await service.work(who.tenant, lambda _: queue.submit(files, project, given))
    service.runner.wake(who.tenant)
    records = [job_record(job) for job in jobs]
    response.headers["Location"] = f"/v1/jobs/{jobs[0].id}"
    return UploadAccepted(job=records[0], jobs=records)


@router.get("/projects/{project}/documents/{document_id:path}", summary="A document with its passages and versions")
async def document(
    project: ProjectPath, document_id: DocumentId, who: ReaderCredential, service: InjectedService
) -> DocumentDetail:
    def found(tenant: TenantState) -> DocumentDetail:
        stored = find_document(tenant, project, document_id)
        layout = tenant.store.layout(project, document_id)
        passages = tenant.store.passage_ids(project, document_id)
        chunks = tenant.store.chunks(project, passages)
        return DocumentDetail(
            **document_record(stored, calendar_today(tenant.store, project).standing(document_id)).model_dump(),
            project=project,
            pages=len(layout.pages) if layout else None,
            ocr=_ocr_quality(layout) if layout else None,
            characters=len(tenant.store.document_text(project, document_id)),
            passage_ids=list(passages),
            flagged=flagged_records(chunks),
            cleared=cleared_records(chunks),
            former_versions=[version_record(version) for version in tenant.store.former_versions(project, document_id)],
        )

    return await service.work(who.tenant, found)


@router.delete(
    "/projects/{project}/documents/{document_id:path}",
    summary="Delete a document; no later answer cites it",
    openapi_extra=JOB_RUNNING_PROBLEM,
)
async def delete_document(
    project: ProjectPath,
    document_id: DocumentId,
    who: WriterCredential,
    service: InjectedService,
    keep_history: bool = False,
) -> DeletedDocument:
    """Its former versions are erased too, even if the document itself is already deleted; `keep_history` keeps them."""

    def delete(tenant: TenantState) -> DeletedDocument:
        former = tenant.store.former_versions(project, document_id)
        stored = next((d for d in tenant.store.documents(project) if d.id == document_id), None)
        if stored is None and (keep_history or not former):
            tenant.require_project(project)
            raise Problem("not_found", NO_DOCUMENT)
        sent_as = _upload_name(stored or former[0].document)
        if sent_as is not None and not tenant.jobs.withdraw(project, sent_as):
            raise Problem("job_running")
        tenant.corpus.delete(project, document_id, keep_history=keep_history)
        if sent_as is not None and not any(_upload_name(d) == sent_as for d in tenant.store.documents(project)):
            tenant.jobs.uploads.forget(project, sent_as)
        return DeletedDocument(deleted=document_id, former_versions_erased=0 if keep_history else len(former))

    return await service.work(who.tenant, delete)


# -- inside --------------------------------------------------------------------------------------------------------


def find_document(tenant: TenantState, project: str, document_id: str) -> StoredDocument:
    """A document of the project. Raises `Problem` if there is no such project, or no such document in it."""
    tenant.require_project(project)
    found = next((d for d in tenant.store.documents(project) if d.id == document_id), None)
    if found is None:
        raise Problem("not_found", NO_DOCUMENT)
    return found


def _ocr_quality(layout: Layout) -> OcrQuality | None:
    """How well the scanned words were read; None if the text is digital."""
    scanned = [percent for percent in layout.confidences if percent >= 0]
    if not scanned:
        return None
    doubtful = sum(percent < _DOUBTFUL_PERCENT for percent in scanned)
    return OcrQuality(words=len(scanned), confidence=round(sum(scanned) / len(scanned) / 100, 3), doubtful=doubtful)


def _upload_name(document: StoredDocument) -> str | None:
    """The name of the uploaded file or archive the document comes from; None if it was not uploaded."""
    return (
        document.path.removeprefix(UPLOAD_ORIGIN_PREFIX).split("/")[0]
        if document.path.startswith(UPLOAD_ORIGIN_PREFIX)
        else None
    )


def _parse_validity(
    effective_from: date | None, effective_to: date | None, supersedes: list[str] | None, trust: Trust | None
) -> Validity:
    try:
        return Validity(effective_from, effective_to, tuple(dict.fromkeys(supersedes or ())), trust=trust)
    except ValueError:
        raise invalid_request([{"loc": ("query", "effective_to"), "type": "before_effective_from"}]) from None
