"""Passages that only say that a section was repealed."""

import re

_GONE = re.compile(
    r"[^\[\]]{0,40}\[[^\[\]]{1,300}\]\W{0,4}(?:Rep|Repealed|Omitted|Deleted)\b[^\n]{0,200}", re.IGNORECASE
)
_EMPTY = re.compile(r"[^\[\]]{0,200}\[\s*(?:Repealed|Omitted|Deleted|Reserved)\W{0,3}\]\W{0,6}", re.IGNORECASE)
_LONGEST = 600


def is_repealed(text: str) -> bool:
    """Whether a passage only marks the place of a repealed section: "13. [Queen.] Omitted by ..."."""
    text = text.strip()
    return len(text) <= _LONGEST and bool(_GONE.fullmatch(text) or _EMPTY.fullmatch(text))
