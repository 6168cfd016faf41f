"""Puts what a fragment names into the question before: "And for theft?", "no, the silver card", "flat 14 sorry"."""

import re
from collections.abc import Callable, Sequence

from footnotary.domain.identity import Span
from footnotary.gate.follow_up.noun_phrases import (
    DETERMINERS,
    PREPOSITIONS,
    content_runs,
    is_hindi,
    noun_phrases,
    preposition_before,
    question_words,
    stems,
    with_article,
)
from footnotary.gate.follow_up.number_places import has_number, number_put_in_place, ordinal_put_in_place

# How similar each of several phrases is in meaning to the first text.
Similarity = Callable[[str, Sequence[str]], Sequence[float]]

# Two phrases whose similarities differ by less cannot be told apart.
_MARGIN = 0.05
_ONES = re.compile(r"^(?:the |an? )?(?P<which>\S+(?: \S+)?) ones?$|^(?P<hindi>\S+(?: \S+)?) वाल(?:ों|ा|ी|े)(?P<case>.*)$")
_POSTPOSITION = re.compile(r"(?<=\s)(?:के (?:लिए|अधीन|तहत|अंतर्गत|बारे में)|में|पर|की|का|के|से|को)(?=\s|$)")
_COMPOUND_CASE = re.compile(r"(?<=\s)के (?:लिए|अधीन|तहत|अंतर्गत|बारे में)(?=\s|$)")
_POSSESSIVE = re.compile(r"^(?:their|his|her|its)\s+(?P<what>.+)$", re.IGNORECASE)
_WHERE_OR_WHEN = frozenset(("in", "on", "at", "during", "after", "before", "within"))
_QUANTITY_WORDS = frozenset("how many much what which whose".split())
_ARTICLE = re.compile(r"(?:a|an|the|my|our|your|any)\s+", re.IGNORECASE)


def put_in_place(
    frame: str, named: str, similarity: Similarity | None = None, *, led: bool, single: bool = False
) -> str | None:
    """The question `frame` about what `named` names instead; None where its place is not sure.

    `named` is a fragment without the words that only lead to it. `led` says that there were some: "and",
    "what about". `single` says that it corrects what was said, so that one word takes the place of one word.
    """
    frame, named = frame.rstrip(" ?.!।"), named.strip(" ?.!।,")
    if not named or (not stems(named) - stems(frame) and not has_number(named) and not _changes_preposition(named)):
        return None
    for rule in (number_put_in_place, ordinal_put_in_place, _ones, _other_preposition, _same_beginning, _shared_word):
        if (put := rule(frame, named)) is not None:
            return f"{put}?"
    if _refers_back(named):
        return None
    put = _same_case(frame, named)
    if put is None and led and not _is_circumstance(named):
        put = _name_for_name(frame, named) or _most_similar(frame, named, similarity, single=single)
    put = put or _added(frame, named)
    return None if put is None else f"{put}?"


def replace_span(text: str, place: Span, by: str) -> str:
    """The text with `by` in that place; an article of its own takes the place of the one before it."""
    if _ARTICLE.match(by):
        place = with_article(text, place)
    return f"{text[: place.start]}{by}{text[place.end :]}"


def _refers_back(named: str) -> bool:
    return any(
        word.key in ("one", "ones", "that", "this", "it", "them", "these", "those") for word in question_words(named)
    )


def _is_circumstance(named: str) -> bool:
    """ "At night", which is no thing to ask about instead; "for a manager" may be one."""
    if is_hindi(named):
        return _POSTPOSITION.search(named) is not None
    return _split_preposition(named)[0] not in ("", "for")


def _changes_preposition(named: str) -> bool:
    words = question_words(named)
    return bool(words) and words[0].key in PREPOSITIONS


def _ones(frame: str, named: str) -> str | None:
    """ "The hired ones" for "rejected candidates": what describes them is replaced."""
    _, named = _split_preposition(named)
    found = _ONES.match(named)
    if found is None:
        return None
    described = [phrase for phrase in noun_phrases(frame) if len(phrase.of(frame).split()) == 2]
    if not is_hindi(frame):
        described = [phrase for phrase in noun_phrases(frame) if len(phrase.of(frame).split()) > 1]
    elif len(described) != 1:
        described = described[:1]
    if len(described) != 1:
        return None
    words = question_words(described[0].of(frame))
    start = described[0].start
    return f"{frame[:start]}{found['which'] or found['hindi']}{frame[start + words[-2].span.end :]}"


def _other_preposition(frame: str, named: str) -> str | None:
    """ "Above 4 lakh" for "up to 4 lakh"."""
    words = question_words(named)
    if not words or words[0].key not in PREPOSITIONS or is_hindi(named):
        return None
    rest = named[words[0].span.end :].strip()
    at = frame.casefold().find(rest.casefold()) if rest else -1
    if at < 0:
        return None
    start = at
    for word in reversed([word for word in question_words(frame) if word.span.end <= at]):
        if word.key not in PREPOSITIONS | {"up", "than", "more", "less"}:
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
        place = next((one for one in noun_phrases(frame) if at >= 0 and one.start == at + len(begins) + 1), None)
        if place is not None:
            return replace_span(frame, place, rest)
    return None


def _shared_word(frame: str, named: str) -> str | None:
    """ "A gift deed" for "a sale deed": what both are called stays."""
    _, named = _split_preposition(named)
    words = [word for word in question_words(named) if word.is_content]
    if not words:
        return None
    last, first = stems(words[-1].key), stems(words[0].key)
    phrases = noun_phrases(frame)
    for run in content_runs(frame):
        known = next((phrase for phrase in phrases if run.start <= phrase.start < run.end), None)
        inside = question_words(run.of(frame))
        for place, word in enumerate(inside):
            # Where a verb may stand before it, no more words are replaced than there are new ones.
            start = known.start if known else run.start + inside[max(0, place + 1 - len(words))].span.start
            here = Span(start, run.start + word.span.end) if start < run.start + word.span.end else None
            if here is None:
                continue
            if stems(word.key) & last:
                return _put_hindi(frame, here, named) if is_hindi(frame) else replace_span(frame, here, named)
            if len(words) > 1 and stems(word.key) & first and (here == known or word is inside[-1]):
                return replace_span(frame, here, named)
    return None


def _put_hindi(frame: str, place: Span, named: str) -> str:
    """A Hindi phrase in place of one that ends with the same word, with what belongs to that ("बिजली का बिल")."""
    head = frame[: place.start].rstrip()
    bare = _POSTPOSITION.sub("", named).strip() if named.split()[-1] in ("का", "की", "के", "को") else named
    owned = re.search(r"\S+ (?:का|की|के)$", head)
    if owned and re.search(r"\s(?:का|की|के)\s", f" {bare} "):
        place = Span(owned.start(), place.end)
    return f"{frame[: place.start]}{bare}{frame[place.end :]}"


def _same_case(frame: str, named: str) -> str | None:
    """Where the question has what goes with the fragment's own preposition, or Hindi postposition."""
    if is_hindi(named):
        case = _COMPOUND_CASE.search(named)
        if case is None:
            return None
        heads = [found for found in _POSTPOSITION.finditer(frame) if found.group() == case.group()]
        before = [phrase for phrase in noun_phrases(frame) if heads and phrase.end <= heads[0].start()]
        return replace_span(frame, before[-1], named[: case.start()].strip()) if before else None
    preposition, what = _split_preposition(named)
    places = [
        phrase
        for phrase in noun_phrases(frame)
        if (before := preposition_before(frame, phrase)) is not None and before.key == preposition
    ]
    if not preposition or len(places) != 1:
        return None
    return replace_span(frame, places[0], _owned(frame, places[0], what))


def _owned(frame: str, place: Span, what: str) -> str:
    """ "Their spouses", of the students that it takes the place of."""
    owned = _POSSESSIVE.match(what)
    if owned is None:
        return what
    owner = place.of(frame)
    return f"{owner}{'’' if owner.endswith('s') else '’s'} {owned['what']}"


def _name_for_name(frame: str, named: str) -> str | None:
    """ "India" for the only other name in the question, and "a studio" for the only other thing with that article."""
    _, what = _split_preposition(named)
    article = re.match(r"an? ", what, re.IGNORECASE)
    phrases = noun_phrases(frame)
    if article:
        places = [one for one in phrases if with_article(frame, one).of(frame)[:2].casefold() in ("a ", "an")]
        places = [one for one in places if with_article(frame, one) != one]
    elif what[:1].isupper() and len(what.split()) <= 3:
        places = [one for one in phrases if one.start > 0 and one.of(frame)[:1].isupper()]
    else:
        return None
    if len(places) != 1:
        return None
    place = places[0] if article else with_article(frame, places[0])
    return replace_span(frame, place, what)


def _most_similar(frame: str, named: str, similarity: Similarity | None, *, single: bool) -> str | None:
    """The noun phrase that is nearest in meaning, if there is but one, or one that is clearly nearest."""
    preposition, what = _split_preposition(named)
    bare = _ARTICLE.sub("", what, count=1) if _ARTICLE.match(what) else what
    if _POSSESSIVE.match(what) or len(question_words(bare)) > 4:
        return None
    places = noun_phrases(frame)
    if single and len(bare.split()) == 1:
        places = [
            Span(phrase.start + word.span.start, phrase.start + word.span.end)
            for phrase in places
            for word in question_words(phrase.of(frame))
        ]
    if _ARTICLE.match(what) and not single:
        places = [place for place in places if with_article(frame, place) != place] or places
    if not places or (preposition and similarity is None):
        return None
    if len(places) == 1:
        return None if preposition or not _agrees(frame, bare) else replace_span(frame, places[0], what)
    if similarity is None:
        last = [place for place in places if place.end == len(frame)]
        return replace_span(frame, last[0], what) if last and preposition_before(frame, last[0]) else None
    scores = similarity(bare, [place.of(frame) for place in places])
    ranked = sorted(zip(scores, places, strict=True), key=lambda one: -one[0])
    if ranked[0][0] - ranked[1][0] < _MARGIN or (not single and _is_asked_for(frame, ranked[0][1])):
        return None
    return replace_span(frame, ranked[0][1], what)


def _agrees(frame: str, bare: str) -> bool:
    """ "What is osmosis?" may be asked of diffusion, and not of plants."""
    copula = re.match(r"(?:what|who) (is|was|are|were)\b", frame, re.IGNORECASE)
    if copula is None or is_hindi(frame):
        return True
    return (copula[1].casefold() in ("are", "were")) == (bare.endswith("s") and not bare.endswith(("ss", "is", "us")))


def _is_asked_for(frame: str, place: Span) -> bool:
    """Whether a phrase is that of the question word: "how many players", "which vitamins"."""
    before = [word.key for word in question_words(frame) if word.span.end <= place.start]
    return bool(before) and all(word in _QUANTITY_WORDS for word in before)


def _added(frame: str, named: str) -> str | None:
    """A circumstance of its own, behind the question: "on Fridays". One of time or place is no second one."""
    preposition, what = _split_preposition(named)
    if not preposition or is_hindi(named) or len(question_words(what)) > 4 or _POSSESSIVE.match(what):
        return None
    taken = {before.key for phrase in noun_phrases(frame) if (before := preposition_before(frame, phrase))}
    if preposition in _WHERE_OR_WHEN and taken & _WHERE_OR_WHEN:
        return None
    return f"{frame} {named}"


def _split_preposition(named: str) -> tuple[str, str]:
    words = question_words(named)
    if len(words) > 1 and words[0].key in PREPOSITIONS:
        return words[0].key, named[words[1].span.start :]
    return "", named
