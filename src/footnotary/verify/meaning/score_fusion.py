"""One score for a claim: what the trained model and the words in common say, weighed together."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.domain.draft import Claim
from footnotary.ports import FusionWeights, Submission, Verifier
from footnotary.reader.language_model.readings import collection
from footnotary.text.language import language_of
from footnotary.text.tokens import terms_of, words
from footnotary.verify.claim_checks import CitedEvidence, Objection, check_findings, evidence_from_cited_chunks
from footnotary.verify.exact.source_forms import in_source_forms
from footnotary.verify.meaning.word_overlap import heading_text, overlap

# Without a model: what a share of common words is worth.
_UNREAD_FROM, _UNREAD_SHARE = 0.5, 0.5
# Where there is a model and it cannot read the language, words have to say more: a claim has to share most of its own.
_MOST_WORDS = 0.7
# No probability counts for more than this: beyond it a model is only sure, not right more often.
_MOST_LOG_ODDS = 6.0
_RUN = 3
_DIGITS = re.compile(r"\d[\d,.]*")
# A fifth of a second each: what is longer than any answer must not hold up a server.
MAX_MODEL_CLAIMS = 60


@dataclass(frozen=True, slots=True)
class ClaimToVerify:
    """A claim and what it is held against: the texts as the model reads them, and as the checks do."""

    claim: str
    passages: tuple[str, ...]
    cited: CitedEvidence


@dataclass(frozen=True, slots=True)
class ClaimAssessment:
    """What a claim is worth, from 0 to 1, what checks hold against it, and the sentences that decide it.

    A finding refuses the claim and does not lower its score. `chance` is what the model alone gives the claim; 0 where
    no model was asked. `has_overlap` says that the words in common count in the score beside it.
    """

    score: float
    findings: tuple[Objection, ...]
    decisive: str
    chance: float = 0.0
    has_overlap: bool = False

    def outweighs_overlap(self, sure_from: float, entailed_from: float) -> bool:
        """Whether few words in common do not matter: the model is sure, or the score has counted them and holds."""
        return self.chance >= sure_from or (self.has_overlap and self.score >= entailed_from)


def assess_claims(asked: Sequence[ClaimToVerify], by: Verifier | None, sure_from: float) -> list[ClaimAssessment]:
    """One assessment per claim, in order. Claims copied word for word score 1 and are not shown to the model.

    The models learned English: a claim in another language is left to words and checks. So is a copied item of a list
    that says what is not so, and what the source only quotes: a model finds the very words there, and is sure. From
    the probability `sure_from` on, a model counts as sure.
    """
    shown = [a for a in asked if by is not None and _is_readable(a)]
    said = by.support([(_in_source_forms(a), a.passages) for a in shown]) if by is not None and shown else ()
    chances = {id(a): chance for a, chance in zip(shown, said, strict=True)}
    return [_assessment(a, by, chances.get(id(a)), sure_from) for a in asked]


def _assessment(a: ClaimToVerify, by: Verifier | None, chance: float | None, sure_from: float) -> ClaimAssessment:
    decisive = " ".join(a.cited.premise.sentences) or a.cited.whole
    if a.cited.premise.verbatim:
        return ClaimAssessment(1.0, (), decisive)
    share = overlap(_in_source_forms(a), a.passages)
    findings = check_findings(
        a.claim, a.cited, sure=chance is not None and chance >= sure_from, read=chance is not None
    )
    if by is not None and chance is not None:
        score = fuse_scores(by.fusion_weights, chance, share, trigram_overlap(_in_source_forms(a), a.passages))
        return ClaimAssessment(score, findings, decisive, chance, by.fusion_weights.overlap > 0)
    score = _UNREAD_FROM + _UNREAD_SHARE * min(share, 0.99)
    # A figure may be in digits here and in words there; whether it is the right one, a check has said.
    if by is not None and max(share, overlap(_DIGITS.sub(" ", a.claim), a.passages)) < _MOST_WORDS:
        score = _UNREAD_SHARE * share
    return ClaimAssessment(score, findings, decisive)


def _in_source_forms(a: ClaimToVerify) -> str:
    """The claim with its figures as the source writes them: the models do not know that 18:00 is 6 pm."""
    return in_source_forms(a.claim, a.cited.premise.text)


def _is_readable(a: ClaimToVerify) -> bool:
    premise = a.cited.premise
    return not (premise.verbatim or premise.denied or premise.spoken) and language_of(a.claim) == "en"


def fuse_scores(w: FusionWeights, chance: float, share: float, trigrams: float) -> float:
    """The combined score; deterministic to four places, so that a recorded one is found again."""
    chance = min(max(chance, 1e-6), 1 - 1e-6)
    odds = max(-_MOST_LOG_ODDS, min(_MOST_LOG_ODDS, math.log(chance / (1 - chance))))
    total = w.intercept + w.model * odds + w.overlap * share + w.runs * trigrams
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


def assess_draft(s: Submission, by: Verifier | None, sure_from: float = 1.0) -> Mapping[int, ClaimAssessment]:
    """The assessment of every claim of a draft that cites something retrieved, by the claim's place.

    All claims are assessed in one call, each against all that it cites together; the last drafts are remembered,
    because every check asks. A draft of more new wording than any answer has is not shown to the model.
    """
    return _assess_draft(s, by, sure_from, collection())


@lru_cache(maxsize=8)
def _assess_draft(
    s: Submission,
    by: Verifier | None,
    sure_from: float,
    collected: int | None,  # noqa: ARG001 - the same draft asked for again is read again, for its own record
) -> Mapping[int, ClaimAssessment]:
    asked = _claims_to_verify(s)
    found = dict(
        zip(asked, assess_claims(list(asked.values()), None if exceeds_model_limit(s) else by, sure_from), strict=True)
    )
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
