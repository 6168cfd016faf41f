"""Citation markers in an answer: parsing them, removing them, and assigning each to its sentence."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from footnotary.domain.identity import Span
from footnotary.text.citations.grammar import (
    MalformedMarker,
    Marker,
    MarkerScan,
    Style,
    escape,
    footnote_definitions,
    scan,
    unescape,
)
from footnotary.text.sentences.splitter import sentence_spans

__all__ = [
    "CitedUnit", "MalformedMarker", "Marker", "MarkerScan", "Style", "cited_units", "escape", "marker_is_part_of_text",
    "scan", "strip", "strip_joining_words", "targets", "unescape",
]  # fmt: skip

_AS_STATED = (
    r"as (?:\w+ly )?(?:stated|provided|given|defined|described|mentioned|noted|explained|set out|laid down|specified"
    r"|shown|prescribed|seen|discussed|found|cited|per) (?:in|by|under|at)"
)
_LEADING = r"according to|as per|per|under|in accordance with|pursuant to|in terms of|based on|vide|see also|see|cf\."
# Words that only introduce a marker at the start of a sentence, removed with it.
_LEAD_IN = re.compile(rf"(?:{_AS_STATED}|{_LEADING}|in|from|by)\s*$", re.IGNORECASE)
# The same inside a sentence, with its comma.
_ASIDE = re.compile(rf"(?P<comma>,)?\s*\b(?:{_AS_STATED}|{_LEADING})\s*$", re.IGNORECASE)
_PREPOSITION = re.compile(r"(?<=\w)\s+(?:in|by|from|of)\s*$", re.IGNORECASE)
# The verb after a marker used as subject: the claim follows it.
_SAYS = re.compile(
    r"\s*(?:(?:clearly |expressly |further |also )?(?:states?|says?|provides?|specif(?:y|ies)|notes?|explains?"
    r"|declares?|mentions?|indicates?|confirms?|clarif(?:y|ies)|shows?)(?: that\b|:)"
    r"|के अनुसार|के तहत|में (?:कहा|बताया|लिखा) गया है कि|कहता है कि)[\s,]*",
    re.IGNORECASE,
)
# "Additionally, [X] states that ...": the adverb belongs to the sentence, not to the marker.
_ADVERB = re.compile(
    r"(?:additionally|also|furthermore|further|moreover|similarly|likewise|however|finally|in addition|first|second"
    r"|secondly|thirdly|then|next|conversely|by contrast)(?:,\s*|\s+)",
    re.IGNORECASE,
)
# "a landlord" begins with an article, "a is the first term" with a name.
_ARTICLE = re.compile(r"a (?!(?:is|was|and|or|denotes|means|stands|represents|equals|be|can|in|of|to)\b)[^\W\d_]")
# The list marker of a line is not part of its text.
_BULLET = re.compile(
    r"(?:[-*+•‣◦▪●·]\s+|\d{1,3}[.)]\s+|[A-Za-z]\)\s+"
    r"|\((?:\d{1,3}[A-Za-z]?|[A-Za-z]|[ivxlcdm]{1,6})\)\s+(?!(?:of|above|below|or|and|to)\b))+"
)
_JOINED = re.compile(r"(?:\s|,|;|&|\band\b|\bor\b|और)*")
_ITEM = re.compile(r"(?:[-*+•>]\s+|#{1,6}\s+|\(?\w{1,4}[.)]\s+)?[*_\"“‘'(]{0,4}")
_LAYOUT_ONLY = re.compile(r"[\s\-=*_~`.|:>#,;()]*")
_LINE_END = re.compile(r"[ \t]*\n\s*(?=\S)")
_JOINT = re.compile(r"[,;]\s+(?:and\s+(?=[A-Z]))?")
_NEAR = 64
_STOPS = ".!?।"
_TIGHT = ".,;:!?।)”’"
_NUMBERED: tuple[Style, ...] = ("number", "footnote")


@dataclass(frozen=True, slots=True)
class CitedUnit:
    """One sentence of an answer: its text without markers, its citations in order, and its position.

    `raw` is `answer[span]`, markers included. A bullet or number of a list item is only in `raw`.
    """

    text: str
    targets: tuple[str, ...]
    span: Span
    raw: str


def targets(text: str, *, footnotes: bool = False) -> tuple[str, ...]:
    """Everything `text` cites, in order of first appearance."""
    return _unique(scan(text, footnotes=footnotes).markers)


def strip(text: str) -> str:
    """`text` as prose: without markers and the words that only introduced them, unescaped, no other word changed.

    Words that join two complete sentences are removed with the marker between them.
    """
    parts: list[str] = []
    written = 0
    for span, markers in _units(text, footnotes=False):
        prose = _prose(text, span, markers)
        if prose:
            joint = text[written : span.start] or (" " if text[span.start] in ",;" else "")
            parts += (joint if parts else "", prose)
        written = span.end
    return "".join(parts)


def cited_units(text: str, *, footnotes: bool = False) -> tuple[CitedUnit, ...]:
    """The sentences of an answer with what each cites.

    A unit of nothing but markers belongs to the unit before it (to the one after it, at the very start); lines that
    are only layout are left out.
    """
    units: list[CitedUnit] = []
    leading: tuple[Span, tuple[Marker, ...]] | None = None
    for span, markers in _units(text, footnotes=footnotes):
        prose = _prose(text, span, markers)
        if leading:
            span, markers, leading = Span(leading[0].start, span.end), (*leading[1], *markers), None
        if prose:
            units.append(CitedUnit(_without_bullet(prose), _unique(markers), span, span.of(text)))
        elif markers and units:
            before = units[-1]
            joined = Span(before.span.start, span.end)
            cited = tuple(dict.fromkeys((*before.targets, *_unique(markers))))
            units[-1] = CitedUnit(before.text, cited, joined, joined.of(text))
        elif markers:
            leading = span, markers
    return tuple(units)


def marker_is_part_of_text(words: str) -> bool:
    """Whether a marker directly after `words` is part of the sentence, as in "defined in [IPC_415_0]"."""
    near = max(len(words) - _NEAR, 0)
    return bool(_ASIDE.search(words, near) or _PREPOSITION.search(words, near) or _LEAD_IN.search(words, near))


def strip_joining_words(sentence: str) -> str:
    """A sentence without the words that joined it to a complete one: the ", and" of "... [1]., and The fee ..."."""
    return sentence[joint.end() :] if (joint := _JOINT.match(sentence)) else sentence


def _unique(markers: Sequence[Marker]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(target for marker in markers for target in marker.targets))


def _units(text: str, *, footnotes: bool) -> Iterator[tuple[Span, tuple[Marker, ...]]]:
    """The sentences with their markers; those inside a footnote's definition are not part of the answer."""
    markers = list(reversed(scan(text, footnotes=footnotes).markers))
    definitions = list(reversed(footnote_definitions(text))) if footnotes else []
    for span in _at_lines(text, markers):
        while definitions and definitions[-1].end <= span.start:
            definitions.pop()
        if definitions and definitions[-1].start <= span.start:
            continue
        own: list[Marker] = []
        while markers and markers[-1].span.start < span.end:
            own.append(markers.pop())
        yield span, tuple(own)


def _at_lines(text: str, markers: Sequence[Marker]) -> Iterator[Span]:
    """The sentences, split where a line ends after a marker and the next begins with a capital or a caseless letter."""
    ends = [marker.span.end for marker in reversed(markers)]
    for span in sentence_spans(text):
        start = span.start
        for end in ends[bisect_right(ends, span.start) : bisect_left(ends, span.end)]:
            line_end = _LINE_END.match(text, end, span.end)
            if line_end and not text[line_end.end()].islower():
                yield Span(start, end)
                start = line_end.end()
        yield Span(start, span.end)


def _prose(text: str, span: Span, markers: Sequence[Marker]) -> str:
    """One unit without its markers; empty if it only carried them or is only layout."""
    parts: list[str] = []
    written = span.start
    begins: int | None = None  # where the sentence now begins, because the words before were removed
    for cluster in _clusters(text, markers):
        before = text[written : cluster[0].span.start]
        at = cluster[-1].span.end
        opened = _opening(before) if not parts else None
        if opened is not None:
            kept, written = _without_lead_in(before[:opened], text, at, span.end)
            begins = None if _ADVERB.search(kept) else len(kept)
        else:
            kept, written = _without_aside(before, text, at, span.end, cluster[0].style)
        parts.append(kept)
    prose = "".join((*parts, text[written : span.end]))
    if joint := len(prose) - len(strip_joining_words(prose)):
        prose = prose[joint:]
        begins = None if begins is None else max(begins - joint, 0)
    if _LAYOUT_ONLY.fullmatch(prose):
        return ""
    # A single letter is left alone: "d is the common difference".
    is_word = begins is not None and (prose[begins : begins + 2].isalpha() or _ARTICLE.match(prose, begins))
    if begins is not None and is_word and prose[begins].islower():
        prose = prose[:begins] + prose[begins].title() + prose[begins + 1 :]
    return unescape(prose.strip())


def _without_bullet(prose: str) -> str:
    bullet = _BULLET.match(prose)
    return prose[bullet.end() :] if bullet and bullet.end() < len(prose) else prose


def _opening(before: str) -> int | None:
    """Where the words begin that only introduce the marker after `before`, if only a list marker precedes them."""
    item = _ITEM.match(before)
    start = item.end() if item else 0
    if _carries_only(before[start:]):
        return start
    adverb = _ADVERB.match(before, start)
    return adverb.end() if adverb and _carries_only(before[adverb.end() :]) else None


def _carries_only(lead: str) -> bool:
    return not lead.strip() or (len(lead) < _NEAR and _LEAD_IN.fullmatch(lead) is not None)


def _without_lead_in(opening: str, text: str, at: int, limit: int) -> tuple[str, int]:
    """What to keep of a sentence that a marker opens, and where to continue."""
    if opening.endswith("(") and text.startswith(")", at):
        opening, at = opening[:-1], at + 1
    says = _SAYS.match(text, at, limit)
    at = says.end() if says else at
    while at < limit and (text[at].isspace() or text[at] in ",:"):
        at += 1
    return opening, at


def _without_aside(before: str, text: str, at: int, limit: int, style: Style) -> tuple[str, int]:
    """What to keep of the words before a marker inside a sentence, and where to continue."""
    near = max(len(before) - _NEAR, 0)
    aside = _ASIDE.search(before, near)
    if aside:
        before = before[: aside.start()]
        if aside["comma"] and text.startswith(",", at):
            at += 1
    elif style not in _NUMBERED and (preposition := _PREPOSITION.search(before, near)):
        before = before[: preposition.start()]
    bare = before.rstrip()
    if bare.endswith("(") and text.startswith(")", at):
        bare, at = bare[:-1].rstrip(), at + 1
    if at < limit and text[at] in _STOPS and bare[-1:] in _STOPS:
        at += 1
    if at >= limit or text[at].isspace() or text[at] in _TIGHT:
        return bare, at
    return (f"{bare} " if len(bare) < len(before) else bare), at


def _clusters(text: str, markers: Sequence[Marker]) -> Iterator[list[Marker]]:
    """Markers with nothing but commas and conjunctions between them go together."""
    cluster: list[Marker] = []
    for marker in markers:
        if cluster and not _JOINED.fullmatch(text, cluster[-1].span.end, marker.span.start):
            yield cluster
            cluster = []
        cluster.append(marker)
    if cluster:
        yield cluster
