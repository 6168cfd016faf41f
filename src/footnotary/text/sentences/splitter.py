"""One span-based splitter for English legal and school prose and for Hindi."""

import re
from collections.abc import Iterator
from functools import lru_cache

from footnotary.domain.identity import Span
from footnotary.text.sentences import abbreviations as abbr
from footnotary.text.sentences.paragraphs import COUNTED_ITEM, paragraph_spans

# Quantifiers are bounded where a match could otherwise be tried again over the same text: hostile input stays linear.
_MARKER = r"\[(?:[^\s\[\]]+|(?i:sources?\b)[^\[\]\n]*|\d[\d ,;]*)\]"
_STOP = re.compile(rf"(?<!\\){_MARKER}|(?P<stop>[.!?…]+|[।॥]+|[。！？｡]+)")
_MAY_STOP = re.compile(r"[\[.!?…।॥。！？｡]")
_CLOSERS = re.compile("[\"'”’»›)\\]}*_」』）]{0,8}")
# Several may be joined as a list is: "[1], [2] and [3]".
_MARKERS_AFTER = re.compile(
    rf"[ \t]*(?<!\\){_MARKER}(?:(?:[ \t]{{0,4}}(?:[,;&]|and\b|or\b|और)){{0,2}}[ \t]*(?<!\\){_MARKER}){{0,15}}"
    rf"|[ \t]*\n[ \t]*(?:{_MARKER}[ \t]*){{1,16}}(?=\n|$)"
)
_STATUTE_DASH = re.compile(r"[ \t]?(?:[—–―]|--?)(?=[ \t]*[\"“‘'(\[]?[A-Z0-9\u0904-\u0939(])")
_ENUMERATOR_ONLY = re.compile(
    r"[\"“‘'*_#>|•\-–—\[(\s]{0,8}"
    r"(?:(?:section|sections|sec\.?|s\.|§|article|art\.?|rule|chapter|part|clause|regulation|schedule|step|example"
    r"|exercise|question|figure|fig\.?|table|note|illustration|theorem|धारा|अनुच्छेद|अध्याय|नियम|चरण|उदाहरण|प्रश्न)\s{0,4})?"
    r"\(?(?:\d{1,4}(?:\.\d{1,4}){0,4}[A-Za-z]{0,2}|[A-Za-z]|[ivxlcdm]{1,6}|[\u0904-\u0939])(?:\(\w{1,4}\)){0,3}\)?"
    rf"|{COUNTED_ITEM}",
    re.IGNORECASE,
)
_OPENERS = " \t\n\r\"'“‘«‹([{*_#>•-–—¿¡「『（"
_NEXT_WORD = re.compile(r"[\w'’\u0900-\u0963]{1,40}")
_NUMBERING = re.compile(r"[#§₹$€£]?\d|\(|[IVXLCDM]{1,6}\b|[A-Za-z]{1,3}-?\d|[A-Z]\b")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_YEAR_IN_BRACKETS = re.compile(r"\d{4}\)")
_JOINT = re.compile(r"(?:;|, and) (?=[A-Z][a-z])")
_PUNCTUATION = ".,;:!?।"
_LOOK_BACK = 48
_LONGEST_REMEMBERED = 10_000


def sentence_spans(text: str) -> tuple[Span, ...]:
    """The spans of the sentences of `text`: in order, trimmed, each non-space character in exactly one.

    Headings, list items and table rows are units of their own, and so is the heading before a statute's ".—". A
    citation marker belongs to the sentence whose full stop it follows.
    """
    return _remembered(text) if len(text) <= _LONGEST_REMEMBERED else _spans(text)


def _spans(text: str) -> tuple[Span, ...]:
    return tuple(span for paragraph in paragraph_spans(text) for span in _within(text, paragraph))


# Cached: the checks ask for the same few passages again and again; whole documents are not cached.
_remembered = lru_cache(maxsize=512)(_spans)


def sentences(text: str) -> tuple[str, ...]:
    """The texts at `sentence_spans`."""
    return tuple(span.of(text) for span in sentence_spans(text))


def _within(text: str, paragraph: Span) -> Iterator[Span]:
    start = paragraph.start
    for match in _stops(text, paragraph):
        if match.group("stop") is None or match.start() < start:
            continue
        end = _sentence_end(text, start, match.start(), match.end(), paragraph.end)
        if end is not None:
            yield Span(start, end)
            start = end
            while start < paragraph.end and text[start].isspace():
                start += 1
    if start < paragraph.end:
        yield Span(start, paragraph.end)


def _stops(text: str, paragraph: Span) -> Iterator[re.Match[str]]:
    """The matches of `_STOP` in a paragraph; trying it only where it may begin takes a third of the time."""
    at = paragraph.start
    while near := _MAY_STOP.search(text, at, paragraph.end):
        match = _STOP.match(text, near.start(), paragraph.end)
        at = match.end() if match else near.end()
        if match:
            yield match


def _sentence_end(text: str, start: int, stop: int, after: int, limit: int) -> int | None:
    """Where the sentence ends whose stop characters are `text[stop:after]`, or None if they end none."""
    mark = text[stop]
    if mark in "।॥。！？｡":
        return _with_markers(text, _past_closers(text, after, limit), limit)
    if mark == "." and after - stop == 1:
        dash = _STATUTE_DASH.match(text, after, limit)
        if (
            dash
            and not _ENUMERATOR_ONLY.fullmatch(text, start, stop)
            and _before(text, start, stop).casefold() not in abbr.LINKING
        ):
            return dash.end()
    closed = _past_closers(text, after, limit)
    end = _with_markers(text, closed, limit)
    if end == limit:
        return end
    ahead = end
    if text[end] in ",;" and (end > closed or (text[stop - 1] == "]" and closed == after)):
        ahead = end + 1  # "... [1]., and the fee ...": a marker and a full stop end the sentence before them
    elif not text[end].isspace():
        return end if end == after and _is_joined_to_next(text, start, stop, after) else None
    upcoming = _NextToken(text, ahead, limit)
    if mark != "." or after - stop > 1:
        if "?" in text[stop:after] or "!" in text[stop:after]:
            return None if upcoming.is_lower and closed > after else end
        return None if upcoming.is_lower else end
    return end if _full_stop_ends(text, start, stop, closed > after, upcoming) else None


class _NextToken:
    """The text after a possible sentence end: its first word, past quotes and brackets."""

    __slots__ = ("bare", "dotted", "is_lower", "starts", "word")

    def __init__(self, text: str, at: int, limit: int) -> None:
        while at < limit and text[at].isspace():
            at += 1
        self.bare = text[at : min(at + 12, limit)]
        near = min(at + 8, limit)
        while at < near and text[at] in _OPENERS:
            at += 1
        match = _NEXT_WORD.match(text, at, limit)
        self.word = match.group() if match else ""
        self.dotted = bool(match) and text[match.end() : match.end() + 1] == "."
        self.is_lower = self.word[:1].islower()
        self.starts = bool(self.word) and not self.dotted and self.word.casefold() in abbr.STARTERS


def _full_stop_ends(text: str, start: int, stop: int, was_closed: bool, upcoming: _NextToken) -> bool:
    if upcoming.bare.startswith("."):
        return False  # ". . ." is one ellipsis
    if _ENUMERATOR_ONLY.fullmatch(text, start, stop):
        return False
    token = _before(text, start, stop)
    word = token.casefold()
    if word in abbr.TITLES or word in abbr.LINKING:
        return False
    is_number = token[-1:].isdigit() or token[:1].isdigit()
    if upcoming.is_lower:
        if text[stop - 1] == "]":
            return True  # text after a marker is not covered by it, however it begins
        return not was_closed and not is_number and _is_ordinary(text, stop, token, word)
    if word in abbr.REFERRING:
        if len(word) == 1 and word in "slpnrq" and token.islower():
            return not _NUMBERING.match(upcoming.bare)
        if word == "no":
            return not _NUMBERING.match(upcoming.bare) or upcoming.starts
        return upcoming.starts and not upcoming.bare[:1].isdigit()
    if word == "etc":
        return True
    if word in abbr.HINDI_INITIALS and (
        upcoming.word in abbr.HINDI_INITIALS or text.endswith(f". {token}", start, stop)
    ):
        return False
    if word in abbr.ENDING_OR_NOT or _INITIALS.fullmatch(token):
        return upcoming.starts or _is_lone_letter(upcoming)
    if (token in abbr.COURTS and upcoming.bare[:1].isdigit()) or _YEAR_IN_BRACKETS.match(upcoming.bare):
        return False
    if len(token) == 1 and token.isupper():
        return upcoming.starts or _is_lone_letter(upcoming)
    if text[stop - 1] == "]":
        return True  # a marker that cites two sources, not a number in a list
    return not (is_number and text[max(start, stop - len(token) - 2) : stop - len(token)].strip()[-1:] in (":", ";"))


def _is_ordinary(text: str, stop: int, token: str, word: str) -> bool:
    """Whether a stop after `token` ends a sentence even where the next begins in lower case."""
    if text[stop - 1] in ')]%"”’':
        return True
    known = word in abbr.REFERRING or word in abbr.ENDING_OR_NOT
    return len(token) > 2 and not known and token.isalpha() and not token.isupper()


def _is_lone_letter(upcoming: _NextToken) -> bool:
    # "... deceives Z. B then ...": an initial would have its own stop.
    return len(upcoming.word) == 1 and upcoming.word.isupper() and not upcoming.dotted


def _is_joined_to_next(text: str, start: int, stop: int, after: int) -> bool:
    """Whether a sentence ends here although no space follows: it was forgotten, or a joining word was added."""
    forgotten = text[after : after + 1].isupper() and not text[after + 1 : after + 2].isupper()
    if text[stop - 1] == "]" and forgotten:
        return True
    token = _before(text, start, stop)
    return (
        len(token) > 2
        and token[-3:].isalpha()
        and token[-3:].islower()
        and "/" not in token
        and "@" not in token
        and token.casefold() not in abbr.ALL
        and (forgotten or _JOINT.match(text, after) is not None)
    )


def _before(text: str, start: int, stop: int) -> str:
    """The token that ends at `stop`, truncated to a bounded length."""
    near = text[max(start, stop - _LOOK_BACK) : stop]
    parts = near.split()
    if not parts or near[-1:].isspace():
        return ""
    return parts[-1].lstrip("\"'“‘«‹([{*_¿¡")


def _past_closers(text: str, at: int, limit: int) -> int:
    match = _CLOSERS.match(text, at, limit)
    return match.end() if match else at


def _with_markers(text: str, at: int, limit: int) -> int:
    """`at`, or the end of the markers that follow and do not begin the next sentence."""
    match = _MARKERS_AFTER.match(text, at, limit)
    if match is None:
        return at
    end = match.end()
    if text[at].isspace() and _NextToken(text, end, limit).is_lower and text[end : end + 1].isspace():
        return at  # "... illegal. [B_2_0] defines employer as ...": the marker is a subject
    return end if end == limit or text[end].isspace() or text[end] in _PUNCTUATION else at
