"""Exact bounds of a share: the binomial distribution, and the Clopper-Pearson bound."""

import math
from collections.abc import Iterator
from itertools import islice


def upper_bound(unsupported: int, delivered: int, confidence: float) -> float:
    """The exact (Clopper-Pearson) one-sided upper bound of a share; 1 where nothing was delivered."""
    if unsupported >= delivered:
        return 1.0
    low, high = unsupported / delivered, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if binomial_cdf(unsupported, delivered, middle) > 1.0 - confidence:
            low = middle
        else:
            high = middle
    return high


def binomial_cdf(successes: int, trials: int, rate: float) -> float:
    """The probability of at most `successes` in `trials` independent trials of probability `rate`."""
    if successes >= trials or rate <= 0.0:
        return 1.0
    return 0.0 if rate >= 1.0 else next(islice(binomial_cdf_values(trials, rate), successes, None))


def binomial_cdf_values(trials: int, rate: float) -> Iterator[float]:
    """The binomial distribution function at 0, 1, … `trials`, computed in logarithms so that nothing underflows."""
    odds = math.log(rate) - math.log1p(-rate)
    term = total = trials * math.log1p(-rate)
    for successes in range(trials):
        yield min(1.0, math.exp(total))
        term += math.log(trials - successes) - math.log(successes + 1) + odds
        high, low = (total, term) if total > term else (term, total)
        total = high + math.log1p(math.exp(low - high))
    yield 1.0
