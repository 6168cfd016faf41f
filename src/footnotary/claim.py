"""Verifies one claim against passages: do they support it?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from footnotary.domain.verdict import Reason
from footnotary.ports import Verifier
from footnotary.profiles.schema import Profile, Verification
from footnotary.text.citations.markers import strip
from footnotary.text.sentences.splitter import sentences
from footnotary.verify.claim_checks import evidence_from_texts
from footnotary.verify.meaning.score_fusion import ClaimAssessment, ClaimToVerify, assess_claims
from footnotary.verify.meaning.word_overlap import overlap

Label = Literal["supported", "contradicted", "not_enough_information"]

# A refused claim scores below the threshold: its own score is scaled to fit under it.
_BELOW_THRESHOLD = 0.99
# A claim that fails a check scores a tenth of that, by lexical overlap.
_CONTRADICTED = 0.1


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """Whether passages support a claim, and why not.

    `score` lies between 0 and 1 and is at least the profile's `entailment_threshold` (0.55 unless it was calibrated)
    exactly for supported claims; a claim that copies whole sentences scores 1. `reasons` are codes in the order of
    reporting, `details` explain each in words; `decisive` are the sentences of the passages that decided.
    """

    supported: bool
    label: Label
    score: float
    reasons: tuple[Reason, ...] = ()
    details: tuple[str, ...] = ()
    decisive: str = ""


def assess_claim(claim: str, passages: Sequence[str] | str, policy: Profile, by: Verifier | None) -> ClaimVerdict:
    """Verifies a claim against passages with the checks and overlap thresholds of a profile, and `by` if there is one.

    A claim of several sentences is supported if each of them is. Citation markers in it are removed first. An empty
    claim, or no passage, is not supported; no text raises. `footnotary.verify_claim` chooses `by` from the settings.
    """
    given = tuple(text for text in ([passages] if isinstance(passages, str) else passages) if text.strip())
    said = [sentence for sentence in sentences(strip(claim)) if any(char.isalnum() for char in sentence)]
    if not said:
        return _unsupported(Reason.EMPTY_ANSWER, "the claim says nothing")
    if not given:
        return _unsupported(Reason.NO_RELEVANT_CONTENT, "there is no passage to check the claim against")
    whole = evidence_from_texts(" ".join(said), given)
    if whole.premise.verbatim:
        return ClaimVerdict(True, "supported", 1.0, decisive=whole.premise.text)
    asked = [ClaimToVerify(sentence, given, evidence_from_texts(sentence, given)) for sentence in said]
    verdicts = [
        _sentence_verdict(a, found, policy.verification)
        for a, found in zip(asked, assess_claims(asked, by, policy.verification.override_threshold), strict=True)
    ]
    worst = min(verdicts, key=lambda verdict: verdict.score)
    found = {
        reason: detail for verdict in verdicts for reason, detail in zip(verdict.reasons, verdict.details, strict=True)
    }
    reasons = tuple(sorted(found, key=lambda reason: reason.order))
    details = tuple(found[reason] for reason in reasons)
    return ClaimVerdict(worst.supported, worst.label, worst.score, reasons, details, worst.decisive)


def _sentence_verdict(asked: ClaimToVerify, found: ClaimAssessment, policy: Verification) -> ClaimVerdict:
    if asked.cited.premise.verbatim:
        return ClaimVerdict(True, "supported", 1.0, decisive=found.decisive)
    threshold, refused_score = policy.entailment_threshold, _BELOW_THRESHOLD * policy.entailment_threshold * found.score
    share = overlap(asked.claim, asked.passages)
    needed = policy.overlap_one_source if len(asked.passages) == 1 else policy.overlap_several_sources
    if share < needed and not found.outweighs_overlap(policy.override_threshold, threshold):
        # Checks mean nothing for passages on another subject: every number in the claim would count as wrong.
        detail = f"{share:.0%} of the words of {asked.claim!r} are in the passages, required {needed:.0%}"
        return ClaimVerdict(
            False, "not_enough_information", refused_score, (Reason.OVERLAP_LOW,), (detail,), found.decisive
        )
    if found.findings:
        reasons = tuple(reason for _, reason, _ in found.findings)
        details = tuple(mismatch.detail for _, _, mismatch in found.findings)
        contradicted_score = _CONTRADICTED * _BELOW_THRESHOLD * threshold * share
        return ClaimVerdict(False, "contradicted", contradicted_score, reasons, details, found.decisive)
    if found.score < threshold:
        detail = f"support score {found.score:.2f} for {asked.claim!r} is below the threshold {threshold:.2f}"
        return ClaimVerdict(
            False, "not_enough_information", found.score, (Reason.CLAIM_UNSUPPORTED,), (detail,), found.decisive
        )
    return ClaimVerdict(True, "supported", found.score, decisive=found.decisive)


def _unsupported(reason: Reason, detail: str) -> ClaimVerdict:
    return ClaimVerdict(False, "not_enough_information", 0.0, (reason,), (detail,))
