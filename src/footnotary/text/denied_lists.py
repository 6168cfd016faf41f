"""Lists whose introduction denies what their items say: "A member shall not:" and, below it, "(b) Write in books."."""

import re

_INTRODUCES = re.compile(r"(?:,?\s*(?::[-—–]?|—|–|--)|,-)\s*$")
_DENIES = re.compile(
    r"\b(?:not|no|none|never|nor|neither|cannot|nothing|nobody|prohibit\w*|forbid\w*|forbade|banned|barred|disallow\w*|"
    r"exempt\w*|unlawful|illegal|false|incorrect|untrue|wrong|myths?)\b|n['’]t\b"
    r"|\b(?:without|unless|except(?:ing)?|excluding|other than)\W*$"
    r"|(?<![\u0900-\u0963])(?:नहीं|न|मत|ना|निषिद्ध|वर्जित|प्रतिबंधित|असत्य|गलत|ग़लत)(?![\u0900-\u0963])"
    r"|(?<![\u0900-\u0963])(?:सिवाय|छोड़कर)\W*$",
    re.IGNORECASE,
)
_BETWEEN_CLAUSES = re.compile(r"[,;]")
# "... unless the context otherwise requires,—", "... not offences, namely:-": the clause before it says what is so.
_ASIDE = re.compile(
    r"\s*(?:(?:unless|if|where|when|whenever|until|while|except|save|without|subject to|notwithstanding)\b.*\w"
    r"|(?:namely|viz|that is|as follows|for example|अर्थात्)"
    r"|(?:जब तक|यदि|अगर|जब|जहां|जहाँ)(?![\u0900-\u0963])|$)",
    re.IGNORECASE | re.DOTALL,
)


def introduces(sentence: str) -> bool:
    """Whether a sentence announces a list below it."""
    return _INTRODUCES.search(sentence) is not None


def denies_a_list(sentence: str) -> bool:
    """Whether it announces one whose items say what is *not* so, or not allowed.

    What a sentence denies before its last comma is a condition or an exception of what it says.
    """
    end = _INTRODUCES.search(sentence)
    if end is None:
        return False
    clauses = _BETWEEN_CLAUSES.split(sentence[: end.start()])
    said = next((clause for clause in reversed(clauses) if not _ASIDE.match(clause)), "")
    return _DENIES.search(said) is not None
