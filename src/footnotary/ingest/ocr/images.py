"""Page images: PNG, JPEG and TIFF, decoded with Pillow to greyscale."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from footnotary.errors import DocumentError
from footnotary.ingest.ocr.tesseract import GreyImage
from footnotary.ingest.parse.zip_archive import corrupt_file_error

_MAX_PIXELS = 60_000_000
_MAX_PAGES = 500
_ENLARGE_BELOW_PIXELS, _TARGET_PIXELS = (
    2000,
    2500,
)  # pixels along the longer side: with fewer, letters are too small for OCR
_DEFAULT_DPI = 300


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page image in greyscale, as displayed, and its size in points."""

    grey: GreyImage
    width: float
    height: float


def read_page_images(data: bytes) -> Iterator[PageImage]:
    """The images of a file in order, on a white background, small ones enlarged.

    Raises `DocumentError`: `broken_file`, `parse_limit`, `ocr_missing` without Pillow.
    """
    pillow = _import_pillow()
    try:
        with pillow.open(io.BytesIO(data), formats=("PNG", "JPEG", "TIFF")) as image:
            pages = getattr(image, "n_frames", 1)
            if pages > _MAX_PAGES or image.width * image.height > _MAX_PIXELS:
                seen = f"it has {pages} pages of {image.width} x {image.height} pixels"
                raise DocumentError(seen, reason="parse_limit", hint="scan it at 300 dots per inch, in parts")
            for number in range(pages):
                image.seek(number)
                if image.width * image.height > _MAX_PIXELS:
                    raise DocumentError(
                        "one of its pages is too large", reason="parse_limit", hint="scan it at a lower resolution"
                    )
                yield _to_page_image(pillow, image)
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise corrupt_file_error(str(error)) from error


def _import_pillow() -> Any:
    try:
        image: Any = import_module("PIL.Image")
    except ImportError as error:
        raise DocumentError(
            "reading images needs Pillow, which is not installed",
            reason="ocr_missing",
            hint="pip install 'footnotary[ocr]'",
        ) from error
    image.MAX_IMAGE_PIXELS = None  # the size is checked above, before anything is decoded
    return image


def _to_page_image(pillow: Any, image: Any) -> PageImage:
    dpi = float(image.info.get("dpi", (0, 0))[0] or 0)
    dpi = dpi if 100 <= dpi <= 1200 else _DEFAULT_DPI
    shown = import_module("PIL.ImageOps").exif_transpose(image)
    if shown.mode in ("RGBA", "LA", "PA") or "transparency" in shown.info:
        shown = shown.convert("RGBA")
        paper = pillow.new("RGBA", shown.size, "white")
        paper.alpha_composite(shown)
        shown = paper
    grey = shown.convert("L")
    width, height = grey.width * 72 / dpi, grey.height * 72 / dpi
    longer = max(grey.size)
    if longer < _ENLARGE_BELOW_PIXELS:
        by = min(3.0, _TARGET_PIXELS / longer)
        grey = grey.resize((round(grey.width * by), round(grey.height * by)), pillow.Resampling.BICUBIC)
    return PageImage(np.asarray(grey, dtype=np.uint8), width, height)
