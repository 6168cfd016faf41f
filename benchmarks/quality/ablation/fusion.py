"""Fits the fused score again on some sets and reports it on others, next to the shipped one.

    python -m benchmarks.quality.ablation.fusion [--per-kind N] [--cache FILE]

Fitted on free wording, changed statutes and grounding sets; the blind claims only measure. Model probabilities are kept
in the cache file of the ablation. Writes benchmarks/results/quality/ablation/fusion.md.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.quality.ablation.claim_sets import claim_sets
from benchmarks.quality.ablation.findings import ClaimFindings, StoredProbabilities, find_all
from benchmarks.quality.ablation.leave_outs import is_supported
from benchmarks.quality.guards import PROFILE, RESULTS, machine
from footnotary import load_profile
from footnotary.models.model_packages import locate_model
from footnotary.ports import FusionWeights
from footnotary.profiles.schema import Verification
from footnotary.reader.onnx_reader import OnnxReader

FITTED_ON = ("free", "statutes", "grounding dev")
REPORTED = ("blind", *FITTED_ON)
THRESHOLDS = (0.4, 0.45, 0.5, 0.55, 0.6)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--per-kind", type=int, default=20, help="statute changes a kind, public claims a label")
    arguments.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir(), "footnotary-ablation.jsonl"))
    options = arguments.parse_args()
    found = {name: [find_all(i) for i in items] for name, items in claim_sets(options.per_kind).items()}
    policy = load_profile(PROFILE).verification
    lines = ["# The fused score, fitted anew", ""]
    lines += [f"`python -m benchmarks.quality.ablation.fusion --per-kind {options.per_kind}`, {machine()}.", ""]
    lines += [f"Fitted on {', '.join(FITTED_ON)}. Corrupted claims caught / faithful claims refused, in %.", ""]
    lines += [f"| weights | threshold | {' | '.join(REPORTED)} |", "|---|---|" + "---|" * len(REPORTED)]
    for tier in ("large", "small"):
        by = StoredProbabilities(OnnxReader(locate_model(f"verifier-{tier}")), options.cache)
        for name, weights in (("shipped", by.fusion_weights), ("fitted anew", fitted(found, by))):
            by.fusion_weights = weights
            for threshold in THRESHOLDS:
                tried = policy.model_copy(update={"entailment_threshold": threshold})
                cells = [refusals(found[one], tried, by) for one in REPORTED]
                lines.append(f"| {tier}, {name} | {threshold} | {' | '.join(cells)} |")
    (RESULTS / "ablation" / "fusion.md").write_text("\n".join(lines) + "\n", "utf-8")
    print("\n".join(lines))


def fitted(found: Mapping[str, Sequence[ClaimFindings]], by: StoredProbabilities) -> FusionWeights:
    """Logistic regression in which every set, and in it each label, has its share."""
    rows = [(x, c.item.faithful, n) for n in FITTED_ON for c in found[n] if (x := _features(c, by)) is not None]
    sizes = Counter((name, label) for _, label, name in rows)
    x = np.array([features for features, _, _ in rows])
    y = np.array([label for _, label, _ in rows], float)
    share = np.array([200 / sizes[name, label] for _, label, name in rows])
    beta, ridge = np.zeros(4), np.diag([0.0, 1, 1, 1])
    for _ in range(80):
        p = 1 / (1 + np.exp(-x @ beta))
        slope = x.T @ (share * (y - p)) - ridge @ beta
        beta += np.linalg.solve((x * (share * p * (1 - p) + 1e-9)[:, None]).T @ x + ridge, slope)
    intercept, model, overlap, runs = (float(b) for b in beta)
    return replace(by.fusion_weights, intercept=intercept, model=model, overlap=overlap, runs=runs)


def _features(claim: ClaimFindings, by: StoredProbabilities) -> list[float] | None:
    """Those of the sentence that the model gives least; None where it reads none."""
    read: list[list[float]] = []
    for s in claim.sentences:
        if s.english and not s.unasked:
            chance = min(max(by.probability(s.asked, s.passages), 1e-6), 1 - 1e-6)
            read.append([1.0, max(-6.0, min(6.0, math.log(chance / (1 - chance)))), s.share, s.trigrams])
    return min(read, key=lambda features: features[1], default=None)


def refusals(claims: Sequence[ClaimFindings], policy: Verification, by: StoredProbabilities) -> str:
    refused = {label: [not is_supported(c, frozenset(), policy, by) for c in claims if c.item.faithful is label] for label in (True, False)}  # fmt: skip
    return " / ".join(f"{100 * sum(refused[label]) / max(len(refused[label]), 1):.1f}" for label in (False, True))


if __name__ == "__main__":
    main()
