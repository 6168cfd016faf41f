"""One score for a claim: what the trained model, the words in common and the guards say, weighed together."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.domain.draft import Claim
from footnotary.domain.verdict import Reason
from footnotary.ports import FusionWeights, Submission, Verifier
from footnotary.text.dates.clock_times import with_times_as_in
from footnotary.text.language import language_of
from footnotary.text.tokens import terms_of, words
from footnotary.verify.claim_checks import CONSISTENCY_CHECKS, CitedEvidence, check_findings, evidence_from_cited_chunks
from footnotary.verify.meaning.word_overlap import heading_text, overlap
from footnotary.verify.wording.connectives import dropped_alternative
from footnotary.verify.wording.dropped_restriction import dropped_restriction
from footnotary.verify.wording.factuality import hedged_in_source
from footnotary.verify.wording.qualifiers import changed_function_word

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
MAX_MODEL_CLAIMS = 60

Objection = tuple[str, Reason, str]


@dataclass(frozen=True, slots=True)
class ClaimToVerify:
    """A claim and what it is held against: the texts as the model reads them, and as the guards do."""

    claim: str
    passages: tuple[str, ...]
    cited: CitedEvidence


@dataclass(frozen=True, slots=True)
class ClaimAssessment:
    """What a claim is worth, from 0 to 1, what guards hold against it, and the sentences that decide it.

    `chance` is what the model alone gives it; 0 where no model was asked.
    """

    score: float
    findings: tuple[Objection, ...]
    decisive: str
    chance: float = 0.0

    def overrides(self, guard: str, threshold: float) -> bool:
        """Whether this guard's objection gives way: it reads words, and the model is sure all the same."""
        return not CONSISTENCY_CHECKS[guard].final and self.chance >= threshold


def assess_claims(asked: Sequence[ClaimToVerify], by: Verifier | None) -> list[ClaimAssessment]:
    """One judgement per claim, in order. Claims copied word for word score 1 and are not shown to the model.

    The judges learnt English: a claim in another language is left to words and guards. So is a copied item of a list
    that says what is not so, a rule without whom it is for or what else would do, what turns on a small word,
    and what the source only asks, supposes or reports: a judge finds the very words there, and is sure.
    """
    shown = [a for a in asked if by is not None and _is_readable(a)]
    said = by.support([(_normalize_times(a), a.passages) for a in shown]) if by is not None and shown else ()
    chances = {id(a): chance for a, chance in zip(shown, said, strict=True)}
    found: list[ClaimAssessment] = []
    for a in asked:
        decisive = " ".join(a.cited.premise.sentences) or a.cited.whole
        if a.cited.premise.verbatim:
            found.append(ClaimAssessment(1.0, (), decisive))
            continue
        findings = check_findings(a.claim, a.cited)
        share, chance = overlap(_normalize_times(a), a.passages), chances.get(id(a))
        if by is None or chance is None:
            score = _OBJECTION_UP_TO * share if findings else _NO_OBJECTION_FROM + 0.5 * min(share, 0.99)
            # A figure may be in digits here and in words there; whether it is the right one, a guard has said.
            if by is not None and max(share, overlap(_DIGITS.sub(" ", a.claim), a.passages)) < _UNREAD:
                score = min(score, _OBJECTION_UP_TO + share * _NO_OBJECTION_FROM)
        else:
            kinds = {CONSISTENCY_CHECKS[name].kind for name, _, _ in findings}
            score = fuse_scores(
                by.fusion_weights, chance, share, trigram_overlap(_normalize_times(a), a.passages), kinds
            )
        found.append(ClaimAssessment(score, findings, decisive, chance or 0.0))
    return found


def _normalize_times(a: ClaimToVerify) -> str:
    """The claim with times of the day as the source writes them: the judges do not know that 18:00 is 6 pm."""
    return with_times_as_in(a.claim, a.cited.premise.text)


def _is_readable(a: ClaimToVerify) -> bool:
    premise = a.cited.premise
    if premise.verbatim or premise.denied or premise.spoken or language_of(a.claim) != "en":
        return False
    left_to_words = (dropped_restriction, dropped_alternative, changed_function_word)
    if any(objection(a.claim, premise.text) is not None for objection in left_to_words):
        return False
    return hedged_in_source(a.claim, a.cited.whole) is None


def fuse_scores(w: FusionWeights, chance: float, share: float, runs: float, objecting: set[str]) -> float:
    """The combined score; deterministic to four places, so that a recorded one is found again."""
    chance = min(max(chance, 1e-6), 1 - 1e-6)
    odds = max(-_MOST_LOG_ODDS, min(_MOST_LOG_ODDS, math.log(chance / (1 - chance))))
    against = {"figures": w.figures, "logic": w.logic, "wording": w.wording}
    total = w.intercept + w.model * odds + w.overlap * share + w.runs * runs
    total += math.fsum(weight for kind, weight in against.items() if kind in objecting)
    return round(1 / (1 + math.exp(-total)), 4)


def trigram_overlap(claim: str, passages: Sequence[str]) -> float:
    """The share of a claim's runs of three words that stand in the passages as they are."""
    said = _trigrams(claim)
    held = frozenset[tuple[str, ...]]().union(*(_trigrams(passage) for passage in passages))
    return len(said & held) / len(said) if said else 0.0


@lru_cache(maxsize=512)
def _trigrams(text: str) -> frozenset[tuple[str, ...]]:
    found = words(text)
    return frozenset(tuple(found[i : i + _RUN]) for i in range(len(found) - _RUN + 1))


@lru_cache(maxsize=8)
def assess_draft(s: Submission, by: Verifier | None) -> Mapping[int, ClaimAssessment]:
    """The judgement of every claim of a draft that cites something retrieved, by the claim's place.

    All claims are judged in one call, each against all that it cites together; the last drafts are remembered, because
    every guard asks. A draft of more new wording than any answer has is not shown to the model.
    """
    asked = _claims_to_verify(s)
    found = dict(zip(asked, assess_claims(list(asked.values()), None if exceeds_model_limit(s) else by), strict=True))
    return {i: found[claim] for i, claim in enumerate(s.draft.claims) if claim in found}


def exceeds_model_limit(s: Submission) -> bool:
    """Whether a draft has more claims in words of their own than are shown to a model."""
    return sum(not a.cited.premise.verbatim for a in _claims_to_verify(s).values()) > MAX_MODEL_CLAIMS


@lru_cache(maxsize=8)
def _claims_to_verify(s: Submission) -> Mapping[Claim, ClaimToVerify]:
    asked: dict[Claim, ClaimToVerify] = {}
    for claim in dict.fromkeys(s.draft.claims):
        chunks = [chunk for c in claim.cites if (chunk := s.evidence.chunk(c)) is not None]
        if chunks:  # an uncited or unknown citation fails its own check
            headed = tuple(_with_headings(claim.text, c) for c in chunks)
            asked[claim] = ClaimToVerify(claim.text, headed, evidence_from_cited_chunks(claim.text, chunks))
    return asked


def _with_headings(claim: str, chunk: Chunk) -> str:
    """The chunk's text, under its headings where the claim names something that only they do."""
    heading = heading_text(chunk)
    return f"{heading}\n{chunk.text}" if terms_of(claim) & terms_of(heading) - terms_of(chunk.text) else chunk.text
