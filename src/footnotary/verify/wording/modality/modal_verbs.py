"""The words of permission and duty in a text, with the act each is said of."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from footnotary.verify.wording.parsed_text import AnalyzedWord, analyze_text

Force = Literal["may", "must", "should", "must not", "need not"]

FORCE: dict[str, Force] = {
    "may": "may", "can": "may", "might": "may", "could": "may",
    "shall": "must", "must": "must", "will": "must", "should": "should",
    "cannot": "must not", "need-not": "need not",
    "सकता": "may", "सकती": "may", "सकते": "may", "होगा": "must", "होगी": "must", "होंगे": "must", "चाहिए": "should",
}  # fmt: skip
# Said of an act as a whole: "entry is permitted", "it is compulsory".
_SAID_OF: dict[str, Force] = {
    "permissible": "may", "optional": "may", "discretionary": "may", "mandatory": "must", "compulsory": "must",
    "obligatory": "must", "recommended": "should", "advisable": "should", "prohibited": "must not",
    "forbidden": "must not", "allowed": "may", "permitted": "may", "required": "must",
}  # fmt: skip
NEGATED: dict[Force, Force] = {
    "may": "must not", "must": "must not", "should": "must not", "must not": "may", "need not": "must",
}  # fmt: skip
_HAVING = frozenset("is are was were be been has have had do does did".split())
_NO_SUBJECT = frozenset("no nobody none neither nothing".split())
# "may be called", "as it may think fit", "can be expressed": these allow nobody anything.
_IDLE = frozenset("call cite think appear seem".split())
# Words that are always about permission or duty; the others also foretell or suppose.
_SUBJECT_REACH = 40


@dataclass(frozen=True, slots=True)
class Modal:
    """A word of permission or duty, its force with any "not" counted in, and the act it is said of."""

    word: AnalyzedWord
    force: Force
    act: str | None


@lru_cache(maxsize=128)
def modals(text: str) -> tuple[Modal, ...]:
    """Every word of permission or duty in `text`."""
    words = analyze_text(text).words
    found: list[Modal] = []
    for word in words:
        force = FORCE.get(word.text)
        if force is not None:
            if word.text == "will" and word.place and words[word.place - 1].is_determiner:
                continue  # a testament
            modal = _of_act(words, word, force)
            if modal is not None:
                found.append(modal)
        elif (
            word.text in _SAID_OF
            and word.place
            and words[word.place - 1].text in {"is", "are", "be", "was", "were", "not"}
        ):
            force = _SAID_OF[word.text]
            negated = words[word.place - 1].text == "not"
            act = next((w.key for w in words[word.place + 1 : word.place + 4] if w.content), None)
            found.append(Modal(word, _negate(force, word.text) if negated else force, act))
    return tuple(found)


def _negate(force: Force, text: str) -> Force:
    return "need not" if force == "must" and text not in {"shall", "must", "will"} else NEGATED[force]


def _of_act(words: tuple[AnalyzedWord, ...], modal: AnalyzedWord, force: Force) -> Modal | None:
    if not modal.text.isascii():
        act = next((w.key for w in reversed(words[: modal.place]) if w.content and w.clause == modal.clause), None)
        negated = any(w.text in {"नहीं", "न"} for w in words[max(modal.place - 3, 0) : modal.place])
        return Modal(modal, NEGATED[force] if negated else force, act)
    following = words[modal.place + 1 :]
    negated = bool(following) and following[0].text in {"not", "never"}
    if following and "," in following[1 if negated and len(following) > 1 else 0].gap:
        close = next((w.place for w in following[1:] if "," in w.gap and w.sentence == modal.sentence), None)
        following = words[close:] if close is not None else following
    act = next((w for w in following[:7] if w.content and w.sentence == modal.sentence), None)
    if act is not None and act.key in _IDLE:
        return None
    before = words[max(modal.place - 4, 0) : modal.place]
    if force == "may" and any(w.text in {"as", "it"} for w in before[-3:]) and any(w.text == "as" for w in before):
        return None  # "as may be prescribed", "as it may direct"
    if any(
        w.text in _NO_SUBJECT and w.sentence == modal.sentence and _governs(words, w, modal)
        for w in words[max(modal.place - _SUBJECT_REACH, 0) : modal.place]
    ):
        negated = not negated
    return Modal(modal, NEGATED[force] if negated else force, act.key if act else None)


def _governs(words: tuple[AnalyzedWord, ...], no: AnalyzedWord, modal: AnalyzedWord) -> bool:
    """Whether "no" opens the subject of `modal`, with at most a relative clause between."""
    before = words[no.place - 1] if no.place else None
    if (
        before is not None
        and before.clause == no.clause
        and "," not in no.gap
        and (before.content or before.text in _HAVING)
    ):
        return False  # "has no chance": "no" stands with the object
    between = words[no.place + 1 : modal.place]
    opened = (w for before, w in zip((no, *between), (*between, modal), strict=True) if w.clause != before.clause)
    return not any(
        w.text in FORCE or w.text in {"and", "but", "unless", "except"} or '"' in w.gap for w in between
    ) and all(w.text in {"who", "which", "that", "whose", "where"} for w in opened)
