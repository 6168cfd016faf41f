"""Whether the same party acts, and on the same party, in a claim as in its source."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, TypeAlias

from footnotary.verify.wording.parsed_text import AnalyzedWord, analyze_text
from footnotary.verify.wording.roles.agents import agent_mismatch, named_parties, swapped_party
from footnotary.verify.wording.roles.parties import VAGUE, counterparts, parties

Role = Literal["does", "undergoes", "source", "of"]
Part: TypeAlias = tuple[str, Role]

_REVERSED: dict[Role, Role] = {"does": "undergoes", "undergoes": "does"}
_SAID: dict[Role, str] = {"does": "does", "undergoes": "undergoes", "source": "is the source of", "of": "has"}
_BE = frozenset("is are was were be been being".split())
_VERBAL = _BE | frozenset("may shall must can could will would should to has have had does do did".split())
_PREPOSITIONS = frozenset(
    "of from to by for with against between in on than about at under upon within before after unless except".split()
)
_MODAL = frozenset("shall may must will can".split())
_SUFFERED = frozenset(
    "deceived cheated robbed hurt injured killed wronged harmed defrauded assaulted threatened kidnapped"
    " defamed attacked victim deceive".split()
)
_BLAMED = frozenset("punish imprison guilty liable convict fine".split())
_SKIPPED = frozenset("not also so thereby then only already never".split())
# "To prison" names a place and no act.
_PAST = frozenset(
    "bought sold gave took made paid told sent lent kept held left lost won put may shall must will".split()
)
_SIZES = frozenset("at-least up-to more less fewer than".split())
_NOMINAL = ("ment", "tion", "sion", "ance", "ence", "ity", "ness")
_PLACES = frozenset("prison jail court school trial work hospital".split())
_OBJECT_REACH = 7


def roles_disagree(claim: str, premise: str) -> str | None:
    """The party that the claim puts in another's place."""
    return (
        _substituted(claim, premise)
        or _blamed(claim, premise)
        or swapped_party(claim, premise)
        or _swapped(claim, premise)
        or agent_mismatch(claim, premise)
    )


def _substituted(claim: str, premise: str) -> str | None:
    """A party of a known relation that the source does not have, for one that the claim has not."""
    ours, theirs = analyze_text(claim).words, analyze_text(premise).words
    named, source = named_parties(ours), named_parties(theirs)
    everything = {w.key for w in theirs}
    for word in ours:
        if word.key not in named or word.key in everything:
            continue
        lost = (counterparts(word.key) & source) - named
        if lost:
            return f"the claim names the {word.raw}, the source the {next(w.raw for w in theirs if w.key in lost)}"
    return None


def _blamed(claim: str, premise: str) -> str | None:
    """Punishing the one who suffered: "the person deceived shall be punished"."""
    ours = _sufferers_blamed(analyze_text(claim).words)
    if ours is None or _sufferers_blamed(analyze_text(premise).words) is not None:
        return None
    return f'the claim blames the one who is "{ours.raw}", the source does not'


def _sufferers_blamed(words: tuple[AnalyzedWord, ...]) -> AnalyzedWord | None:
    for word in words:
        if word.key not in _BLAMED or not word.place:
            continue
        before = [w for w in words[max(word.place - 6, 0) : word.place] if w.sentence == word.sentence]
        subject = [w for w in before if w.content]
        if subject and subject[-1].text in _SUFFERED:
            return subject[-1]
        if len(subject) > 1 and subject[-1].key == "person" and subject[-2].text in _SUFFERED:
            return subject[-2]
    return None


@lru_cache(maxsize=128)
def _parts(text: str) -> dict[str, frozenset[Part]]:
    """For each act or thing, the parties that do it, undergo it, or that it comes from or belongs to."""
    words = analyze_text(text).words
    known = parties()
    table: dict[str, set[Part]] = {}
    for word in words:
        if not word.content or word.key in known or word.text in _SIZES:
            continue
        parts = table.setdefault(word.key, set())
        parts.update(_belonging(words, word, known))
        earlier = (words[place] for place in range(word.place - 1, -1, -1))
        before = next((w for w in earlier if w.text not in _SKIPPED), None)
        passive = before is not None and before.text in _BE and not word.text.endswith("ing")
        if (
            before is not None
            and not _is_possessive(before)
            and not (before.text == "to" and (word.text in _PLACES or word.text.endswith(_NOMINAL)))
            and (
                before.text in _VERBAL
                or before.text in {"who", "which", "that"}
                or _after_aside(words, word)
                or _acts(before, word, known)
            )
        ):
            subject = _subject(words, word, known)
            if subject is not None:
                parts.add((subject.key, "undergoes" if passive else "does"))
        elif not word.text.endswith("ing") and not _by_follows(words, word):
            continue
        parts.update(_after(words, word, known, passive))
    return {key: frozenset(parts) for key, parts in table.items()}


def _after_aside(words: tuple[AnalyzedWord, ...], word: AnalyzedWord) -> bool:
    """Whether `word` is the verb that an aside parts from its modal: "shall, before letting them, give"."""
    if "," not in word.gap:
        return False
    earlier = words[max(word.place - 12, 0) : word.place]
    return any(w.text in _MODAL and "," in words[w.place + 1].gap and w.sentence == word.sentence for w in earlier)


def _acts(before: AnalyzedWord, word: AnalyzedWord, known: frozenset[str]) -> bool:
    """Whether `word` is the verb of the party right before it: "the donee accepts", not "customer service"."""
    return before.key in known and "," not in word.gap and (word.text.endswith(("s", "ed", "en")) or word.text in _PAST)


def _is_possessive(word: AnalyzedWord) -> bool:
    return word.raw.endswith(("'s", "’s", "s'", "s’"))


def _by_follows(words: tuple[AnalyzedWord, ...], word: AnalyzedWord) -> bool:
    return any(w.text == "by" for w in words[word.place + 1 : word.place + 2])


def _follows(words: tuple[AnalyzedWord, ...], party: AnalyzedWord) -> str | None:
    """The preposition before a party, across its articles and adjectives."""
    inside = party
    for word in reversed(words[max(party.place - 3, 0) : party.place]):
        if "," in inside.gap:
            return None
        if word.text in _PREPOSITIONS:
            return word.text
        if not word.is_determiner and not word.content and not word.is_number and word.text not in _SIZES:
            return None
        inside = word
    return None


def _subject(words: tuple[AnalyzedWord, ...], verb: AnalyzedWord, known: frozenset[str]) -> AnalyzedWord | None:
    before = [w for w in words[: verb.place] if w.sentence == verb.sentence and w.key in known]
    heads = [w for w in before if _is_head(words, w)]
    same = [w for w in heads if w.clause == verb.clause]
    if same:
        return same[-1]
    # "The employer, on receiving notice, shall pay": the subject stands before the aside.
    if (
        any(w.content and w.clause == verb.clause and w.sentence == verb.sentence for w in words[: verb.place])
        and "," not in verb.gap
    ):
        return None  # the clause has a subject of its own
    near = words[max(verb.place - 3, 0) : verb.place + 1]
    return heads[-1] if heads and (any(w.text in _MODAL for w in near) or "," in verb.gap) else None


def _is_head(words: tuple[AnalyzedWord, ...], party: AnalyzedWord) -> bool:
    before = words[party.place - 1].text if party.place else ""
    return (
        not party.raw.endswith(("'s", "’s", "s'", "s’")) and before != "not" and _follows(words, party) in {None, "for"}
    )


def _after(words: tuple[AnalyzedWord, ...], verb: AnalyzedWord, known: frozenset[str], passive: bool) -> Iterable[Part]:
    preposition: str | None = None
    noun = False  # "produced on demand by the officer": he demands
    for word in words[verb.place + 1 : verb.place + 1 + _OBJECT_REACH]:
        if word.sentence != verb.sentence or (word.clause != verb.clause and word.text not in {"that"}):
            return
        if word.text in _PREPOSITIONS:
            if word.text == "by" and noun:
                return
            preposition = word.text
        elif word.content and word.key not in known and preposition is not None:
            noun = True
        elif word.key in known:
            if preposition == "by":
                if passive or verb.text.endswith(("ed", "en", "ance", "al", "ion")):
                    yield word.key, "does"
            elif preposition == "from":
                yield word.key, "source"
            elif preposition in {None, "to", "on"} and not _is_possessive(word):
                yield word.key, "undergoes"
            preposition = "after"


def _belonging(words: tuple[AnalyzedWord, ...], thing: AnalyzedWord, known: frozenset[str]) -> Iterable[Part]:
    before = words[thing.place - 1] if thing.place else None
    if before is not None and before.key in known and _is_possessive(before):
        yield before.key, "of"
    following = words[thing.place + 1 : thing.place + 5]
    if following and following[0].text == "of":
        party = next((w for w in following[1:] if w.content), None)
        if party is not None and party.key in known:
            yield party.key, "of"


@lru_cache(maxsize=64)
def _first_named(text: str) -> dict[str, set[str]]:
    """For each concept, the parties named first in the sentences that have it."""
    known = parties()
    table: dict[str, set[str]] = {}
    for sentence in analyze_text(text).sentences:
        opening = next((w.key for w in sentence if w.key in known and w.key not in VAGUE), None)
        for word in sentence if opening else ():
            table.setdefault(word.key, set()).add(opening or "")
    return table


def _swapped(claim: str, premise: str) -> str | None:
    ours = _parts(claim)
    if not any(ours.values()):
        return None
    theirs = _parts(premise)
    present = named_parties(analyze_text(premise).words) - VAGUE
    for act, parts in ours.items():
        source = theirs.get(act)
        if not source:
            continue
        for party, role in parts:
            if party not in present or (party, role) in source:
                continue
            if role in _REVERSED and any(p != party and (p, r) in source for p, r in parts):
                continue  # the source says it both ways round: buyer of seller, seller of buyer
            if role in _REVERSED and (party, _REVERSED[role]) in source:
                there = _SAID[_REVERSED[role]]
                return f'in the claim the {party} {_SAID[role]} "{act}", in the source the {party} {there} it'
            if role == "does" and party in _first_named(premise).get(act, ()):
                continue  # "an employer who makes an employee work shall pay": the first one named pays
            held = {other for other, r in source if r == role}
            if not held - VAGUE or held & {p for p, r in parts if r == role}:
                continue
            if role == "of" or any(other == party for other, _ in source) or role == "does":
                return f'in the claim the {party} {_SAID[role]} "{act}", in the source the {sorted(held)[0]}'
    return None
