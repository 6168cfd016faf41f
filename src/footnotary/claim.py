"""The product's verdict on one claim: does what these passages say support it?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from footnotary.domain.verdict import Reason
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile, Verification
from footnotary.text.markers import strip
from footnotary.text.sentences import sentences
from footnotary.verify.guards import cited_texts, disagreements
from footnotary.verify.overlap import overlap

Label = Literal["supported", "contradicted", "not_enough_information"]

# What a share of common words is worth on the scale of support, per label: the worst supported claim scores above
# the best of the others.
_SUPPORTED_FROM = 0.5
_SILENT_UP_TO = 0.3
_CONTRADICTED_UP_TO = 0.1


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """Whether a claim may be said on the strength of passages, and why not.

    `score` lies between 0 and 1 and is at least the profile's `entailment_threshold` (0.5 unless it was calibrated)
    exactly for supported claims; a claim that copies whole sentences scores 1. `reasons` are codes in the order of
    reporting, `details` say each in words.
    """

    supported: bool
    label: Label
    score: float
    reasons: tuple[Reason, ...] = ()
    details: tuple[str, ...] = ()


def verify_claim(claim: str, passages: Sequence[str] | str, *, profile: str | Profile = "default") -> ClaimVerdict:
    """Judges a claim against passages by the guards and the overlap screens of a profile.

    A claim of several sentences is supported if each of them is. Markers in it are taken out first. Nothing to
    judge, or nothing to judge by, is not supported; no input raises, but an unknown profile does (`ProfileError`).
    """
    policy = (profile if isinstance(profile, Profile) else load_profile(profile)).verification
    given = [text for text in ([passages] if isinstance(passages, str) else passages) if text.strip()]
    said = [sentence for sentence in sentences(strip(claim)) if any(char.isalnum() for char in sentence)]
    if not said:
        return _silent(Reason.EMPTY_ANSWER, "the claim says nothing")
    if not given:
        return _silent(Reason.NO_RELEVANT_CONTENT, "there is no passage to hold the claim against")
    whole = _judged(" ".join(said), given, policy)
    if whole.score == 1.0:
        return whole
    verdicts = [_judged(sentence, given, policy) for sentence in said]
    worst = min(verdicts, key=lambda verdict: verdict.score)
    found = {
        reason: detail for verdict in verdicts for reason, detail in zip(verdict.reasons, verdict.details, strict=True)
    }
    reasons = tuple(sorted(found, key=lambda reason: reason.order))
    return ClaimVerdict(worst.supported, worst.label, worst.score, reasons, tuple(found[r] for r in reasons))


def _judged(sentence: str, passages: Sequence[str], policy: Verification) -> ClaimVerdict:
    cited = cited_texts(sentence, passages)
    if cited.premise.verbatim:
        return ClaimVerdict(True, "supported", 1.0)
    share = overlap(sentence, passages)
    needed = policy.overlap_one_source if len(passages) == 1 else policy.overlap_several_sources
    if share < needed:
        # Guards say nothing about passages on another subject: every number in the claim would count as wrong.
        detail = f"{share:.0%} of the words of {sentence!r} are in the passages, {needed:.0%} asked"
        return ClaimVerdict(False, "not_enough_information", _SILENT_UP_TO * share, (Reason.OVERLAP_LOW,), (detail,))
    objections = disagreements(sentence, cited)
    if objections:
        reasons = tuple(reason for _, reason, _ in objections)
        details = tuple(found for _, _, found in objections)
        return ClaimVerdict(False, "contradicted", _CONTRADICTED_UP_TO * share, reasons, details)
    score = _SUPPORTED_FROM + (1 - _SUPPORTED_FROM) * min(share, 0.99)
    if score < policy.entailment_threshold:
        detail = f"support {score:.2f} for {sentence!r}, {policy.entailment_threshold:.2f} asked"
        return ClaimVerdict(False, "not_enough_information", score, (Reason.CLAIM_UNSUPPORTED,), (detail,))
    return ClaimVerdict(True, "supported", score)


def _silent(reason: Reason, detail: str) -> ClaimVerdict:
    return ClaimVerdict(False, "not_enough_information", 0.0, (reason,), (detail,))
