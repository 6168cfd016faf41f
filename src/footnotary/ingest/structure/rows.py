"""The structure of a file of records: every row is a unit with its own metadata."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from footnotary.domain.document import DocumentKind, Labels
from footnotary.domain.identity import is_semantic_id, sha256_hex, slug
from footnotary.ingest.metadata_header import (
    class_number,
    language_code,
    last_year_in,
    parse_document_kind,
    split_chapter,
)
from footnotary.ingest.parsed_document import ParsedFile, ParsedRecord
from footnotary.ingest.structure.acts.state_amendments import STATE_AMENDMENT, find_state_amendment_starts
from footnotary.ingest.structure.id_names import camel_case_id_part, code_from_title, to_id_part
from footnotary.ingest.structure.outline import Outline, Unit, block_from_lines, line_text

_ORDINAL = re.compile(r"_(\d{1,6})$")
_SECTION_WORD = re.compile(r"(?:Section|Sec\.|Article|Art\.|§|धारा|अनुच्छेद)\s*(?=[0-9\u0966-\u096f])", re.I)
_SUBPART = re.compile(r"([A-Z]{1,2})\s*[-:–—]\s*(.+)")


def build_record_outline(parsed: ParsedFile, labels: Labels, code: str) -> Outline:
    """One unit per row with a text or title, and one for each State amendment in it.

    A row's own id is kept if it is a semantic id: without its ordinal it is the base of the ids of the row's chunks. If
    several rows share a base and have ordinals of their own, each keeps its id.
    """
    codes = _ActCodes(code)
    bases = {row.number: _id_base(row) for row in parsed.rows}
    shared = Counter(base for base in bases.values() if base)
    numbered = _numbered_bases(parsed.rows, bases)
    units: list[Unit] = []
    for row in parsed.rows:
        lines = parsed.lines[row.lines.start : row.lines.end]
        if not lines:
            continue
        base = bases[row.number]
        row_labels = _record_labels(row.fields, labels, base)
        own = row.fields.get("id", "")
        if base:
            id_code, _, place = base.rpartition("_")
        else:
            id_code, place = codes.of(row_labels, row.fields.get("lang")), _unit_place(row)
            row_labels = replace(row_labels, code=row_labels.code or id_code)
        path = _record_path(row_labels, line_text(parsed, lines[0]) if row.titled else None)
        apart = (
            find_state_amendment_starts([line_text(parsed, line) for line in lines]) if row_labels.kind == "act" else []
        )
        if central := lines[: apart[0][0]] if apart else lines:
            block = replace(block_from_lines("paragraph", central, row_labels, path), page=_record_page(row.fields))
            pinned = bool(base) and shared[base] > 1 and base in numbered
            units.append(Unit(block, id_code, place, own if is_semantic_id(own) else None, pinned))
        for (at, state), (end, _) in pairwise((*apart, (len(lines), None))):
            named = (STATE_AMENDMENT, state) if state else (STATE_AMENDMENT,)
            state_labels = replace(row_labels, section=None, title=": ".join(named))
            block = replace(
                block_from_lines("paragraph", lines[at:end], state_labels, (*path, *named)),
                page=_record_page(row.fields),
            )
            units.append(Unit(block, id_code, f"{place}_{camel_case_id_part(STATE_AMENDMENT)}"))
    return Outline(tuple(units))


def _id_base(row: ParsedRecord) -> str | None:
    """The row's id without its ordinal, "IPC_420" for `IPC_420_0`; None if it is not a semantic id."""
    own = row.fields.get("id", "")
    if not is_semantic_id(own) or "_" not in own:
        return None
    section = slug(_section_number(row.fields) or "")
    before, joined, _ = own.partition(f"_{section}_")
    if joined and section and before:
        return f"{before}_{section}"  # HIPAA_160.103_sub_g0 is a part of section 160.103
    base = _ORDINAL.sub("", own)
    return base if "_" in base else None


def _numbered_bases(rows: tuple[ParsedRecord, ...], bases: Mapping[int, str | None]) -> set[str]:
    """The bases whose rows all have distinct ordinals."""
    seen: dict[str, list[str]] = {}
    for row in rows:
        if base := bases[row.number]:
            seen.setdefault(base, []).append(row.fields["id"])
    return {
        base
        for base, ids in seen.items()
        if len(set(ids)) == len(ids) and all(own == base + (_ORDINAL.search(own) or [""])[0] for own in ids)
    }


class _ActCodes:
    """The code of each act in the file; acts that would share a code are qualified by year or digest."""

    def __init__(self, fallback: str) -> None:
        self._fallback = fallback
        self._acts: dict[str, str] = {}

    def of(self, labels: Labels, language: str | None) -> str:
        act = labels.act or ""
        if labels.code:
            code = to_id_part(labels.code)
        elif act:
            code = code_from_title(act)
        else:
            return self._fallback
        named = f"{act}\n{language or ''}"
        for candidate in (code, code + (labels.year or ""), f"{code}_{sha256_hex(named)[:6]}"):
            if self._acts.setdefault(candidate, named) == named:
                return candidate
        return code


def _record_labels(fields: Mapping[str, str], labels: Labels, base: str | None) -> Labels:
    chapter, chapter_title = split_chapter(fields.get("chapter"))
    if subpart := fields.get("subpart"):
        found = _SUBPART.fullmatch(subpart)
        chapter, chapter_title = (f"Subpart {found[1]}", found[2]) if found else (f"Subpart {subpart}", None)
    act = (fields.get("act") or fields.get("book") or labels.act or "").rstrip(" .") or None
    return replace(
        labels,
        kind=_record_kind(fields, labels),
        code=fields.get("code") or (base.split("_")[0] if base else labels.code),
        act=act,
        year=fields.get("year") or last_year_in(act) or labels.year,
        chapter=chapter or labels.chapter,
        chapter_title=fields.get("chapter_title") or chapter_title or labels.chapter_title,
        section=_section_number(fields),
        title=fields.get("title", "").rstrip(" .:—-") or None,
        court=fields.get("court") or labels.court,
        class_number=class_number(fields.get("class") or fields.get("class_number")) or labels.class_number,
        subject=fields.get("subject") or labels.subject,
        language=language_code(fields.get("lang") or fields.get("language")) or labels.language,
    )


def _record_kind(fields: Mapping[str, str], labels: Labels) -> DocumentKind:
    if named := parse_document_kind(fields.get("kind")):
        return named
    if "court" in fields:
        return "judgment"
    if "class" in fields or "class_number" in fields:
        return "textbook"
    if "subpart" in fields or "part" in fields:
        return "regulation"
    return "act" if "act" in fields or "section" in fields else labels.kind


def _section_number(fields: Mapping[str, str]) -> str | None:
    return _SECTION_WORD.sub("", fields.get("section", ""), count=1).strip(" .") or None


def _unit_place(row: ParsedRecord) -> str:
    if section := _section_number(row.fields):
        return to_id_part(section)
    if page := row.fields.get("page"):
        return f"P{to_id_part(page)}"
    return camel_case_id_part(row.fields.get("title", ""))


def _record_page(fields: Mapping[str, str]) -> int | None:
    page = fields.get("page", "")
    return int(page) if page.isdecimal() and len(page) < 7 else None


def _record_path(labels: Labels, title: str | None) -> tuple[str, ...]:
    chapter = labels.chapter and (
        labels.chapter if labels.chapter.startswith("Subpart") else f"Chapter {labels.chapter}"
    )
    section = ". ".join(part for part in (labels.section, title) if part)
    above = ": ".join(part for part in (chapter, labels.chapter_title) if part)
    return tuple(part for part in (above, section) if part)
