"""Whether a claim speaks of all, some, only or none of the things its source speaks of."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from footnotary.verify.wording.alignment import Alignment, align
from footnotary.verify.wording.negation.scope import denials
from footnotary.verify.wording.parsed_text import AnalyzedText, AnalyzedWord, analyze_text

Extent = Literal["all", "any", "some", "most", "few", "both", "either", "none"]

_EXTENT: dict[str, Extent] = {
    "all": "all", "every": "all", "each": "all", "any": "any", "some": "some", "certain": "some", "several": "some",
    "most": "most", "many": "most", "majority": "most", "few": "few", "both": "both", "either": "either", "no": "none",
    "neither": "none", "सभी": "all", "प्रत्येक": "all", "हर": "all", "कुछ": "some", "अधिकांश": "most", "दोनों": "both",
}  # fmt: skip
# "As many as", "a few", "is certain", "at the most" say how many or how sure, not of which.
_BEFORE_NO_EXTENT: dict[str, tuple[str, ...]] = {
    "many": ("as", "how", "so"), "few": ("a",), "certain": ("is", "are", "be", "a"), "most": ("the", "at"),
}  # fmt: skip
# How often a thing is said to hold.
_OFTEN: dict[str, int] = {
    "always": 3, "invariably": 3, "generally": 2, "usually": 2, "normally": 2, "often": 2, "mostly": 2, "typically": 2,
    "sometimes": 1, "occasionally": 1, "rarely": 0, "seldom": 0, "never": 0,
}  # fmt: skip
_LESS = frozenset("some most few certain majority कुछ अधिकांश".split())
_ONLY = frozenset("only solely exclusively alone merely केवल सिर्फ".split())
# Ways of saying "only" without the word.
_WHEN = frozenset("when if where after once".split())
_LIMITING = _ONLY | frozenset(
    "unless except until nobody no none sole no-other exclusive must cannot just restrict limit confine"
    " once not without single up-to need require".split()
)
_AT_ODDS: frozenset[frozenset[str]] = frozenset(
    frozenset(pair)
    for pair in (
        ("all", "some"), ("all", "most"), ("all", "few"), ("any", "some"), ("any", "most"), ("any", "few"),
        ("some", "most"), ("most", "few"), ("both", "either"), ("both", "some"), ("both", "none"), ("all", "either"),
        ("none", "most"), ("none", "some"),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quantity:
    """How much is spoken of, and the concept it is said of."""

    word: AnalyzedWord
    extent: Extent
    of: str


@lru_cache(maxsize=128)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every word of extent in `text` with what it is said of."""
    words = analyze_text(text).words
    found: list[Quantity] = []
    for word in words:
        extent = _EXTENT.get(word.text)
        if extent is None or (word.place and words[word.place - 1].text in _BEFORE_NO_EXTENT.get(word.text, ())):
            continue
        noun = _governed(words, word)
        if noun is not None:
            found.append(Quantity(word, extent, noun))
    return tuple(found)


def _governed(words: tuple[AnalyzedWord, ...], quantifier: AnalyzedWord) -> str | None:
    """The first content word after the quantifier; where that is an adjective, it is as good as its noun."""
    following = words[quantifier.place + 1 : quantifier.place + 5]
    return next((w.key for w in following if w.content and w.sentence == quantifier.sentence), None)


def quantifiers_disagree(claim: str, premise: str) -> str | None:
    """What the claim says of more, or fewer, than the source does."""
    return (
        _copied(claim, premise)
        or _same_noun(claim, premise)
        or _only_added(claim, premise)
        or _only_dropped(claim, premise)
        or _frequency(analyze_text(claim), analyze_text(premise))
    )


def _copied(claim: str, premise: str) -> str | None:
    aligned = align(claim, premise)
    if not aligned.near_copy:
        return None
    for parting in aligned.partings:
        ours = [w for w in parting.claim if w.text in _EXTENT]
        theirs = [w for w in parting.source if w.text in _EXTENT]
        if (
            len(ours) == 1
            and len(theirs) == 1
            and frozenset((_EXTENT[ours[0].text], _EXTENT[theirs[0].text])) in _AT_ODDS
        ):
            return f'the claim says "{ours[0].raw}", the source "{theirs[0].raw}"'
        if parting.right is None and not parting.claim:
            continue
        here = [w for w in parting.claim if w.text in _LIMITING or w.key in _LIMITING]
        there = [w for w in parting.source if w.text in _LIMITING or w.key in _LIMITING]
        if any(w.text in _ONLY for w in here) and not there and not _limits_elsewhere(aligned, ours=False):
            return f'the claim says "{here[0].raw}", the source does not'
        if (
            any(w.text in _ONLY for w in there)
            and not here
            and not _only_words(analyze_text(claim))
            and not _limits_elsewhere(aligned, ours=True)
        ):
            return f'the source says "{there[0].raw}", the claim does not'
    return None


def _limits_elsewhere(aligned: Alignment, *, ours: bool) -> bool:
    """Whether the other side says "only" in its own way at another place."""
    partings = aligned.partings
    return any(w.text in _LIMITING or w.key in _LIMITING for p in partings for w in (p.claim if ours else p.source))


def _same_noun(claim: str, premise: str) -> str | None:
    theirs = quantities(premise)
    source = analyze_text(premise)
    for ours in quantities(claim):
        same = [q for q in theirs if q.of == ours.of]
        if ours.extent == "some" and any(q.extent == "any" and _is_denied(premise, q.word) for q in same):
            continue  # "must have some" for "shall not be without any"
        if same:
            if all(frozenset((ours.extent, q.extent)) in _AT_ODDS for q in same):
                return f'the claim says "{ours.word.raw}", the source "{same[0].word.raw}"'
        elif (
            ours.word.text in _LESS
            and ours.of in source.keys
            and not _partial(source)
            and _weighs(claim, premise, ours)
        ):
            # "Employees" and "an employee" mean all of them; a claim may not make that some.
            return f'the claim says "{ours.word.raw}", the source speaks of all'
    return None


def _is_denied(text: str, word: AnalyzedWord) -> bool:
    return any(word.place in denial.reach for denial in denials(text))


def _weighs(claim: str, premise: str, quantity: Quantity) -> bool:
    """Whether the quantity is what the claim is about: it opens a clause, or stands in a copied sentence."""
    words = analyze_text(claim).words
    opening = words[max(quantity.word.place - 2, 0)]
    return opening.clause != quantity.word.clause or quantity.word.place < 2 or align(claim, premise).near_copy


def _partial(reading: AnalyzedText) -> bool:
    return any(
        w.text in _OFTEN or _EXTENT.get(w.text) in {"some", "most", "few"} or w.key in {"part", "partial", "partly"}
        for w in reading.words
    )


def _only_words(reading: AnalyzedText) -> list[AnalyzedWord]:
    return [w for w in reading.words if w.text in _ONLY]


def _only_added(claim: str, premise: str) -> str | None:
    ours = analyze_text(claim)
    added = _only_words(ours)
    if not added or analyze_text(premise).has_any(_LIMITING):
        return None
    if any(w.text in {"only", "alone"} and _follows_number(ours, w) for w in added):
        return None
    if any(_opens_condition(ours, w) for w in added) and any(w.text in _WHEN for w in analyze_text(premise).words):
        return None  # "starts only when" for "starts when"
    return f'the claim says "{added[0].raw}", the source does not'


def _opens_condition(reading: AnalyzedText, word: AnalyzedWord) -> bool:
    return any(w.text in _WHEN for w in reading.words[word.place + 1 : word.place + 2])


def _follows_number(reading: AnalyzedText, word: AnalyzedWord) -> bool:
    return any(w.is_number for w in reading.words[max(word.place - 1, 0) : word.place + 5])


def _only_dropped(claim: str, premise: str) -> str | None:
    """An "only" of the source left out by a claim that says the thing it limits."""
    ours, theirs = analyze_text(claim), analyze_text(premise)
    if _ONLY.isdisjoint(theirs.texts) or ours.has_any(_LIMITING) or denials(claim):
        return None
    claimed = ours.keys
    sentence = {w.place for w in align(claim, premise).sentence}
    for word in _only_words(theirs):
        if word.place not in sentence:
            continue
        limited = [
            w for w in theirs.words[word.place + 1 : word.place + 9] if w.content and w.sentence == word.sentence
        ]
        rule = [
            w
            for w in theirs.words
            if w.content and w.sentence == word.sentence and w.clause <= word.clause and w not in limited
        ]
        held = sum(w.key in claimed for w in limited[:4])
        if (
            limited
            and held >= 0.5 * len(limited[:4])
            and (not rule or sum(w.key in claimed for w in rule) >= 0.5 * len(rule))
        ):
            return f'the source says "{word.raw}", the claim does not'
    return None


def _frequency(ours: AnalyzedText, theirs: AnalyzedText) -> str | None:
    if _OFTEN.keys().isdisjoint(ours.texts) or 2 * len(ours.keys & theirs.keys) < len(ours.keys):
        return None
    said = [w for w in ours.words if w.text in _OFTEN]
    source = [w for w in theirs.words if w.text in _OFTEN]
    for word in said:
        if source and all(abs(_OFTEN[word.text] - _OFTEN[w.text]) >= 1 for w in source):
            return f'the claim says "{word.raw}", the source "{source[0].raw}"'
    return None
