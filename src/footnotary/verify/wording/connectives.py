"""Whether "and" and "or" join the same things in a claim as in its source."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from footnotary.verify.wording.alignment import align
from footnotary.verify.wording.alternatives import find_stated_choice
from footnotary.verify.wording.negation.scope import denials
from footnotary.verify.wording.parsed_text import AnalyzedWord, analyze_text

Joint = Literal["and", "or"]

_JOINS: dict[str, Joint] = {
    "and": "and",
    "or": "or",
    "nor": "or",
    "और": "and",
    "तथा": "and",
    "एवं": "and",
    "या": "or",
    "अथवा": "or",
}
# Words that may stand between a joint and the thing it joins without being that thing.
_PASSING = frozenset("liabl liable punish also both either further addition".split())
_PENALTIES = frozenset("imprison fine die forfeitur".split())
_VERBS = frozenset("may can shall must will is are could should might".split())
_PRONOUNS = frozenset("he she it they there this that these we you i who which if when".split())
_PICKING = frozenset("higher lower greater lesser larger smaller later earlier more less".split())
_REACH, _MOST = 3, 200
# A demand of either of two things; what is allowed, denied, conditional or said of any of a kind allows each.
_DEMANDS = frozenset("must shall need needs requires require".split())
_OPENING = frozenset(
    "may can could not no cannot need-not never nobody if where when unless until who which that whose any whether"
    " either every each such except without before after within punish punished punishable liable".split()
)
_SHORT_RULE = 20
_EXCEPTED_REACH = 20
_COVERED = 0.5


@dataclass(frozen=True, slots=True)
class Junction:
    """Two things joined: the words on either side nearest to the joint, by concept."""

    word: AnalyzedWord
    joint: Joint
    left: tuple[AnalyzedWord, ...]
    right: tuple[AnalyzedWord, ...]


@lru_cache(maxsize=128)
def junctions(text: str) -> tuple[Junction, ...]:
    """Every "and" and "or" of `text` with what it joins; "and/or" joins either way and is none."""
    words = analyze_text(text).words
    found: list[Junction] = []
    for word in words:
        joint = _JOINS.get(word.text)
        if joint is None or _is_and_or(words, word):
            continue
        left = _side(reversed(words[: word.place]), word)
        right = _side(iter(words[word.place + 1 :]), word)
        if left and right:
            found.append(Junction(word, joint, left, right))
    return tuple(found[:_MOST])


def _is_and_or(words: tuple[AnalyzedWord, ...], word: AnalyzedWord) -> bool:
    beside = (*words[word.place - 1 : word.place], *words[word.place + 1 : word.place + 2])
    return any(w.text in _JOINS for w in beside)


def _side(words: Iterable[AnalyzedWord], joint: AnalyzedWord) -> tuple[AnalyzedWord, ...]:
    side: list[AnalyzedWord] = []
    for word in words:
        if word.sentence != joint.sentence or ";" in word.gap or len(side) == _REACH:
            break
        if word.content and word.key not in _PASSING:
            side.append(word)
    return tuple(side)


def connectives_disagree(claim: str, premise: str) -> str | None:
    """Two things that the claim joins by "and" and the source by "or", or the other way round."""
    return (
        _copied(claim, premise)
        or dropped_alternative(claim, premise)
        or _penalties(claim, premise)
        or _same_pair(claim, premise)
    )


def dropped_alternative(claim: str, premise: str) -> str | None:
    """One of two things of which the source demands either, or says that it is one of them.

    "Must submit a passport" for "a passport or a card"; "is blue" for "is red or blue".
    """
    aligned = align(claim, premise)
    if aligned.likeness < 1 or any(parting.claim for parting in aligned.partings):
        return None
    texts = [w.text for w in aligned.sentence]
    demand = next((w for w in aligned.sentence if w.text in _DEMANDS), None) or find_stated_choice(aligned.sentence)
    if demand is None or texts.count("or") != 1 or _OPENING & set(texts) or len(texts) > _SHORT_RULE:
        return None
    for parting in aligned.partings:
        left_out = parting.source
        if not left_out or left_out[0].place < demand.place or not any(w.content for w in left_out):
            continue
        if (parting.right is None and left_out[0].text == "or") or left_out[-1].text == "or":
            said = " ".join(w.raw for w in left_out)
            return f'the source has one of several, and the claim leaves out "{said}"'
    return None


def _copied(claim: str, premise: str) -> str | None:
    aligned = align(claim, premise)
    if not aligned.near_copy:
        return None
    for parting in aligned.partings:
        ours = [w for w in parting.claim if w.text in _JOINS]
        theirs = [w for w in parting.source if w.text in _JOINS]
        if len(ours) != 1 or len(theirs) != 1 or _JOINS[ours[0].text] == _JOINS[theirs[0].text]:
            continue
        if any(w.content for w in (*parting.claim, *parting.source)):
            continue
        if _denied(premise, theirs[0]) or _denied(claim, ours[0]) or _excepted(claim, ours[0]):
            continue
        return f'the claim joins with "{ours[0].raw}", the source with "{theirs[0].raw}"'
    return None


def _denied(text: str, word: AnalyzedWord) -> bool:
    """Under a "not" the two change places: "not A or B" is "neither A nor B"."""
    return any(word.place in denial.reach for denial in denials(text))


def _excepted(text: str, word: AnalyzedWord) -> bool:
    """In what is excepted or included, "A or B" and "A and B" name the same things."""
    before = analyze_text(text).words[max(word.place - _EXCEPTED_REACH, 0) : word.place]
    return any(w.text == "except" and w.sentence == word.sentence for w in before)


def _is_pick(text: str, word: AnalyzedWord) -> bool:
    """ "The higher of A and B" is "A or B, whichever is higher"."""
    before = analyze_text(text).words[max(word.place - 12, 0) : word.place]
    return any(one.text in _PICKING and other.text == "of" for one, other in pairwise(before))


def _penalties(claim: str, premise: str) -> str | None:
    """Imprisonment and fine: how the sentence joins them, however far apart they stand."""
    ours = _penalty_joint(claim)
    theirs = _penalty_joint(premise) if ours else None
    if ours and not theirs:  # sentences that differ: the one that the claim is nearest to speaks
        sentence = align(claim, premise).sentence
        theirs = _joint_of(sentence) if sentence else None
    if ours and theirs and ours != theirs:
        return f'the claim joins imprisonment and fine with "{ours}", the source with "{theirs}"'
    return None


def _penalty_joint(text: str) -> Joint | None:
    """The joint between the penalties named in a sentence; None where there is none, or both kinds."""
    joints: set[Joint] = {
        joint for sentence in analyze_text(text).sentences if (joint := _joint_of(sentence)) is not None
    }
    return joints.pop() if len(joints) == 1 else None


def _joint_of(sentence: tuple[AnalyzedWord, ...]) -> Joint | None:
    joints: set[Joint] = set()
    named = [w for w in sentence if w.key in _PENALTIES]
    for one, other in pairwise(named):
        if one.key == other.key or _opens_statement(sentence, other):
            continue
        between = [w for w in sentence if one.place < w.place < other.place]
        later = [w.text for w in sentence if other.place < w.place <= other.place + 4]
        found: set[Joint] = {_JOINS[w.text] for w in between if w.text in _JOINS}
        joints |= {"or"} if "or" in later and "both" in later else found
    return next(iter(joints)) if len(joints) == 1 else None


def _joins_statements(text: str, junction: Junction) -> bool:
    """Whether whole statements are joined and not two things: "HR and she said"."""
    words = analyze_text(text).words
    following = words[junction.word.place + 1].text
    return (
        following in _PRONOUNS or following in {"her", "hers", "herself"} or _opens_statement(words, junction.right[0])
    )


def _opens_statement(sentence: tuple[AnalyzedWord, ...], penalty: AnalyzedWord) -> bool:
    """Whether the penalty is the subject of a statement of its own: "and a fine may be imposed instead"."""
    at = penalty.place - sentence[0].place + 1
    return at < len(sentence) and sentence[at].text in _VERBS


def _same_pair(claim: str, premise: str) -> str | None:
    theirs = junctions(premise)
    for ours in junctions(claim) if theirs else ():
        if (
            _is_pick(claim, ours.word)
            or _denied(claim, ours.word)
            or _excepted(claim, ours.word)
            or _joins_statements(claim, ours)
        ):
            continue
        covering = _covering(_statement(claim, ours.word), premise)
        same = [
            j
            for j in theirs
            if j.word.text != "nor"
            and j.word.sentence in covering
            and _joins_same(ours, j)
            and not _joins_statements(premise, j)
        ]
        if same and all(j.joint != ours.joint for j in same) and not any(_denied(premise, j.word) for j in same):
            said = f"{ours.left[0].raw} {ours.word.raw} {ours.right[0].raw}"
            return f'the claim says "{said}", the source "{same[0].word.raw}"'
    return None


def _statement(text: str, joint: AnalyzedWord) -> frozenset[str]:
    """What the statement is about in which a joint stands: a semicolon parts it from the next."""
    words = analyze_text(text).sentence(joint.sentence)
    at = joint.place - words[0].place
    start = next((i for i in range(at, 0, -1) if ";" in words[i].gap), 0)
    end = next((i for i in range(at + 1, len(words)) if ";" in words[i].gap), len(words))
    return frozenset(w.key for w in words[start:end] if w.content)


def _covering(about: frozenset[str], premise: str) -> set[int]:
    """The sentences of the source that have enough of it."""
    return {
        sentence[0].sentence
        for sentence in analyze_text(premise).sentences
        if len(about & {w.key for w in sentence}) >= _COVERED * len(about)
    }


def _joins_same(one: Junction, other: Junction) -> bool:
    """The same two words in the same form, in either order; "a man or a woman" may well stand for "men and women"."""
    straight = _meet(one.left, other.left) and _meet(one.right, other.right)
    return straight or (_meet(one.left, other.right) and _meet(one.right, other.left))


def _meet(one: tuple[AnalyzedWord, ...], other: tuple[AnalyzedWord, ...]) -> bool:
    return bool({w.text for w in one[:2]} & {w.text for w in other[:2]})
