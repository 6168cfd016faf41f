"""Whether a claim puts another word where its source has one: an opposite, a rival, or any in a copied sentence."""

import re
from collections import Counter
from typing import TypeAlias

from footnotary.text.language import language_of
from footnotary.text.numbers.units import UNITS
from footnotary.text.tokens import words
from footnotary.verify.lookalike_letters import homoglyph_words
from footnotary.verify.wording.alignment import Alignment, DiffSegment, align
from footnotary.verify.wording.antonyms import are_converse, opposites, rivals
from footnotary.verify.wording.negation.scope import denials
from footnotary.verify.wording.parsed_text import AnalyzedText, AnalyzedWord, analyze_text
from footnotary.verify.wording.replaced_words import substituted_word
from footnotary.verify.wording.roles.parties import parties

# Of the claim's other content words, how many must be the source's before one strange word counts as put there.
_COPIED, _RELATED, _OPPOSED = 0.8, 0.5, 0.4
_MIN_SHARED = 3
_MOST_SIDES = 20
_SWAP = 2
_WIDER = 3
_Sides: TypeAlias = tuple[frozenset[str], frozenset[str]]
_REORDERED = 0.5
# One word is a term that Hindi has no other for, a name or a unit.
_ENGLISH = re.compile(r"(?<!\w)[a-z]{2,}(?: [a-z]{2,})+(?!\w)")
# Words of so little weight that one stands for another in any fair rewording.
_LIGHT = frozenset(
    "person thing act do make get give have take go come case kind type sort manner way time matter"
    " purpos particular concern relev such certain follow amount number set use show find see say state"
    " provide mean refer relat under law becaus caus happen place carri say deem consid count regard"
    " treat remain stay become fall amount call face await fix meanwhil altern addit howev moreov overal henc"
    " therefor furthermor characteris feature cover deal address prescrib".split()
)


def terms_substituted(claim: str, premise: str) -> str | None:
    """The word of the claim that stands where the source has another, with both."""
    ours, theirs = analyze_text(claim), analyze_text(premise)
    aligned = align(claim, premise)
    return (
        _in_other_letters(claim, premise)
        or _in_another_language(claim, premise)
        or _opposed(claim, premise, ours, theirs)
        or _turned(aligned)
        or _replaced(aligned, theirs)
        or _exchanged(ours, aligned)
        or _traded(ours, aligned)
        or _compared(ours, theirs)
        or substituted_word(ours, theirs)
    )


def _in_other_letters(claim: str, premise: str) -> str | None:
    found = homoglyph_words(claim, (premise,))
    return f'the claim writes "{found[0]}" in letters that are not its own' if found else None


def _in_another_language(claim: str, premise: str) -> str | None:
    """English that a Hindi claim goes on in, and that the source does not: guards and words know one of the two."""
    if claim.isascii() or language_of(claim) != "hi":
        return None
    held = frozenset(words(premise))
    found = next((run[0] for run in _ENGLISH.finditer(claim) if held.isdisjoint(words(run[0]))), None)
    return f'the claim goes on in another language: "{found}"' if found else None


def _opposed(claim: str, premise: str, ours: AnalyzedText, theirs: AnalyzedText) -> str | None:
    """An opposite or rival of a word that the source has and the claim has not."""
    our_keys, their_keys = ours.keys, theirs.keys
    shared = len(our_keys & their_keys)
    if _reversed(ours, theirs):
        return None  # "slower in gases than in liquids" is "faster in liquids than in gases"
    denied = {d.focus for d in denials(claim)}
    denied_there = {theirs.words[d.focus].key for d in denials(premise) if d.focus is not None}
    for word in ours.words:
        if not word.content or word.key in their_keys or word.place in denied or word.text in UNITS:
            continue  # "half a year" is six months: units are compared as figures
        support = shared / max(len(our_keys) - 1, 1)
        for others, needed in ((opposites(word.key), _OPPOSED), (rivals(word.key), _RELATED)):
            lost = (others & their_keys) - our_keys - denied_there
            if lost and support >= needed and shared >= 1:
                seen = next(w.raw for w in theirs.words if w.key in lost)
                return f'the claim says "{word.raw}", the source "{seen}"'
    return None


def _turned(aligned: Alignment) -> str | None:
    """An opposite in the very place of a word, even if the source has both."""
    if not aligned.near_copy:
        return None
    for parting in aligned.partings:
        if any(w.text in {"not", "never", "no", "without"} for w in (*parting.claim, *parting.source)):
            continue
        for one in parting.claim:
            for other in parting.source:
                if other.key in opposites(one.key) or _converted(one, other, aligned):
                    return f'the claim says "{one.raw}", the source "{other.raw}"'
    return None


def _converted(one: AnalyzedWord, other: AnalyzedWord, aligned: Alignment) -> bool:
    """Whether giving has become getting with the parties left in their places: "employers get" for "employers pay"."""
    if not are_converse(one.key, other.key):
        return False
    places = {w.place: v.place for w, v in aligned.pairs if w.key in parties()}
    ours = max((w for w in places if w < one.place), default=None)
    theirs = max((w.place for w in aligned.sentence if w.key in parties() and w.place < other.place), default=None)
    return theirs is None or (ours is not None and places[ours] == theirs)


def _compared(claim: AnalyzedText, premise: AnalyzedText) -> str | None:
    """The two sides of a "than", exchanged."""
    for pivot in ("than", "into"):
        if pivot not in claim.texts or pivot not in premise.texts:
            continue
        ours = [sides for sentence in claim.sentences for sides in _sides(sentence, pivot)]
        theirs = [sides for sentence in premise.sentences for sides in _sides(sentence, pivot)]
        for one in ours:
            crossed = frozenset[str]().union(*(_crossed(one, other) for other in theirs))
            if crossed and not any(one[1] & other[1] and crossed & other[0] for other in theirs):
                return f'the claim exchanges what stands before and after "{pivot}" in the source'
    return None


def _reversed(claim: AnalyzedText, premise: AnalyzedText) -> bool:
    if "than" not in claim.texts or "than" not in premise.texts:
        return False
    ours = [sides for sentence in claim.sentences for sides in _sides(sentence, "than")]
    theirs = [sides for sentence in premise.sentences for sides in _sides(sentence, "than")]
    return any(_moved(one, other) and _opposite(one, other) for one in ours for other in theirs)


def _crossed(one: _Sides, other: _Sides) -> frozenset[str]:
    return frozenset() if _opposite(one, other) else _moved(one, other)


def _opposite(one: _Sides, other: _Sides) -> bool:
    return any(opposites(key) & (other[0] | other[1]) for key in one[0])


def _moved(one: _Sides, other: _Sides) -> frozenset[str]:
    """What the claim has before and the source after, if the same holds the other way round."""
    return other[1] & one[0] - one[1] if one[1] & other[0] - other[1] else frozenset()


def _sides(sentence: tuple[AnalyzedWord, ...], pivot: str) -> list[_Sides]:
    """What stands before and after each "than" of a sentence, as far as the comparison reaches."""
    found: list[_Sides] = []
    for at, word in enumerate(sentence):
        if word.text != pivot:
            continue
        start = next((i for i in range(at, 0, -1) if "," in sentence[i].gap), 0)
        end = next((i for i in range(at + 1, len(sentence)) if "," in sentence[i].gap), len(sentence))
        before = frozenset(w.key for w in sentence[start:at] if w.content)
        found.append((before, frozenset(w.key for w in sentence[at + 1 : end] if w.content)))
    return found[:_MOST_SIDES]


def _replaced(aligned: Alignment, theirs: AnalyzedText) -> str | None:
    """A word that the source has nowhere, in a sentence that is otherwise copied."""
    matched = sum(word.content for word, _ in aligned.pairs)
    if matched < _MIN_SHARED or aligned.changes > 1:
        return None  # who changes more than one place is rewording
    known = theirs.keys
    for parting in aligned.partings:
        ours, theirs_here = _content(parting.claim), _content(parting.source)
        if not 1 <= len(ours) <= 2 or not 1 <= len(theirs_here) <= 3 or _loosely_placed(parting):
            continue
        strange = [w for w in ours if (w.key not in known or _stands_for_none(w, aligned)) and w.key not in _LIGHT]
        if not strange or len(strange) != len(ours) or len(parting.source) > len(parting.claim) + _WIDER:
            continue  # where many words stand for few, the place is reworded
        left_out = [w for w in theirs_here if w.key not in _LIGHT]
        total = round(matched / aligned.likeness) if aligned.likeness else 0
        if not left_out or matched < _COPIED * (total - len(ours)):
            continue
        if any(_akin(one, other) for one in strange for other in left_out):
            continue
        if all(word.text in UNITS for word in (*strange, *left_out)):
            continue  # "ml" is "millilitres": units are compared as figures
        return f'the claim says "{strange[0].raw}" where the source says "{left_out[0].raw}"'
    return None


def _stands_for_none(word: AnalyzedWord, aligned: Alignment) -> bool:
    """Whether every word of the sentence that it could stand for has its own in the claim: "store" beside "keeps"."""
    alike = [w for w in aligned.sentence if w.key == word.key]
    taken = {other.place for _, other in aligned.pairs}
    return bool(alike) and all(w.text != word.text and w.place in taken for w in alike)


def _exchanged(claim: AnalyzedText, aligned: Alignment) -> str | None:
    """Two words of a copied sentence that have changed places, other than in a list."""
    if not aligned.near_copy and aligned.likeness < _REORDERED:
        return None
    copied = aligned.near_copy or _keys_counted(claim.words) == _keys_counted(aligned.sentence)
    if not copied and not claim.keys <= {w.key for w in aligned.sentence}:
        return None
    moved = [(p, _content(p.claim), _content(p.source)) for p in aligned.partings]
    for i, (_, ours, theirs) in enumerate(moved):
        for _, later_ours, later_theirs in moved[i + 1 :]:
            for one in ours:
                back = [w for w in later_theirs if w.key == one.key]
                fore = [w for w in theirs for v in later_ours if w.key == v.key and w.key != one.key]
                if back and fore and not _voiced(claim, aligned, one, fore[0]) and (copied or aligned.changes == _SWAP):
                    return f'the claim exchanges "{one.raw}" and "{fore[0].raw}"'
    return None


def _keys_counted(words: tuple[AnalyzedWord, ...]) -> Counter[str]:
    return Counter(w.key for w in words if not w.is_determiner)


def _voiced(claim: AnalyzedText, aligned: Alignment, one: AnalyzedWord, other: AnalyzedWord) -> bool:
    """Whether two words changed places with the voice: "created by the entity" and "the entity created"."""
    ours = {w.key for w in claim.words if _follows_by(claim.words, w)}
    place = {w.place: i for i, w in enumerate(aligned.sentence)}
    theirs = {w.key for w in aligned.sentence if _follows_by(aligned.sentence, w, place)}
    return bool({one.key, other.key} & (ours ^ theirs))


def _follows_by(words: tuple[AnalyzedWord, ...], word: AnalyzedWord, place: dict[int, int] | None = None) -> bool:
    at = place[word.place] if place is not None else word.place
    return any(w.text == "by" for w in words[max(at - 3, 0) : at])


def _traded(claim: AnalyzedText, aligned: Alignment) -> str | None:
    """Two words that trade places while every other word stays in its own."""
    ours = [w for w in claim.words if not w.is_determiner]
    theirs = [w for w in aligned.sentence if not w.is_determiner]
    if len(ours) != len(theirs):
        return None
    moved = [i for i, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one.key != other.key]
    if len(moved) != 2:
        return None
    first, last = moved
    between = ours[first + 1 : last]
    # In a list of two the order says nothing: "by hand or by post".
    listed = any(w.text in {"and", "or"} for w in between) and not any(w.content for w in between)
    if ours[first].key == theirs[last].key and ours[last].key == theirs[first].key and between and not listed:
        return f'the claim exchanges "{ours[first].raw}" and "{ours[last].raw}"'
    return None


def _content(words: tuple[AnalyzedWord, ...]) -> list[AnalyzedWord]:
    return [word for word in words if word.content]


def _loosely_placed(parting: DiffSegment) -> bool:
    """Whether the words stand at a loose end of the sentence, where any rewording would put some."""
    return parting.left is None and parting.right is None


def _akin(one: AnalyzedWord, other: AnalyzedWord) -> bool:
    """Whether two words are forms of one: they begin alike."""
    length = min(len(one.text), len(other.text), 5)
    return length >= 4 and one.text[:length] == other.text[:length]
