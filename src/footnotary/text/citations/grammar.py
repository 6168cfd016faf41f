"""The citation grammar: which bracketed tokens are markers, and why others are not."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

from footnotary.domain.identity import Span, is_semantic_id
from footnotary.text.citations.markup import MarkupSpan, is_escaped, markup_spans
from footnotary.text.normalise import invisible_places

Style = Literal["semantic_id", "source_id", "source_number", "number", "footnote"]

# Brackets of other scripts and of mathematics that pass for square ones.
_LOOK_ALIKE_OPEN = "［【〔〖〘〚⟦❲﹝⁅⦋⦍⦏⦗"
_LOOK_ALIKE_CLOSE = "］】〕〗〙〛⟧❳﹞⁆⦌⦎⦐⦘"
_LOOK_ALIKES = _LOOK_ALIKE_OPEN + _LOOK_ALIKE_CLOSE
_BRACKETS = re.compile(rf"\[+|\]+|\n|[{_LOOK_ALIKES}]+")
_ESCAPABLE = rf"\[\]`<{_LOOK_ALIKES}"
# The lookbehind avoids retrying a long run of backslashes from each of them.
_TO_ESCAPE = re.compile(rf"(?<!\\)(\\*)([{_ESCAPABLE}])")
_LOOSE_END = re.compile(rf"[^\s\[\]{_LOOK_ALIKES}]{{0,80}}")
_LOOSE_START = re.compile(rf"[^\s\[\]{_LOOK_ALIKES}]{{0,80}}$")

_NUMBERS = re.compile(r"\d+(?: ?[,;] ?\d+)*")
_SOURCE_IDS = re.compile(r"source: ?(?=\S)", re.IGNORECASE)
_SOURCE_NUMBERS = re.compile(
    r"sources?[ \t]+\d+(?:(?: ?[,;] ?(?:and )?| and | & )(?:sources?[ \t]+)?\d+)*", re.IGNORECASE
)
_FOOTNOTE = re.compile(r"\^[\w-]{1,40}")
_RANGE = re.compile(r"(?:sources? )?\d+ ?[-–—] ?\d+", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_SEPARATOR = re.compile("[,;]")
_FOOTNOTE_DEFINITION = re.compile(r"^[ \t]{0,3}\[\^[\w-]{1,40}\]:.*$", re.MULTILINE)
_NEXT_GROUP = re.compile(r"\[[^\s\[\]]*\]")
_LINK_DEFINITION = re.compile(r":[ \t]*\S+[ \t]*(?:\n|$)")


NOT_A_CITATION = "not a citation"
RANGE_OF_NUMBERS = "a range of numbers"
_UNBALANCED = "unbalanced bracket"
_LOOK_ALIKE = "a bracket that only looks like one"
_Group: TypeAlias = tuple[int, int, str | None]


@dataclass(frozen=True, slots=True)
class Marker:
    """A citation as written: `text[span]` is the marker, `targets` the ids or numbers it names, in order."""

    span: Span
    style: Style
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MalformedMarker:
    """A token that looks like a citation and is not one; `why` is for people."""

    text: str
    span: Span
    why: str


@dataclass(frozen=True, slots=True)
class MarkerScan:
    """All markers and all malformed tokens of a text, each in order; no two spans overlap."""

    markers: tuple[Marker, ...]
    malformed: tuple[MalformedMarker, ...]


def scan(text: str, *, footnotes: bool = False) -> MarkerScan:
    r"""Reads every bracket of `text`: it is a marker, escaped (`\[`), or malformed, and never ignored.

    Characters that cannot be seen are malformed too. `footnotes` lets `[^1]` be a marker and passes over the lines
    that define one. Runs in linear time on any input.
    """
    markers: list[Marker] = []
    malformed: list[MalformedMarker] = []
    markup = _Places(markup_spans(text)) if _BRACKETS.search(text) else _Places([])
    skipped = footnote_definitions(text) if footnotes else []
    definitions = _Places([MarkupSpan(span.start, span.end, "") for span in skipped])
    refused_end = -1
    for start, end, fault in _groups(text):
        if definitions.around(start):
            continue
        around = markup.around(start)
        why = fault or (f"inside {around.what}" if around else None)
        read = _read(text, start, end, footnotes, after_refused=start == refused_end) if why is None else why
        if isinstance(read, Marker):
            markers.append(read)
        else:
            malformed.append(MalformedMarker(text[start:end], Span(start, end), read))
            refused_end = end
    malformed.extend(_invisible(text, markers, malformed))
    malformed.sort(key=lambda token: token.span)
    return MarkerScan(tuple(markers), tuple(malformed))


def escape(text: str) -> str:
    r"""`text` with its own brackets, backticks and `<` written as `\[`, so that no marker is read or lost in it."""
    return _TO_ESCAPE.sub(r"\1\1\\\2", text)


def unescape(text: str) -> str:
    """The inverse: `unescape(escape(text)) == text`."""
    return _TO_ESCAPE.sub(lambda match: match.group(1)[: len(match.group(1)) // 2] + match.group(2), text)


def footnote_definitions(text: str) -> list[Span]:
    """The lines that define a footnote (`[^1]: ...`)."""
    return [Span(*match.span()) for match in _FOOTNOTE_DEFINITION.finditer(text)]


class _Places:
    def __init__(self, spans: list[MarkupSpan]) -> None:
        self._spans = spans
        self._starts = [span.start for span in spans]

    def around(self, place: int) -> MarkupSpan | None:
        at = bisect_right(self._starts, place) - 1
        return self._spans[at] if at >= 0 and place < self._spans[at].end else None


def _groups(text: str) -> Iterator[_Group]:
    """Outermost bracket groups and loose brackets, in order, without overlap, each with its error if it has one."""
    found: list[_Group] = []
    opened: list[tuple[int, int]] = []  # runs of opening brackets: position, and how many are still open
    for match in _BRACKETS.finditer(text):
        start, end = match.span()
        char = text[start]
        if char != "\n" and is_escaped(text, start):
            start += 1
        if char == "[" and start < end:
            opened.append((start, end - start))
        elif char == "]":
            start = _close(found, opened, start, end)
            if start < end:
                _add_loose(found, _reach_back(text, found, start), end, _UNBALANCED)
        elif start < end:
            _leave_open(text, found, opened)
            if char in _LOOK_ALIKE_OPEN:
                _add_loose(found, start, _reach(text, end), _LOOK_ALIKE)
            elif char != "\n":
                _add_loose(found, _reach_back(text, found, start), end, _LOOK_ALIKE)
    _leave_open(text, found, opened)
    found.sort()
    reached = 0
    for start, end, fault in found:
        if end > reached:
            yield max(start, reached), end, fault
            reached = end


def _close(found: list[_Group], opened: list[tuple[int, int]], start: int, end: int) -> int:
    """Pairs closing brackets with the innermost open ones; returns the position of the first unpaired one."""
    while start < end and opened:
        at, count = opened.pop()
        paired = min(count, end - start)
        first, start = at + count - paired, start + paired
        fault = "nested brackets" if paired > 1 else None
        while found and found[-1][0] > first:
            found.pop()
            fault = "nested brackets"
        found.append((first, start, fault))
        if count > paired:
            opened.append((at, count - paired))
    return start


def _leave_open(text: str, found: list[_Group], opened: list[tuple[int, int]]) -> None:
    """Brackets that are not closed on their line are loose."""
    for at, count in opened:
        found.append((at, _reach(text, at + count), _UNBALANCED))
    opened.clear()


def _add_loose(found: list[_Group], start: int, end: int, fault: str) -> None:
    if found and found[-1][1] == start and found[-1][2] == fault:
        start = found.pop()[0]
    found.append((start, end, fault))


def _reach(text: str, at: int) -> int:
    """Where the word after a loose opening bracket ends."""
    match = _LOOSE_END.match(text, at)
    return match.end() if match else at


def _reach_back(text: str, found: list[_Group], at: int) -> int:
    """Where the word before a loose closing bracket begins."""
    match = _LOOSE_START.search(text, max(at - 80, found[-1][1] if found else 0), at)
    return match.start() if match else at


def _read(text: str, start: int, end: int, footnotes: bool, *, after_refused: bool) -> Marker | str:
    """The marker at `text[start:end]`, or why it is not one."""
    inside = text[start + 1 : end - 1]
    if text.startswith("(", end):
        return "a Markdown link"
    if after_refused or _is_link_text(inside, text, end):
        return "a Markdown reference link"
    if (start == 0 or text[start - 1] == "\n") and _LINK_DEFINITION.match(text, end):
        return "a Markdown link definition"
    if not inside:
        return "empty brackets"
    if inside != inside.strip():
        return "space inside the brackets"
    if invisible_places(inside):
        return "an invisible character"
    span = Span(start, end)
    if _NUMBERS.fullmatch(inside):
        return Marker(span, "number", tuple(_DIGITS.findall(inside)))
    if _SOURCE_NUMBERS.fullmatch(inside):
        return Marker(span, "source_number", tuple(_DIGITS.findall(inside)))
    if prefix := _SOURCE_IDS.match(inside):
        ids = tuple(_SOURCE_IDS.sub("", part.strip()) for part in _SEPARATOR.split(inside[prefix.end() :]))
        return Marker(span, "source_id", ids) if all(map(_is_plain, ids)) else "not a source's id"
    if is_semantic_id(inside):
        return Marker(span, "semantic_id", (inside,))
    if _FOOTNOTE.fullmatch(inside):
        return Marker(span, "footnote", (inside[1:],)) if footnotes else "a footnote"
    if _RANGE.fullmatch(inside):
        return RANGE_OF_NUMBERS
    if all(is_semantic_id(part.strip()) for part in _SEPARATOR.split(inside)):
        return "several ids in one pair of brackets"
    return NOT_A_CITATION


def _is_link_text(inside: str, text: str, end: int) -> bool:
    """Whether a plain word directly precedes an id: `[here][IPC_420_0]` is a link, `[A_1_0][B_2_0]` two markers."""
    after = _NEXT_GROUP.match(text, end)
    return after is not None and not _looks_minted(inside) and _looks_minted(after.group())


def _looks_minted(name: str) -> bool:
    return any(char == "_" or char.isdigit() for char in name)


def _is_plain(source_id: str) -> bool:
    """Whether an id holds only characters that are what they look like."""
    return bool(source_id) and unicodedata.normalize("NFKC", source_id) == source_id


def _invisible(text: str, markers: list[Marker], malformed: list[MalformedMarker]) -> Iterator[MalformedMarker]:
    """Invisible characters outside of the tokens, neighbours joined."""
    taken = _Places(sorted(MarkupSpan(t.span.start, t.span.end, "") for t in (*markers, *malformed)))
    loose = [place for place in invisible_places(text) if not taken.around(place)]
    for _, run in groupby(enumerate(loose), key=lambda each: each[1] - each[0]):
        places = [place for _, place in run]
        span = Span(places[0], places[-1] + 1)
        yield MalformedMarker(span.of(text), span, f"an invisible character (U+{ord(text[span.start]):04X})")
