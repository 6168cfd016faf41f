"""Headings of a plain text, which only its form shows: numbered, in capitals or short, between blank lines."""

from collections.abc import Sequence
from dataclasses import replace

from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.structure.closing_headings import closing_headings, with_closing_entries
from footnotary.ingest.structure.numbered_headings import numbered_headings
from footnotary.ingest.structure.outline import line_text

_MAX_WORDS = 8
_MIN_HEADINGS = 2
_MAX_NAME_WORDS = 6
_MIN_NAMES = 3
_MIN_SENTENCE_WORDS = 5
_ENDS = (".", "?", "!", "।")


def with_plain_headings(parsed: ParsedFile) -> ParsedFile:
    """The file with levels for its headings, if it has at least two and no levels yet; else the same file.

    Where a layout says which lines are large, only numbers make headings of the others.
    """
    if parsed.rows or any(line.level is not None for line in parsed.lines):
        return parsed
    texts = [line_text(parsed, line) for line in parsed.lines]
    alone = [
        n for n, text in enumerate(texts) if _stands_alone(parsed, n) and _is_short_title(text) and n + 1 < len(texts)
    ]
    after_blank = [line.after_blank for line in parsed.lines]
    numbered = numbered_headings(texts, after_blank)
    is_plain = parsed.layout is None
    names = _names_above_sentences(texts, alone) if is_plain and not numbered else []
    levels = dict.fromkeys((n for n in alone if n in names or (is_plain and _in_capitals(texts[n]))), 2)
    levels |= {n: 2 + depth for n, depth in numbered.items()}
    outer = [n for n, depth in numbered.items() if depth == 0]
    closing = closing_headings(texts, after_blank, sorted(outer)) if is_plain else []
    levels |= dict.fromkeys(closing, 2)
    has_other_form = any(not _in_capitals(texts[n]) for n in names if n)
    is_title = 0 in levels and (1 in levels or (has_other_form and _in_capitals(texts[0])))
    if is_title or (numbered and 0 in alone):
        levels[0] = 1
    if sum(level >= 2 for level in levels.values()) < _MIN_HEADINGS:
        return parsed
    lines = tuple(replace(line, level=levels.get(n)) for n, line in enumerate(parsed.lines))
    parsed = replace(parsed, lines=lines)
    return with_closing_entries(parsed, closing[0], 2) if closing else parsed


def _stands_alone(parsed: ParsedFile, place: int) -> bool:
    following = parsed.lines[place + 1] if place + 1 < len(parsed.lines) else None
    return (place == 0 or parsed.lines[place].after_blank) and (following is None or following.after_blank)


def _is_short_title(text: str) -> bool:
    return len(text.split()) <= _MAX_WORDS and text[-1].isalnum()


def _in_capitals(text: str) -> bool:
    return sum(char.isalpha() for char in text) >= 4 and text == text.upper() and text != text.lower()


def _names_above_sentences(texts: Sequence[str], places: Sequence[int]) -> list[int]:
    """The places of at least three short lines, each above a paragraph of sentences; a letter has at most one."""
    found = [
        place
        for place in places
        if texts[place][0].isupper()
        and len(texts[place].split()) <= _MAX_NAME_WORDS
        and texts[place + 1].endswith(_ENDS)
        and len(texts[place + 1].split()) >= _MIN_SENTENCE_WORDS
    ]
    return found if len(found) >= _MIN_NAMES else []
