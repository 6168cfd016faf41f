"""Rewrites the figures, dates and times of a claim in the form of its source."""

from functools import lru_cache

from footnotary.domain.identity import Span
from footnotary.text.dates.clock_times import with_times_as_in
from footnotary.text.dates.mentions import dates
from footnotary.text.numbers.quantities import NumberMention, number_mentions, same_quantity
from footnotary.verify.exact.number_matching import compound_quantities, matches

_Rewrite = tuple[Span, str]


@lru_cache(maxsize=512)
def in_source_forms(claim: str, source: str) -> str:
    """`claim` with every time, date and figure that `source` gives in other words as `source` writes it.

    Only an identical amount or day is rewritten; all other characters stay.
    """
    claim = with_times_as_in(claim, source)
    for span, written in sorted((*_dates(claim, source), *_figures(claim, source)), reverse=True):
        claim = claim[: span.start] + written + claim[span.end :]
    return claim


def _dates(claim: str, source: str) -> list[_Rewrite]:
    there = {(d.year, d.month, d.day): d.span.of(source) for d in reversed(dates(source))}
    found = ((d.span, there.get((d.year, d.month, d.day))) for d in dates(claim) if d.month is not None)
    return [(span, written) for span, written in found if written is not None and written not in claim]


def _figures(claim: str, source: str) -> list[_Rewrite]:
    ours = [*compound_quantities(claim), *number_mentions(claim)]
    theirs = (*compound_quantities(source), *number_mentions(source)) if ours else ()
    rewritten: list[_Rewrite] = []
    for figure in ours:
        if any(span.overlaps(figure.span) for span, _ in rewritten):
            continue
        written = _source_spelling(figure, figure.span.of(claim), source, theirs)
        if written is not None:
            rewritten.append((figure.span, written))
    return rewritten


def _source_spelling(figure: NumberMention, said: str, source: str, theirs: tuple[NumberMention, ...]) -> str | None:
    """How the source writes the same amount; None if it writes it the same way or does not have it."""
    same = [other for other in theirs if same_quantity(figure, other)]
    same = same or [other for other in theirs if figure.kind == "count" and other in matches(figure, source)]
    texts = [other.span.of(source) for other in same]
    return texts[0] if texts and said.casefold() not in map(str.casefold, texts) else None
