"""The noun phrases of a question, found by function words and word order alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.identity import Span
from footnotary.text.stopwords import STOP_WORDS
from footnotary.text.tokens import content_terms

DETERMINERS = frozenset("a an the my our your his her its their this that these those any each every no".split())
PREPOSITIONS = frozenset(
    "for of in under to by with at on from against during after before without within about above below over into "
    "than as per through between".split()
)
BE = frozenset("is are was were".split())
AUXILIARIES = BE | frozenset("am do does did can could may might must shall should will would has have had".split())
WH_WORDS = frozenset("what which who whom whose when where why how".split())
_SUBJECTS = frozenset("i you we they he she it one someone somebody anyone there".split())
_FUNCTION = STOP_WORDS | AUXILIARIES | PREPOSITIONS | frozenset({"isn't", "won't", "whats"})
_WORD = re.compile(r"[^\s?!,;:।\"“”()]+")
_HINDI = re.compile("[\u0900-\u097f]")


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of a question; `key` is how it is looked up: in lower case, without a full stop behind it."""

    key: str
    span: Span

    @property
    def is_content(self) -> bool:
        return self.key not in _FUNCTION


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


def noun_phrases(text: str) -> list[Span]:
    """The runs of content words that name something, without their articles; verbs and predicates are left out.

    Where the form does not tell a verb from a noun the run may hold both: who uses it must not rely on one run alone.
    """
    words = question_words(text)
    return [_span(words, run) for run in _named(text, words)]


def _named(text: str, words: Sequence[QuestionWord]) -> list[range]:
    runs = _runs(text, words)
    return runs if is_hindi(text) else [kept for run in runs if (kept := _without_verbs(words, run))]


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


def _without_verbs(words: Sequence[QuestionWord], run: range) -> range:
    """A run without the verb that begins it or the predicate that ends it."""
    before = words[run.start - 1].key if run.start else ""
    after = words[run.stop].key if run.stop < len(words) else ""
    has_determiner = before in DETERMINERS
    led = words[run.start - 2].key if has_determiner and run.start > 1 else before
    if before == "how":  # "how long"
        return run[1:]
    if before in _SUBJECTS or (before == "who" and after not in AUXILIARIES):
        return run[1:]
    if before in ("what", "which") and after not in AUXILIARIES:
        return run[1:]
    if before == "to" and after in DETERMINERS | _SUBJECTS and len(run) == 1:  # "to open a"
        return run[1:]
    if led not in AUXILIARIES:
        return run
    at = run.start - 2 if has_determiner else run.start - 1
    earlier = [word for word in words[:at] if word.is_content]
    asks_what = at == 1 and words[0].key in ("what", "who")
    if not has_determiner and at > 0 and earlier and words[at - 1].is_content and words[0].key != "how":
        return run[1:]  # "seats are reserved"
    if led in BE and (
        asks_what or (words[0].key == "how" and at > 1 and (run.stop == len(words) or after in PREPOSITIONS))
    ):
        return run
    if not has_determiner and words[0].key == "how" and words[at - 1].is_content and len(run) == 1:
        return run[1:]  # "how many seats are reserved"
    if led not in BE and at == 0 and len(run) > 2:
        return run[:0]  # "does the warranty cover water damage": where the verb stands, only its meaning tells
    return run[:-1] if len(run) > 1 else run


def _span(words: Sequence[QuestionWord], run: range) -> Span:
    return Span(words[run.start].span.start, words[run.stop - 1].span.end)


def content_runs(text: str) -> list[Span]:
    """The runs of content words as they stand, verbs and predicates included."""
    words = question_words(text)
    return [_span(words, run) for run in _runs(text, words)]


def with_article(text: str, phrase: Span) -> Span:
    """The phrase with the article or other determiner before it."""
    before = [word for word in question_words(text) if word.span.end <= phrase.start]
    if before and before[-1].key in DETERMINERS and text[before[-1].span.end : phrase.start].isspace():
        return Span(before[-1].span.start, phrase.end)
    return phrase


def preposition_before(text: str, phrase: Span) -> QuestionWord | None:
    """The preposition that a phrase goes with, before its article."""
    start = with_article(text, phrase).start
    before = [word for word in question_words(text) if word.span.end <= start]
    return before[-1] if before and before[-1].key in PREPOSITIONS else None
