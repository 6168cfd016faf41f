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
# "State whether true or false.", "Write T for true and F for false": what the items say is open.
_TO_BE_JUDGED = re.compile(
    r"\s*(?:\(?[0-9a-zA-Z\u0966-\u096f]{1,4}[.)]\s*)?(?:exercise\b.{0,20}?)?"
    r"(?:state|say|tell|write|mark|tick|put|decide|choose|indicate|identify|which|are|read|true|fill|find|judge)\b"
    r".{0,80}?\b(?:true|right|correct)\b.{0,60}?\b(?:false|wrong|incorrect)\b"
    r"|.{0,80}?(?<![\u0900-\u0963])(?:सही|सत्य)(?:\s+(?:है|हैं))?\s*(?:/|या|अथवा|और)\s*(?:गलत|ग़लत|असत्य)(?![\u0900-\u0963])",
    re.IGNORECASE | re.DOTALL,
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
    return _INTRODUCES.search(sentence) is not None or asks_true_or_false(sentence)


def asks_true_or_false(sentence: str) -> bool:
    """Whether it sets a reader the task of telling true statements from false ones."""
    return _TO_BE_JUDGED.match(sentence) is not None


def denies_a_list(sentence: str) -> bool:
    """Whether it announces one whose items say what is *not* so, or not allowed, or what may be so or not.

    What a sentence denies before its last comma is a condition or an exception of what it says.
    """
    if asks_true_or_false(sentence):
        return True
    end = _INTRODUCES.search(sentence)
    if end is None:
        return False
    clauses = _BETWEEN_CLAUSES.split(sentence[: end.start()])
    said = next((clause for clause in reversed(clauses) if not _ASIDE.match(clause)), "")
    return _DENIES.search(said) is not None
