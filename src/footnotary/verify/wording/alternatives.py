"""Sentences that say a thing is one of two, and not which."""

from footnotary.verify.wording.parsed_text import AnalyzedWord

_COPULAS = frozenset("is are was were".split())
_SHORT = 5


def find_stated_choice(sentence: tuple[AnalyzedWord, ...]) -> AnalyzedWord | None:
    """The "is" of a sentence that ends in two short alternatives and nothing else: "is red or blue"."""
    copula = next((at for at, w in enumerate(sentence) if w.text in _COPULAS), None)
    if copula is None:
        return None
    last = [w for w in sentence[copula + 1 :] if not w.is_determiner]
    short = 3 <= len(last) <= _SHORT and all(w.content or w.text == "or" for w in last)
    return sentence[copula] if short and not any("(" in w.gap or "," in w.gap for w in last) else None
