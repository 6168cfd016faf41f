"""PPTX presentations: every visible slide under its number and title, with its text, tables and notes.

A quote leads to the slide and to the shape on it: `slide 3, Title 1`, `slide 3, Table 4, row 2, column 1`.
"""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from footnotary.ingest.parse.office.package import checked_parts, import_library, read_with_library
from footnotary.ingest.parse.placed_text import PlacedTextBuilder
from footnotary.ingest.parse.zip_archive import limit_error
from footnotary.ingest.parse_context import report_page_done
from footnotary.ingest.parsed_document import LineKind, ParsedFile

_MAX_SLIDES = 5_000
_MAX_GROUP_DEPTH = 20
_BULLETS = ("{*}buChar", "{*}buAutoNum", "{*}buBlip")


def parse_pptx(data: bytes, encoding: str) -> ParsedFile:  # noqa: ARG001 - the parts declare their own encoding
    """The visible slides in order; shapes from top to bottom, the title first, notes last.

    A presentation without a title in its properties has that of its title slide.

    Raises `DocumentError` if the file is corrupt, unsafe or over a limit.
    """
    checked_parts(data)
    library = import_library("pptx", "python-pptx", "PPTX")
    return read_with_library(lambda: _PresentationReader(library.Presentation(BytesIO(data))).parsed(), "presentation")


class _PresentationReader:
    def __init__(self, presentation: Any) -> None:
        self._presentation = presentation
        self._builder = PlacedTextBuilder()
        self._left_out: list[str] = []
        self._charts = 0
        self._first_title: str | None = None

    def parsed(self) -> ParsedFile:
        slides = list(self._presentation.slides)
        if len(slides) > _MAX_SLIDES:
            raise limit_error(f"the presentation has {len(slides):,} slides; the limit is {_MAX_SLIDES:,}")
        hidden = 0
        for number, slide in enumerate(slides, start=1):
            if slide._element.get("show") in ("0", "false"):
                hidden += 1
                continue
            self._slide(slide, number)
            report_page_done(number, len(slides))
        text, offsets, lines = self._builder.finish()
        if hidden:
            self._left_out.append(f"{hidden} hidden slide{'s' * (hidden > 1)}")
        if self._charts:
            self._left_out.append(f"{self._charts} chart{'s' * (self._charts > 1)}, except for the text next to them")
        title = str(self._presentation.core_properties.title or "").strip()
        title = title if title != "PowerPoint Presentation" else ""
        return ParsedFile(
            text,
            offsets,
            lines,
            title=title or self._first_title,
            left_out=tuple(self._left_out),
        )

    def _slide(self, slide: Any, number: int) -> None:
        place, heading = f"slide {number}", slide.shapes.title
        builder = self._builder
        builder.blank()
        builder.put(f"Slide {number}")
        if heading is not None and heading.text_frame.text.strip():
            builder.put(": ")
            builder.write(heading.text_frame.text, f"{place}, {heading.name}")
            if number == 1 and _placeholder_kind(heading) == "CENTER_TITLE":
                self._first_title = " ".join(heading.text_frame.text.split())
        builder.end_line(level=1)
        for shape in sorted(_shapes(slide.shapes), key=_reading_position):
            if heading is None or shape.shape_id != heading.shape_id:
                self._shape(shape, f"{place}, {shape.name}")
        if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None and notes.text.strip():
            builder.blank()
            builder.put("Notes: ")
            builder.write_lines(notes.text, f"{place}, notes")

    def _shape(self, shape: Any, place: str) -> None:
        if getattr(shape, "has_table", False):
            self._table(shape.table, place)
        elif getattr(shape, "has_chart", False):
            self._charts += 1
            if shape.chart.has_title and shape.chart.chart_title.has_text_frame:
                self._builder.blank()
                self._builder.write_lines(shape.chart.chart_title.text_frame.text, f"{place}, title")
        elif getattr(shape, "has_text_frame", False) and shape.text_frame.text.strip():
            self._builder.blank()
            at = 0
            for paragraph in shape.text_frame.paragraphs:
                text = str(paragraph.text)
                self._builder.write(text, place, at)
                self._builder.end_line(kind=_kind(paragraph, shape))
                at += len(text) + 1

    def _table(self, table: Any, place: str) -> None:
        self._builder.blank()
        for row_number, row in enumerate(table.rows, start=1):
            for column, cell in enumerate(row.cells, start=1):
                if column > 1:
                    self._builder.put(" | ")
                if not cell.is_spanned:
                    self._builder.write(cell.text, f"{place}, row {row_number}, column {column}")
            self._builder.end_line(kind="heading_row" if row_number == 1 and table.first_row else "table")


def _shapes(shapes: Any, depth: int = 0) -> Iterator[Any]:
    """The shapes of a slide, those of groups one by one."""
    for shape in shapes:
        if hasattr(shape, "shapes"):
            if depth < _MAX_GROUP_DEPTH:
                yield from _shapes(shape.shapes, depth + 1)
        elif not _is_number_or_footer(shape):
            yield shape


def _is_number_or_footer(shape: Any) -> bool:
    """Whether it repeats on every slide: the number, the date, the header or the footer."""
    return _placeholder_kind(shape) in ("DATE", "FOOTER", "HEADER", "SLIDE_NUMBER")


def _placeholder_kind(shape: Any) -> str:
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    return kind.name if kind is not None else ""


def _reading_position(shape: Any) -> tuple[int, int]:
    """From top to bottom; shapes of a group have positions of their own and follow the rest."""
    return (shape.top or 0, shape.left or 0)


def _kind(paragraph: Any, shape: Any) -> LineKind:
    properties = paragraph._p.pPr
    is_marked = properties is not None and any(properties.find(name) is not None for name in _BULLETS)
    # The body of a slide has the bullets of its layout.
    is_list = is_marked or paragraph.level or _placeholder_kind(shape) in ("OBJECT", "BODY")
    return "list" if is_list else "paragraph"
