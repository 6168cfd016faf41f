"""Scores a follow-up against the accepted ways to ask it: no word missing, and none that nobody said."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from footnotary.domain.conversation import AskedQuestion, EarlierTurn
from footnotary.text.tokens import content_terms, words

# Four writers: 150 pairs in plain sentences, 237 in other domains, 60 by a language model, and 150 as people type by another
# one. None of them is learned from.
FOLDER = Path(__file__).parent
FILES = ("pairs", "further_pairs", "unseen_pairs", "typed_pairs")
Result = Literal["right", "left_as_typed", "wrong"]

# Words that only ask or lead; leaving one out or adding one changes nothing.
_ASKING = frozenset(
    term
    for text in (
        "reason come mean meant ask asked asking want wanted know sorry oops wait typo make no not get take done happen "
        "instead maybe though tho ok case so one ones need use used amount"
    ).split()
    for term in content_terms(text)
)
_OURS = frozenset("the of for to under what is why it that के लिए क्यों का की में पर से".split())


@dataclass(frozen=True, slots=True)
class FollowUpPair:
    """A follow-up after earlier turns, the ways to ask it on its own, and whether it may be asked as typed."""

    history: tuple[EarlierTurn, ...]
    typed: str
    kind: str
    accepted: tuple[str, ...]
    as_typed: bool
    file: str


def read_pairs(files: Sequence[str] = FILES) -> list[FollowUpPair]:
    return [
        FollowUpPair(
            tuple(EarlierTurn(turn["question"], turn["answer"]) for turn in row["history"]),
            row["followup"],
            row["kind"],
            (row["standalone"], *row["acceptable"]),
            row["as_typed_ok"],
            file,
        )
        for file in files
        for row in map(json.loads, (FOLDER / f"{file}.jsonl").read_text(encoding="utf-8").splitlines())
    ]


def score(pair: FollowUpPair, asked: AskedQuestion) -> Result:
    """Right if an accepted form has no content word that was not asked, and what was asked has none of its own.

    A question that may be asked as typed must not be changed beyond the words that lead to it.
    """
    said = _terms(asked.text)
    if pair.as_typed and said == _terms(pair.typed):
        return "right"
    allowed = set[str]().union(*(_terms(form) for form in pair.accepted))
    for form in pair.accepted:
        wanted = _terms(form)
        if wanted <= said and said <= allowed | (_terms(pair.typed) & _ASKING):
            return "right"
    return "wrong" if asked.was_rewritten else "left_as_typed"


def invented(pair: FollowUpPair, asked: AskedQuestion) -> tuple[str, ...]:
    """The words of a question that nobody said in the conversation, other than the few words of ours."""
    earlier: Sequence[str] = [text for turn in pair.history for text in (turn.question, turn.answer)]
    known = {word for text in (*earlier, pair.typed) for word in words(text)} | _OURS
    return tuple(word for word in words(asked.text) if word not in known and re.sub("'s$", "", word) not in known)


def _terms(text: str) -> set[str]:
    return {term for term in content_terms(text.casefold()) if term not in _ASKING}
