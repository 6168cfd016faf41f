"""Follow-up questions: "And for theft?" after "What is the punishment for cheating?".

A model reads a follow-up with the turn before it and says which words of one belong where in the other
(`footnotary.reader.follow_up_edits`). Where it is not sure, the question is asked as typed and the one before is
searched for too. No word is put into a question that nobody said, apart from a few that only join.
"""

import re
from collections.abc import Sequence
from typing import Protocol

from footnotary.domain.conversation import AskedQuestion, EarlierTurn
from footnotary.gate.named_act import under_same_law, with_its_act
from footnotary.gate.question_subject import own_subject
from footnotary.profiles.schema import Profile
from footnotary.reader.follow_up_edits import Edit, FollowUp, applied
from footnotary.reader.shipped import follow_up_reader
from footnotary.text.normalise import nfc, squeeze
from footnotary.text.references.provisions import references
from footnotary.text.sentences.splitter import sentences
from footnotary.text.stopwords import STOP_WORDS
from footnotary.text.tokens import terms_of, words

_TURNS = 10
_LONGEST = 1000
_LONGEST_REASON = 30
# Most follow-ups need one edit; one with two pronouns needs two.
_STEPS = 3
# An edit is made from this probability on; chosen on the held-out conversations of its training.
SURE = 0.25
# One that adds to a follow-up which names what it is about, or asks for the reason of the answer in its place.
_SURE_OF_COMPLETE = 0.5
_SMALL_TALK = frozenset(
    "ok okay thanks thank you great fine good yes no hello hi hey please sure perfect धन्यवाद ठीक है".split()
)
_MARKER = re.compile(r"\s*\[[^\[\]]{1,80}\]")
_YES_OR_NO = re.compile(r"^(?:yes|no|हाँ|हां|जी हाँ|नहीं)\s*[,;:.–—]\s*", re.IGNORECASE)


class EditReader(Protocol):
    def likeliest(self, turn: FollowUp) -> tuple[Edit, float]:
        """The likeliest edit of a turn and its probability."""
        ...


def follow_up(
    question: str, earlier: Sequence[EarlierTurn], profile: Profile, reader: EditReader | None = None
) -> AskedQuestion:
    """The question as it is asked after `earlier`, the turns before it in order.

    `reader` is the shipped one unless another is given; where it is not installed, every question is asked as typed.

    A question read as complete is given back as it was typed. No word comes from anywhere but the conversation, apart
    from the joiners of `footnotary.reader.follow_up_edits` and "Why is it that".
    """
    reader = reader or (follow_up_reader() if earlier else None)
    if reader is None:
        return AskedQuestion(question, question)
    last: EarlierTurn | None = None
    refusals = (profile.refusal.en, profile.refusal.hi)
    for turn in [turn for turn in earlier[-_TURNS:] if not _is_small_talk(turn.question)]:
        asked = _asked(turn.question, last, profile, reader)
        if asked.status != "not_understood":
            last = EarlierTurn(asked.text, "" if turn.answer.strip() in refusals else turn.answer)
    return _asked(question, last, profile, reader)


def complete_part(part: str, before: str, profile: Profile, reader: EditReader | None = None) -> str:
    """A later part of one question as a question of its own: its pronouns stand for words of the part before.

    Nothing is added to a part that names what it is about, since a question is split where whole questions meet.
    """
    reader = reader or follow_up_reader()
    text = written = squeeze(nfc(part))
    if reader is None or max(len(text), len(before)) > _LONGEST:
        return part
    for _ in range(_STEPS):
        turn = FollowUp.of(written, before, "")
        edit, probability = reader.likeliest(turn)
        if edit.operation != "resolve" or probability < SURE or (_adds(edit) and own_subject(written, profile)):
            break
        written = squeeze(applied(edit, turn))
    return _with_law(text, written, before)


def _with_law(text: str, written: str, before: str) -> str:
    return with_its_act(written if written == text else under_same_law(written, before), before)


def _asked(question: str, last: EarlierTurn | None, profile: Profile, reader: EditReader) -> AskedQuestion:
    text = squeeze(nfc(question))
    if last is None or max(len(text), len(last.question)) > _LONGEST or _is_small_talk(text):
        return AskedQuestion(question, question)
    last = EarlierTurn(squeeze(nfc(last.question)), squeeze(nfc(_MARKER.sub("", last.answer)))[:_LONGEST])
    written = _edited(text, last, profile, reader)
    if written is None:
        status = "with_context" if own_subject(text, profile) or references(text) else "not_understood"
        return AskedQuestion(question, question, status, last.question)
    written = _with_law(text, written, last.question)
    return AskedQuestion(question, question) if written == text else AskedQuestion(written, question, "rewritten")


def _edited(text: str, last: EarlierTurn, profile: Profile, reader: EditReader) -> str | None:
    """The text with every edit that the reader is sure of; None if it leans on the turn before in a way that is not."""
    for _ in range(_STEPS):
        turn = FollowUp.of(text, last.question, last.answer)
        edit, probability = reader.likeliest(turn)
        spoils = _adds(edit) or edit.operation == "why"
        needed = _SURE_OF_COMPLETE if spoils and own_subject(text, profile) else SURE
        if edit.operation == "open" or probability < needed:
            return None
        if edit.operation == "keep":
            return text
        if edit.operation == "why":
            return _why(last)
        edited = squeeze(applied(edit, turn))
        if edited in (text, last.question):
            return None
        if edit.operation == "replace":
            return edited
        text = edited
    return text


def _adds(edit: Edit) -> bool:
    return edit.operation == "resolve" and edit.typed[0] == edit.typed[1]


def _why(last: EarlierTurn) -> str | None:
    """The reason of the first sentence of the answer, if it is a whole one about what was asked."""
    said = sentences(_YES_OR_NO.sub("", last.answer.strip()))
    fact = said[0].rstrip(" .!।") if said else ""
    if not terms_of(fact) & terms_of(last.question) or not 2 < len(fact.split()) <= _LONGEST_REASON or "\n" in fact:
        return None
    if not fact.isascii() and any("\u0900" <= character <= "\u097f" for character in fact):
        return f"{fact}, क्यों?"
    first = fact.split()[0]
    lowered = first.casefold() in STOP_WORDS and first != "I"
    return f"Why is it that {fact[:1].lower() + fact[1:] if lowered else fact}?"


def _is_small_talk(turn: str) -> bool:
    return all(word in _SMALL_TALK for word in words(turn))
