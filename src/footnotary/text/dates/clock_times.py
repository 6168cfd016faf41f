"""Times of the day, on a clock of twelve hours or of twenty-four."""

import re
from functools import lru_cache

from footnotary.domain.identity import Span

_TIME = re.compile(
    r"(?<![\d:.,])(?:(?P<hour>1[0-2]|0?[1-9])(?:[:.](?P<minute>[0-5]\d))?\s?(?P<half>[ap])(?:m\b|\.\s?m\b\.?)"
    r"|(?P<long>[01]?\d|2[0-3]):(?P<past>[0-5]\d)(?![\d:]|[.,]\d|\s?[ap]\.?\s?m\b))",
    re.IGNORECASE,
)
HALF_DAY = 12 * 60


@lru_cache(maxsize=64)
def clock_times(text: str) -> tuple[tuple[int, Span], ...]:
    """Every time of the day that `text` gives in digits, in minutes from midnight: "6 pm", "6.30 a.m.", "18:00"."""
    return tuple((_minutes(match), Span(*match.span())) for match in _TIME.finditer(text))


def _minutes(match: re.Match[str]) -> int:
    if match["long"]:
        return int(match["long"]) * 60 + int(match["past"])
    return int(match["hour"]) % 12 * 60 + int(match["minute"] or 0) + (match["half"] in "pP") * HALF_DAY


def with_times_as_in(claim: str, source: str) -> str:
    """`claim` with its times written as `source` writes the same times; the others stay."""
    ours = clock_times(claim)
    written = {minutes: span.of(source).rstrip(".") for minutes, span in reversed(clock_times(source))} if ours else {}
    for minutes, span in reversed(ours):
        if minutes in written:
            dot = "." if span.end == len(claim) and span.of(claim).endswith(".") else ""
            claim = claim[: span.start] + written[minutes] + dot + claim[span.end :]
    return claim
