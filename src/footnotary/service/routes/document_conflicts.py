"""The conflicts of a document with the other documents of its project."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from footnotary.app import document_conflicts as found
from footnotary.audit.record import AuditRecord
from footnotary.service.dependencies import InjectedService, ReaderCredential
from footnotary.service.routes.documents import find_document
from footnotary.service.schemas.documents import ConflictSideRecord, DocumentConflictRecord, DocumentConflicts
from footnotary.service.state import TenantState
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["documents"], route_class=StrictRoute)


@router.get(
    "/projects/{project}/document-conflicts/{document_id:path}",
    summary="Passages of a document that contradict other documents, part by part",
)
async def document_conflicts(
    project: Annotated[str, Path(min_length=1, max_length=200)],
    document_id: Annotated[str, Path(min_length=1, max_length=1000)],
    who: ReaderCredential,
    service: InjectedService,
    start: Annotated[int, Query(ge=0, le=1_000_000_000, description="The first passage, counted from 0.")] = 0,
) -> DocumentConflicts:
    """Values that contradict each other, compared now. The first part also has what recorded answers reported: those
    asked with the caller's key, and for an admin those of the whole tenant."""

    def may_read(record: AuditRecord) -> bool:
        return who.may("admin") or record.says["principal"] == who.key_id

    def compare(tenant: TenantState) -> DocumentConflicts:
        find_document(tenant, project, document_id)
        store = tenant.store
        part = found.compare_document(store, project, document_id, start)
        log = tenant.notary.log
        reported = found.recorded_conflicts(log, store, project, document_id, may_read) if start == 0 else ()
        titles = {document.id: document.title for document in store.documents(project)}
        return DocumentConflicts(
            start=start,
            next=part.next,
            passages=len(store.passage_ids(project, document_id)),
            conflicts=[_record(conflict, titles) for conflict in (*reported, *part.conflicts)],
            skipped=list(part.skipped),
        )

    return await service.work(who.tenant, compare)


def _record(conflict: found.DocumentConflict, titles: dict[str, str]) -> DocumentConflictRecord:
    own, other = _side(conflict.own, titles), _side(conflict.other, titles)
    return DocumentConflictRecord(own=own, other=other, answer_id=conflict.answer_id)


def _side(side: found.ConflictSide, titles: dict[str, str]) -> ConflictSideRecord:
    document = side.chunk.document_id
    return ConflictSideRecord(
        document=document,
        title=titles.get(document) or document,
        passage=side.chunk.id,
        page=side.page,
        start=side.span.start,
        end=side.span.end,
        value=side.value,
        quote=side.quote,
    )
