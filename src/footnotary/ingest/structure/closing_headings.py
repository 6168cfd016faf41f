"""What follows the numbered sections of a plain text, "Action points" and "Next meeting: 12 May", and has no number."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from footnotary.domain.identity import Span
from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.structure.outline import line_text
from footnotary.text.sentences.negated_lists import item_mark

_MAX_WORDS = 6
_MIN_SENTENCE_WORDS = 5
_ENDS = (".", "?", "!", "।")
_ENTRY = re.compile(r"(?P<name>[^\W\d_][\w'’-]*(?: [\w'’-]+){0,3}):[ \t]+(?=\S)")


def closing_headings(texts: Sequence[str], after_blank: Sequence[bool], numbered: Sequence[int]) -> list[int]:
    """The places of the headings without a number below the last of the outermost `numbered` ones.

    Such a heading is short, follows a blank line, and has a list or a sentence below it. If a numbered section before
    the last has one too, they are parts of the sections, and there are none.
    """
    if len(numbered) < 2:
        return []
    found = [n for n in range(numbered[0] + 1, len(texts)) if n not in numbered and _is_heading(n, texts, after_blank)]
    return [] if any(n < numbered[-1] for n in found) else found


def with_closing_entries(parsed: ParsedFile, first: int, level: int) -> ParsedFile:
    """The file with the name of each entry at its end as a heading of this level: "Next meeting" of "Next meeting: …".

    The entries are the lines at the end of the file with a blank line above each, below the closing heading `first`.
    """
    count = len(list(takewhile(lambda n: _is_entry(parsed, n), range(len(parsed.lines) - 1, first + 1, -1))))
    at = len(parsed.lines) - count
    lines = list(parsed.lines[:at])
    for line in parsed.lines[at:]:
        entry = _ENTRY.match(line_text(parsed, line))
        if entry is None:
            lines.append(line)
            continue
        start = line.span.start
        lines.append(replace(line, span=Span(start, start + entry.end("name")), level=level))
        lines.append(replace(line, span=Span(start + entry.end(), line.span.end), after_blank=False))
    return replace(parsed, lines=tuple(lines))


def _is_heading(n: int, texts: Sequence[str], after_blank: Sequence[bool]) -> bool:
    text = texts[n]
    is_title = text[0].isupper() and text[-1].isalnum() and len(text.split()) <= _MAX_WORDS and not _ENTRY.match(text)
    if not after_blank[n] or not is_title:
        return False
    below = texts[n + 1] if n + 1 < len(texts) else ""
    return item_mark(below) != "" or (
        below[:1].isupper() and below.endswith(_ENDS) and len(below.split()) >= _MIN_SENTENCE_WORDS
    )


def _is_entry(parsed: ParsedFile, n: int) -> bool:
    text = line_text(parsed, parsed.lines[n])
    return parsed.lines[n].after_blank and _ENTRY.match(text) is not None and not text.endswith(_ENDS)
