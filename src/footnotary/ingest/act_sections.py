"""Which lines of an act or regulation are the headings of its sections."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from footnotary.ingest.act_amendments import amended_by_states
from footnotary.ingest.act_contents import Contents, contents_of, leading_number_of, listed_section
from footnotary.ingest.act_headings import (
    SectionHeading,
    division,
    is_note,
    is_schedule,
    is_side_note,
    named_section,
    number_key,
    numbered_section,
    opens_first_subsection,
    untitled_section,
)
from footnotary.ingest.outline import NOTES, text_of
from footnotary.ingest.parsed import Parsed

_Found = dict[int, SectionHeading]
_FARTHEST_JUMP = 60  # some section numbers are skipped, but not hundreds: "1948. ..." is a year
_LEADS_ON = frozenset(
    "section sections clause clauses article articles rule rules act of or and to in under by no".split()
)
_MOST_ARE = 0.7
_LISTED, _DASHED, _PLAIN = 6, 5, 1


@dataclass(frozen=True, slots=True)
class Sections:
    """The headings of an act's own sections by line, the table of contents before them, and State amendments.

    `amended` are the lines of State amendments: they are printed within the act but are not part of it.
    """

    headings: Mapping[int, SectionHeading]
    contents: Contents
    amended: frozenset[int] = frozenset()


def sections_of(parsed: Parsed) -> Sections:
    """The section headings, all in the one style that the document uses."""
    contents = contents_of(parsed)
    texts = [text_of(parsed, line) for line in parsed.lines]
    open_to = _lines_that_may_open(parsed, texts, contents)
    after = range(contents.lines.stop, len(texts))
    # A line that the contents list, or with the dash of a heading, is a heading even after an unfinished line.
    listed = {at: found for at in after if (found := listed_section(texts[at], contents.titles))}
    dashed = {
        at: found for at in after if not _leads_on(texts[at - 1]) and (found := numbered_section(texts[at], True))
    }
    named = {at: found for at in open_to if (found := named_section(texts[at], parsed.lines[at].level is not None))}
    body = range(after.start, _first_schedule(texts, open_to, min((*listed, *dashed, *named), default=0)))
    listed, dashed = _within(body, listed), _within(body, dashed)
    if 2 * len(listed) > len(contents.titles) > 0:
        named = _within(body, named)  # a schedule may be a treaty of many articles
    articles = {at: found for at, found in named.items() if texts[at].lower().startswith("art")}
    if len(articles) >= 3:  # in a law of articles, "Section 1" is a division above some of them
        named = articles
    is_named = bool(named) and len(named) >= len(_rising({**dashed, **listed}, {}))
    found = {**named, **listed} if is_named else {**dashed, **listed}
    if not is_named and not contents.titles:
        found = {at: plain for at in open_to if at in body and (plain := numbered_section(texts[at], False))} | found
    amended = amended_by_states(texts, found, contents.titles)
    found = {at: heading for at, heading in sorted(found.items()) if at not in amended}
    if is_named:
        return Sections(found, contents, amended)
    kept = _rising(found, {at: _weight(at, listed, dashed, found) for at in found})
    if contents.titles:
        kept |= _missing(texts, [at for at in open_to if at in body and at not in amended], kept, contents)
    else:
        titled = sum(1 for at in kept if at in dashed or at + 1 not in kept)
        may_open = {*open_to, *(at for at in body if opens_first_subsection(texts[at]))}
        untitled = _untitled(texts, sorted(at for at in may_open if at in body and at not in amended))
        if titled < _MOST_ARE * len(untitled):
            kept = _titled_beside(texts, untitled)
    return Sections(dict(sorted(kept.items())), contents, amended)


def _weight(at: int, listed: _Found, dashed: _Found, found: _Found) -> int:
    """Confidence that a line is a heading; one without text below it may be a list item."""
    return _LISTED if at in listed else _DASHED if at in dashed else _PLAIN + (at + 1 not in found)


def _lines_that_may_open(parsed: Parsed, texts: list[str], contents: Contents) -> list[int]:
    """Lines that may start a section: not those that continue a sentence. In paged files each line is a paragraph."""
    places: list[int] = []
    for at, line in enumerate(parsed.lines):
        if at in contents.lines:
            continue
        before = texts[at - 1] if at else ""
        goes_on = (
            parsed.layout is None
            and not line.after_blank
            and line.level is None
            and before[-1:] not in ".;:!?।—–-)]\"”'’*"
            and not (places and places[-1] == at - 1 and named_section(before, False))
            and not division(before, False)
            and not before.isupper()
            and not texts[at].isupper()
        )
        if not goes_on:
            places.append(at)
    return places


def _leads_on(before: str) -> bool:
    """Whether a line ends in a word that expects a number: "... as provided in section"."""
    return before.rpartition(" ")[2].lower() in _LEADS_ON


def _first_schedule(texts: list[str], open_to: list[int], first: int) -> int:
    """Where the schedules or notes begin after the first section; numbered lines there are not sections."""
    return next((at for at in open_to if at > first and (texts[at] == NOTES or is_schedule(texts[at]))), len(texts))


def _within(body: range, found: _Found) -> _Found:
    return {at: heading for at, heading in found.items() if at in body}


def _rising(found: _Found, weights: Mapping[int, int]) -> _Found:
    """The heaviest increasing run of heading numbers: a list within a section restarts and is not a section."""
    keys = sorted({number_key(heading.number) for heading in found.values()})
    best: list[tuple[int, int]] = [(0, -1)] * (len(keys) + 1)  # a Fenwick tree: weight of a run, and where it ends
    before: dict[int, int] = {}
    for at in sorted(found):
        rank = bisect_left(keys, number_key(found[at].number)) + 1
        weight, last = _heaviest(best, rank - 1)
        before[at] = last
        _note(best, rank, (weight + weights.get(at, 1), at))
    _, at = _heaviest(best, len(keys))
    run: list[int] = []
    while at >= 0:
        run.append(at)
        at = before[at]
    run.reverse()
    for place, (at, following) in enumerate(pairwise(run)):
        if number_key(found[following].number)[0][0] > number_key(found[at].number)[0][0] + _FARTHEST_JUMP:
            run = run[: place + 1]
            break
    return {at: found[at] for at in run}


def _heaviest(tree: list[tuple[int, int]], rank: int) -> tuple[int, int]:
    best = (0, -1)
    while rank:
        best = max(best, tree[rank])
        rank -= rank & -rank
    return best


def _note(tree: list[tuple[int, int]], rank: int, run: tuple[int, int]) -> None:
    while rank < len(tree):
        tree[rank] = max(tree[rank], run)
        rank += rank & -rank


def _missing(texts: list[str], places: list[int], kept: _Found, contents: Contents) -> _Found:
    """Listed sections without a heading of the usual form: found by their number at the start of a line in sequence."""
    numbers = list(contents.titles)
    order = {number: place for place, number in enumerate(numbers)}
    following = sorted(kept)
    result: _Found = {}
    last, turn = -1, 0
    for at in places:
        if at in kept:
            last = order.get(kept[at].number, last)
            continue
        while turn < len(following) and following[turn] < at:
            turn += 1
        opened = leading_number_of(texts[at])
        if opened is None or is_note(texts[at][opened[1] :]):
            continue
        place = order.get(opened[0], -1)
        upto = order.get(kept[following[turn]].number, len(order)) if turn < len(following) else len(order)
        if last < place < upto and place <= last + 3:
            result[at] = SectionHeading(numbers[place], contents.titles[numbers[place]], opened[1])
            last = place
    return result


def _untitled(texts: list[str], places: list[int]) -> _Found:
    """Sections without a title in their line, if they are numbered from the first almost without gaps."""
    found = {at: heading for at in places if (heading := untitled_section(texts[at]))}
    kept = _rising(found, {})
    numbers = {number_key(heading.number)[0][0] for heading in kept.values()}
    return kept if len(numbers) >= 3 and min(numbers) <= 2 and len(numbers) >= _MOST_ARE * max(numbers) else {}


def _titled_beside(texts: list[str], untitled: _Found) -> _Found:
    """The same sections with their marginal notes as titles, if most of them have one."""
    beside = {at for at in untitled if at and at - 1 not in untitled and is_side_note(texts[at - 1])}
    if 2 * len(beside) < len(untitled):
        return untitled
    return {
        at - 1 if at in beside else at: (
            SectionHeading(heading.number, texts[at - 1].strip(" ."), len(texts[at - 1])) if at in beside else heading
        )
        for at, heading in untitled.items()
    }
