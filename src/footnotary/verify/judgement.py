"""One score for a claim: what the trained model, the words in common and the guards say, weighed together."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.domain.draft import Claim
from footnotary.domain.verdict import Reason
from footnotary.ports import Entailer, Submission, Weighing
from footnotary.text.clock import timed_as
from footnotary.text.language import language_of
from footnotary.text.tokens import terms_of, words
from footnotary.verify.connectives import one_picked
from footnotary.verify.guards import GUARDS, Cited, cited_of, disagreements
from footnotary.verify.narrowing import narrowed
from footnotary.verify.overlap import heading_of, overlap
from footnotary.verify.small_words import small_word_changed
from footnotary.verify.unstated import unstated

# Without a model: what a share of common words is worth. The worst claim that no guard objects to scores above the
# best of the others.
_NO_OBJECTION_FROM = 0.5
_OBJECTION_UP_TO = 0.1
# Where there is a model and it cannot read the language, words have to say more: a claim has to share most of its own.
_UNREAD = 0.7
# No probability counts for more than this: beyond it a model is only sure, not right more often.
_MOST_LOG_ODDS = 6.0
_RUN = 3
_DIGITS = re.compile(r"\d[\d,.]*")
# A fifth of a second each: what is longer than any answer must not hold up a server.
MOST_JUDGED = 60

Objection = tuple[str, Reason, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim and what it is held against: the texts as the model reads them, and as the guards do."""

    claim: str
    passages: tuple[str, ...]
    cited: Cited


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a claim is worth, from 0 to 1, what guards hold against it, and the sentences that decide it.

    `chance` is what the model alone gives it; 0 where no model was asked.
    """

    score: float
    objections: tuple[Objection, ...]
    decisive: str
    chance: float = 0.0

    def overrules(self, guard: str, threshold: float) -> bool:
        """Whether this guard's objection gives way: it reads words, and the model is sure all the same."""
        return not GUARDS[guard].final and self.chance >= threshold


def judgements(asked: Sequence[Asked], by: Entailer | None) -> list[Judgement]:
    """One judgement per claim, in order. Claims copied word for word score 1 and are not shown to the model.

    The judges learnt English: a claim in another language is left to words and guards. So is a copied item of a list
    that says what is not so, a rule without whom it is for or what else would do, what turns on a small word,
    and what the source only asks, supposes or reports: a judge finds the very words there, and is sure.
    """
    shown = [a for a in asked if by is not None and _is_readable(a)]
    said = by.support([(_retimed(a), a.passages) for a in shown]) if by is not None and shown else ()
    chances = {id(a): chance for a, chance in zip(shown, said, strict=True)}
    found: list[Judgement] = []
    for a in asked:
        decisive = " ".join(a.cited.premise.sentences) or a.cited.whole
        if a.cited.premise.verbatim:
            found.append(Judgement(1.0, (), decisive))
            continue
        objections = disagreements(a.claim, a.cited)
        share, chance = overlap(_retimed(a), a.passages), chances.get(id(a))
        if by is None or chance is None:
            score = _OBJECTION_UP_TO * share if objections else _NO_OBJECTION_FROM + 0.5 * min(share, 0.99)
            # A figure may be in digits here and in words there; whether it is the right one, a guard has said.
            if by is not None and max(share, overlap(_DIGITS.sub(" ", a.claim), a.passages)) < _UNREAD:
                score = min(score, _OBJECTION_UP_TO + share * _NO_OBJECTION_FROM)
        else:
            kinds = {GUARDS[name].kind for name, _, _ in objections}
            score = weighed(by.weighing, chance, share, runs_shared(_retimed(a), a.passages), kinds)
        found.append(Judgement(score, objections, decisive, chance or 0.0))
    return found


def _retimed(a: Asked) -> str:
    """The claim with times of the day as the source writes them: the judges do not know that 18:00 is 6 pm."""
    return timed_as(a.claim, a.cited.premise.text)


def _is_readable(a: Asked) -> bool:
    premise = a.cited.premise
    if premise.verbatim or premise.denied or premise.spoken or language_of(a.claim) != "en":
        return False
    left_to_words = (narrowed, one_picked, small_word_changed)
    if any(objection(a.claim, premise.text) is not None for objection in left_to_words):
        return False
    return unstated(a.claim, a.cited.whole) is None


def weighed(w: Weighing, chance: float, share: float, runs: float, objecting: set[str]) -> float:
    """The combined score; deterministic to four places, so that a recorded one is found again."""
    chance = min(max(chance, 1e-6), 1 - 1e-6)
    odds = max(-_MOST_LOG_ODDS, min(_MOST_LOG_ODDS, math.log(chance / (1 - chance))))
    against = {"figures": w.figures, "logic": w.logic, "wording": w.wording}
    total = w.intercept + w.model * odds + w.overlap * share + w.runs * runs
    total += math.fsum(weight for kind, weight in against.items() if kind in objecting)
    return round(1 / (1 + math.exp(-total)), 4)


def runs_shared(claim: str, passages: Sequence[str]) -> float:
    """The share of a claim's runs of three words that stand in the passages as they are."""
    said = _runs(claim)
    held = frozenset[tuple[str, ...]]().union(*(_runs(passage) for passage in passages))
    return len(said & held) / len(said) if said else 0.0


@lru_cache(maxsize=512)
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    found = words(text)
    return frozenset(tuple(found[i : i + _RUN]) for i in range(len(found) - _RUN + 1))


@lru_cache(maxsize=8)
def draft_judgements(s: Submission, by: Entailer | None) -> Mapping[int, Judgement]:
    """The judgement of every claim of a draft that cites something retrieved, by the claim's place.

    All claims are judged in one call, each against all that it cites together; the last drafts are remembered, because
    every guard asks. A draft of more new wording than any answer has is not shown to the model.
    """
    asked = _asked(s)
    found = dict(zip(asked, judgements(list(asked.values()), None if too_many(s) else by), strict=True))
    return {i: found[claim] for i, claim in enumerate(s.draft.claims) if claim in found}


def too_many(s: Submission) -> bool:
    """Whether a draft has more claims in words of their own than are shown to a model."""
    return sum(not a.cited.premise.verbatim for a in _asked(s).values()) > MOST_JUDGED


@lru_cache(maxsize=8)
def _asked(s: Submission) -> Mapping[Claim, Asked]:
    asked: dict[Claim, Asked] = {}
    for claim in dict.fromkeys(s.draft.claims):
        chunks = [chunk for c in claim.cites if (chunk := s.evidence.chunk(c)) is not None]
        if chunks:  # an uncited or unknown citation fails its own check
            headed = tuple(_headed(claim.text, c) for c in chunks)
            asked[claim] = Asked(claim.text, headed, cited_of(claim.text, chunks))
    return asked


def _headed(claim: str, chunk: Chunk) -> str:
    """The chunk's text, under its headings where the claim names something that only they do."""
    heading = heading_of(chunk)
    return f"{heading}\n{chunk.text}" if terms_of(claim) & terms_of(heading) - terms_of(chunk.text) else chunk.text
