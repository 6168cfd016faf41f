"""Which lines of an act or regulation are the headings of its sections."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.structure.acts.headings import (
    SectionHeading,
    is_amendment_note,
    is_marginal_note,
    is_schedule_heading,
    parse_division,
    parse_named_section,
    parse_numbered_section,
    parse_untitled_section,
    section_sort_key,
    starts_first_subsection,
)
from footnotary.ingest.structure.acts.state_amendments import find_state_amendment_lines
from footnotary.ingest.structure.acts.table_of_contents import (
    TableOfContents,
    find_table_of_contents,
    match_listed_section,
    parse_leading_number,
)
from footnotary.ingest.structure.outline import NOTES_HEADING, line_text

_HeadingsByLine = dict[int, SectionHeading]
_MAX_NUMBER_GAP = 60  # some section numbers are skipped, but not hundreds: "1948. ..." is a year
_WORDS_BEFORE_NUMBER = frozenset(
    "section sections clause clauses article articles rule rules act of or and to in under by no".split()
)
_MIN_SHARE = 0.7
_LISTED, _DASHED, _PLAIN = 6, 5, 1


@dataclass(frozen=True, slots=True)
class ActSections:
    """The headings of an act's own sections by line, the table of contents before them, and State amendments.

    `amended` are the lines of State amendments: they are printed within the act but are not part of it.
    """

    headings: Mapping[int, SectionHeading]
    contents: TableOfContents
    amended: frozenset[int] = frozenset()


def find_sections(parsed: ParsedFile) -> ActSections:
    """The section headings, all in the one style that the document uses."""
    contents = find_table_of_contents(parsed)
    texts = [line_text(parsed, line) for line in parsed.lines]
    open_to = _candidate_lines(parsed, texts, contents)
    after = range(contents.lines.stop, len(texts))
    # A line that the contents list, or with the dash of a heading, is a heading even after an unfinished line.
    listed = {at: found for at in after if (found := match_listed_section(texts[at], contents.titles))}
    dashed = {
        at: found
        for at in after
        if not _expects_number(texts[at - 1]) and (found := parse_numbered_section(texts[at], True))
    }
    named = {
        at: found for at in open_to if (found := parse_named_section(texts[at], parsed.lines[at].level is not None))
    }
    body = range(after.start, _body_end(texts, open_to, min((*listed, *dashed, *named), default=0)))
    listed, dashed = _within_body(body, listed), _within_body(body, dashed)
    if 2 * len(listed) > len(contents.titles) > 0:
        named = _within_body(body, named)  # a schedule may be a treaty of many articles
    articles = {at: found for at, found in named.items() if texts[at].lower().startswith("art")}
    if len(articles) >= 3:  # in a law of articles, "Section 1" is a division above some of them
        named = articles
    is_named = bool(named) and len(named) >= len(_heaviest_increasing_run({**dashed, **listed}, {}))
    found = {**named, **listed} if is_named else {**dashed, **listed}
    if not is_named and not contents.titles:
        found = {
            at: plain for at in open_to if at in body and (plain := parse_numbered_section(texts[at], False))
        } | found
    amended = find_state_amendment_lines(texts, found, contents.titles)
    found = {at: heading for at, heading in sorted(found.items()) if at not in amended}
    if is_named:
        return ActSections(found, contents, amended)
    kept = _heaviest_increasing_run(found, {at: _heading_weight(at, listed, dashed, found) for at in found})
    if contents.titles:
        kept |= _find_missing_sections(
            texts, [at for at in open_to if at in body and at not in amended], kept, contents
        )
    else:
        titled = sum(1 for at in kept if at in dashed or at + 1 not in kept)
        may_open = {*open_to, *(at for at in body if starts_first_subsection(texts[at]))}
        untitled = _find_untitled_sections(texts, sorted(at for at in may_open if at in body and at not in amended))
        if titled < _MIN_SHARE * len(untitled):
            kept = _with_marginal_titles(texts, untitled)
    return ActSections(dict(sorted(kept.items())), contents, amended)


def _heading_weight(at: int, listed: _HeadingsByLine, dashed: _HeadingsByLine, found: _HeadingsByLine) -> int:
    """Confidence that a line is a heading; one without text below it may be a list item."""
    return _LISTED if at in listed else _DASHED if at in dashed else _PLAIN + (at + 1 not in found)


def _candidate_lines(parsed: ParsedFile, texts: list[str], contents: TableOfContents) -> list[int]:
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
            and not (places and places[-1] == at - 1 and parse_named_section(before, False))
            and not parse_division(before, False)
            and not before.isupper()
            and not texts[at].isupper()
        )
        if not goes_on:
            places.append(at)
    return places


def _expects_number(before: str) -> bool:
    """Whether a line ends in a word that expects a number: "... as provided in section"."""
    return before.rpartition(" ")[2].lower() in _WORDS_BEFORE_NUMBER


def _body_end(texts: list[str], open_to: list[int], first: int) -> int:
    """Where the schedules or notes begin after the first section; numbered lines there are not sections."""
    return next(
        (at for at in open_to if at > first and (texts[at] == NOTES_HEADING or is_schedule_heading(texts[at]))),
        len(texts),
    )


def _within_body(body: range, found: _HeadingsByLine) -> _HeadingsByLine:
    return {at: heading for at, heading in found.items() if at in body}


def _heaviest_increasing_run(found: _HeadingsByLine, weights: Mapping[int, int]) -> _HeadingsByLine:
    """The heaviest increasing run of heading numbers: a list within a section restarts and is not a section."""
    keys = sorted({section_sort_key(heading.number) for heading in found.values()})
    best: list[tuple[int, int]] = [(0, -1)] * (len(keys) + 1)  # a Fenwick tree: weight of a run, and where it ends
    before: dict[int, int] = {}
    for at in sorted(found):
        rank = bisect_left(keys, section_sort_key(found[at].number)) + 1
        weight, last = _prefix_maximum(best, rank - 1)
        before[at] = last
        _update_maximum(best, rank, (weight + weights.get(at, 1), at))
    _, at = _prefix_maximum(best, len(keys))
    run: list[int] = []
    while at >= 0:
        run.append(at)
        at = before[at]
    run.reverse()
    for place, (at, following) in enumerate(pairwise(run)):
        if section_sort_key(found[following].number)[0][0] > section_sort_key(found[at].number)[0][0] + _MAX_NUMBER_GAP:
            run = run[: place + 1]
            break
    return {at: found[at] for at in run}


def _prefix_maximum(tree: list[tuple[int, int]], rank: int) -> tuple[int, int]:
    best = (0, -1)
    while rank:
        best = max(best, tree[rank])
        rank -= rank & -rank
    return best


def _update_maximum(tree: list[tuple[int, int]], rank: int, run: tuple[int, int]) -> None:
    while rank < len(tree):
        tree[rank] = max(tree[rank], run)
        rank += rank & -rank


def _find_missing_sections(
    texts: list[str], places: list[int], kept: _HeadingsByLine, contents: TableOfContents
) -> _HeadingsByLine:
    """Listed sections without a heading of the usual form: found by their number at the start of a line in sequence."""
    numbers = list(contents.titles)
    order = {number: place for place, number in enumerate(numbers)}
    following = sorted(kept)
    result: _HeadingsByLine = {}
    last, turn = -1, 0
    for at in places:
        if at in kept:
            last = order.get(kept[at].number, last)
            continue
        while turn < len(following) and following[turn] < at:
            turn += 1
        opened = parse_leading_number(texts[at])
        if opened is None or is_amendment_note(texts[at][opened[1] :]):
            continue
        place = order.get(opened[0], -1)
        upto = order.get(kept[following[turn]].number, len(order)) if turn < len(following) else len(order)
        if last < place < upto and place <= last + 3:
            result[at] = SectionHeading(numbers[place], contents.titles[numbers[place]], opened[1])
            last = place
    return result


def _find_untitled_sections(texts: list[str], places: list[int]) -> _HeadingsByLine:
    """Sections without a title in their line, if they are numbered from the first almost without gaps."""
    found = {at: heading for at in places if (heading := parse_untitled_section(texts[at]))}
    kept = _heaviest_increasing_run(found, {})
    numbers = {section_sort_key(heading.number)[0][0] for heading in kept.values()}
    return kept if len(numbers) >= 3 and min(numbers) <= 2 and len(numbers) >= _MIN_SHARE * max(numbers) else {}


def _with_marginal_titles(texts: list[str], untitled: _HeadingsByLine) -> _HeadingsByLine:
    """The same sections with their marginal notes as titles, if most of them have one."""
    adjacent = {at for at in untitled if at and at - 1 not in untitled and is_marginal_note(texts[at - 1])}
    if 2 * len(adjacent) < len(untitled):
        return untitled
    return {
        at - 1 if at in adjacent else at: (
            SectionHeading(heading.number, texts[at - 1].strip(" ."), len(texts[at - 1])) if at in adjacent else heading
        )
        for at, heading in untitled.items()
    }
