"""Whether a claim permits, obliges, advises or forbids as its source does."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from footnotary.verify.alignment import align
from footnotary.verify.denials import bounds_by_itself, undone
from footnotary.verify.reading import Reading, Word, read

Force = Literal["may", "must", "should", "must not", "need not"]

_FORCE: dict[str, Force] = {
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
_NEGATED: dict[Force, Force] = {
    "may": "must not", "must": "must not", "should": "must not", "must not": "may", "need not": "must",
}  # fmt: skip
_HAVING = frozenset("is are was were be been has have had do does did".split())
_NO_SUBJECT = frozenset("no nobody none neither nothing".split())
# "may be called", "as it may think fit", "can be expressed": these allow nobody anything.
_IDLE = frozenset("call cite think appear seem".split())
_PENALTY = frozenset("punish imprison fine face liabl get lead carri attract result receiv extend liable".split())
_EXCLUSIVE = frozenset("only solely unless except until".split())
_BEYOND = frozenset("beyond outside except unless without otherwise until other".split())
# "Shall be entitled to vote" obliges others; he who is entitled may.
_ENABLING = frozenset("entitl right permit allow power elig liberti".split())
_BOUNDS = frozenset("up-to at-least within maximum minimum".split())
# Words that are always about permission or duty; the others also foretell or suppose.
_SUBJECT_REACH = 40
_PLAIN = frozenset("may shall must need-not cannot".split())
_REFUSING = frozenset("refuse deni reject prohibit declin".split())
_OPEN_TERM = frozenset({"up-to", "maximum"})


@dataclass(frozen=True, slots=True)
class Modal:
    """A word of permission or duty, its force with any "not" counted in, and the act it is said of."""

    word: Word
    force: Force
    act: str | None


@lru_cache(maxsize=128)
def modals(text: str) -> tuple[Modal, ...]:
    """Every word of permission or duty in `text`."""
    words = read(text).words
    found: list[Modal] = []
    for word in words:
        force = _FORCE.get(word.text)
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
    return "need not" if force == "must" and text not in {"shall", "must", "will"} else _NEGATED[force]


def _of_act(words: tuple[Word, ...], modal: Word, force: Force) -> Modal | None:
    if not modal.text.isascii():
        act = next((w.key for w in reversed(words[: modal.place]) if w.content and w.clause == modal.clause), None)
        negated = any(w.text in {"नहीं", "न"} for w in words[max(modal.place - 3, 0) : modal.place])
        return Modal(modal, _NEGATED[force] if negated else force, act)
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
    return Modal(modal, _NEGATED[force] if negated else force, act.key if act else None)


def _governs(words: tuple[Word, ...], no: Word, modal: Word) -> bool:
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
        w.text in _FORCE or w.text in {"and", "but", "unless", "except"} or '"' in w.gap for w in between
    ) and all(w.text in {"who", "which", "that", "whose", "where"} for w in opened)


_AT_ODDS: frozenset[frozenset[str]] = frozenset(
    frozenset(pair)
    for pair in (
        ("may", "must"), ("may", "must not"), ("must", "should"), ("must", "must not"), ("must", "need not"),
        ("should", "must not"), ("must not", "need not"), ("may", "should"), ("need not", "should"),
    )
)  # fmt: skip


def modality_disagrees(claim: str, premise: str) -> str | None:
    """What the claim makes a duty, a choice or a ban that the source does not."""
    return _copied(claim, premise) or _same_act(claim, premise)


def _copied(claim: str, premise: str) -> str | None:
    aligned = align(claim, premise)
    if not aligned.near_copy:
        return None
    limits = {w.text for w in read(claim).words} & _EXCLUSIVE
    if limits and not limits & {w.text for w in aligned.sentence}:
        return None  # "may in no other" is "shall only in these"
    for parting in aligned.partings:
        ours = [w for w in parting.claim if w.text in _FORCE]
        theirs = [w for w in parting.source if w.text in _FORCE]
        if len(ours) == 1 and len(theirs) == 1 and not any(w.content for w in (*parting.claim, *parting.source)):
            one, other = _modal_at(claim, ours[0]), _modal_at(premise, theirs[0])
            if one is None or other is None or frozenset((one.force, other.force)) not in _AT_ODDS:
                continue
            if _bounds_a_penalty(one, other, read(claim)):
                continue
            if _shuts_out(one, read(claim).words, aligned.sentence) or _enabled(one, other):
                continue
            if one.act == other.act or "must not" not in {one.force, other.force}:
                return f'the claim says "{ours[0].raw}", the source "{theirs[0].raw}"'
    return None


def _bounds_a_penalty(one: Modal, other: Modal, claim: Reading) -> bool:
    """Whether "can be jailed for up to seven years" renders "shall be punished with up to seven years"."""
    if one.force != "may" or one.act not in _PENALTY or (one.act == other.act and one.word.text == "may"):
        return False
    return any(w.text in _OPEN_TERM or w.text == "or" for w in claim.words)


def _modal_at(text: str, word: Word) -> Modal | None:
    return next((modal for modal in modals(text) if modal.word.place == word.place), None)


def _same_act(claim: str, premise: str) -> str | None:
    ours, theirs = modals(claim), modals(premise)
    if not ours or not theirs:
        return None
    claim_words, source_words = read(claim).words, read(premise).words
    covering = _covering(read(claim).keys, read(premise))
    limits = {w.text for w in claim_words} & _EXCLUSIVE
    for modal in ours:
        if _said_so(modal, claim_words, theirs, source_words):
            continue
        same = [other for other in theirs if other.act is not None and other.act == modal.act]
        same = [other for other in same if other.word.sentence in covering]
        if not same:
            same = _in_nearest_clause(modal, claim_words, theirs, source_words)
        if not same or any(frozenset((modal.force, other.force)) not in _AT_ODDS for other in same):
            continue
        forces = {modal.force, same[0].force}
        if forces == {"may", "must not"} and (limits or _shuts_out(modal, claim_words, source_words)):
            continue  # "may only with consent" is "may not without consent"
        if "must not" in forces and bounds_by_itself(claim_words) != bounds_by_itself(source_words):
            continue  # "must not be kept longer than needed" is "shall be kept no longer than needed"
        if forces == {"must", "must not"} and undone(claim_words, source_words):
            continue  # "must have a licence to sell" is "may not sell without a licence"
        if modal.force == "may" and _exists(modal, claim_words):
            continue  # "there may be at most eight members"
        if forces == {"may", "must"} and limits:
            continue  # "may only in these" is "shall only in these"
        if (
            modal.force == "may"
            and modal.act in _PENALTY
            and any(w.text in _OPEN_TERM or w.text == "or" for w in claim_words)
        ):
            continue  # "can be jailed for up to seven years" is what "shall be punished with up to" comes to
        return f'the claim says "{modal.word.raw}" ({modal.force}), the source "{same[0].word.raw}" ({same[0].force})'
    return None


def _shuts_out(modal: Modal, claim: tuple[Word, ...], source: tuple[Word, ...]) -> bool:
    """Whether "not beyond what the contract permits" renders "only as the contract permits"."""
    return (
        modal.force == "must not"
        and any(w.text in _EXCLUSIVE for w in source)
        and any(w.text in _BEYOND for w in claim[modal.word.place :])
    )


def _enabled(one: Modal, other: Modal) -> bool:
    """Whether "may vote" renders "shall be entitled to vote"."""
    return one.force == "may" and other.force == "must" and other.act in _ENABLING and one.act != other.act


def _exists(modal: Modal, claim: tuple[Word, ...]) -> bool:
    return (
        modal.word.place > 0 and claim[modal.word.place - 1].text == "there" and any(w.text in _BOUNDS for w in claim)
    )


def _said_so(modal: Modal, claim: tuple[Word, ...], theirs: tuple[Modal, ...], source: tuple[Word, ...]) -> bool:
    """Whether the act stands in the reach of a modal of the same force, or of a right for a permission."""
    act = next((w for w in claim[modal.word.place + 1 :] if w.content and w.key == modal.act), None)
    if act is None:
        return False
    known = any(other.act == modal.act for other in theirs)
    for other in theirs:
        end = next((m.word.place for m in theirs if m.word.place > other.word.place), len(source))
        reach = [w for w in source[other.word.place + 1 : end] if w.sentence == other.word.sentence]
        enables = other.force == "must" and other.act in _ENABLING
        if known and not enables:
            continue
        for word in reach:
            if word.key != act.key:
                continue
            force = _NEGATED[other.force] if word.flipped != act.flipped else other.force
            if force == modal.force or (enables and modal.force == "may"):
                return True
    return False


def _covering(keys: frozenset[str], premise: Reading) -> frozenset[int]:
    """The sentences that have most of what the claim has."""
    shared = {s[0].sentence: len(keys & {w.key for w in s}) for s in premise.sentences}
    return frozenset(number for number, count in shared.items() if count == max(shared.values()))


def _in_nearest_clause(
    modal: Modal, claim: tuple[Word, ...], theirs: tuple[Modal, ...], source: tuple[Word, ...]
) -> list[Modal]:
    """The modal of the source's clause that says most of what the claim's clause says, if it says most of it."""
    keys = {w.key for w in claim if w.content and w.clause == modal.word.clause}
    theirs = tuple(other for other in theirs if other.word.text in _PLAIN)
    if len(keys) < 2 or modal.word.text not in _PLAIN or not theirs or modal.act in _REFUSING:
        return []
    scored: list[tuple[float, Modal]] = []
    for other in theirs:
        clause = {w.key for w in source if w.content and w.clause == other.word.clause}
        scored.append((len(keys & clause) / len(keys), other))
    score, best = max(scored, key=lambda entry: entry[0])
    return [best] if score >= 0.6 and sum(s == score for s, _ in scored) == 1 else []
