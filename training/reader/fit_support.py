"""Fits the weights of the fused score to a verifier with an update for claims, and prints what each threshold does.

    python -m training.reader.fit_support --weights FOLDER --data DATA [--out weighing.json]

Fitted on held-out claims in free wording, statutes changed by rule, and the five lead sets; the claims of
`benchmarks.quality.guards` only measure. The threshold of the profiles stays: where another one is better, the intercept
is moved (`--at`). A lead set that the base has learned says what changes, not how good the verifier is.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.quality.guards import BLIND, DEMANDING, FREE, blind_items, statute_items
from footnotary.reader.calibration import log_odds
from footnotary.reader.onnx_reader import OnnxReader
from harness.grounding_rows import passages_of
from training.reader.free_claims import free_claims
from training.verifier.fit_fusion import FEATURE_NAMES, LEAD_SETS, Item, features, fit, is_refused
from training.verifier.rows import read

ENTAILMENT_THRESHOLD = 0.55
FREE_CLAIMS, OF_EACH_LEAD_SET, STATUTES = 500, 100, 15
MEASURED = ("blind", "free", "demanding")
WORTH = {"held-out free": 2.0, "statutes": 2.0}
Claim = tuple[str, str, list[str], bool]


def claims(data: Path) -> Iterator[Claim]:
    """(set, claim, passages, whether it is supported)."""
    draw = random.Random(2)
    for name, path in (("blind", BLIND), ("free", FREE), ("demanding", DEMANDING)):
        yield from ((name, item.claim, list(item.passages), item.faithful) for item in blind_items(path))
    for row in draw.sample([*free_claims(data, held_out=True)], FREE_CLAIMS):
        yield "held-out free", row["a"], [row["b"]], bool(row["y"])
    yield from (("statutes", item.claim, list(item.passages), item.faithful) for item in statute_items(STATUTES))
    for name in LEAD_SETS:
        rows = [
            row
            for row in read(data / "grounding" / "dev" / f"{name}.dev.jsonl.gz")
            if row["level"] != "question" and row["claim"].strip()
        ]
        for row in draw.sample(rows, OF_EACH_LEAD_SET):
            yield name, row["claim"], passages_of(row["premise"]), bool(row["label"])


def scored(verifier: OnnxReader, asked: Iterator[Claim]) -> Iterator[Item]:
    for name, claim, passages, supported in asked:
        logit = log_odds(min(max(verifier.support([(claim, passages)])[0], 1e-6), 1 - 1e-6))
        of = features(claim, passages, logit)
        hard = is_refused(claim, passages, logit)
        yield {"set": name, "y": int(supported), "features": [of] if of else [], "hard": hard}


def rates(rows: Sequence[Item], weights: np.ndarray, threshold: float) -> tuple[float, float]:
    """Unsupported claims caught and supported ones refused, in per cent, with the checks that are certain."""
    refused = defaultdict[int, list[bool]](list)
    for row in rows:
        score = 1 / (1 + math.exp(-np.dot(row["features"][0], weights))) if row["features"] else 1.0
        refused[row["y"]].append(row["hard"] or score < threshold)
    return 100 * float(np.mean(refused[0])), 100 * float(np.mean(refused[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--at", type=float, default=0.35, help="the threshold that the profiles' is to stand for")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = [*scored(OnnxReader(options.weights), claims(options.data))]
    weights = fit([row for row in rows if row["set"] not in MEASURED and row["features"]], WORTH)
    for threshold in (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55):
        found = {
            name: rates([row for row in rows if row["set"] == name], weights, threshold)
            for name in dict.fromkeys(row["set"] for row in rows)
        }
        print(threshold, " ".join(f"{name} {caught:.1f}/{refused:.1f}" for name, (caught, refused) in found.items()))
    weights[0] += log_odds(ENTAILMENT_THRESHOLD) - log_odds(options.at)
    fused = {name: round(float(weight), 3) for name, weight in zip(FEATURE_NAMES, weights, strict=True)}
    print(fused)
    if options.out:
        options.out.write_text(json.dumps(fused) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
