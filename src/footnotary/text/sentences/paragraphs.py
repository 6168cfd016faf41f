"""Which line ends of a text are breaks between units and which only wrap running prose."""

import re
from collections.abc import Iterator
from itertools import pairwise

from footnotary.domain.identity import Span
from footnotary.text.stopwords import MODALS, STOP_WORDS

_ENUMERATOR = r"(?:\d{1,3}[A-Za-z]?|[A-Za-z]|[ivxlcdm]{1,6}|[IVXLCDM]{1,6}|[\u0904-\u0939])"
_BULLET = re.compile(r"[-*+•‣◦▪●·–—][ \t]+|#{1,6}[ \t]|\||>[ \t]|```|~~~")
_RULE = re.compile(r"(?:[-=*_] ?){3,200}$")
_ROW = re.compile(r"\S \| \S")
_BRACKETED_ITEM = re.compile(
    rf"\({_ENUMERATOR}\)(?![ \t]*(?:of|above|below|or|and|to|का|की|के)\b)|{_ENUMERATOR}\)[ \t]+"
)
_DOTTED_ITEM = re.compile(rf"{_ENUMERATOR}\.(?=[ \t]|$)")
# Old acts count their cases in words: "2ndly.—If ...", "Third.—Every Judge ...".
COUNTED_ITEM = (
    r"\[?(?:\d{1,2}(?:st|nd|rd|th)(?:ly)?|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
    r"|eleventh|twelfth)(?:ly)?)"
)
_COUNTED_ITEM = re.compile(rf"{COUNTED_ITEM}\.?[ \t]?[—–―]", re.IGNORECASE)
_BARE_ENUMERATOR = re.compile(rf"\(?{_ENUMERATOR}[.)]{{1,2}}$")
_STEP = re.compile(r"(?:step|चरण)[ \t]+\d{1,3}\b", re.IGNORECASE)
_FIELD = re.compile(r"[A-Z][A-Z_ ]{1,24}:[ \t]")
_LAST_WORD = re.compile(r"[\w'’\u0900-\u0963.-]{1,40}$")
_FIRST_WORD = re.compile(r"[\w'’-]{1,40}")
_WRAPPING = "*_\"'“‘([#> \t"
_UNFINISHED_ENDS = ",(–—-/&"
_STATUTE_DASHES = (".—", ".–", ".-")
_FINISHED_ENDS = ".!?:;…।॥。！？"
# A line that ends with one of these continues: "... as defined in clause / (a) of section 2".
_REFERRING_WORDS = frozenset(
    """section sections sec secs sub-section sub-sections subsection clause clauses sub-clause article articles rule
    rules regulation paragraph paragraphs para paras item items chapter part schedule no nos rs act order form page
    धारा धाराओं उपधारा खंड खण्ड अनुच्छेद नियम अध्याय""".split()
)
_OPEN_WORDS = (_REFERRING_WORDS | STOP_WORDS | {"mr", "mrs", "ms", "dr", "shri", "smt", "justice", "v", "vs"}) - MODALS
# No one wraps prose narrower or wider than this, so such a line was ended on purpose.
_NARROWEST_WRAP, _WIDEST_WRAP = 40, 150


def paragraph_spans(text: str) -> Iterator[Span]:
    """The runs of `text` that no unit crosses: paragraphs, headings and list items, in order, trimmed, never empty.

    A single line end inside running prose does not break; a blank line, a list item, a table row, and a line that
    was ended on purpose before one that begins with a capital do.
    """
    block: list[Span] = []
    for line in _lines(text):
        if len(line):
            block.append(line)
        elif block:
            yield from _parts(text, block)
            block = []
    if block:
        yield from _parts(text, block)


def _lines(text: str) -> Iterator[Span]:
    start = 0
    for line in text.splitlines(keepends=True):
        left = len(line) - len(line.lstrip())
        yield Span(start + left, max(start + left, start + len(line.rstrip()))) if line.strip() else Span(start, start)
        start += len(line)


def _parts(text: str, lines: list[Span]) -> Iterator[Span]:
    widest = max(len(line) for line in lines)
    start = lines[0].start
    fresh = True  # whether the line before was complete
    for line, following in pairwise(lines):
        if _breaks(line.of(text), following.of(text), widest, fresh):
            yield Span(start, line.end)
            start, fresh = following.start, True
        else:
            fresh = text[line.end - 1] in _FINISHED_ENDS
    yield Span(start, lines[-1].end)


def _breaks(line: str, following: str, widest: int, fresh: bool) -> bool:
    """Whether the line end between two lines of a block separates them."""
    if any(opening.match(following) for opening in (_BULLET, _STEP, _FIELD, _RULE, _COUNTED_ITEM)) or _RULE.match(line):
        return True
    if _ROW.search(line) or _ROW.search(following):  # a row is never wrapped prose, whatever it begins with
        return True
    if _BARE_ENUMERATOR.match(line):
        return False
    last_word = _last_word(line)
    if _BRACKETED_ITEM.match(following):
        return last_word not in _REFERRING_WORDS
    if line[-1] in _UNFINISHED_ENDS:
        return line.endswith(_STATUTE_DASHES)
    if _DOTTED_ITEM.match(following):
        return last_word not in _OPEN_WORDS and (line[-1] in _FINISHED_ENDS or not following[0].isalpha())
    if _is_short_title(line, following, widest):
        return last_word not in _REFERRING_WORDS
    if line[-1] in _FINISHED_ENDS:
        return line[-1] == ":" and not following[0].islower()
    return fresh and last_word not in _OPEN_WORDS and _was_ended_on_purpose(line, following, widest)


def _is_short_title(line: str, following: str, widest: int) -> bool:
    """Whether a short numbered line that had room for the next word ends before a sentence: "1. Moving in"."""
    fits = len(line) + 1 + len(following.split(None, 1)[0]) <= widest and len(line) < _NARROWEST_WRAP
    is_title = _DOTTED_ITEM.match(line) is not None and line[-1].isalnum()
    return fits and is_title and following[0].isupper()


def _was_ended_on_purpose(line: str, following: str, widest: int) -> bool:
    first, begins = line.lstrip(_WRAPPING)[:1], following.lstrip(_WRAPPING)[:1]
    if first.islower() or begins.islower() or not begins.isalnum():
        return False
    next_word = following.split(None, 1)[0]
    fitted = len(line) + 1 + len(next_word) <= widest
    if len(line) < _NARROWEST_WRAP:
        return fitted or begins.isupper()
    return fitted and not (widest <= _WIDEST_WRAP and _runs_on(line, following))


def _runs_on(line: str, following: str) -> bool:
    """Whether a line long enough for wrapped prose goes on in the next: within a name, or in a script without capitals.

    The first line of a section is often short, because its number and title were printed before it.
    """
    begins = following.lstrip(_WRAPPING)
    if begins[0].isalpha() and not begins[0].isupper():
        return True
    if _first_word(begins) in STOP_WORDS:
        return False
    if _BRACKETED_ITEM.match(line):
        return True
    words = line.split()
    is_prose = _first_word(line) in STOP_WORDS or any(w.islower() and w not in STOP_WORDS for w in words)
    return is_prose and (words[-1][0].isupper() or (words[-1][0].isdigit() and following[0] == "("))


def _first_word(line: str) -> str:
    match = _FIRST_WORD.match(line)
    return match.group().casefold() if match else ""


def _last_word(line: str) -> str:
    match = _LAST_WORD.search(line[-40:])
    return match.group().rstrip(".").casefold() if match else ""
