"""Whether two sentences lay down the same rule with different values: twelve days of leave and eighteen.

Nothing is concluded from likeness alone. Two sentences are about one thing only if they use the same content words, so
that "theft" and "extortion", "an employee" and "an employee on probation" are two things, each with its own figures.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

from footnotary.text.dates.mentions import MONTHS, DateMention, dates
from footnotary.text.number_words import NUMBER_WORDS
from footnotary.text.numbers.quantities import NumberMention, number_mentions, same_quantity
from footnotary.text.numbers.units import UNITS, in_common_unit
from footnotary.text.sentences.split_lists import ITEM
from footnotary.text.stopwords import NEGATIONS
from footnotary.text.tokens import content_terms, stem, terms_of, words

Value: TypeAlias = NumberMention | DateMention
Relation = Literal["same", "differs", "not_comparable"]

# Words that carry a rule and do not say what it is about: how it is worded, who issued it, which way a bound goes.
_CARRIERS = """
entitle entitled entitlement eligible get receive grant granted give provide avail available right enjoy have due
fixed prescribe prescribed maximum minimum least most limit max min period term extend extent length duration
company organisation organization institution policy rule circular handbook manual guideline
calendar shall said aforesaid accord according hereby
मिलेगा मिलेगी मिलेंगे मिलता मिलती मिलते मिलना दिया दी दिए देय देना जाएगा जाएगी जाएंगे जाता जाती जाया हकदार पात्र प्राप्त
अधिकतम न्यूनतम सीमा अवधि नियम नीति परिपत्र निर्धारित निश्चित अनुसार संस्था कंपनी अधिकार कम अधिक
"""
_DIRECTIONS = {"at_least": "up", "more_than": "up", "at_most": "down", "less_than": "down"}
# What speaks of another case than the rule before it, leans on what came before, or goes on with it.
_LEANS = re.compile(
    r"(?:provided|however|notwithstanding|except|unless|subject to|but|and|or|he|she|it|they|this|that|these|those|such"
    r"|his|her|its|their|here|there|then|otherwise|in that case|in this case)\b"
    r"|(?:परंतु|परन्तु|किंतु|किन्तु|तथापि|यह|ये|वह|वे|इस|इसे|इसका|इसकी|इसके|उस|उसे|ऐसा|ऐसी|ऐसे)\s",
    re.IGNORECASE,
)
# What means something only at its own place, and the notes of editors.
_OF_ITS_PLACE = re.compile(
    r"\b(?:this|that|said|same) (?:section|article|chapter|part|act|code|sanhita|adhiniyam|schedule|order|title)\b"
    r"|\bthis sub-?\s?(?:section|part|chapter|title|clause)|\bsub-?section\b|\b(?:sub-)?clause \(|\bparagraph \("
    r"|\b(?:ins|subs|omitted|added|rep)\.? by\b|\bw\.? ?e\.? ?f\b|\bibid\b"
    r"|(?:इस|उक्त) (?:धारा|अधिनियम|अध्याय|भाग|संहिता|अनुच्छेद)|उपधारा|उप-धारा",
    re.IGNORECASE,
)
# "Not more than" bounds, and denies nothing.
_BOUNDED = frozenset("more less fewer later earlier longer exceed exceeding only over below".split())
_CONDITIONS = frozenset("if unless except where when until only before after without provided".split())
# Parties of an illustration: "A owes Z five hundred rupees" is a case, not a rule. "Group C" names a group.
_LETTER = re.compile(
    r"(?<![\w.’'])(?:[B-HJ-Z](?![\w’'])|A(?= (?:has|had|is|was|does|did|may|shall|must|will|and [B-Z])\b))"
)
_LABELLED = re.compile(
    r"(?:group|class|grade|category|form|schedule|part|type|level|tier|zone|vitamin)\s$", re.IGNORECASE
)
_ENDS = (".", "।", ";", "!")
_LEAST_DENIED = 3
_LONGEST = 800


@dataclass(frozen=True, slots=True)
class StatedRule:
    """What a sentence lays down: what it is about, the values it gives in order, and whether it denies.

    `is_plain` says that no condition hangs on it, so that denying it denies the whole.
    """

    text: str
    about: frozenset[str]
    values: tuple[Value, ...]
    denies: bool
    is_plain: bool


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The one point on which two rules differ: the value of each, or None where one says yes and the other no."""

    one: Value | None
    other: Value | None


@lru_cache(maxsize=512)
def rule_in(sentence: str) -> StatedRule | None:
    """What a sentence lays down by itself.

    None for questions, provisos, cases, items that go on with a sentence, what speaks of "this section", and what is so
    long that it lays down more than one thing.
    """
    if len(sentence) > _LONGEST or sentence.rstrip().endswith("?") or not _stands_alone(sentence):
        return None
    letters = list(_LETTER.finditer(sentence))
    if not all(_LABELLED.search(sentence[: letter.start()]) for letter in letters):
        return None
    own = [figure for figure in number_mentions(sentence) if figure.kind != "ordinal"]
    places = [figure for figure in number_mentions(sentence) if figure.kind == "ordinal"]
    if any(figure.kind == "count" for figure in own) and not sentence.rstrip().endswith(_ENDS):
        return None  # "Gazette of India 103": the number of a page
    values: list[Value] = sorted(
        (*own, *(mention for mention in dates(sentence) if not mention.in_name)), key=lambda value: value.span
    )
    rest = sentence
    for value in values:
        rest = value.span.blanked(rest)
    about = set(content_terms(rest)) - topic_neutral_terms()
    about |= {f"{place.value}." for place in places} | {letter[0] for letter in letters}
    if all(isinstance(value, NumberMention) and value.kind == "duration" for value in values):
        # So many days, or so many days in a year; but a sum by the year is another than one by the month.
        about.discard("year")
    said = words(rest)
    denied = sum(w in NEGATIONS and after not in _BOUNDED for w, after in zip(said, (*said[1:], ""), strict=False))
    plain = denied <= 1 and _CONDITIONS.isdisjoint(said)
    return StatedRule(sentence, frozenset(about), tuple(values), denied % 2 == 1, plain)


def disagreement(one: StatedRule, other: StatedRule) -> Disagreement | None:
    """The value on which two rules about the same thing disagree, or None.

    They disagree where all but one of their values agree: two that differ are two cases, such as the rows of a tariff.
    A least and a most are no disagreement, nor is a figure within the other's bound, nor amounts in units that do not
    convert exactly.
    """
    if one.about != other.about or len(one.values) != len(other.values):
        return None
    relations = [value_relation(a, b) for a, b in zip(one.values, other.values, strict=True)]
    if "not_comparable" in relations:
        return None
    differing = [n for n, found in enumerate(relations) if found == "differs"]
    if len(differing) == 1 and one.denies == other.denies:
        return Disagreement(one.values[differing[0]], other.values[differing[0]])
    contrary = one.denies != other.denies and one.is_plain and other.is_plain
    if contrary and not differing and len(one.about) >= _LEAST_DENIED:
        return Disagreement(None, None)
    return None


def value_relation(one: Value, other: Value) -> Relation:
    """How two values of the same thing stand to each other; bounds in opposite directions cannot be compared."""
    if isinstance(one, DateMention) or isinstance(other, DateMention):
        if isinstance(one, DateMention) and isinstance(other, DateMention):
            return _dates(one, other)
        return "not_comparable"
    if one.kind != other.kind or not _same_dimension(one, other) or "about" in (one.comparator, other.comparator):
        return "not_comparable"
    ways = (_DIRECTIONS.get(one.comparator), _DIRECTIONS.get(other.comparator))
    if ways[0] == ways[1]:
        return "same" if same_quantity(one, other) or _overlap(one, other) else "differs"
    if None not in ways:
        return "not_comparable"
    bound, exact = (one, other) if ways[0] else (other, one)
    return "same" if _within(exact, bound) else "differs"


def values_in(text: str) -> tuple[Value, ...]:
    """Every value that a text gives, figures before dates."""
    return (*number_mentions(text), *dates(text))


def contains_value(value: Value, values: Iterable[Value]) -> bool:
    """Whether one of these values is the same as this one, however it is written."""
    return any(_is_same(value, found) for found in values)


@lru_cache(maxsize=1)
def topic_neutral_terms() -> frozenset[str]:
    """The keys of the words that do not say what a rule is about."""
    return frozenset(map(stem, _CARRIERS.split()))


def _stands_alone(sentence: str) -> bool:
    item = ITEM.match(sentence)
    said = sentence[item.end() :] if item else sentence.lstrip()
    return not said[:1].islower() and _LEANS.match(said) is None and _OF_ITS_PLACE.search(said) is None


@lru_cache(maxsize=512)
def topic_terms(text: str) -> frozenset[str]:
    """What a text is about, read quickly: two rules about the same thing differ in next to nothing here."""
    terms = (term for term in terms_of(text) if not term[0].isdigit() and term not in _measures())
    return frozenset(terms) - topic_neutral_terms()


@lru_cache(maxsize=1)
def _measures() -> frozenset[str]:
    """The stems of the words that values are written with."""
    return frozenset(stem(word) for word in (*UNITS, *NUMBER_WORDS, *MONTHS))


def _dates(one: DateMention, other: DateMention) -> Relation:
    """Dates are compared that give the same parts."""
    ours, theirs = (one.year, one.month, one.day), (other.year, other.month, other.day)
    if [part is None for part in ours] != [part is None for part in theirs]:
        return "not_comparable"
    return "same" if ours == theirs else "differs"


def _same_dimension(one: NumberMention, other: NumberMention) -> bool:
    if one.kind == "count":
        return one.unit == other.unit
    return in_common_unit(one.value, one.unit)[0] == in_common_unit(other.value, other.unit)[0]


def _amounts(figure: NumberMention) -> tuple[Fraction, Fraction]:
    low = in_common_unit(figure.value, figure.unit)[1]
    high = low if figure.high is None else in_common_unit(figure.high, figure.unit)[1]
    return low, high


def _overlap(one: NumberMention, other: NumberMention) -> bool:
    """Whether an amount lies in the range that the other gives."""
    if one.high is None and other.high is None:
        return False
    (a, b), (c, d) = _amounts(one), _amounts(other)
    return a <= d and c <= b


def _within(exact: NumberMention, bound: NumberMention) -> bool:
    low, high = _amounts(exact)
    limit = _amounts(bound)[0]
    if bound.comparator in ("at_least", "at_most") and limit in (low, high):
        return True
    return high > limit if _DIRECTIONS[bound.comparator] == "up" else low < limit


def _is_same(one: Value, other: Value) -> bool:
    if isinstance(one, NumberMention) and isinstance(other, NumberMention):
        return same_quantity(one, other)
    return value_relation(one, other) == "same"
