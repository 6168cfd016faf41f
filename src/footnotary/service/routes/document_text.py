"""The text of a document as it was read, with its pages: what the web page shows when a document is opened."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Path, Query

from footnotary.domain.layout import Layout
from footnotary.service.dependencies import InjectedService, ReaderCredential
from footnotary.service.routes.documents import find_document
from footnotary.service.schemas.documents import DocumentText, TextPage
from footnotary.service.state import TenantState
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["documents"], route_class=StrictRoute)


@router.get("/projects/{project}/document-text/{document_id:path}", summary="The text of a document, with its pages")
async def document_text(
    project: Annotated[str, Path(min_length=1, max_length=200)],
    document_id: Annotated[str, Path(min_length=1, max_length=1000)],
    who: ReaderCredential,
    service: InjectedService,
    start: Annotated[int, Query(ge=0, le=1_000_000_000, description="The first character.")] = 0,
    limit: Annotated[int, Query(ge=1, le=500_000, description="At most this many characters.")] = 200_000,
) -> DocumentText:
    def read(tenant: TenantState) -> DocumentText:
        stored = find_document(tenant, project, document_id)
        text = tenant.store.document_text(project, document_id)
        layout = tenant.store.layout(project, document_id)
        end = min(start + limit, len(text))
        return DocumentText(
            id=stored.id,
            title=stored.title,
            media_type=stored.media_type,
            characters=len(text),
            start=start,
            text=text[start:end],
            next=end if end < len(text) else None,
            pages=list(text_pages(layout, len(text))) if layout else [],
        )

    return await service.work(who.tenant, read)


def text_pages(layout: Layout, length: int) -> Iterator[TextPage]:
    """The pages of a document in order: where the text of each begins and ends, and how well a scan was read.

    A page without a word is there too, and empty.
    """
    first: dict[int, int] = {}
    read: dict[int, list[int]] = {}
    for at in range(len(layout)):
        page = layout.numbers[3 * at + 2]
        first[page] = min(first.get(page, length), layout.numbers[3 * at])
        if (percent := layout.confidences[at]) >= 0:
            read.setdefault(page, []).append(percent)
    end = length
    pages: list[TextPage] = []
    for number in range(len(layout.pages), 0, -1):
        begin = min(first.get(number, end), end)
        words = read.get(number, [])
        confidence = round(sum(words) / len(words) / 100, 2) if words else None
        label = layout.label(number)
        pages.append(TextPage(page=number, label=label, start=begin, end=end, ocr_confidence=confidence))
        end = begin
    if pages:
        pages[-1] = pages[-1].model_copy(update={"start": 0})  # a title before the first word belongs to the first page
    yield from reversed(pages)
