"""Splits a hit into the units of an extractive answer: whole sentences, and lists kept whole."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from footnotary.domain.evidence import Hit
from footnotary.domain.identity import Span
from footnotary.generate.extractive.candidates import CandidateSentence, cells_of
from footnotary.generate.extractive.sentence_roles import Role, is_part_heading, role_of, section_part_of
from footnotary.text.sentences.negated_lists import (
    asks_true_or_false,
    introduces_list,
    is_item_below,
    item_mark,
    negates_list,
)
from footnotary.text.sentences.reported_speech import speech_spans
from footnotary.text.sentences.split_lists import ITEM, LIST_INTRODUCERS, ORDINAL, defines_term, list_continues
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import words

# "… at the ward office. [SOURCE: Code_1_0]": not part of the sentence, and it would look like a citation.
_TRAILING_MARKER = re.compile(r"(?<=[.!?।])\s*(?:\[[^\[\]\n]{0,80}[:_][^\[\]\n]{0,80}\]\s*)+$")
# A short line alone above a paragraph: a heading that the document does not mark as one.
_BARE_LINE = re.compile(r"[^\W\d_][^\W\d_'’&-]*(?: [^\W\d_][^\W\d_'’&-]*){0,7}")
_MAX_LIST_CHARS = 6000  # more than a chunk with a list has: a list is kept whole
_NUMBERED_TITLE = re.compile(r"(?:[§#]\s?)?\d{1,3}(?:\.\d{1,3}){0,3}[.)]?\s+[^\W\d_][\w'’&-]*(?: [\w'’&-]+){0,2}\.")
_INITIAL = re.compile(r"\s*[A-Z]\.\s")
_RUN_IN_HEADING = (".—", ".–", ".--", ".-")
_MAX_HEADING_WORDS = 30


@dataclass(slots=True)
class _JoinedUnit:
    """A unit while it grows; `is_list`: it is an introduction with items, and the next item belongs to it too."""

    span: Span
    role: Role
    heading: Span | None
    is_list: bool = False


def candidate_sentences(hit: Hit) -> tuple[CandidateSentence, ...]:
    """The units of a hit in reading order: no headings, a list together with the sentence that introduces it.

    An item that has items of its own is one unit with them. The title that begins a numbered line is a heading too.
    Quoted speech stays with the words that name the speaker.
    """
    text = hit.chunk.text
    spoken = speech_spans(text)
    units: list[_JoinedUnit] = []
    part: Role = "rule"
    above: Span | None = None
    for whole in sentence_spans(text):
        heading = _joined_heading(whole, hit)
        if heading is not None:
            above = heading
            whole = Span(heading.end + 1, whole.end)
        span = _without_trailing_marker(whole, text)
        said = span.of(text)
        part = section_part_of(said, part)
        if _is_heading(said, hit) or _is_bare_heading(span, text) or _is_run_in_title(span, text):
            above = span
            continue
        if not words(said) or is_part_heading(said):
            continue
        role = role_of(said, part, hit.chunk.labels.kind)
        last = units[-1] if units else None
        outer = _outer_item(span, units, text) if above is None else None
        if outer is not None and span.end - units[outer].span.start <= _MAX_LIST_CHARS:
            units[outer].span = Span(units[outer].span.start, span.end)
            del units[outer + 1 :]
        elif last and _goes_on(last, span, text, role, spoken) and span.end - last.span.start <= _MAX_LIST_CHARS:
            last.span, last.is_list = Span(last.span.start, span.end), True
        else:
            units.append(_JoinedUnit(span, role, above))
        above = None
    texts = [_without_enumerator(unit.span, text).of(text) for unit in units]
    headers = {n for n, (one, below) in enumerate(pairwise(texts)) if _is_table_header(one, below)}
    units = [unit for n, unit in enumerate(units) if n not in headers]
    texts = [own for n, own in enumerate(texts) if n not in headers]
    return tuple(
        CandidateSentence(hit, own, n, unit.span, texts[n - 1] if n else "", unit.role, unit.heading, after)
        for n, (unit, own, after) in enumerate(zip(units, texts, [*texts, ""][1:], strict=True))
    )


def _is_table_header(row: str, below: str) -> bool:
    """Whether a row has the headings of the row below, which repeats them with its values: "Fee: 240 euros"."""
    cells = cells_of(row)
    headings = {name for cell in cells_of(below) for name, named, _ in [cell.partition(": ")] if named}
    return len(cells) > 1 and bool(headings) and headings <= set(cells)


def _joined_heading(span: Span, hit: Hit) -> Span | None:
    """The heading of the section in a line of its own that a sentence begins with, if it was read as its beginning."""
    line, _, below = span.of(hit.chunk.text).partition("\n")
    titles = (hit.chunk.labels.title, *hit.chunk.section)
    if not below or below[0].islower() or not any(title and words(line) == words(title) for title in titles):
        return None
    return Span(span.start, span.start + len(line))


def _without_trailing_marker(span: Span, text: str) -> Span:
    found = _TRAILING_MARKER.search(span.of(text))
    return span if found is None else Span(span.start, span.start + found.start())


def _without_enumerator(span: Span, text: str) -> Span:
    """A single item reads better without its "(a)"; a list keeps them, and a name its initial."""
    unit = span.of(text)
    match = ITEM.match(unit)
    if (
        match is None
        or _INITIAL.match(unit)
        or any(ITEM.match(line) for line in _outermost_lines(unit[match.end() :])[1:])
    ):
        return span
    return Span(span.start + match.end(), span.end)


def _ends_sentence_of_list(before: str, said: str) -> bool:
    """Whether a text goes on with the sentence of a list behind its items: "(b) a net,\n\nbut not a rope"."""
    return said[0].islower() and ITEM.match(said) is None and not before.rstrip().endswith((".", "!", "?", "।"))


def _outermost_lines(unit: str) -> list[str]:
    """The lines of a unit without those of nested items, which are indented."""
    return [line for line in unit.split("\n") if not line.startswith(" ")]


def _indentation(at: int, text: str) -> int:
    """How far the line at a place is indented: more for an item than for the item that it is nested in."""
    line = text[text.rfind("\n", 0, at) + 1 : at + 1]
    return len(line) - len(line.lstrip(" "))


def _outer_item(span: Span, units: Sequence[_JoinedUnit], text: str) -> int | None:
    """The number of the unit whose item a sentence is nested in, if there is one."""
    own = _indentation(span.start, text)
    if own == 0 or not ITEM.match(text[text.rfind("\n", 0, span.start) + 1 : span.end]):
        return None
    for n in reversed(range(len(units))):
        start = units[n].span.start
        if ITEM.match(units[n].span.of(text)) and _indentation(start, text) < own:
            return n
        if not text[text.rfind("\n", 0, start) + 1 : start].strip():
            break  # it is not a further sentence of an item
    return None


def _goes_on(last: _JoinedUnit, span: Span, text: str, role: Role, spoken: Sequence[Span]) -> bool:
    """Whether a sentence belongs to the unit before it: as an item to its list, or as speech to its speaker."""
    before, said = last.span.of(text), span.of(text)
    return (
        _continues(before, said, last.is_list)
        or (last.is_list and _ends_sentence_of_list(before, said))
        or (last.is_list and role == last.role and _is_negated_item(before, said))
        or (last.is_list and (_indentation(span.start, text) > 0 or _is_within_item(last.span, span, text)))
        or any(speech.start < span.start < speech.end for speech in spoken)
    )


def _continues(before: str, unit: str, in_list: bool) -> bool:
    """Whether `unit` continues `before`: a list item its introduction or the items before it, a text its own mark.

    Items that each define a term, and items without an introduction, are separate.
    """
    last = before.rstrip()
    line = _outermost_lines(last)[-1]
    if line and (mark := ORDINAL.match(line)) and mark.end() == len(line):
        return True
    if "=" in unit and (last.endswith(":") or last[-1:].isalpha()):
        return True  # "... is given by", and the formula below it
    if not (ITEM.match(unit) or ORDINAL.match(unit)) or defines_term(unit):
        return False
    return (
        last.endswith(LIST_INTRODUCERS)
        or asks_true_or_false(line)
        or (in_list and (list_continues(last) or (item_mark(line) != "" and item_mark(line) == item_mark(unit))))
    )


def _is_within_item(before: Span, span: Span, text: str) -> bool:
    """Whether a sentence is in the same line as the list item before it, which begins that line."""
    line = text[text.rfind("\n", 0, before.end) + 1 : before.end]
    return "\n" not in text[before.end : span.start] and ITEM.match(line) is not None


def _is_negated_item(before: str, unit: str) -> bool:
    """Whether an item belongs to a negated list: alone it would say the opposite."""
    lead = next(filter(introduces_list, before.split("\n")), "")
    return ITEM.match(unit) is not None and negates_list(lead) and is_item_below(lead, unit)


def _is_bare_heading(span: Span, text: str) -> bool:
    """Whether a few words without a stop are a paragraph of their own above another one."""
    alone = not text[: span.start].strip(" \t") or text[: span.start].rstrip(" \t").endswith("\n\n")
    return (
        alone
        and text.startswith("\n\n", span.end)
        and bool(text[span.end :].strip())
        and _BARE_LINE.fullmatch(span.of(text)) is not None
    )


def _is_run_in_title(span: Span, text: str) -> bool:
    """Whether it is the title in a numbered line: "3. Deposit. A deposit of …"."""
    return (
        _NUMBERED_TITLE.fullmatch(span.of(text)) is not None
        and (not text[: span.start].strip(" \t") or text[: span.start].rstrip(" \t").endswith("\n"))
        and text[span.end :].lstrip(" \t")[:1].isupper()
    )


def _is_heading(unit: str, hit: Hit) -> bool:
    """Whether a unit is a title line: nearly all its words are the title's, or it precedes a statute's dash."""
    said = words(unit)
    bare = unit.rstrip()
    if bare.endswith(_RUN_IN_HEADING) and len(said) <= _MAX_HEADING_WORDS and not ORDINAL.match(unit):
        return True
    titles = [title for title in (hit.chunk.labels.title, *hit.chunk.section) if title]
    if bare.endswith((".", "।")) and len(said) > 14:
        return False
    if unit.lstrip().startswith("#"):
        return True
    # "You may not:" below "What you may not do" introduces the items, and a negation in the title itself is theirs.
    if introduces_list(unit) and (negates_list(unit) or said not in [words(title) for title in titles]):
        return False
    for title in titles:
        named = set(words(title)) | {"section", "article", "chapter", (hit.chunk.labels.section or "").casefold()}
        if said and len(said) <= len(words(title)) + 3 and sum(word in named for word in said) >= 0.85 * len(said):
            return True
    return False
