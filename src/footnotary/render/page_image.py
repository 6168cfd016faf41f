"""Renders pages of an original with the cited words highlighted, as a PNG."""

import io
import math
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, TypeAlias

from footnotary.domain.layout import Box, Layout
from footnotary.errors import DocumentError, UsageError

PDF = "application/pdf"
IMAGE_FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/tiff": "TIFF"}

_DPI = 150
_MAX_PIXELS = 12_000_000  # of one page: larger ones are rendered at a lower resolution
_MAX_PAGES = 20
_YELLOW = (255, 236, 64)
_PAGE_GAP_PIXELS = 12  # grey pixels between two pages
_MARGIN_POINTS = 1.0  # points around a line, so that the edges of its letters are marked as well

PageBox: TypeAlias = tuple[int, Box]
_ImageBox: TypeAlias = tuple[float, float, float, float]


def require_pages(media_type: str) -> None:
    """Raises `UsageError` for a format without pages."""
    if media_type != PDF and media_type not in IMAGE_FORMATS:
        raise UsageError(f"there is no page image: {media_type} has no pages", hint="leave --image out")


def render_page_image(data: bytes, media_type: str, layout: Layout, places: Sequence[PageBox]) -> bytes:
    """The pages of `places`, one below the other in reading orientation, with the places in yellow.

    Letters stay as dark as they are. `data` is the original that `layout` was made from. Raises `UsageError` if the
    format has no pages, nothing is marked, or a library is missing; `DocumentError` if it cannot be rendered.
    """
    require_pages(media_type)
    by_page: dict[int, list[Box]] = {}
    for page, box in places:
        by_page.setdefault(page, []).append(box)
    if not by_page:
        raise UsageError(
            "there is no page image: the position of these words on the page is not known",
            hint="ingest the document again",
        )
    if len(by_page) > _MAX_PAGES:
        raise UsageError(
            f"the passage spans {len(by_page)} pages, which is too many for an image", hint="narrow it with --quote"
        )
    pillow = _import_library("PIL.Image", "Pillow")
    draw = _render_pdf_pages if media_type == PDF else _render_image_pages
    try:
        shown = list(draw(data, layout, by_page, pillow))
    except (OSError, SyntaxError, ValueError, EOFError, RuntimeError) as error:  # pdfium's errors are RuntimeErrors
        raise DocumentError(f"its pages cannot be rendered: {error}", reason="broken_file") from error
    out = io.BytesIO()
    _stack_images(shown, pillow).save(out, format="PNG")
    return out.getvalue()


def _render_pdf_pages(data: bytes, layout: Layout, by_page: dict[int, list[Box]], pillow: Any) -> Iterator[Any]:  # noqa: ARG001
    pdfium = _import_library("pypdfium2", "pypdfium2")
    document = pdfium.PdfDocument(data)
    try:
        for number, boxes in by_page.items():
            page = document[number - 1]
            width, height = page.get_size()
            bitmap = page.render(scale=min(_DPI / 72, math.sqrt(_MAX_PIXELS / max(width * height, 1.0))))
            place = bitmap.get_posconv(page).to_bitmap  # knows how the page is cropped and turned
            yield _highlight(bitmap.to_pil().convert("RGB"), boxes, place, pillow)
            page.close()
    finally:
        document.close()


def _render_image_pages(data: bytes, layout: Layout, by_page: dict[int, list[Box]], pillow: Any) -> Iterator[Any]:
    pillow.MAX_IMAGE_PIXELS = None  # its size was checked at ingestion, and it has not changed
    turned = import_module("PIL.ImageOps").exif_transpose
    with pillow.open(io.BytesIO(data), formats=tuple(IMAGE_FORMATS.values())) as picture:
        for number, boxes in by_page.items():
            picture.seek(number - 1)
            image = turned(picture).convert("RGB")
            image.thumbnail((4000, 4000))
            stored = layout.pages[number - 1]
            by_x, by_y, foot = image.width / stored.width, image.height / stored.height, image.height

            def place(
                x: float, y: float, by_x: float = by_x, by_y: float = by_y, foot: int = foot
            ) -> tuple[float, float]:
                return x * by_x, foot - y * by_y

            yield _highlight(image, boxes, place, pillow)


def _highlight(
    image: Any, boxes: Sequence[Box], place: Callable[[float, float], tuple[float, float]], pillow: Any
) -> Any:
    """The image multiplied with a layer that is yellow where the boxes are: overlapping boxes are no darker."""
    sheet = pillow.new("RGB", image.size, "white")
    pen = import_module("PIL.ImageDraw").Draw(sheet)
    for box in boxes:
        pen.rectangle(_image_box(box, place), fill=_YELLOW)
    return import_module("PIL.ImageChops").multiply(image, sheet)


def _image_box(box: Box, place: Callable[[float, float], tuple[float, float]]) -> _ImageBox:
    """A box of the stored page in image coordinates, whichever of its corners is the upper left one there."""
    x1, y1 = place(box.left - _MARGIN_POINTS, box.bottom - _MARGIN_POINTS)
    x2, y2 = place(box.right + _MARGIN_POINTS, box.top + _MARGIN_POINTS)
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def _stack_images(images: Sequence[Any], pillow: Any) -> Any:
    if len(images) == 1:
        return images[0]
    height = sum(image.height for image in images) + _PAGE_GAP_PIXELS * (len(images) - 1)
    whole = pillow.new("RGB", (max(image.width for image in images), height), "grey")
    top = 0
    for image in images:
        whole.paste(image, (0, top))
        top += image.height + _PAGE_GAP_PIXELS
    return whole


def _import_library(module: str, name: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise UsageError(
            f"page images need {name}, which is not installed", hint="pip install 'footnotary[ocr]'"
        ) from error
