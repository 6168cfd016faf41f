"""Guard: a claim names only provisions that its sources are, or name themselves."""

import re
from functools import lru_cache

from footnotary.domain.identity import Span
from footnotary.domain.query import Reference
from footnotary.text.references import references, worded_references
from footnotary.text.tokens import words

_HEADING = re.compile(r"^[ \t*#]{0,8}(?:§ ?)?(\d{1,4}[A-Z]{0,2}(?:\.\d{1,4})?)\s?[.:\-–—]", re.MULTILINE)
_REACH = 40
_PARTS = re.compile(r"\(([0-9A-Za-z]{1,5})\)")
_KNOWN = re.compile(r"(\d+[A-Za-z]{0,3}(?:\.\d+)*)((?:\([0-9A-Za-z]{1,5}\))*)")


def sections_disagree(claim: str, premise: str, known: frozenset[str]) -> str | None:
    """The provision of the claim that is neither in `known` nor named in the source, or None.

    `known` are the numbers of the cited passages' own sections. Where the source gives clauses of the provision,
    the claim's clause must be one of them, or lie above or below one.
    """
    named = [reference for reference, _ in references(premise)]
    own = [_parsed(number) for number in known]
    provisions = {r.section.upper() for r in (*named, *own)} | {m[1].upper() for m in _HEADING.finditer(premise)}
    cited = {r.section.upper() for r in named}
    for reference, span in references(claim):
        if reference.section.upper() not in cited and (meant := _in_place_of(span, claim, premise)) is not None:
            return f"the claim names {' '.join(span.of(claim).split())}, the source {meant} in its place"
        if reference.section.upper() not in provisions:
            return f"the claim names {' '.join(span.of(claim).split())}, which its source neither is nor names"
        if reference.clause is not None and not _clause_stands(reference, (*named, *own), premise):
            return f"the claim names {reference.section}{reference.clause}, which its source does not"
    worded = {number for number, _ in worded_references(premise)}
    for number, span in worded_references(claim):
        if number not in provisions | worded:
            return f"the claim names {' '.join(span.of(claim).split())}, which its source neither is nor names"
    return None


def _in_place_of(span: Span, claim: str, premise: str) -> str | None:
    """The provision that the source names, word for word, where the claim names its own number instead."""
    return _surroundings(premise).get(_around(claim, span))


@lru_cache(maxsize=16)
def _surroundings(premise: str) -> dict[tuple[str, ...], str]:
    return {_around(premise, span): span.of(premise) for _, span in references(premise)}


def _around(text: str, span: Span) -> tuple[str, ...]:
    before = words(text[max(0, span.start - _REACH) : span.start])[-2:]
    return (*before, "|", *words(text[span.end : span.end + _REACH])[:2])


def _clause_stands(reference: Reference, there: tuple[Reference, ...], premise: str) -> bool:
    claimed = _PARTS.findall(reference.clause or "")
    listed = set(_PARTS.findall(premise))
    given = [
        _PARTS.findall(other.clause)
        for other in there
        if other.section == reference.section and other.clause is not None
    ]
    for clauses in given:
        shorter = min(len(clauses), len(claimed))
        if clauses[:shorter] == claimed[:shorter]:
            return True
    if given:
        return all(part in listed for part in claimed)
    return not listed or any(part in listed for part in claimed)


def _parsed(number: str) -> Reference:
    match = _KNOWN.search(number)
    return Reference(match[1].upper(), None, match[2] or None) if match else Reference(number.upper())
