"""Whether a word that the source does not have fills a place that another fills there: "a layer of copper" for zinc."""

from typing import TypeAlias

from footnotary.verify.wording.parsed_text import AnalyzedText, AnalyzedWord

# Of the claim's other content words, how many must be the source's.
_KNOWN = 0.7
_SHARED = 3
_LINKS = frozenset("of by from with in into for on as".split())
# Words with which any definition is put.
_LIGHT = frozenset("mean call say make do person thing".split())
_Slot: TypeAlias = tuple[str, tuple[str, ...]]


def substituted_word(claim: AnalyzedText, premise: AnalyzedText) -> str | None:
    """The strange word of the claim that stands after the words after which the source has another."""
    ours, theirs = claim.keys, premise.keys
    strange = [w for w in claim.words if w.content and w.key not in theirs and w.key not in _LIGHT]
    if len(strange) != 1 or len(ours & theirs) < _KNOWN * (len(ours) - 1) or len(ours & theirs) < _SHARED:
        return None  # who brings more than one new word is rewording
    slot = _slot(claim.words, strange[0])
    if slot is None:
        return None
    fillers = [w for w in premise.words if w.content and _slot(premise.words, w) == slot]
    if not fillers or any(w.key in ours or _akin(w, strange[0]) for w in fillers):
        return None
    return f'the claim says "{strange[0].raw}" where the source says "{fillers[0].raw}"'


def _slot(words: tuple[AnalyzedWord, ...], word: AnalyzedWord) -> _Slot | None:
    """The content word before and the links between, where there is a link and no more than three words."""
    links: list[str] = []
    for before in reversed(words[max(word.place - 4, 0) : word.place]):
        if before.sentence != word.sentence:
            return None
        if before.content:
            return (before.key, tuple(links)) if links else None
        if before.text in _LINKS:
            links.append(before.text)
        elif not before.is_determiner:
            return None
    return None


def _akin(one: AnalyzedWord, other: AnalyzedWord) -> bool:
    length = min(len(one.text), len(other.text), 5)
    return length >= 4 and one.text[:length] == other.text[:length]
