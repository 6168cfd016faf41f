"""A follow-up as an edit of what was said: which words of it go where in the question before, or vice versa."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from footnotary.domain.identity import Span
from footnotary.text.tokens import word_places

# What a follow-up is: complete as typed; a part of it takes the place of words of the earlier question; words of the
# earlier turn take the place of a part of it; the reason of what was answered; or nothing that is sure.
Operation = Literal["keep", "replace", "resolve", "why", "open"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
# What joins words of the earlier turn to the follow-up where neither has it: "the deadline" "for" "the spring term".
JOINERS = ("", "of", "for", "to", "in", "on", "under", "the", "of the", "for the", "in the", "का", "की", "के", "के लिए")

# A Hindi pronoun is one word with its case: what takes its place needs the case as well.
_CASE_OF_PRONOUN = re.compile("(?:उस|इस|उन|इन)(का|की|के|को|ने|में|से|पर)|उसे|इसे|उन्हें|इन्हें")
_DETERMINERS = frozenset("the a an my our your this these all any every each no".split())


@dataclass(frozen=True)
class Words:
    """A text with its words; boundary `n` is before word `n`, the last one behind all words."""

    text: str

    @cached_property
    def places(self) -> tuple[tuple[int, int, str], ...]:
        return tuple(word_places(self.text))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(word for _, _, word in self.places)

    def between(self, start: int, end: int) -> Span:
        """The characters of the words from one boundary to another; empty at the place where words are put in."""
        if start < end:
            return Span(self.places[start][0], self.places[end - 1][1])
        at = self.places[start][0] if start < len(self.places) else (self.places[-1][1] if self.places else 0)
        return Span(at, at)


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A follow-up with the earlier question and its answer."""

    typed: Words
    question: Words
    answer: Words

    @classmethod
    def of(cls, typed: str, question: str, answer: str) -> FollowUp:
        return cls(Words(typed), Words(question), Words(answer))


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit; boundaries are counted in words.

    `replace`: the words `typed` of the follow-up are put into the earlier question at `other`. `resolve`: the words
    `other` of the earlier question, or of the answer if `from_answer`, are put into the follow-up at `typed`, behind
    the `joiner`, with a possessive ending if `possessive`. The others have no words.
    """

    operation: Operation
    typed: tuple[int, int] = (0, 0)
    other: tuple[int, int] = (0, 0)
    from_answer: bool = False
    joiner: str = ""
    possessive: bool = False


def applied(edit: Edit, turn: FollowUp) -> str:
    """The text that an edit `replace` or `resolve` gives."""
    if edit.operation == "replace":
        put = turn.typed.between(*edit.typed).of(turn.typed.text)
        return _put(turn.question, edit.other, put)
    source = turn.answer if edit.from_answer else turn.question
    put = source.between(*edit.other).of(source.text).removesuffix("'s").removesuffix("’s")
    if edit.possessive and put:
        put += "'" if put.endswith("s") else "'s"
    replaced = turn.typed.between(*edit.typed).of(turn.typed.text)
    if case := _CASE_OF_PRONOUN.fullmatch(replaced):
        put = f"{put} {case[1] or 'को'}"
    return _put(turn.typed, edit.typed, _lowered(f"{edit.joiner} {put}".strip(), edit))


def _put(into: Words, place: tuple[int, int], put: str) -> str:
    at = into.between(*place)
    before, behind = into.text[: at.start], into.text[at.end :]
    if at.start == at.end:  # behind the last word, before its full stop, or between two words
        before, behind = before.rstrip(), f"{'' if place[0] == len(into.places) else ' '}{behind.lstrip()}"
        put = f" {put}" if before else put
    return f"{before}{put}{behind}"


def _lowered(put: str, edit: Edit) -> str:
    """Without the capital letter of the beginning of a sentence: "The fee" inside a question."""
    first = put.split(" ", 1)[0]
    begins = edit.other[0] == 0 and not edit.joiner and edit.typed[0] > 0
    return put[:1].lower() + put[1:] if begins and first.casefold() in _DETERMINERS else put


def find(part: Sequence[str], whole: Sequence[str]) -> list[int]:
    """The places where words stand in a row in others."""
    count = len(part)
    return [at for at in range(len(whole) - count + 1) if tuple(whole[at : at + count]) == tuple(part)] if count else []
