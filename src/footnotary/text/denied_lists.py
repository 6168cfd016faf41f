"""Lists whose introduction denies what their items say: "A member shall not:" and, below it, "(b) Write in books."."""

import re

_INTRODUCES = re.compile(r"(?::[-—–]?|—|–|--|,-)\s*$")
_DENIES = re.compile(
    r"\b(?:not|no|none|never|nor|neither|cannot|nothing|nobody|prohibit\w*|forbid\w*|forbade|banned|barred|disallow\w*|"
    r"exempt\w*|unlawful|illegal|false|incorrect|untrue|wrong|myths?)\b|n['’]t\b"
    r"|\b(?:without|unless|except(?:ing)?|excluding|other than)\W*$"
    r"|(?<![\u0900-\u0963])(?:नहीं|न|मत|ना|निषिद्ध|वर्जित|प्रतिबंधित|असत्य|गलत|ग़लत)(?![\u0900-\u0963])"
    r"|(?<![\u0900-\u0963])(?:सिवाय|छोड़कर)\W*$",
    re.IGNORECASE,
)
# What a sentence denies before its last comma is a condition or an exception of what it says.
_LAST_CLAUSE = re.compile(r"[^,;]*$")


def introduces(sentence: str) -> bool:
    """Whether a sentence announces a list below it."""
    return _INTRODUCES.search(sentence) is not None


def denies_a_list(sentence: str) -> bool:
    """Whether it announces one whose items say what is *not* so, or not allowed."""
    end = _INTRODUCES.search(sentence)
    last = _LAST_CLAUSE.search(sentence[: end.start()]) if end else None
    return last is not None and _DENIES.search(last.group()) is not None
