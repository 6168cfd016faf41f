"""Images of document pages with the cited text highlighted."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from footnotary.app.source_lookup import find_source
from footnotary.domain.identity import Span, sha256_hex
from footnotary.domain.layout import Box, Layout
from footnotary.errors import DocumentError, UnknownProject, UnknownSource, UsageError
from footnotary.ingest.original import read_original
from footnotary.ports import StoredDocument
from footnotary.render.page_image import PageBox as PagePlace
from footnotary.render.page_image import require_pages
from footnotary.service.dependencies import InjectedService, ReaderCredential
from footnotary.service.page_image_process import PageImageCache, render_in_subprocess
from footnotary.service.problems import Problem, invalid_request
from footnotary.service.routes.documents import find_document
from footnotary.service.routes.evidence import NO_PASSAGE
from footnotary.service.state import TenantState

router = APIRouter(prefix="/v1", tags=["evidence"])
QuoteOffset = Annotated[int | None, Query(ge=0, le=10_000_000)]

_image_cache = PageImageCache()
# A page is drawn for the boxes on it; one beyond its edges marks nothing.
_OUTSIDE = Box(-20.0, -20.0, -10.0, -10.0)


@router.get(
    "/projects/{project}/sources/{semantic_id}/page.png",
    summary="An image of the page with the passage, or a part of it, highlighted",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}, "description": "The page image."}},
)
async def page(
    project: Annotated[str, Path(min_length=1, max_length=200)],
    semantic_id: Annotated[str, Path(min_length=1, max_length=160)],
    who: ReaderCredential,
    service: InjectedService,
    quote_start: QuoteOffset = None,
    quote_end: QuoteOffset = None,
) -> Response:
    def draw(tenant: TenantState) -> tuple[str, bytes]:
        try:
            shown = find_source(tenant.store, project, semantic_id)
        except (UnknownProject, UnknownSource):
            tenant.require_project(project)
            raise Problem("not_found", NO_PASSAGE) from None
        if shown.former is not None:
            raise Problem("no_page")
        start, end = quote_start or 0, len(shown.chunk.text) if quote_end is None else quote_end
        if not start < end <= len(shown.chunk.text):
            raise invalid_request([{"loc": ("query", "quote_end"), "type": "out_of_range"}])
        key = sha256_hex(f"{tenant.name}\n{project}\n{shown.document.sha256}\n{shown.chunk.span}\n{start}\n{end}")
        image = _image_cache.get(key)
        if image is None:
            layout = shown.layout or Layout()
            places = layout.boxes(Span(start, end).shifted(shown.chunk.span.start))
            image = _render_page(tenant, project, shown.document, layout, places)
            _image_cache.keep(key, image)
        return key[:32], image

    key, image = await service.work(who.tenant, draw)
    return Response(image, media_type="image/png", headers={"ETag": f'"{key}"'})


@router.get(
    "/projects/{project}/document-pages/{document_id:path}",
    summary="An image of a page of a document, with a part of its text highlighted",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}, "description": "The page image."}},
)
async def document_page(
    project: Annotated[str, Path(min_length=1, max_length=200)],
    document_id: Annotated[str, Path(min_length=1, max_length=1000)],
    who: ReaderCredential,
    service: InjectedService,
    page: Annotated[int, Query(ge=1, le=100_000, description="Counted from 1.")],
    mark_start: QuoteOffset = None,
    mark_end: QuoteOffset = None,
) -> Response:
    """`mark_start` and `mark_end` are characters of the document's text."""

    def draw(tenant: TenantState) -> tuple[str, bytes]:
        document = find_document(tenant, project, document_id)
        layout = tenant.store.layout(project, document_id) or Layout()
        if page > len(layout.pages):
            raise Problem("no_page")
        start, end = mark_start or 0, mark_end or 0
        key = sha256_hex(f"{tenant.name}\n{project}\n{document.sha256}\npage {page}\n{start}\n{end}")
        image = _image_cache.get(key)
        if image is None:
            marked = [place for place in layout.boxes(Span(start, end)) if place[0] == page] if start < end else []
            image = _render_page(tenant, project, document, layout, marked or [(page, _OUTSIDE)])
            _image_cache.keep(key, image)
        return key[:32], image

    key, image = await service.work(who.tenant, draw)
    return Response(image, media_type="image/png", headers={"ETag": f'"{key}"'})


def _render_page(
    tenant: TenantState, project: str, document: StoredDocument, layout: Layout, places: Sequence[PagePlace]
) -> bytes:
    try:
        require_pages(document.media_type)
        if not places:
            raise Problem("no_page")
        path = tenant.jobs.uploads.original(project, document.path)
        data = read_original(path, document.sha256, tenant.settings.max_file_mb * 1_000_000)
        return render_in_subprocess(data, document.media_type, layout, places)
    except (
        UsageError,
        DocumentError,
    ):  # no pages, no original, or not renderable: the caller gets the same answer
        raise Problem("no_page") from None
