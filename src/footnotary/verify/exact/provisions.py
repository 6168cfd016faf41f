"""Check: a claim names only provisions that its sources are or name."""

import re
from bisect import bisect_right
from functools import lru_cache
from operator import eq
from typing import TypeAlias

from footnotary.domain.identity import Span
from footnotary.domain.query import Reference
from footnotary.text.references.provisions import references, worded_references
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import words
from footnotary.verify.exact.mismatch import Mismatch

_HEADING = re.compile(r"^[ \t*#]{0,8}(?:§ ?)?(\d{1,4}[A-Z]{0,2}(?:\.\d{1,4})?)\s?[.:\-–—]", re.MULTILINE)
_REACH = 40
_MIN_CONTEXT_WORDS = 2
_Around: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
_PARTS = re.compile(r"\(([0-9A-Za-z]{1,5})\)")
_KNOWN = re.compile(r"(\d+[A-Za-z]{0,3}(?:\.\d+)*)((?:\([0-9A-Za-z]{1,5}\))*)")


def sections_disagree(claim: str, premise: str, known: frozenset[str]) -> Mismatch | None:
    """The provision of the claim that is neither in `known` nor named in the source, or None.

    `known` are the numbers of the cited passages' own sections. If the source gives clauses of the provision, the
    claim's clause must be one of them, or contain or be part of one.
    """
    named = [reference for reference, _ in references(premise)]
    worded = {number for number, _ in worded_references(premise)}
    own = [_parsed(number) for number in known]
    cited = {r.section.upper() for r in named} | worded
    provisions = cited | {r.section.upper() for r in own} | {m[1].upper() for m in _HEADING.finditer(premise)}
    claimed = (*references(claim), *((Reference(number), span) for number, span in worded_references(claim)))
    for reference, span in claimed:
        section, written = reference.section.upper(), " ".join(span.of(claim).split())
        if section not in cited and (meant := _in_place_of(span, claim, premise)) is not None:
            return Mismatch(written, meant)
        if section not in provisions:
            return Mismatch(written)
        if reference.clause is not None and not _clause_is_given(reference, (*named, *own), premise):
            return Mismatch(f"{reference.section}{reference.clause}")
    return None


def _in_place_of(span: Span, claim: str, premise: str) -> str | None:
    """The provision that the source names where the claim, otherwise word for word, names another number."""
    before, after = _surroundings(claim)[span]
    there = _named_at(premise)
    # The beginning of the source may follow a lead-in: "in short, under section 5".
    tried = ((before[n:], after) for n in range(max(len(before), 1)))
    return next((there[a] for a in tried if a in there and len(a[0]) + len(a[1]) >= _MIN_CONTEXT_WORDS), None)


@lru_cache(maxsize=16)
def _named_at(premise: str) -> dict[_Around, str]:
    return {around: span.of(premise) for span, around in _surroundings(premise).items()}


@lru_cache(maxsize=16)
def _surroundings(text: str) -> dict[Span, _Around]:
    """For every provision named, the two words on either side of it in its sentence."""
    sentences = sentence_spans(text)
    starts = [sentence.start for sentence in sentences]
    found: dict[Span, _Around] = {}
    for _, span in (*references(text), *worded_references(text)):
        sentence = sentences[bisect_right(starts, span.start) - 1]
        before = words(text[max(sentence.start, span.start - _REACH) : span.start])[-2:]
        after = words(text[span.end : min(sentence.end, span.end + _REACH)])[:2]
        found[span] = tuple(before), tuple(after)
    return found


def _clause_is_given(reference: Reference, there: tuple[Reference, ...], premise: str) -> bool:
    claimed = _PARTS.findall(reference.clause or "")
    listed = set(_PARTS.findall(premise))
    same = (other for other in there if other.section == reference.section)
    given = [_PARTS.findall(other.clause) for other in same if other.clause is not None]
    if any(all(map(eq, clauses, claimed)) for clauses in given):
        return True  # the same, or one above or below it
    if given:
        return all(part in listed for part in claimed)
    return not listed or any(part in listed for part in claimed)


def _parsed(number: str) -> Reference:
    match = _KNOWN.search(number)
    return Reference(match[1].upper(), None, match[2] or None) if match else Reference(number.upper())
