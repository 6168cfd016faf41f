"""Fits the score fusion of a verifier with lexical overlap, and reports how well it does.

    python -m training.verifier.fit_fusion --verifier FOLDER --data FOLDER --rows dev.jsonl.gz --scores dev.npy --out weighing.json

The features are those of the product. The model's scores on the development sets are those training wrote next to
the weights; on the statutes and the held-out claims those of the exported weights. Fitted on the sides of the development sets that
no training saw, and on single-fact changes of held-out statutes; every number printed is cross-fitted: a group is
scored by weights fitted on the others. The held-out claims only measure.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.quality.guards import blind_items, statute_items
from footnotary.reader.onnx_reader import OnnxReader
from footnotary.verify.claim_checks import check_findings, evidence_from_texts
from footnotary.verify.meaning.score_fusion import trigram_overlap
from footnotary.verify.meaning.word_overlap import overlap
from harness.grounding_rows import passages_of
from training.verifier.rows import read

LEAD_SETS = ("ragtruth", "lfqa_verif", "attributionbench", "wice_claim", "summedits")
OTHER_SETS = (
    "fever_symmetric",
    "covidfact",
    "defacto",
    "begin",
    "wikibio_gpt3",
    "fm2",
    "healthver",
    "faithjudge_silver",
)
# The `override_threshold` of the shipped profiles.
SURE_FROM = 0.95
FEATURE_NAMES = ("intercept", "model", "overlap", "runs")
Item = dict[str, Any]


def scored_items(data: Path, rows: Path, scores: Path) -> Iterator[Item]:
    """Claims of the development sets; every part is scored, and the lowest score counts."""
    premises: dict[tuple[str, str], list[str]] = {}
    for name in (*LEAD_SETS, *OTHER_SETS):
        for row in read(data / "grounding" / "dev" / f"{name}.dev.jsonl.gz"):
            premises[name, row["id"]] = passages_of(row["premise"])
    found: dict[tuple[str, str], Item] = {}
    for row, logit in zip(read(rows), np.load(scores).tolist(), strict=True):
        key = (row["set"], row["id"])
        if key not in premises or row["whole"] or row["head"]:
            continue
        item = found.setdefault(
            key, {**{k: row[k] for k in ("set", "group", "task", "y")}, "features": [], "hard": False}
        )
        if (of := features(row["a"], premises[key], logit)) is not None:
            item["features"].append(of)
            item["hard"] |= is_refused(row["a"], premises[key], logit)
    yield from found.values()


def made_items(verifier: OnnxReader, cap: int) -> Iterator[Item]:
    for source, items in (("statutes", statute_items(cap)), ("blind", blind_items())):
        for item in items:
            passages = list(item.passages)
            chance = min(max(verifier.support([(item.claim, passages)])[0], 1e-6), 1 - 1e-6)
            logit = math.log(chance / (1 - chance))
            of = features(item.claim, passages, logit)
            yield {
                "set": source, "group": passages[0][:60], "task": item.kind, "y": int(item.faithful),
                "features": [of] if of else [],
                "hard": is_refused(item.claim, passages, logit),
            }  # fmt: skip


def features(claim: str, passages: list[str], logit: float) -> list[float] | None:
    """The product's features of one claim; None for a verbatim copy, which needs no verification."""
    cited = evidence_from_texts(claim, passages)
    if cited.premise.verbatim:
        return None
    return [1.0, max(-6.0, min(6.0, logit)), overlap(claim, passages), trigram_overlap(claim, passages)]


def is_refused(claim: str, passages: list[str], logit: float) -> bool:
    """Whether a check refuses the claim, whatever its score."""
    cited = evidence_from_texts(claim, passages)
    return bool(check_findings(claim, cited, sure=1 / (1 + math.exp(-logit)) >= SURE_FROM, read=True))


def fit(rows: list[Item], worth: Mapping[str, float]) -> np.ndarray:
    """Logistic regression in which every set has the share that it is worth (1 unless given), and in it each label."""
    x = np.array([min(row["features"], key=lambda f: f[1]) for row in rows])
    y = np.array([row["y"] for row in rows], float)
    sizes: dict[tuple[str, int], int] = defaultdict(int)
    for row in rows:
        sizes[row["set"], row["y"]] += 1
    w = np.array([200 * worth.get(row["set"], 1.0) / sizes[row["set"], row["y"]] for row in rows])
    beta, ridge = np.zeros(x.shape[1]), np.r_[0, np.ones(x.shape[1] - 1)]
    for _ in range(60):
        p = 1 / (1 + np.exp(-x @ beta))
        slope = x.T @ (w * (y - p)) - ridge * beta
        step = np.linalg.solve((x * (w * p * (1 - p) + 1e-9)[:, None]).T @ x + np.diag(ridge), slope)
        beta += step
        if abs(step).max() < 1e-6:
            break
    return beta


def balanced_accuracy(score: np.ndarray, y: np.ndarray, threshold: float) -> float:
    return 50 * float((score[y == 1] >= threshold).mean() + (score[y == 0] < threshold).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verifier", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True, help="dev.jsonl.gz of training.verifier.rows")
    parser.add_argument("--scores", type=Path, required=True, help="dev.npy of training.verifier.train")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--kept", type=Path, help="file to keep the features in, or to read them from")
    parser.add_argument("--cap", type=int, default=40, help="statute claims of each kind")
    parser.add_argument("--lead", type=float, default=3.0, help="the weight of a lead set relative to another")
    options = parser.parse_args()
    if options.kept and options.kept.exists():
        rows: list[Item] = [json.loads(line) for line in options.kept.read_text("utf-8").splitlines()]
    else:
        rows = [
            *scored_items(options.data, options.rows, options.scores),
            *made_items(OnnxReader(options.verifier), options.cap),
        ]
        if options.kept:
            options.kept.write_text("\n".join(json.dumps(row) for row in rows) + "\n", "utf-8")
    scored = [row for row in rows if row["features"]]
    learned_on = [row for row in scored if row["set"] != "blind"]
    half = {row["group"]: i % 2 for i, row in enumerate(sorted(scored, key=lambda r: hash_of(r["group"])))}
    worth = dict.fromkeys(LEAD_SETS, options.lead) | {"statutes": 2 * options.lead}
    betas = {side: fit([r for r in learned_on if half[r["group"]] != side], worth) for side in (0, 1)}
    whole = fit(learned_on, worth)
    for row in scored:
        beta = whole if row["set"] == "blind" else betas[half[row["group"]]]
        row["score"] = min(float(1 / (1 + math.exp(-np.dot(f, beta)))) for f in row["features"])
        row["raw"] = min(float(1 / (1 + math.exp(-f[1]))) for f in row["features"])
    print_report(scored)
    fusion_weights = {name: round(float(b), 3) for name, b in zip(FEATURE_NAMES, whole, strict=True)}
    print(fusion_weights)
    options.out.write_text(json.dumps(fusion_weights) + "\n", "utf-8")


def hash_of(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()


def print_report(rows: list[Item]) -> None:
    sets = {name: [r for r in rows if r["set"] == name] for name in dict.fromkeys(r["set"] for r in rows)}
    for kind in ("raw", "score"):
        arrays = {n: (np.array([r[kind] for r in of]), np.array([r["y"] for r in of])) for n, of in sets.items()}
        grid = np.linspace(0.02, 0.98, 97)
        common = max(grid, key=lambda t: np.mean([balanced_accuracy(*arrays[n], t) for n in LEAD_SETS]))
        print(f"{kind}: common threshold {common:.2f}")
        for name, (s, y) in arrays.items():
            best = max(balanced_accuracy(s, y, t) for t in grid)
            print(f"   {name:18} n {len(y):5} best {best:5.1f} one {balanced_accuracy(s, y, common):5.1f}")
        print(
            f"   LEAD best {np.mean([max(balanced_accuracy(*arrays[n], t) for t in grid) for n in LEAD_SETS]):.2f} "
            f"one {np.mean([balanced_accuracy(*arrays[n], common) for n in LEAD_SETS]):.2f}"
        )
    for threshold in (0.4, 0.5, 0.55, 0.6, 0.7):
        lead = [
            balanced_accuracy(np.array([r["score"] for r in sets[n]]), np.array([r["y"] for r in sets[n]]), threshold)
            for n in LEAD_SETS
        ]
        print(
            f"   at {threshold}: lead sets {np.mean(lead):.2f} "
            + " ".join(f"{n} {b:.1f}" for n, b in zip(LEAD_SETS, lead, strict=True))
        )
        for name in ("statutes", "blind"):
            of = sets[name]
            bad = [r for r in of if r["y"] == 0]
            good = [r for r in of if r["y"] == 1]
            caught = np.mean([r["score"] < threshold or r["hard"] for r in bad])
            refused = np.mean([r["score"] < threshold or r["hard"] for r in good])
            print(f"   at {threshold}: {name} caught {100 * caught:.1f} refused {100 * refused:.1f}")
    qa = [r for r in sets["ragtruth"] if r["task"] == "rag_qa"]
    s, y = np.array([r["score"] for r in qa]), np.array([r["y"] for r in qa])
    print("   ragtruth qa", len(y), {t: round(balanced_accuracy(s, y, t), 1) for t in (0.4, 0.5, 0.55, 0.6, 0.7)})


if __name__ == "__main__":
    main()
