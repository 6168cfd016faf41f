"""Puts what a fragment names into the question before: "And for theft?", "no, the silver card", "flat 14 sorry"."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from footnotary.domain.identity import Span
from footnotary.gate.follow_up.noun_phrases import (
    DETERMINERS,
    PREPOSITIONS,
    Phrase,
    is_hindi,
    is_plural,
    noun_phrases,
    question_words,
    stems,
)
from footnotary.text.stopwords import QUESTION_WORDS

# How similar each of several phrases is in meaning to the first text.
Similarity = Callable[[str, Sequence[str]], Sequence[float]]

# Two places whose scores differ by less cannot be told apart.
_MARGIN = 0.02
# What no word leads to takes the place of nothing less similar.
_NEAR = 0.57
_ARTICLE = re.compile(r"(an?|the|my|our|your|any)\s+", re.IGNORECASE)
_ONES = re.compile(r"(?:the |an? )?(?P<which>\S+(?: \S+)?) ones?|(?P<hindi>\S+(?: \S+)?) वाल(?:ों|ा|ी|े).*")
_POSTPOSITION = re.compile(r"(?<=\s)(?:के (?:लिए|अधीन|तहत|अंतर्गत|बारे में)|में|पर|की|का|के|से|को)(?=\s|$)")
_POSSESSIVE = re.compile(r"(?:their|his|her|its)\s+(?P<what>.+)", re.IGNORECASE)
_PLACE_OR_TIME = frozenset(("in", "on", "at"))
_POINTING = frozenset("one ones that this it them these those".split())
_NUMBER = re.compile(r"(?<![\w.])\d[\d,.]*(?<![.,])[A-Za-z]?(?!\w)")
_ORDINAL = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th))\b", re.IGNORECASE
)


def put_in_place(
    frame: str, named: str, answer: str = "", similarity: Similarity | None = None, *, led: bool, single: bool = False
) -> str | None:
    """The question `frame` about what `named` names instead; None where its place is not sure.

    `named` is a fragment without the words that only lead to it. `led` says that there were some: "and",
    "what about". `single` says that it corrects what was said, so that one word takes the place of one word.
    """
    frame, named = frame.rstrip(" ?.!।"), named.strip(" ?.!।,")
    preposition, what = split_preposition(named)
    if any(word.key in QUESTION_WORDS for word in question_words(named)):
        return None
    says_more = stems(named) - stems(frame) or _NUMBER.search(named)
    if not named or not (says_more or named.split()[0].casefold() in PREPOSITIONS):
        return None
    for rule in (_number, _ordinal, _ones, _other_preposition, _same_beginning, _shared_word):
        if (put := rule(frame, named)) is not None:
            return f"{put}?"
    if _POINTING & {word.key for word in question_words(named)}:
        return None
    put = _hindi_case(frame, named) if is_hindi(named) else _same_preposition(frame, preposition, what)
    if put is None and preposition in ("", "for") and not (is_hindi(named) and _POSTPOSITION.search(named)):
        put = _best_place(frame, what, answer, similarity, led=led, single=single, adds=bool(preposition))
    if put is None and preposition and not _POSSESSIVE.match(what) and len(question_words(what)) <= 4:
        put = f"{frame} {named}"
    return None if put is None else f"{put}?"


def split_preposition(named: str) -> tuple[str, str]:
    words = question_words(named)
    if len(words) > 1 and words[0].key in PREPOSITIONS and not is_hindi(named):
        return words[0].key, named[words[1].span.start :]
    return "", named


def replace_phrase(text: str, place: Phrase, by: str) -> str:
    """The text with `by` in that place; an article of its own, or a name, takes the place of the one before it."""
    start = place.start if _ARTICLE.match(by) or by[:1].isupper() else place.span.start
    return f"{text[:start]}{by}{text[place.span.end :]}"


def _number(frame: str, named: str) -> str | None:
    """ "183" for the only number of the question, and "flat 14" for the number behind "flat"."""
    new, old = _NUMBER.findall(named), list(_NUMBER.finditer(frame))
    if len(new) != 1 or not old:
        return None
    preposition, what = split_preposition(named)
    rest = stems(_NUMBER.sub(" ", what))
    if rest:  # of the word before the number, or of the one behind it
        old = [one for one in old if rest in (_edge(frame[: one.start()], -1), _edge(frame[one.end() :], 0))]
    if len(old) != 1 or old[0].group() == new[0]:
        return None
    left = question_words(frame[: old[0].start()])
    if not rest and preposition and not {preposition, *_PLACE_OR_TIME} & {word.key for word in left[-2:]}:
        return None  # "above 4" is no other "4"
    return f"{frame[: old[0].start()]}{new[0]}{frame[old[0].end() :]}"


def _edge(text: str, place: int) -> set[str]:
    words = question_words(text)
    return stems(words[place].key) if words else set()


def _ordinal(frame: str, named: str) -> str | None:
    new, old = _ORDINAL.findall(named), list(_ORDINAL.finditer(frame))
    others = [word.key for word in question_words(_ORDINAL.sub(" ", named))]
    only = all(word in PREPOSITIONS | DETERMINERS | _POINTING or word in frame.casefold() for word in others)
    if len(new) == 1 and len(old) == 1 and only and new[0].casefold() != old[0].group().casefold():
        return f"{frame[: old[0].start()]}{new[0]}{frame[old[0].end() :]}"
    return None


def _ones(frame: str, named: str) -> str | None:
    """ "The hired ones" for "rejected candidates": what describes them is replaced."""
    found = _ONES.fullmatch(split_preposition(named)[1])
    if found is None or re.match(r"\w+ing ", found.group()):
        return None
    phrases, which = noun_phrases(frame), found["which"] or found["hindi"]
    described = [one for one in phrases if len(one.of(frame).split()) > 1]
    if len(described) > 1 and not is_hindi(frame):
        described = [one for one in described if is_plural(one.of(frame)) == named.endswith("ones")]
    if not described or (len(described) > 1 and not is_hindi(frame)):
        return None
    place = described[0]
    describing = question_words(place.of(frame))[-2]
    return f"{frame[: place.span.start]}{which}{frame[place.span.start + describing.span.end :]}"


def _other_preposition(frame: str, named: str) -> str | None:
    """ "Above 4 lakh" for "up to 4 lakh"."""
    preposition, rest = split_preposition(named)
    if named.casefold() in PREPOSITIONS:  # "before?"
        old = [word for word in question_words(frame) if word.key in PREPOSITIONS]
        return f"{frame[: old[0].span.start]}{named}{frame[old[0].span.end :]}" if len(old) == 1 else None
    at = frame.casefold().find(rest.casefold()) if preposition else -1
    start = at
    for word in reversed([word for word in question_words(frame) if word.span.end <= at]):
        if word.key not in PREPOSITIONS | {"up", "more", "less"}:
            break
        start = word.span.start
    return None if start == at else f"{frame[:start]}{named}{frame[at + len(rest) :]}"


def _same_beginning(frame: str, named: str) -> str | None:
    """ "The guarantee on the oven" for "the guarantee on the boiler"."""
    words = question_words(named)
    for count in range(len(words) - 1, 1, -1):
        begins, rest = named[: words[count].span.start].strip(), named[words[count].span.start :]
        if not stems(begins) or words[count - 1].key not in PREPOSITIONS | DETERMINERS:
            continue
        at = frame.casefold().find(begins.casefold())
        place = next((one for one in noun_phrases(frame) if at >= 0 and one.span.start == at + len(begins) + 1), None)
        if place is not None:
            return replace_phrase(frame, place, rest)
    return None


def _shared_word(frame: str, named: str) -> str | None:
    """ "A gift deed" for "a sale deed", "gifts from suppliers" for "gifts": what both are called stays."""
    _, what = split_preposition(named)
    words = [word for word in question_words(what) if word.is_content]
    if not words:
        return None
    last, first = stems(words[-1].key), stems(words[0].key)
    for phrase in noun_phrases(frame):
        inside = question_words(phrase.of(frame))
        for place, word in enumerate(inside):
            here = replace(phrase, span=Span(phrase.span.start, phrase.span.start + word.span.end))
            if stems(word.key) & last and not phrase.is_asked_for:
                return _put_hindi(frame, here.span, what) if is_hindi(frame) else replace_phrase(frame, here, what)
            if len(words) > 1 and stems(word.key) & first and place == len(inside) - 1:
                return replace_phrase(frame, here, what)
    return None


def _put_hindi(frame: str, place: Span, named: str) -> str:
    """A Hindi phrase in place of one that ends with the same word, with what belongs to that ("बिजली का बिल")."""
    bare = _POSTPOSITION.sub("", named).strip() if named.split()[-1] in ("का", "की", "के", "को") else named
    owned = re.search(r"\S+ (?:का|की|के)$", frame[: place.start].rstrip())
    if owned and re.search(r"\s(?:का|की|के)\s", f" {bare} "):
        place = Span(owned.start(), place.end)
    return f"{frame[: place.start]}{bare}{frame[place.end :]}"


def _hindi_case(frame: str, named: str) -> str | None:
    """Where the question has what goes with the fragment's own postposition: "चोरी के लिए"."""
    case = _POSTPOSITION.search(named)
    if case is None:
        return None
    at = [found for found in _POSTPOSITION.finditer(frame) if found.group() == case.group()]
    if not at:
        return f"{named} {frame}"
    before = [phrase for phrase in noun_phrases(frame) if phrase.span.end <= at[0].start()]
    is_sure = " " in case.group() or (case.group() not in ("में", "पर") and len(at) == 1)
    return replace_phrase(frame, before[-1], named[: case.start()].strip()) if before and is_sure else None


def _same_preposition(frame: str, preposition: str, what: str) -> str | None:
    """Where the question has what goes with the fragment's preposition; of place or time, with another one of those."""
    phrases = noun_phrases(frame)
    places = [phrase for phrase in phrases if preposition and phrase.preposition == preposition]
    if len(places) == 1:
        owned, owner = _POSSESSIVE.match(what), places[0].of(frame)
        what = f"{owner}{'’' if owner.endswith('s') else '’s'} {owned['what']}" if owned else what
        return replace_phrase(frame, places[0], what)
    others = [phrase for phrase in phrases if {phrase.preposition, preposition} <= _PLACE_OR_TIME]
    if len(others) != 1:
        return None
    start = frame[: others[0].start].rstrip().rfind(" ") + 1
    return f"{frame[:start]}{preposition} {what}{frame[others[0].span.end :]}"


def _best_place(
    frame: str, what: str, answer: str, similarity: Similarity | None, *, led: bool, single: bool, adds: bool
) -> str | None:
    """The noun phrase that the fragment fits best by its form and its meaning, if one fits clearly best."""
    bare = _ARTICLE.sub("", what, count=1) if _ARTICLE.match(what) else what
    if _POSSESSIVE.match(what) or len(question_words(bare)) > 4:
        return None
    places = [one for one in noun_phrases(frame, answer) if single or not one.is_asked_for]
    if not places or ((similarity is None or is_hindi(frame)) and (adds or not led)):
        return None
    alike = list(similarity(bare, [place.of(frame) for place in places])) if similarity else [0.0] * len(places)
    scores = [score + _form(frame, place, what) for score, place in zip(alike, places, strict=True)]
    ranked = sorted(zip(scores, places, strict=True), key=lambda one: -one[0])
    if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < _MARGIN:
        return None
    best = ranked[0][1]
    if (len(places) == 1 and not _agrees(frame, bare)) or ((not led or (adds and bare == what)) and max(alike) < _NEAR):
        return None
    return replace_phrase(frame, _modifier(frame, best, bare, similarity, single=single), what)


def _form(frame: str, place: Phrase, what: str) -> float:
    """How well a fragment fits a place by its form: article, number, name."""
    old, new = place.whole(frame), what
    same_article = 0.2 * (_article(old) == _article(new)) + 0.1 * (_article(old) == _article(new) != "")
    same_number = 0.05 * (is_plural(old) == is_plural(new))
    names = 0.2 * (place.of(frame)[:1].isupper() and place.span.start > 0 and new[:1].isupper())
    return same_article + same_number + names + 0.1 * bool(place.preposition)


def _article(phrase: str) -> str:
    found = _ARTICLE.match(phrase)
    return re.sub("^(?:our|your)$", "my", found[1].casefold()).replace("an", "a") if found else ""


def _modifier(frame: str, place: Phrase, bare: str, similarity: Similarity | None, *, single: bool) -> Phrase:
    """Of "maximum loan amount" the word that "minimum" is nearest to, with those before it; else the whole phrase."""
    inside = question_words(place.of(frame))
    if similarity is None or len(inside) < 2 or len(bare.split()) > 1:
        return place
    alike = similarity(bare, [word.key for word in inside])
    best = max(range(len(inside)), key=lambda n: alike[n])
    if not single and alike[best] - alike[-1] < 0.1:
        return place
    span = inside[best].span.shifted(place.span.start)
    return replace(place, span=span, start=place.start if best == 0 else span.start)


def _agrees(frame: str, bare: str) -> bool:
    """ "What is osmosis?" may be asked of diffusion, and not of plants."""
    copula = re.match(r"(?:what|who) (is|was|are|were)\b", frame, re.IGNORECASE)
    return copula is None or is_hindi(frame) or (copula[1].casefold() in ("are", "were")) == is_plural(bare)
