"""From a parsed file to a document: its kind, its labels, and the units that are split into chunks."""

import re
from dataclasses import replace
from itertools import groupby
from pathlib import PurePath

from footnotary.domain.document import Block, Document, DocumentKind, Labels, Source
from footnotary.domain.identity import Span
from footnotary.errors import DocumentError
from footnotary.ingest.metadata_header import labels_from_header
from footnotary.ingest.parsed_document import ParsedFile, ParsedLine
from footnotary.ingest.structure.acts.outline import build_act_outline, count_sections, count_unambiguous_sections
from footnotary.ingest.structure.acts.title_page import ActFrontMatter, read_act_front_matter
from footnotary.ingest.structure.clauses.outline import build_clause_outline, clause_title, find_clauses
from footnotary.ingest.structure.id_names import camel_case_id_part, document_code
from footnotary.ingest.structure.judgments.outline import build_judgment_outline, count_numbered_paragraphs
from footnotary.ingest.structure.judgments.title_page import JudgmentFrontMatter, read_judgment_front_matter
from footnotary.ingest.structure.outline import Outline, Unit, block_from_lines, line_text, word_count
from footnotary.ingest.structure.plain_headings import with_plain_headings
from footnotary.ingest.structure.printed_headings import with_printed_headings
from footnotary.ingest.structure.rows import build_record_outline
from footnotary.ingest.structure.textbooks.outline import build_textbook_outline, count_typed_blocks
from footnotary.ingest.validity_dates import VALIDITY_FIELDS, declared_validity
from footnotary.text.headings import is_numbered_heading
from footnotary.text.language import language_of

_NUMBERED_HEADING = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)[.):]?\s+\S")
_MIN_STANDALONE_HEADING_WORDS = 4  # words; fewer are only a name
_LANGUAGE_SAMPLE = 20_000


def build_document(document_id: str, source: Source, parsed: ParsedFile) -> tuple[Document, tuple[Unit, ...]]:
    """The document and its units in reading order. Raises `DocumentError` if there is no text."""
    if not any(char.isalnum() for char in parsed.text):
        raise DocumentError("it contains no text", reason="no_text", hint="check that it is the right file")
    labels = labels_from_header(parsed.fields)
    front = ActFrontMatter() if parsed.fields.keys() - VALIDITY_FIELDS or parsed.rows else read_act_front_matter(parsed)
    labels = replace(
        labels,
        kind=labels.kind if labels.kind != "text" or parsed.fields.get("KIND") else _guess_kind(parsed, front),
        language=labels.language or parsed.language or language_of(parsed.text[:_LANGUAGE_SAMPLE]),
    )
    if labels.kind in ("act", "regulation"):
        labels = replace(
            labels, act=labels.act or front.name, year=labels.year or front.year, code=labels.code or front.code
        )
    if labels.kind == "judgment" and not parsed.fields and not parsed.rows:
        labels = _with_front_matter(labels, read_judgment_front_matter(parsed))
    if labels.kind == "text" and not labels.section and not find_clauses(parsed):
        parsed = with_printed_headings(parsed)
    own_title = None if parsed.fields or parsed.rows or labels.kind != "text" else _own_title(parsed)
    code = document_code(labels, parsed.fields.get("BOOK"), document_id, own_title)
    if not parsed.rows:  # rows have their own codes
        labels = replace(labels, code=labels.code or code)
    outline = _build_outline(parsed, labels, code, own_title, PurePath(document_id).stem)
    if not outline.units:  # only headings
        outline = build_text_outline(parsed, labels, code)
    document_title = _document_title(parsed, outline) or source.title
    if parsed.rows:
        labels = _shared_labels(outline.units, labels)
    elif labels.kind != "text":
        outline = replace(outline, units=tuple(_with_title(unit, labels) for unit in outline.units))
    else:
        outline = replace(outline, units=tuple(_with_document_title(unit, document_title) for unit in outline.units))
    named = Source(
        source.path,
        source.media_type,
        source.sha256,
        document_title,
        source.encoding,
        parsed.fields.get("LICENCE") or parsed.fields.get("LICENSE"),
    )
    blocks = sorted(
        (*outline.headings, *(unit.block for unit in outline.units), *_page_blocks(parsed.lines, labels)),
        key=lambda block: (block.span.start, block.kind != "page"),
    )
    document = Document(
        document_id, named, parsed.text, tuple(blocks), parsed.offsets, labels, parsed.layout, declared_validity(parsed)
    )
    return document, outline.units


def _build_outline(parsed: ParsedFile, labels: Labels, code: str, title: str | None, name: str) -> Outline:
    if parsed.rows:
        return build_record_outline(parsed, labels, code)
    if labels.section:
        block = block_from_lines("paragraph", parsed.lines, labels, (labels.title,) if labels.title else ())
        return Outline((Unit(block, code, labels.section),))
    if labels.kind in ("act", "regulation"):
        return build_act_outline(parsed, labels, code)
    if labels.kind == "judgment":
        return build_judgment_outline(parsed, parsed.fields, labels, code)
    if labels.kind == "textbook":
        return build_textbook_outline(parsed, labels, code)
    if not parsed.fields and (marks := find_clauses(parsed)):
        return build_clause_outline(parsed, marks, labels, code, title)
    return build_text_outline(with_plain_headings(parsed), labels, code, name)


def build_text_outline(parsed: ParsedFile, labels: Labels, code: str, name: str = "") -> Outline:
    """One unit per heading with text below it, identified by the heading's number or words; else one unit, "text".

    A heading of several words with nothing below it ("No smoking in the office" in a list of rules) is a unit as well.
    The title of a file is above all headings, unless one heading is above all others. Where there are parts of parts,
    the first heading of a path would be taken for the title of a file without one: its `name` is put above it.
    """
    whole = _title_above_headings(parsed, name)
    units: list[Unit] = []
    headings: list[Block] = []
    above: list[tuple[int, str]] = []
    place, title, held, has_body = "text", labels.title, list[ParsedLine](), False

    def close(below: int) -> None:
        path = (*whole, *(text for _, text in above)) if above else ()
        # A heading above others is part of their path; one with nothing below it would be in no passage.
        if held and (
            has_body
            or (below <= above[-1][0] and word_count(line_text(parsed, held[0])) >= _MIN_STANDALONE_HEADING_WORDS)
        ):
            units.append(Unit(block_from_lines("paragraph", held, replace(labels, title=title), path), code, place))
        else:
            headings.extend(Block("heading", line.span, labels, path[:-1], line.page) for line in held)

    for line in parsed.lines:
        if line.level is None:
            held.append(line)
            has_body = True
            continue
        close(line.level)
        text = line_text(parsed, line)
        above = [(level, name) for level, name in above if level < line.level] + [(line.level, text)]
        number = _NUMBERED_HEADING.match(text)
        place, title, held, has_body = (number[1] if number else camel_case_id_part(text)), text, [line], False
    close(0)
    if all(line.level is not None for line in parsed.lines):
        units, headings = [Unit(block_from_lines("paragraph", parsed.lines, labels), code, "text")], []
    return Outline(tuple(units), tuple(headings))


def _title_above_headings(parsed: ParsedFile, name: str) -> tuple[str, ...]:
    """The file's title, or its name, if several of its headings are outermost; else nothing."""
    headings = [(line.level, line_text(parsed, line)) for line in parsed.lines if line.level is not None]
    levels = [level for level, _ in headings]
    if levels.count(min(levels, default=0)) < 2:
        return ()
    if parsed.title:
        return () if any(text == parsed.title for _, text in headings) else (parsed.title,)
    return (name,) if name and len(set(levels)) > 1 else ()


def _guess_kind(parsed: ParsedFile, front: ActFrontMatter) -> DocumentKind:
    """The kind of document guessed from its text if the file does not say; "text" when in doubt."""
    if parsed.rows or not parsed.lines:
        return "text"
    if front.is_regulation and count_sections(parsed):
        return "regulation"
    if (front.name or front.has_table_of_contents) and count_sections(parsed) >= 3:
        return "act"
    case = read_judgment_front_matter(parsed)
    if (case.parties or (case.court and case.case)) and count_numbered_paragraphs(parsed) >= 3:
        return "judgment"
    if count_typed_blocks(parsed) >= 3:
        return "textbook"
    if find_clauses(parsed):
        return "text"
    if count_unambiguous_sections(parsed) >= 3 or (starts_with_section(parsed) and count_sections(parsed)):
        return "act"
    return "text"


def starts_with_section(parsed: ParsedFile) -> bool:
    """Whether the very first line is a section heading: an excerpt of an act."""
    return bool(re.match(r"(?:Section|SECTION|§|Article|ARTICLE|धारा|अनुच्छेद)\s*[0-9\u0966-\u096f]", parsed.text))


def _with_title(unit: Unit, labels: Labels) -> Unit:
    """Gives units outside of sections the title and path of what they belong to."""
    block = unit.block
    whole = labels.act or labels.title or labels.chapter_title
    path = block.path or ((whole,) if whole else ())
    title = block.labels.title or (path[-1] if path else None)
    return replace(unit, block=replace(block, path=path, labels=replace(block.labels, title=title)))


def _with_document_title(unit: Unit, title: str) -> Unit:
    return replace(unit, block=replace(unit.block, labels=replace(unit.block.labels, document_title=title)))


def _with_front_matter(labels: Labels, front: JudgmentFrontMatter) -> Labels:
    """The labels of a judgment without a header, from its title page."""
    return replace(
        labels,
        court=front.court,
        title=front.parties,
        year=front.year,
        code=camel_case_id_part(front.parties) if front.parties else None,
    )


def _shared_labels(units: tuple[Unit, ...], labels: Labels) -> Labels:
    """The document's labels, with the values that all rows share."""
    first = units[0].block.labels
    shared = {
        name: getattr(first, name)
        for name in ("kind", "code", "act", "year", "court", "class_number", "subject", "language")
        if all(getattr(unit.block.labels, name) == getattr(first, name) for unit in units)
    }
    return replace(labels, **shared)


def _document_title(parsed: ParsedFile, outline: Outline) -> str | None:
    fields = parsed.fields
    acts = {unit.block.labels.act for unit in outline.units}
    return (
        (fields.get("TITLE") if "COURT" in fields or "BOOK" in fields else None)
        or fields.get("ACT")
        or _heading_above_all(outline)
        or parsed.title
        or (acts.pop() if len(acts) == 1 else None)
    )


def _heading_above_all(outline: Outline) -> str | None:
    """The heading that every passage of a plain document is under, if it is above other headings and has no number."""
    paths = [unit.block.path for unit in outline.units if unit.block.path and unit.block.labels.kind == "text"]
    outermost = {path[0] for path in paths}
    title = outermost.pop() if len(outermost) == 1 and any(len(path) > 1 for path in paths) else None
    return None if title is None or is_numbered_heading(title) else title


def _own_title(parsed: ParsedFile) -> str | None:
    """What the top of a contract or filing calls it, or the file's title, or its only outermost heading."""
    headings = [(line.level, line_text(parsed, line)) for line in parsed.lines if line.level is not None]
    levels = [level for level, _ in headings]
    repeated = {text for level, text in headings if levels.count(level) > 1}  # one section of several
    outermost = headings[0][1] if headings and parsed.lines[0].level is not None else None
    titles = (clause_title(parsed), parsed.title, outermost)
    return next((title for title in titles if title and title not in repeated), None)


def _page_blocks(lines: tuple[ParsedLine, ...], labels: Labels) -> list[Block]:
    pages: list[Block] = []
    for page, group in groupby(lines, key=lambda line: line.page):
        on_page = list(group)
        if page is not None:
            pages.append(Block("page", Span(on_page[0].span.start, on_page[-1].span.end), labels, (), page))
    return pages
