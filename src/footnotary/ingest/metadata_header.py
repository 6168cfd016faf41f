"""The `KEY: value` header of a file, and the labels it gives to all its passages."""

import re
from collections.abc import Mapping

from footnotary.domain.document import DocumentKind, Labels

_KNOWN_KEYS = frozenset(
    "ACT AUTHOR BOOK CASE CHAPTER CITATION CLASS CODE COURT DATE EFFECTIVE_FROM EFFECTIVE_TO JUDGE JURISDICTION KIND "
    "LANGUAGE LICENCE LICENSE NOTE NUMBER PART REGULATION SECTION SOURCE SUBJECT SUPERSEDES TITLE TYPE URL VERSION "
    "YEAR".split()
)
_LINE = re.compile(r"([A-Za-z][A-Za-z0-9 _-]{0,30}):[ \t]*([^\r\n]*)(?:\r\n|\r|\n|\Z)")
_SENTENCE = re.compile(r"(?:\S+[ \t]+){3}.*[.!?।][\"'”’)]?[ \t]*$")
_KINDS: Mapping[str, DocumentKind] = {
    "act": "act",
    "statute": "act",
    "code": "act",
    "regulation": "regulation",
    "rules": "regulation",
    "judgment": "judgment",
    "judgement": "judgment",
    "case": "judgment",
    "textbook": "textbook",
    "book": "textbook",
    "text": "text",
}
_LANGUAGES = {"english": "en", "hindi": "hi", "हिन्दी": "hi", "हिंदी": "hi", "en-in": "en", "hi-in": "hi"}
_YEAR = re.compile(r"(?<!\d)(1[6-9]\d\d|20\d\d)(?!\d)")
_CHAPTER = re.compile(r"(?:chapter|अध्याय)?\s*([0-9IVXLCDM]+[A-Z]?)\b\s*[:.—–-]?\s*(.*)", re.I | re.S)


def read_header(text: str, start: int = 0) -> tuple[dict[str, str], int]:
    """The header's fields, keys in capitals, and where it ends in `text`; without a header, `{}` and `start`.

    A header is a run of `KEY: value` lines from the very top. Keys are in capitals, and the first is a known one:
    a text that begins with "WARNING: ..." keeps its first line. "Act: ..." counts if a second known key follows. A
    whole sentence after an unknown key is text and ends the header; a single note alone is not a header.
    """
    lines: list[tuple[str, str]] = []
    at = start
    while found := _LINE.match(text, at):
        key = found[1].strip()
        if _normalized_key(key) not in _KNOWN_KEYS and (not key.isupper() or _SENTENCE.match(found[2])):
            break
        lines.append((key, found[2].strip()))
        at = found.end()
        if found.end() == found.end(2):  # the last line of a file
            break
    known = [key for key, _ in lines if _normalized_key(key) in _KNOWN_KEYS]
    if not lines or _normalized_key(lines[0][0]) not in _KNOWN_KEYS or not (lines[0][0].isupper() or len(known) > 1):
        return {}, start
    if {_normalized_key(key) for key in known} == {"NOTE"}:  # a note alone is the text itself
        return {}, start
    return {_normalized_key(key): value for key, value in reversed(lines) if value}, at


def _normalized_key(key: str) -> str:
    """The key in capitals; a known one is joined by `_` however it is written ("Effective from")."""
    joined = key.upper().replace(" ", "_").replace("-", "_")
    return joined if joined in _KNOWN_KEYS else key.upper()


def labels_from_header(fields: Mapping[str, str]) -> Labels:
    """The labels that the header gives to the whole document; `language` is "" if it does not say."""
    act = fields.get("ACT") or fields.get("REGULATION") or fields.get("BOOK")
    chapter, chapter_title = split_chapter(fields.get("CHAPTER"))
    kind = parse_document_kind(fields.get("KIND") or fields.get("TYPE")) or _implied_kind(fields)
    return Labels(
        kind=kind or "text",
        code=fields.get("CODE"),
        act=act,
        year=fields.get("YEAR") or last_year_in(act) or last_year_in(fields.get("DATE")),
        chapter=chapter,
        chapter_title=chapter_title or (fields.get("TITLE") if kind == "textbook" else None),
        section=fields.get("SECTION"),
        title=fields.get("TITLE"),
        court=fields.get("COURT"),
        class_number=class_number(fields.get("CLASS")),
        subject=fields.get("SUBJECT"),
        language=language_code(fields.get("LANGUAGE")) or "",
    )


def parse_document_kind(name: str | None) -> DocumentKind | None:
    return _KINDS.get((name or "").strip().lower())


def _implied_kind(fields: Mapping[str, str]) -> DocumentKind | None:
    if "ACT" in fields:
        return "act"
    if "REGULATION" in fields:
        return "regulation"
    if "COURT" in fields or "CASE" in fields:
        return "judgment"
    if "CLASS" in fields or "BOOK" in fields:
        return "textbook"
    return None


def language_code(name: str | None) -> str | None:
    """ "en" for "English" or "en-IN"; an unknown name is kept in lower case."""
    lowered = (name or "").strip().lower()
    return _LANGUAGES.get(lowered, lowered) or None


def class_number(text: str | None) -> int | None:
    found = re.search(r"\d{1,2}", text or "")
    return int(found.group()) if found else None


def last_year_in(text: str | None) -> str | None:
    """The last year in a title: 1948 for "Minimum Wages Act, 1948"."""
    years = _YEAR.findall(text or "")
    return years[-1] if years else None


def split_chapter(text: str | None) -> tuple[str | None, str | None]:
    """ "I General provisions" is chapter "I", "General provisions"; a chapter without a number has only a title."""
    if not text or not text.strip():
        return None, None
    found = _CHAPTER.fullmatch(text.strip())
    return (found[1], found[2].strip() or None) if found else (None, text.strip())
