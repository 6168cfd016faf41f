"""Sentences that tell whoever answers what to do: they state nothing, so nothing can be cited from them.

A document may hold such a sentence because somebody put it there for a model to obey. Told by form: a verb in the
imperative, or "you must", together with words about answering, the conversation or the one who writes. A sentence that
*reports* an instruction has a subject of its own and is a statement like any other: texts about injection stay citable.
Where a trained reader is given, form and weights only say what it is shown.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from footnotary.domain.identity import Span
from footnotary.injection.attack_phrases import (
    ABOUT,
    ADDRESS,
    BEFORE_A_COLON,
    BEFORE_A_VERB,
    BY_STEALTH,
    CLAUSES,
    COMMANDED,
    LEADS_IN,
    MAY_OVERRIDE,
    MIND,
    NOW,
    NUMBERED,
    ORDERS,
    ORDERS_ALL,
    OVERRIDDEN,
    OVERRIDES,
    QUOTED,
    SHOULD_BE_TOLD,
    SHOWING,
    SPEECH,
    SURELY,
    TAG,
    TELL_ME,
    TELLING,
    TOGETHER,
    TOLD,
    YOU_MUST,
)
from footnotary.injection.hindi_rules import is_hindi_instruction, is_hindi_override
from footnotary.injection.linear_classifier import looks_like_injection, may_be_injection
from footnotary.injection.romanized_hindi import romanised
from footnotary.text.normalise import without_invisible
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import words

_LONGEST = 2_000
_HEAD = 200
_LABEL_WORDS = 6
_LEAD_IN_WORDS = 24
_CONVERSATION = re.compile(
    r"^[ \t>#*]{0,8}(?:user|human|system)[ \t*]{0,4}:[^\n]{0,2000}\n(?:[^\n]{0,2000}\n){0,4}?"
    r"[ \t>#*]{0,8}(?:assistant|ai|bot|chatbot|model)[ \t*]{0,4}:[^\n]{0,2000}",
    re.IGNORECASE | re.MULTILINE,
)
# "The office is in Washington, D.C.\n<system>...": no full stop parts what a line break, a tag or a semicolon does.
_JOINTS = re.compile(r"(?<=\S)(?:[ \t]*\n\s*|;\s+|\s*(?P<tag><{1,2}/?\w{1,20}>{1,2}|\[/?[A-Z]{2,12}\]))(?=\S)")


# Whether a sentence is an order, by a trained reader: given the sentence, and whether its form makes it suspected.
Tells: TypeAlias = Callable[[str, bool], bool]


def instruction_spans(text: str, is_injection: Tells | None = None) -> tuple[Span, ...]:
    """Where a text instructs whoever answers, sentence by sentence.

    What follows an order to ignore the rules, in the same paragraph, is part of it: that is where what is to be said
    instead stands. So is a conversation that never was, with the answer put into an assistant's mouth. Raises what
    `tells` raises.
    """
    return _spans(text, is_injection)


@lru_cache(maxsize=1024)
def _spans(text: str, is_injection: Tells | None) -> tuple[Span, ...]:
    found: list[Span] = []
    overridden_until = -1
    played = [match.span() for match in _CONVERSATION.finditer(text)]
    for sentence in sentence_spans(text):
        in_play = any(start < sentence.end and sentence.start < end for start, end in played)
        whole = sentence.start < overridden_until or in_play
        start = 0 if whole else _instruction_start(sentence.of(text), is_injection)
        if start is None:
            continue
        found.append(Span(sentence.start + start, sentence.end))
        if _overrides(normalized_instruction(found[-1].of(text))):
            end = text.find("\n", sentence.end)
            overridden_until = len(text) if end < 0 else end
    return tuple(found)


def _instruction_start(sentence: str, is_injection: Tells | None) -> int | None:
    """Where in a sentence an instruction begins, which a line break, a tag or a semicolon may join to a statement."""
    for joint in _JOINTS.finditer(sentence):
        start = joint.end() - len(joint["tag"] or "")
        if _instructs(normalized_instruction(sentence[:start]), is_injection):
            return 0
        if _instructs(normalized_instruction(sentence[start:]), is_injection):
            return start
    return 0 if _instructs(normalized_instruction(sentence), is_injection) else None


def is_instruction(sentence: str, is_injection: Tells | None = None) -> bool:
    """Whether a sentence tells whoever answers what to do."""
    return _instructs(normalized_instruction(sentence), is_injection)


def normalized_instruction(sentence: str) -> str:
    """A sentence folded, without its number, and not longer than anybody writes an order."""
    plain = sentence[:_LONGEST]
    if plain.isascii():
        plain = plain.lower()
    else:
        plain = unicodedata.normalize("NFKC", without_invisible(plain)).casefold()
    plain = TOGETHER.sub("we", NUMBERED.sub("", plain, count=1))
    return TAG.sub("; ", plain) if "<" in plain or "[" in plain else plain


# A copied claim is the sentence of its source once more.
@lru_cache(maxsize=2048)
def _instructs(plain: str, is_injection: Tells | None) -> bool:
    suspected = _by_rule(plain)
    read = plain if plain.isascii() else romanised(plain)
    foreign = 0 if read.isascii() else sum(map(_is_foreign, read))
    # A letter of another alphabet must not be a way around the reader, nor around the rules.
    if (is_injection is None or foreign) and (suspected or looks_like_injection(plain)):
        return True
    if is_injection is None or 2 * foreign > sum(map(str.isalpha, read)):
        return False
    return (suspected or may_be_injection(plain)) and (_overrides(plain) or is_injection(read, suspected))


def _is_foreign(letter: str) -> bool:
    """Whether the reader has not learnt a letter."""
    return "\u0370" <= letter <= "\u1fff" or letter > "\u2e7f"


def _by_rule(plain: str) -> bool:
    if _overrides(plain) or SHOULD_BE_TOLD.match(plain) or NOW.search(plain) or COMMANDED.search(plain):
        return True
    if is_hindi_instruction(plain):
        return True
    plain = MIND.sub(" it is so that", plain)
    if plain.rstrip("\"'”’ ").endswith("?"):
        plain = TELL_ME.sub("tell", plain)
    verb = _is_ordered(SURELY.sub("", plain))
    if verb is None:
        return YOU_MUST.search(plain) is not None and ABOUT.search(plain) is not None
    if verb in SPEECH or not BY_STEALTH.isdisjoint(words(plain[:_HEAD])) or ABOUT.search(plain):
        return True
    if verb in TELLING and (TOLD.search(plain) or ADDRESS.search(plain)):
        return True
    return verb in SHOWING and (QUOTED.search(plain) is not None or ADDRESS.search(plain) is not None)


def _overrides(plain: str) -> bool:
    """Whether a sentence orders to put rules or instructions aside."""
    if is_hindi_override(plain):
        return True
    if MAY_OVERRIDE.search(plain) is None:
        return False
    for clause in CLAUSES.split(plain):
        said = words(clause)
        at = _first_verb(said)
        if at is not None and said[at] in OVERRIDES and not OVERRIDDEN.isdisjoint(said[at : at + 14]):
            return True
    return False


def _is_ordered(plain: str) -> str | None:
    """The verb of an order: at the beginning, or after lead-ins such as "Notice:" and "Before answering,"."""
    start = 0
    for end in (*(found.start() for found in CLAUSES.finditer(plain)), len(plain)):
        inside = words(plain[start : min(end, start + _HEAD)])
        at = _first_verb(inside)
        is_label = plain[end : end + 1] == ":" and len(inside) <= _LABEL_WORDS
        known = BEFORE_A_COLON if is_label else ORDERS_ALL
        if at is not None and inside[at] in known:
            return inside[at]
        if at is not None and inside[at] in ("can", "could", "would", "will") and "you" in inside[at : at + 2]:
            return next((word for word in inside[at + 2 : at + 5] if word in ORDERS), None)
        if inside and not is_label and not _leads_in(inside):
            return None
        start = end + 1
    return None


def _leads_in(inside: list[str]) -> bool:
    first = inside[0]
    return len(inside) <= _LEAD_IN_WORDS and (first in LEADS_IN or first.endswith(("ly", "ing")) or len(inside) <= 2)


def _first_verb(said: list[str]) -> int | None:
    """The first word that is not one of those that may stand before an imperative."""
    for at, word in enumerate(said):
        if word not in BEFORE_A_VERB and not (word.endswith("ly") and word not in ("reply", "apply", "imply")):
            return at
    return None
