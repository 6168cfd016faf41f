"""Where a sentence gives a name to what it describes: "... is said to commit theft", "... is guilty of rioting"."""

import re
from collections.abc import Sequence

from footnotary.domain.identity import Span
from footnotary.text.phrases import phrase_spans

# "Whoever commits theft" and "a person guilty of theft" use the name without defining it.
_TAKES_FOR_GRANTED = re.compile(r"\b(?:who|whoever|whosoever|that|which)\s+$", re.IGNORECASE)
_SAYS_SO = re.compile(r"\b(?:is|are|was|were|be|been|held|found)\s+$", re.IGNORECASE)
_NEAR = 16


def naming_spans(sentence: str, phrases: Sequence[str]) -> tuple[Span, ...]:
    """The phrases of `sentence` after which a name is defined, not merely used."""
    found: list[Span] = []
    for span, phrase in phrase_spans(sentence, phrases):
        before = sentence[max(span.start - _NEAR, 0) : span.start]
        if _TAKES_FOR_GRANTED.search(before) or (phrase == "guilty of" and not _SAYS_SO.search(before)):
            continue
        found.append(span)
    return tuple(found)
