"""Splits a unit into passages at subsections, clauses and sentences, or per defined term."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from footnotary.domain.document import Block, BlockKind
from footnotary.domain.identity import Span
from footnotary.text.sentences.negated_lists import negated_lists
from footnotary.text.sentences.splitter import sentence_spans

# In words. A passage should be self-contained and still short enough to read as a citation.
MAX_UNSPLIT_WORDS = 200
TARGET_WORDS = 170
MAX_PASSAGE_WORDS = 250
MAX_TYPED_BLOCK_WORDS = 400
MAX_NEGATED_LIST_WORDS = 1000
_MAX_INTRODUCTION_WORDS = 30
_MAX_TAIL_WORDS = 40
_MAX_HEADING_WORDS = 10

_SUBSECTION = re.compile(r"^\(?\[?\(([0-9\u0966-\u096f]{1,3})[A-Z]{0,2}\)", re.M)
_CLAUSE = re.compile(
    r"^(?:\([^()\s]{1,5}\)|[-•*–]\s|\d{1,3}[.)]\s"
    r"|(?:Explanation|Exception|Illustration|Provided|स्पष्टीकरण|दृष्टांत|परन्तु|परंतु)\b)",
    re.M,
)
_PARAGRAPH = re.compile(r"\n\n(?=\S)")
_HEADING_END = re.compile(r"(?:[^\W_]|[)\]:—–])$")
_WORD = re.compile(r"\S{1,400}")
_DEFINITIONS_TITLE = re.compile(r"\bdefinitions?\b|\binterpretation\b|\bglossary\b|परिभाष|निर्वचन", re.I)
_QUOTED_TERM = re.compile(
    r"^(?P<mark>\([^()\s]{1,5}\)\s*)?[\"“‘'«]{1,2}(?=[^\s\"'])[^\"”’'»\n]{1,120}[\"”’'»]{1,2}", re.M
)
_PLAIN_TERM = re.compile(
    r"^[A-Z][\w-]*(?: [\w(),-]{1,40}){0,13} (?:means?|includes?|refers to|has the meaning)\b", re.M
)
_DEFINING = re.compile(r"\b(?:means?|meaning|includes?|denotes?|refers?|defined)\b|अभिप्रेत|अर्थ|तात्पर्य", re.I)
_ENDS_BEFORE_TERM = re.compile(r"(?:[.;:,—–।-]|\b(?:and|or)|और|तथा|या)[\"”’']?$")


def split_unit(text: str, block: Block) -> tuple[tuple[Span, BlockKind], ...]:
    """The passages of a unit: in order, trimmed, every non-space character in exactly one.

    A definition, example, theorem or exercise of a textbook stays whole unless it is very long; a section of
    definitions is split per term; everything else is packed to a readable length along its own divisions. A negated
    list stays with the words that negate it, unless it is very long.
    """
    typed = block.kind in ("definition", "example", "theorem", "exercise")
    if typed and _size_in_words(text, block.span) <= MAX_TYPED_BLOCK_WORDS:
        return ((block.span, block.kind),)
    if block.labels.kind in ("act", "regulation") and (starts := _term_starts(text, block)):
        return tuple(_split_definitions(text, block.span, starts))
    packed = _pack_pieces(text, _split_by_divisions(text, block.span, 0, MAX_UNSPLIT_WORDS))
    return tuple((span, block.kind) for span in _join_negated_lists(text, block.span, packed))


def _split_by_divisions(text: str, region: Span, level: int, limit: int) -> list[Span]:
    """`region` split as coarsely as its divisions allow into pieces of at most `AT_MOST` words."""
    if _size_in_words(text, region) <= limit:
        return [region]
    if level == len(_SPLIT_LEVELS):
        return _split_by_words(text, region)
    parts = _join_introduction(text, _split_at(text, region, _SPLIT_LEVELS[level](text, region)))
    if len(parts) == 1:
        return _split_by_divisions(text, region, level + 1, limit)
    return [piece for part in parts for piece in _split_by_divisions(text, part, level + 1, MAX_PASSAGE_WORDS)]


def _pack_pieces(text: str, pieces: Sequence[Span]) -> list[Span]:
    """Neighbours joined up to the target size, from the start, so that text added later changes no earlier passage."""
    packed: list[Span] = []
    sizes: list[int] = []
    for piece in pieces:
        size = _size_in_words(text, piece)
        short_tail = piece is pieces[-1] and size < _MAX_TAIL_WORDS and len(pieces) > 1
        if packed and sizes[-1] + size <= (MAX_PASSAGE_WORDS if short_tail else TARGET_WORDS):
            packed[-1] = Span(packed[-1].start, piece.end)
            sizes[-1] += size
        else:
            packed.append(piece)
            sizes.append(size)
    return packed


def _join_negated_lists(text: str, region: Span, packed: list[Span]) -> list[Span]:
    """Items below "No keeper shall—" joined with these words: in a separate passage they would say the opposite."""
    if len(packed) == 1:
        return packed
    lists = [Span(found.start + region.start, found.end + region.start) for found in negated_lists(region.of(text))]
    joined = packed[:1]
    for span in packed[1:]:
        whole = Span(joined[-1].start, span.end)
        within = any(joined[-1].end > held.start and span.start < held.end for held in lists)
        if within and _size_in_words(text, whole) <= MAX_NEGATED_LIST_WORDS:
            joined[-1] = whole
        else:
            joined.append(span)
    return joined


def _join_introduction(text: str, parts: list[Span]) -> list[Span]:
    """A heading or an opening line belongs to what it opens."""
    if len(parts) > 1 and _size_in_words(text, parts[0]) < _MAX_INTRODUCTION_WORDS:
        parts = [Span(parts[0].start, parts[1].end), *parts[2:]]
    joined: list[Span] = []
    for part in parts:
        if joined and _is_heading_like(joined[-1].of(text).rpartition("\n\n")[2]):
            part = Span(joined.pop().start, part.end)
        joined.append(part)
    return joined


def _is_heading_like(paragraph: str) -> bool:
    """Whether a paragraph is a few words on one line that are no sentence and no item: the heading of the next one."""
    is_short = "\n" not in paragraph and len(paragraph.split()) <= _MAX_HEADING_WORDS
    return is_short and bool(_HEADING_END.search(paragraph)) and not _CLAUSE.match(paragraph)


def _subsections(text: str, region: Span) -> list[int]:
    return _line_starts(_SUBSECTION, text, region)


def _clauses(text: str, region: Span) -> list[int]:
    return _line_starts(_CLAUSE, text, region)


def _paragraphs(text: str, region: Span) -> list[int]:
    return [found.end() for found in _PARAGRAPH.finditer(text, region.start, region.end)]


def _sentences(text: str, region: Span) -> list[int]:
    return [span.start + region.start for span in sentence_spans(region.of(text))]


_SPLIT_LEVELS: tuple[Callable[[str, Span], list[int]], ...] = (_subsections, _paragraphs, _clauses, _sentences)


def _line_starts(pattern: re.Pattern[str], text: str, region: Span) -> list[int]:
    return [found.start() for found in pattern.finditer(text, region.start, region.end)]


def _split_at(text: str, region: Span, at: Sequence[int]) -> list[Span]:
    edges = [region.start, *(place for place in at if region.start < place < region.end), region.end]
    return [span for start, end in pairwise(edges) if (span := _trimmed(text, start, end))]


def _trimmed(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end) if start < end else None


def _split_by_words(text: str, region: Span) -> list[Span]:
    """A run without divisions, split every `TARGET` words; an overlong word is split as well."""
    words = [found.span() for found in _WORD.finditer(text, region.start, region.end)]
    pieces: list[Span] = []
    held = 0
    for start, end in words:
        weight = _estimated_words(end - start, 1)
        if pieces and held + weight <= TARGET_WORDS:
            pieces[-1] = Span(pieces[-1].start, end)
            held += weight
        else:
            pieces.append(Span(start, end))
            held = weight
    return pieces


def _size_in_words(text: str, region: Span) -> int:
    return _estimated_words(len(region), len(region.of(text).split()))


def _estimated_words(letters: int, words: int) -> int:
    """Words, or an estimate from the letters if a script or blob has no blanks."""
    return max(words, letters // 12)


def _term_starts(text: str, block: Block) -> list[int]:
    """Where the defined terms of a section begin; empty if it is not a section of definitions."""
    about_terms = bool(block.labels.title and _DEFINITIONS_TITLE.search(block.labels.title))
    region = block.span
    quoted = [
        found for found in _QUOTED_TERM.finditer(text, region.start, region.end) if _is_definition(text, region, found)
    ]
    plain = _PLAIN_TERM.finditer(text, region.start, region.end) if about_terms else ()
    found = sorted({match.start(): match for match in (*quoted, *plain)}.values(), key=lambda match: match.start())
    starts = [match.start() for match in found if match.start() > region.start]
    return starts if len(starts) >= (2 if about_terms else 3) else []


def _is_definition(text: str, region: Span, found: re.Match[str]) -> bool:
    """Whether a quoted term at the start of a line is defined there, not merely mentioned as a line wraps."""
    before = text[max(region.start, found.start() - 8) : found.start()]
    after = text[found.end() : min(found.end() + 160, region.end)]
    new_line = not before or before.endswith("\n\n") or bool(_ENDS_BEFORE_TERM.search(before.rstrip()))
    return bool(_DEFINING.search(after)) and (bool(found["mark"]) or new_line)


def _split_definitions(text: str, region: Span, starts: list[int]) -> list[tuple[Span, BlockKind]]:
    """One passage per term, the opening words with the first; further subsections are passages of their own."""
    first = starts[0]
    numbers = [(found.start(), int(found[1])) for found in _SUBSECTION.finditer(text, region.start, region.end)]
    kinds: dict[int, BlockKind] = dict.fromkeys(starts[1:], "definition")
    expected = 2
    if any(place < first and number == 1 for place, number in numbers):
        for place, number in numbers:
            if place > first and number == expected and place not in kinds:
                kinds[place] = "paragraph"
                expected += 1
    result: list[tuple[Span, BlockKind]] = []
    for part in _split_at(text, region, sorted(kinds)):
        kind: BlockKind = kinds.get(part.start, "definition")
        result.extend(
            (span, kind) for span in _pack_pieces(text, _split_by_divisions(text, part, 0, MAX_PASSAGE_WORDS))
        )
    return result
