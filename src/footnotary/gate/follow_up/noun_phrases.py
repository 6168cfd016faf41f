"""The noun phrases of a question, found by function words, word order and the forms that the answer has."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.identity import Span
from footnotary.text.stopwords import QUESTION_WORDS, STOP_WORDS
from footnotary.text.tokens import content_terms

DETERMINERS = frozenset("a an the my our your his her its their this that these those any each every no".split())
PREPOSITIONS = frozenset(
    "for of in under to by with at on from against during after before without within about above below over into "
    "than as per through between until since".split()
)
BE = frozenset("is are was were".split())
AUXILIARIES = BE | frozenset("am do does did can could may might must shall should will would has have had".split())
WH_WORDS = frozenset("what which who whom whose when where why how".split())
_FINITE = AUXILIARIES | {"cannot", "never"}
_AUX = "|".join(sorted(AUXILIARIES))
# What a question asks for, what that is of, its auxiliary and the rest: "how much | rent | must | the tenant pay".
ASKED = re.compile(
    rf"(?P<wh>(?:\S+ )?(?:how(?! (?:{_AUX})\b) \S+|{'|'.join(sorted(WH_WORDS - {'who'}))})\b)?"
    rf"(?P<of>.*?) ?\b(?P<aux>{_AUX}) (?P<rest>.+)",
    re.IGNORECASE,
)
_PRONOUNS = frozenset("i you we they he she it one someone somebody anyone there".split())
_VERB_FOLLOWS = _PRONOUNS - {"there"} | {"how", "who", "what", "which"}
_CONTRACTED = frozenset("isn't aren't wasn't weren't won't whats what's who's".split())
_FUNCTION = STOP_WORDS | AUXILIARIES | PREPOSITIONS | _CONTRACTED
_WORD = re.compile(r"(?:(?<=\d),(?=\d)|[^\s?!,;:।\"“”()])+")
_HINDI = re.compile("[\u0900-\u097f]")


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of a question; `key` is how it is looked up: in lower case, without a full stop behind it."""

    key: str
    span: Span

    @property
    def is_content(self) -> bool:
        return self.key not in _FUNCTION


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: its content words, where it begins with its determiner, and what stands before it.

    `is_asked_for` is that of the question word: "how many players", "which vitamin".
    """

    span: Span
    start: int
    determiner: str
    preposition: str
    is_asked_for: bool

    def whole(self, text: str) -> str:
        return text[self.start : self.span.end]

    def of(self, text: str) -> str:
        return self.span.of(text)


def question_words(text: str) -> list[QuestionWord]:
    """The words of a text; one with a hyphen, such as "one-bedroom", is one word."""
    found: list[QuestionWord] = []
    for match in _WORD.finditer(text):
        word = match.group().rstrip(".")
        if word:
            key = word.casefold().replace("’", "'")
            found.append(QuestionWord(key, Span(match.start(), match.start() + len(word))))
    return found


def is_hindi(text: str) -> bool:
    return _HINDI.search(text) is not None


def stems(text: str) -> set[str]:
    """What two spellings of one word have in common: "deed" and "deeds"."""
    return {term for word in question_words(text) if word.is_content for term in content_terms(word.key)}


def is_plural(phrase: str) -> bool:
    """Whether the head of a phrase, the last word before a preposition, looks like a plural."""
    head = ""
    for word in question_words(phrase):
        if word.key in PREPOSITIONS | WH_WORDS and head:
            break
        head = word.key if word.is_content else head
    return _looks_plural(head)


def _looks_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "is", "us", "'s"))


def noun_phrases(text: str, answer: str = "") -> list[Phrase]:
    """The runs of content words that name something; verbs and predicates are left out as far as their place tells.

    How a verb is written in the answer ("covers", "is covered") tells it from a noun.
    """
    words = question_words(text)
    runs = _runs(text, words)
    runs = _without_hindi_verbs(words, runs) if is_hindi(text) else _without_verbs(words, runs, answer)
    return [_phrase(words, run) for run in runs if run]


def verbs(text: str, answer: str = "") -> list[Phrase]:
    """The content words of a question that are in no noun phrase, nor go with its question word: "how long"."""
    named = noun_phrases(text, answer)
    words = question_words(text)
    at = next((word.span.start for word in words if word.key in AUXILIARIES | {"who"}), 0)
    left = [word.span for word in words if word.is_content and word.span.start > at]
    left = [span for span in left if not any(one.span.start <= span.start < one.span.end for one in named)]
    return [Phrase(span, span.start, "", "", is_asked_for=False) for span in left]


def subject(text: str, answer: str = "") -> Phrase | None:
    """The noun phrase behind the auxiliary of a question: "the rent" of "By how much can the rent go up?"."""
    words = question_words(text)
    at = next((word.span.end for word in words if word.key in AUXILIARIES), None)
    return next((one for one in noun_phrases(text, answer) if at is not None and one.start == at + 1), None)


def _phrase(words: Sequence[QuestionWord], run: range) -> Phrase:
    span = Span(words[run.start].span.start, words[run.stop - 1].span.end)
    first = run.start - 1 if run.start and words[run.start - 1].key in DETERMINERS else run.start
    before = words[first - 1].key if first else ""
    asked = bool(first) and before in ("what", "which", "whose", "many", "much") and first == run.start
    determiner = words[first].key if first < run.start else ""
    return Phrase(span, words[first].span.start, determiner, before if before in PREPOSITIONS else "", asked)


def _runs(text: str, words: Sequence[QuestionWord]) -> list[range]:
    runs: list[range] = []
    for place, word in enumerate(words):
        if not word.is_content:
            continue
        if runs and runs[-1].stop == place and text[words[place - 1].span.end : word.span.start].isspace():
            runs[-1] = range(runs[-1].start, place + 1)
        else:
            runs.append(range(place, place + 1))
    return runs


def _without_hindi_verbs(words: Sequence[QuestionWord], runs: Sequence[range]) -> list[range]:
    """In Hindi the verb ends the sentence, behind the question word if that is not the first."""
    asked = next((place for place, word in enumerate(words) if word.key in QUESTION_WORDS), len(words))
    return [run for run in runs if run.start < asked] if asked else [*runs[:-1], runs[-1][:-1]] if runs else []


def _without_verbs(words: Sequence[QuestionWord], runs: Sequence[range], answer: str) -> list[range]:
    """The runs without their verbs: the one of the question, behind its subject, and those behind a pronoun."""
    at = next((place for place, word in enumerate(words) if word.key in AUXILIARIES), None)
    kept: list[range] = []
    lacks_verb = False  # the subject has been read, and the verb has not: "does shipping | to Canada take"
    for run in runs:
        before = words[run.start - 1].key if run.start else ""
        led = run.start - 2 if before in DETERMINERS else run.start - 1
        is_led = led == at and led >= 0
        if led >= 0 and words[led].key in AUXILIARIES and not is_led:  # "does the contract have a"
            lacks_verb = False
        is_be, asks_first = at is not None and words[at].key in BE, any(word.is_content for word in words[1:at])
        to_verb = before == "to" and words[led - 1].key in AUXILIARIES
        count = _subject_length([words[place].key for place in run], answer) if before in ("what", "which") else None
        if count:
            kept += [run[:count], run[count + 1 :]]  # "which courts hear divorce cases"
        elif before in _VERB_FOLLOWS:
            kept.append(run[1:])
            lacks_verb = False
        elif (
            is_led
            and not (words[0].key == "who" and not is_be)
            and not (asks_first and is_be and before in AUXILIARIES and words[0].key != "how")
        ):
            parts, lacks_verb = _around_verb(words, run, answer, at or 0)
            lacks_verb = lacks_verb and words[led].key not in ("has", "have", "had")
            kept += parts
        elif before in AUXILIARIES or to_verb or (before == "to" and words[1].key == "it"):
            kept.append(run[1:])  # "which seats are reserved", "who can file", "to open a", "is it safe to take"
        elif lacks_verb and len(run) > 1:
            kept.append(run[:-1])
            lacks_verb = False
        else:
            kept.append(run)
    return [run for run in kept if run]


def _around_verb(words: Sequence[QuestionWord], run: range, answer: str, at: int) -> tuple[list[range], bool]:
    """The subject and the object, if any, of the run behind the first auxiliary, and whether no verb was seen."""
    first, is_be = words[0].key, words[at].key in BE
    keys = [words[place].key for place in run]
    if is_be and at == 1 and first in ("what", "who"):
        return [run], False
    count = _subject_length(keys, answer)
    if count is None and len(run) == 1:
        return [run], True
    if count is None:
        count = len(run) - 1 if run.stop < len(words) or len(run) == 2 else 1
    behind = run[count + 1 :] if not is_be else run[len(run) :]
    return [run[:count], behind], count == len(run)


def _subject_length(keys: Sequence[str], answer: str) -> int | None:
    """How many words of a run are its subject: as the answer tells, or "tenants pay"."""
    said = [word.key for word in question_words(answer)]
    for count in range(len(keys), 0, -1):
        for place in range(len(said) - count):
            if said[place : place + count] == list(keys[:count]) and said[place + count] in _FINITE:
                return count
    for count, key in enumerate(keys[1:], start=1):
        stem = content_terms(key)
        forms = [place for place, other in enumerate(said) if other != key and content_terms(other) == stem]
        if any(
            said[place].endswith(("ed", "ing")) or (place and said[place - 1] == keys[count - 1]) for place in forms
        ):
            return count  # "cover", which the answer has as "covered" or as "the warranty covers"
        if _looks_plural(keys[count - 1]) and not _looks_plural(key):
            return count
    return None
