"""Lists whose introduction negates their items: "A member shall not:" and, below it, "(b) Write in books."."""

import re

from footnotary.domain.identity import Span
from footnotary.text.sentences.splitter import sentence_spans

# A dash may have become a hyphen, in print or by normalisation.
_INTRODUCES = re.compile(r",?\s*(?::[-—–]?|--|[—–-])\s*$")
_DENIES = re.compile(
    r"\b(?:not|no|none|never|nor|neither|cannot|nothing|nobody|prohibit\w*|forbid\w*|forbade|banned|barred|disallow\w*|"
    r"exempt\w*|unlawful|illegal|false|incorrect|untrue|wrong|myths?)\b|n['’]t\b"
    r"|\b(?:without|unless|except(?:ing)?|excluding|other than)\W*$"
    r"|(?<![\u0900-\u0963])(?:नहीं|न|मत|ना|निषिद्ध|वर्जित|प्रतिबंधित|असत्य|गलत|ग़लत)(?![\u0900-\u0963])"
    r"|(?<![\u0900-\u0963])(?:सिवाय|छोड़कर)\W*$",
    re.IGNORECASE,
)
# "State whether true or false.", "Write T for true and F for false": the items may be true or false.
_TRUE_OR_FALSE = re.compile(
    r"\s*(?:\(?[0-9a-zA-Z\u0966-\u096f]{1,4}[.)]\s*)?(?:exercise\b.{0,20}?)?"
    r"(?:state|say|tell|write|mark|tick|put|decide|choose|indicate|identify|which|are|read|true|fill|find|judge)\b"
    r".{0,80}?\b(?:true|right|correct)\b.{0,60}?\b(?:false|wrong|incorrect)\b"
    r"|.{0,80}?(?<![\u0900-\u0963])(?:सही|सत्य)(?:\s+(?:है|हैं))?\s*(?:/|या|अथवा|और)\s*(?:गलत|ग़लत|असत्य)(?![\u0900-\u0963])",
    re.IGNORECASE | re.DOTALL,
)
_BETWEEN_CLAUSES = re.compile(r"[,;]")
# "... unless the context otherwise requires,—", "... not offences, namely:-": the clause before it is affirmative.
_ASIDE = re.compile(
    r"\s*(?:(?:unless|if|where|when|whenever|until|while|except|save|without|subject to|notwithstanding)\b.*\w"
    r"|(?:namely|viz|that is|as follows|for example|अर्थात्)"
    r"|(?:जब तक|यदि|अगर|जब|जहां|जहाँ)(?![\u0900-\u0963])|$)",
    re.IGNORECASE | re.DOTALL,
)

LIST_MARK = re.compile(
    r"\s*(?:\(([0-9a-zA-Z\u0904-\u0939\u0966-\u096f]{1,4})\)|([0-9a-z\u0966-\u096f]{1,3})[.)]|([-•*–‣◦▪●]))\s"
)


def introduces_list(sentence: str) -> bool:
    """Whether a sentence announces a list below it."""
    return _INTRODUCES.search(sentence) is not None or asks_true_or_false(sentence)


def asks_true_or_false(sentence: str) -> bool:
    """Whether it asks the reader to distinguish true statements from false ones."""
    return _TRUE_OR_FALSE.match(sentence) is not None


def negates_list(sentence: str) -> bool:
    """Whether it announces a list whose items are *not* true, not allowed, or undecided.

    A negation before the last comma of a sentence belongs to a condition or an exception.
    """
    if asks_true_or_false(sentence):
        return True
    end = _INTRODUCES.search(sentence)
    if end is None:
        return False
    clauses = _BETWEEN_CLAUSES.split(sentence[: end.start()])
    said = next((clause for clause in reversed(clauses) if not _ASIDE.match(clause)), "")
    return _DENIES.search(said) is not None


def is_item_below(introduction: str, sentence: str) -> bool:
    """Whether a sentence can be an item of a list: "(3)" is on the level of "(2) No keeper shall—", not below."""
    kind = item_mark(sentence)
    return bool(kind) and kind != item_mark(introduction)


def negated_lists(text: str) -> list[Span]:
    """The spans of negated lists in a text, each with its introduction, in order; none within another.

    Below an introduction with a mark of its own, "(2) No keeper shall—", a list continues to the next mark of that
    kind; below one without a mark, to the next paragraph that is no item.
    """
    spans = sentence_spans(text)
    found: list[Span] = []
    for i, span in enumerate(spans[:-1]):
        inner = found and span.start < found[-1].end
        if inner or not negates_list(span.of(text)) or not item_mark(spans[i + 1].of(text)):
            continue
        own = item_mark(span.of(text))
        end = next((later.start for later in spans[i + 2 :] if _ends(text, later, own)), len(text))
        found.append(Span(span.start, end))
    return found


def _ends(text: str, later: Span, own: str) -> bool:
    kind = item_mark(later.of(text))
    return kind == own if own else not kind and text.startswith("\n\n", later.start - 2)


def item_mark(sentence: str) -> str:
    """The kind of list mark that a sentence begins with: "(0)" for figures in brackets, "" for none."""
    mark = LIST_MARK.match(sentence)
    if mark is None:
        return ""
    inner = mark[1] or mark[2] or ""
    return mark.group().strip().replace(inner, "0" if inner.isdigit() else "a") if inner else "-"
