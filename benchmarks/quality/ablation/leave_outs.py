"""Decides every claim again with a check left out, from what was found once, and compares with the whole product."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.ablation.findings import ClaimFindings, SentenceFindings, StoredProbabilities
from footnotary.profiles.schema import Verification
from footnotary.verify.claim_checks import CONSISTENCY_CHECKS
from footnotary.verify.meaning.score_fusion import fuse_scores

OVERLAP = "words_overlap"
WORDING = ("negation_agrees", "modality_agrees", "comparators_agree", "terms_are_not_substituted")
EXACT = tuple(name for name in CONSISTENCY_CHECKS if name not in WORDING)
RESAMPLES = 2000
Booleans = NDArray[np.bool_]


def leave_outs() -> dict[str, frozenset[str]]:
    """What is left out, by the name of the row: each check, and all of a kind."""
    single = {name: frozenset({name}) for name in (*CONSISTENCY_CHECKS, OVERLAP)}
    return single | {
        "all exact checks": frozenset(EXACT),
        "all wording checks": frozenset(WORDING),
        "all checks": frozenset(CONSISTENCY_CHECKS),
        "all checks and overlap": frozenset(CONSISTENCY_CHECKS) | {OVERLAP},
    }


def is_supported(
    claim: ClaimFindings, without: frozenset[str], policy: Verification, by: StoredProbabilities | None
) -> bool:
    """The product's decision with some checks left out, each sentence of the claim by itself."""
    return all(_sentence_is_supported(s, without, policy, by) for s in claim.sentences)


def _sentence_is_supported(
    s: SentenceFindings, without: frozenset[str], policy: Verification, by: StoredProbabilities | None
) -> bool:
    asked = by is not None and s.english and not (set(s.unasked) - without)
    chance = by.probability(s.asked, s.passages) if by is not None and asked else 0.0
    read = s.findings_sure if chance >= policy.override_threshold else s.findings_read
    findings = [name for name in (read if asked else s.findings_unread) if name not in without]
    needed = policy.overlap_one_source if len(s.passages) == 1 else policy.overlap_several_sources
    score = _score(s, chance, by, asked)
    counted = by is not None and asked and by.fusion_weights.overlap > 0 and score >= policy.entailment_threshold
    outweighed = counted or chance >= policy.override_threshold
    if OVERLAP not in without and s.share < needed and not outweighed:
        return False
    return not findings and score >= policy.entailment_threshold


def _score(s: SentenceFindings, chance: float, by: StoredProbabilities | None, asked: bool) -> float:
    if by is not None and asked:
        return fuse_scores(by.fusion_weights, chance, s.share, s.trigrams)
    if by is not None and max(s.share, s.share_without_digits) < 0.7:
        return 0.5 * s.share
    return 0.5 + 0.5 * min(s.share, 0.99)


@dataclass(frozen=True, slots=True)
class Effect:
    """One leave-out on one set: shares in per cent, and the difference to the whole product with its 95 % bounds."""

    caught: float
    refused: float
    caught_change: tuple[float, float, float]
    refused_change: tuple[float, float, float]
    changed_claims: int

    def as_json(self) -> Mapping[str, object]:
        return {
            "caught": self.caught, "refused": self.refused, "caught_change": self.caught_change,
            "refused_change": self.refused_change, "changed_claims": self.changed_claims,
        }  # fmt: skip


def effect(faithful: Booleans, whole: Booleans, left_out: Booleans) -> Effect:
    """`whole` and `left_out` say which claims are supported; a claim is resampled with both verdicts."""
    corrupted = ~faithful
    return Effect(
        _share(~left_out[corrupted]),
        _share(~left_out[faithful]),
        _change(whole[corrupted], left_out[corrupted]),
        _change(whole[faithful], left_out[faithful]),
        int((whole != left_out).sum()),
    )


def _share(refused: Booleans) -> float:
    return round(100 * float(refused.mean()), 1) if refused.size else 0.0


def _change(whole: Booleans, left_out: Booleans) -> tuple[float, float, float]:
    """How many more are refused without, in points, with the 95 % bounds of a paired bootstrap."""
    if not whole.size:
        return 0.0, 0.0, 0.0
    difference = whole.astype(np.int8) - left_out.astype(np.int8)
    sampled = np.random.default_rng(13).integers(0, difference.size, (RESAMPLES, difference.size))
    means = 100 * difference[sampled].mean(axis=1)
    low, high = (round(float(bound), 1) for bound in np.quantile(means, (0.025, 0.975)))
    return round(100 * float(difference.mean()), 1), low, high
