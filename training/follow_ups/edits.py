"""Which edits turn a follow-up into the question that stands alone: what the model learns of a written row."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from footnotary.reader.follow_up_edits import JOINERS, Edit, FollowUp, Words, applied, find
from footnotary.text.tokens import content_terms, terms_of

WRITTEN = Path(__file__).parent / "written"
MOST_STEPS = 3
_LEADS = frozenset("and or but so ok okay also then well hm thanks great good what about how".split())
_COMMON = ("", "of", "for", "to", "in", "on", "the")
_REASON = ("why", "how come", "what reason", "what is the reason", "क्यों")


@dataclass(frozen=True, slots=True)
class Example:
    """A turn, the edit that is right for it, and the kind it is reported under."""

    turn: FollowUp
    edit: Edit
    kind: str


def written_rows(*, held_out: bool) -> Iterator[dict[str, Any]]:
    """The written conversations that are learned from, or the twelfth of them that is held out."""
    for path in sorted(WRITTEN.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                digest = hashlib.sha256(row["history"][0]["question"].encode()).hexdigest()
                if (int(digest, 16) % 12 == 0) == held_out:
                    yield row


def examples_of(row: dict[str, Any]) -> list[Example]:
    """The steps of one row, the last one with nothing left to edit; none if its standalone question is no such edit."""
    last = row["history"][-1]
    answer = "" if last["answer"].startswith("I cannot answer") else last["answer"]
    turn, kind = FollowUp.of(row["followup"], last["question"], answer), row["kind"]
    if kind == "unclear":
        return [Example(turn, Edit("open"), kind)]
    if kind == "new_topic" or kind == "topic_change" or turn.typed.keys == Words(row["standalone"]).keys:
        return [Example(turn, Edit("keep"), kind)]
    accepted = [Words(wanted) for wanted in (row["standalone"], *row["acceptable"])]
    for wanted in accepted:
        if (replaced := replacing(turn, wanted)) is not None:
            return [Example(turn, replaced, kind)]
        if steps := resolving(turn, wanted, kind):
            return steps
    if kind == "why" and any(word in row["followup"].casefold() for word in _REASON):
        return [Example(turn, Edit("why"), kind)]
    for wanted in accepted:
        if (nearest := with_the_same_terms(turn, wanted)) is not None:
            done = FollowUp(Words(applied(nearest, turn)), turn.question, turn.answer)
            last_step = [Example(done, Edit("keep"), kind)] if nearest.operation == "resolve" else []
            return [Example(turn, nearest, kind), *last_step]
    return []


def replacing(turn: FollowUp, wanted: Words) -> Edit | None:
    """The smallest part of the earlier question that words of the follow-up take the place of."""
    asked, said, typed = turn.question.keys, wanted.keys, turn.typed.keys
    before = _common(asked, said)
    behind = _common(asked[::-1], said[::-1])
    for width in range(len(said) + 1):  # the widest part that stays first
        for start in range(min(before, len(said)), -1, -1):
            end = start + width
            left = len(said) - end
            if end > len(said) or left > behind or start + left > len(asked):
                continue
            if not start and not left:
                continue
            if places := find(said[start:end], typed):
                return Edit("replace", (places[-1], places[-1] + width), (start, len(asked) - left))
    return None


def widened(turn: FollowUp, edit: Edit) -> Edit:
    """The same edit with the equal words on both sides of it: "an oral lease" for "an oral agreement"."""
    if edit.operation != "replace" or edit.other[0] == edit.other[1]:
        return edit
    (start, end), (first, last) = edit.typed, edit.other
    typed, asked = turn.typed.keys, turn.question.keys
    while start and first and typed[start - 1] == asked[first - 1]:
        start, first = start - 1, first - 1
    while end < len(typed) and last < len(asked) and typed[end] == asked[last]:
        end, last = end + 1, last + 1
    return edit if (first, last) == (0, len(asked)) else Edit("replace", (start, end), (first, last))


def resolving(turn: FollowUp, wanted: Words, kind: str) -> list[Example]:
    """Edits of the follow-up from left to right, then a last step that keeps it; none if a word comes from nowhere."""
    examples: list[Example] = []
    turn = without_lead(turn, wanted)
    while len(examples) < MOST_STEPS and turn.typed.keys != wanted.keys:
        edit = _first_resolution(turn, wanted)
        if edit is None:
            return []
        examples.append(Example(turn, edit, kind))
        turn = FollowUp(Words(applied(edit, turn)), turn.question, turn.answer)
    if turn.typed.keys != wanted.keys or not examples:
        return []
    return [*examples, Example(turn, Edit("keep"), kind)]


def without_lead(turn: FollowUp, wanted: Words) -> FollowUp:
    """The turn without the words that only lead to the follow-up, where the wanted question has none: "ok and who"."""
    typed = turn.typed
    for count in range(1, min(4, len(typed.keys))):
        if typed.keys[count] == wanted.keys[0] != typed.keys[0] and set(typed.keys[:count]) <= _LEADS:
            return FollowUp(Words(typed.text[typed.places[count][0] :]), turn.question, turn.answer)
    return turn


def with_the_same_terms(turn: FollowUp, wanted: Words) -> Edit | None:
    """Of the edits that give the content words of the wanted question, that with the words most like it."""
    terms = frozenset(content_terms(wanted.text))
    found: list[Edit] = []
    typed, asked = turn.typed, turn.question
    for start, end in _spans(len(typed.keys), 1, 12):
        put = terms_of(typed.between(start, end).of(typed.text))
        for place in _spans(len(asked.keys), 0, 8):
            if put | _outside(asked, place) == terms and place != (0, len(asked.keys)):
                found.append(Edit("replace", (start, end), place))
    for place in _spans(len(typed.keys), 0, 3):
        rest = _outside(typed, place)
        for from_answer, source in ((False, asked), (True, turn.answer)):
            for start, end in _spans(len(source.keys), 1, 12):
                if rest | terms_of(source.between(start, end).of(source.text)) == terms:
                    found += [Edit("resolve", place, (start, end), from_answer, joiner) for joiner in _COMMON]
    if not found:
        return None
    return max(found, key=lambda edit: SequenceMatcher(None, Words(applied(edit, turn)).keys, wanted.keys).ratio())


def _spans(count: int, least: int, most: int) -> Iterator[tuple[int, int]]:
    for start in range(count + 1):
        yield from ((start, end) for end in range(start + least, min(start + most, count) + 1))


def _outside(text: Words, place: tuple[int, int]) -> frozenset[str]:
    span = text.between(*place)
    return terms_of(text.text[: span.start]) | terms_of(text.text[span.end :])


def _first_resolution(turn: FollowUp, wanted: Words) -> Edit | None:
    typed, said = turn.typed.keys, wanted.keys
    for tag, start, end, new_start, new_end in SequenceMatcher(None, typed, said, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for found in _sources(turn, wanted, new_start, new_end):
            other, from_answer, joiner, possessive = found
            return Edit("resolve", (start, end), other, from_answer, joiner, possessive)
        return None
    return None


def _sources(turn: FollowUp, wanted: Words, start: int, end: int) -> Iterator[tuple[tuple[int, int], bool, str, bool]]:
    """Where the words of the wanted question come from, the whole as it stands before a joiner is taken off."""
    said = wanted.keys[start:end]
    possessive = wanted.between(start, end).of(wanted.text).endswith(("'s", "’s", "s'", "s’"))
    for joiner in sorted(JOINERS, key=lambda one: len(one.split())):
        joins = tuple(joiner.split())
        if said[: len(joins)] != joins or len(said) == len(joins):
            continue
        for from_answer, source in ((False, turn.question), (True, turn.answer)):
            if places := find(said[len(joins) :], source.keys):
                yield (places[0], places[0] + len(said) - len(joins)), from_answer, joiner, possessive


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    count = 0
    while count < min(len(one), len(other)) and one[count] == other[count]:
        count += 1
    return count
