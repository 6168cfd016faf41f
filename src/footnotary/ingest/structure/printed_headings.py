"""Headings of a printed text, which only their size shows: larger than the text, on a line of their own."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from statistics import median

from footnotary.ingest.parsed_document import ParsedFile, ParsedLine
from footnotary.ingest.structure.outline import line_text

_MIN_SIZE_RATIO = 1.12
_MAX_WORDS = 15
_MIN_SHARE_OF_PROSE = 0.25
_MIN_HEADINGS = 2
_MIN_WORDS_PER_HEADING = 8  # words; fewer are a poster or a form, where large print says nothing
_ENDS_OF_SENTENCES = (".", ",", ";", ":", "।", "?", "!")


def with_printed_headings(parsed: ParsedFile) -> ParsedFile:
    """The file with levels for its headings by their size, and its title, if it is printed and has two or a title.

    The sizes of scanned words are too rough; such a file is returned as it is.
    """
    if parsed.layout is None or parsed.rows or any(line.level is not None for line in parsed.lines):
        return parsed
    if any(percent >= 0 for percent in parsed.layout.confidences):
        return parsed
    sizes = [_size(parsed, line) for line in parsed.lines]
    usual = _usual_size(parsed, sizes)
    found = {at: size for at, size in enumerate(sizes) if size >= _MIN_SIZE_RATIO * usual and _is_heading(parsed, at)}
    words = sum(len(line_text(parsed, line).split()) for at, line in enumerate(parsed.lines) if at not in found)
    is_title = set(found) == {0} and parsed.lines[0].page == 1
    if (len(found) < _MIN_HEADINGS and not is_title) or words < _MIN_WORDS_PER_HEADING * len(found):
        return parsed
    ranks = {size: level for level, size in enumerate(sorted(set(found.values()), reverse=True), start=1)}
    lines = tuple(
        replace(line, level=ranks[found[at]]) if at in found else line for at, line in enumerate(parsed.lines)
    )
    return replace(parsed, lines=lines, title=parsed.title or _title(parsed, found))


def _title(parsed: ParsedFile, found: Mapping[int, float]) -> str | None:
    """The first heading, if it is on the first page and larger than all others."""
    first = min(found)
    is_largest = all(size < found[first] for at, size in found.items() if at != first)
    return line_text(parsed, parsed.lines[first]) if is_largest and parsed.lines[first].page == 1 else None


def _size(parsed: ParsedFile, line: ParsedLine) -> float:
    """The height of a line's words in half points; 0 if it has none."""
    if parsed.layout is None:
        return 0.0
    heights: list[float] = []
    for word in parsed.layout.words(line.span):
        is_turned = parsed.layout.pages[word.page - 1].rotation % 180 == 90
        heights.append(word.box.right - word.box.left if is_turned else word.box.top - word.box.bottom)
    return round(2 * median(heights)) / 2 if heights else 0.0


def _usual_size(parsed: ParsedFile, sizes: list[float]) -> float:
    """The size of most of the letters; those of tables count only where there is little else."""
    letters, in_tables = Counter[float](), Counter[float]()
    for line, size in zip(parsed.lines, sizes, strict=True):
        (letters if line.kind in ("paragraph", "list") else in_tables)[size] += len(line.span)
    if letters.total() < _MIN_SHARE_OF_PROSE * in_tables.total():
        letters += in_tables
    return max(letters, key=lambda size: (letters[size], size), default=0.0)


def _is_heading(parsed: ParsedFile, at: int) -> bool:
    """Whether a line of large print has the form of a heading: few words, no sentence, and apart from what is above."""
    line = parsed.lines[at]
    text = line_text(parsed, line)
    is_apart = line.after_blank and (at + 1 == len(parsed.lines) or parsed.lines[at + 1].after_blank)
    return (
        line.kind == "paragraph"
        and is_apart
        and len(text.split()) <= _MAX_WORDS
        and sum(char.isalpha() for char in text) >= 2
        and not text.endswith(_ENDS_OF_SENTENCES[1:])
        and not (text.endswith(".") and len(text.split()) > _MAX_WORDS // 2)
    )
