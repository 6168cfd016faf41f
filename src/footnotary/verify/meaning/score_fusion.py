"""Score fusion: one score for a claim from the trained model's probability and lexical overlap."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.domain.draft import Claim
from footnotary.ports import FusionWeights, Submission, Verifier
from footnotary.reader.calibration import log_odds, sigmoid
from footnotary.reader.language_model.readings import collection
from footnotary.text.language import language_of
from footnotary.text.tokens import terms_of, word_runs
from footnotary.verify.claim_checks import CheckFinding, CitedEvidence, check_findings, evidence_from_cited_chunks
from footnotary.verify.exact.source_forms import in_source_forms
from footnotary.verify.meaning.word_overlap import heading_text, overlap

# Without a model: the score of a share of common words.
_UNREAD_FROM, _UNREAD_SHARE = 0.5, 0.5
# If there is a model that cannot read the language, more overlap is required: most of the claim's words.
_MOST_WORDS = 0.7
# Probabilities are capped here: above it a model is more certain, but not right more often.
_MOST_LOG_ODDS = 6.0
_DIGITS = re.compile(r"\d[\d,.]*")
# Each takes a fifth of a second: a draft longer than any answer must not block a server.
MAX_MODEL_CLAIMS = 60


@dataclass(frozen=True, slots=True)
class ClaimToVerify:
    """A claim and its evidence: the texts as the model reads them, and as the checks read them."""

    claim: str
    passages: tuple[str, ...]
    cited: CitedEvidence


@dataclass(frozen=True, slots=True)
class ClaimAssessment:
    """The score of a claim, from 0 to 1, the findings of checks, and the sentences that decide it.

    A finding refuses the claim and does not lower its score. `probability` is the model's own; 0 if no model was asked.
    `has_overlap` says that lexical overlap counts in the score too.
    """

    score: float
    findings: tuple[CheckFinding, ...]
    decisive: str
    probability: float = 0.0
    has_overlap: bool = False

    def outweighs_overlap(self, sure_from: float, entailed_from: float) -> bool:
        """Whether low overlap does not matter: the model is sure, or the score that includes it is high enough."""
        return self.probability >= sure_from or (self.has_overlap and self.score >= entailed_from)


def assess_claims(asked: Sequence[ClaimToVerify], by: Verifier | None, sure_from: float) -> list[ClaimAssessment]:
    """One assessment per claim, in order. Claims copied word for word score 1 and are not shown to the model.

    The models learned English: a claim in another language is left to overlap and checks. So are a copied item of a
    negated list and what the source only quotes: a model finds the same words there and is wrongly sure. From the
    probability `sure_from` on, a model counts as sure.
    """
    shown = [a for a in asked if by is not None and _is_readable(a)]
    said = by.support([(_in_source_forms(a), a.passages) for a in shown]) if by is not None and shown else ()
    probabilities = {id(a): probability for a, probability in zip(shown, said, strict=True)}
    return [_assessment(a, by, probabilities.get(id(a)), sure_from) for a in asked]


def _assessment(a: ClaimToVerify, by: Verifier | None, probability: float | None, sure_from: float) -> ClaimAssessment:
    decisive = " ".join(a.cited.premise.sentences) or a.cited.whole
    if a.cited.premise.verbatim:
        return ClaimAssessment(1.0, (), decisive)
    share = overlap(_in_source_forms(a), a.passages)
    findings = check_findings(
        a.claim, a.cited, sure=probability is not None and probability >= sure_from, read=probability is not None
    )
    if by is not None and probability is not None:
        score = fuse_scores(by.fusion_weights, probability, share, trigram_overlap(_in_source_forms(a), a.passages))
        return ClaimAssessment(score, findings, decisive, probability, by.fusion_weights.overlap > 0)
    score = _UNREAD_FROM + _UNREAD_SHARE * min(share, 0.99)
    # A figure may be in digits here and in words there; a check has decided whether it is the right one.
    if by is not None and max(share, overlap(_DIGITS.sub(" ", a.claim), a.passages)) < _MOST_WORDS:
        score = _UNREAD_SHARE * share
    return ClaimAssessment(score, findings, decisive)


def _in_source_forms(a: ClaimToVerify) -> str:
    """The claim with its figures as the source writes them: the models do not know that 18:00 is 6 pm."""
    return in_source_forms(a.claim, a.cited.premise.text)


def _is_readable(a: ClaimToVerify) -> bool:
    premise = a.cited.premise
    return not (premise.verbatim or premise.denied or premise.spoken) and language_of(a.claim) == "en"


def fuse_scores(w: FusionWeights, probability: float, share: float, trigrams: float) -> float:
    """The combined score; rounded to four digits, so that a recorded score is reproduced."""
    odds = max(-_MOST_LOG_ODDS, min(_MOST_LOG_ODDS, log_odds(probability)))
    total = w.intercept + w.model * odds + w.overlap * share + w.runs * trigrams
    return round(sigmoid(total), 4)


def trigram_overlap(claim: str, passages: Sequence[str]) -> float:
    """The share of a claim's word trigrams that occur in the passages."""
    said = word_runs(claim, 3)
    held = said.intersection(run for passage in passages for run in word_runs(passage, 3))
    return len(held) / len(said) if said else 0.0


def assess_draft(s: Submission, by: Verifier | None, sure_from: float = 1.0) -> Mapping[int, ClaimAssessment]:
    """The assessment of every claim of a draft that cites something retrieved, by the claim's place.

    All claims are assessed in one call, each against all that it cites together; the last drafts are cached, because
    every check asks. A draft with more claims in new wording than any answer has is not shown to the model.
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
    assessed = assess_claims(list(asked.values()), None if exceeds_model_limit(s) else by, sure_from)
    found = dict(zip(asked, assessed, strict=True))
    return {i: found[claim] for i, claim in enumerate(s.draft.claims) if claim in found}


def exceeds_model_limit(s: Submission) -> bool:
    """Whether a draft has more claims in new wording than are shown to a model."""
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
    """The chunk's text, with its headings if the claim names something that only they contain."""
    heading = heading_text(chunk)
    return f"{heading}\n{chunk.text}" if terms_of(claim) & terms_of(heading) - terms_of(chunk.text) else chunk.text
