"""The exceptions and conditions of a text, each with the rule it limits."""

from dataclasses import dataclass
from functools import lru_cache

from footnotary.verify.wording.parsed_text import AnalyzedWord, analyze_text

_EXCEPTING = frozenset("except unless".split())
_CONDITION = frozenset("if where when यदि अगर".split())
_MARKERS = _EXCEPTING | _CONDITION | {"but", "without", "only"}
_MODAL = frozenset("may shall must can cannot will should is are does do".split())
_MOST = 40


@dataclass(frozen=True, slots=True)
class Proviso:
    """An exception or condition of a sentence: its words, and the words of the rule it limits.

    `body` and `rule` are concepts; `spoken` are the rule's words as they stand.
    """

    marker: AnalyzedWord
    is_condition: bool
    body: frozenset[str]
    rule: frozenset[str]
    spoken: frozenset[str]
    places: frozenset[int]


@lru_cache(maxsize=128)
def provisos(text: str) -> tuple[Proviso, ...]:
    """Every exception and condition of `text`."""
    if _MARKERS.isdisjoint(analyze_text(text).texts):
        return ()
    found: list[Proviso] = []
    for sentence in analyze_text(text).sentences:
        denied = any(w.text in {"not", "cannot", "no", "nobody", "never"} for w in sentence)
        for i, word in enumerate(sentence):
            if word.text not in _MARKERS:
                continue
            excepting = word.text in _EXCEPTING or _is_but_not(sentence, i) or (word.text == "without" and denied)
            limiting = word.text == "only" and _opens_condition(sentence, i)
            if not excepting and not limiting and not _is_condition(word, i):
                continue
            body = _body(sentence, i)
            places = {w.place for w in body}
            keys = frozenset(w.key for w in body if w.content)
            rule = frozenset(w.key for w in sentence if w.content and w.place not in places)
            if keys - rule and rule:
                spoken = frozenset(w.text for w in sentence if w.place not in places and w is not word)
                found.append(Proviso(word, not excepting, keys - rule, rule, spoken, frozenset(places)))
    return tuple(found[:_MOST])


def _is_condition(word: AnalyzedWord, at: int) -> bool:
    """An "if"; a "where" only at the head of a clause: "a sequence where each term grows" says which sequence."""
    return word.text in _CONDITION and (word.text != "where" or at <= 1 or "," in word.gap)


def _is_but_not(sentence: tuple[AnalyzedWord, ...], at: int) -> bool:
    return sentence[at].text == "but" and any(w.text in {"not", "exclude"} for w in sentence[at + 1 : at + 4])


def _opens_condition(sentence: tuple[AnalyzedWord, ...], at: int) -> bool:
    return any(w.text in {"if", "when", "where", "with", "after", "in"} for w in sentence[at + 1 : at + 2])


def _body(sentence: tuple[AnalyzedWord, ...], at: int) -> list[AnalyzedWord]:
    """From the marker to the comma that ends it where it leads the sentence, else to the end of its part."""
    leads = at <= 1
    body: list[AnalyzedWord] = []
    for word in sentence[at + 1 :]:
        if ";" in word.gap or (leads and "," in word.gap and body):
            break
        if (leads or sentence[at].text == "without") and word.text in _MODAL and any(w.content for w in body):
            break  # "a mark lacking character cannot be registered"
        if not leads and "," in word.gap and word.text in {"and", "but", "shall", "may", "must"} and len(body) > 1:
            break
        body.append(word)
    return body
