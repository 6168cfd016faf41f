"""Whether a source gives as a ratio what a claim counts for every so many of another thing."""

import re
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from footnotary.text.numbers.quantities import NumberMention, number_mentions
from footnotary.text.numbers.unit_parsing import singular

_RATIO = re.compile(
    r"\bratio of (?:the )?([a-z]+) to (?:the )?([a-z]+)(?: (?:is|are|was|were|of|stands at|stood at))?[:,]? "
    r"(\d{1,6}) ?(?::|to) ?(\d{1,6})(?![\d:.,]\d)",
    re.IGNORECASE,
)
_FOR_EVERY = re.compile(r"\s[a-z]+ (?:for|to) (?:every|each)\s", re.IGNORECASE)


def is_stated_as_ratio(figure: NumberMention, claim: str, premise: str) -> bool:
    """Whether `figure` is one of "3 boys for every 2 girls", and the source has boys to girls at 3:2."""
    for one, other in pairwise(number_mentions(claim)):
        if figure not in (one, other) or one.unit is None or other.unit is None or not other.value:
            continue
        exact = all(f.kind == "count" and f.high is None and f.comparator == "exact" for f in (one, other))
        if exact and _FOR_EVERY.fullmatch(claim[one.span.end : other.span.start]):
            return one.value / other.value in _ratios(premise).get((one.unit, other.unit), ())
    return False


@lru_cache(maxsize=16)
def _ratios(premise: str) -> dict[tuple[str, str], frozenset[Fraction]]:
    found: dict[tuple[str, str], frozenset[Fraction]] = {}
    for match in _RATIO.finditer(premise):
        left, right = singular(match[1].lower()), singular(match[2].lower())
        one, other = int(match[3]), int(match[4])
        if one and other:
            for pair, ratio in (((left, right), Fraction(one, other)), ((right, left), Fraction(other, one))):
                found[pair] = found.get(pair, frozenset()) | {ratio}
    return found
