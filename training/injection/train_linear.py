"""Trains the linear injection classifier on sentences of our own and on real statements.

    python -m training.injection.train_linear --data FOLDER [--leave-out] [--out FILE]

A logistic regression over the features of `footnotary.injection.features`. The threshold is the lowest with nearly no
false positives on held-out statements; `possible` is the score that one in ten statements and nearly all injections
exceed: those go to the trained encoder. The shipped threshold is lower than the one chosen here (`MODEL_CARD.md`). `--leave-out` trains once without each family of templates,
measures on it, and writes nothing.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from footnotary.injection.detection import normalized_sentence
from footnotary.injection.features import injection_features
from harness.injection import public_texts
from harness.injection.public_texts import public_prompts
from training.injection import templates
from training.injection.texts import hand_written

OUT = Path(__file__).parents[2] / "src" / "footnotary" / "injection" / "linear_weights.json"
SEED = 7
# Allowed false positives: nearly none in law, a few in texts with instructions to people.
LAW = ("acts", "Hindi acts")
OF_LAW, OF_OTHERS = 0.0002, 0.0011
POSSIBLE = 0.1
# How often a sentence is learned from for each time another is: what was written one by one is few and worth most.
OFTEN_WRITTEN, OFTEN_PUBLIC = 6, 2
Rows = list[frozenset[str]]


class LinearClassifier:
    """Weights by feature, and the score threshold of an injection."""

    def __init__(self, weights: dict[str, float], threshold: float = 0.0) -> None:
        self.weights, self.threshold = weights, threshold

    def scores(self, marked: Rows) -> NDArray[np.float64]:
        weights = self.weights
        return np.array([sum(weights.get(mark, 0.0) for mark in row) + weights[""] if row else -99.0 for row in marked])


def fit_weights(
    orders: Rows, statements: Rows, strength: float = 1e-5, steps: int = 300, rare: int = 8
) -> dict[str, float]:
    """Both classes have the same weight; rare features are left out."""
    marked = [row for row in (*orders, *statements) if row]
    wanted = np.array([1.0] * sum(map(bool, orders)) + [0.0] * sum(map(bool, statements)))
    seen = Counter(mark for row in marked for mark in row)
    number = {mark: at for at, mark in enumerate(sorted(m for m, n in seen.items() if n >= rare))}
    inside = [[number[mark] for mark in row if mark in number] for row in marked]
    columns = np.array([at for row in inside for at in row])
    lines = np.repeat(np.arange(len(inside)), [len(row) for row in inside])
    share = np.where(wanted > 0, 0.5 / wanted.sum(), 0.5 / (1 - wanted).sum())
    weights, bias = np.zeros(len(number)), 0.0
    mean, square = np.zeros(len(number) + 1), np.zeros(len(number) + 1)
    for step in range(1, steps + 1):
        scores = np.bincount(lines, weights[columns], minlength=len(inside)) + bias
        missed = share * (1 / (1 + np.exp(-scores)) - wanted)
        slope = np.bincount(columns, missed[lines], minlength=len(number)) + strength * weights
        slope = np.append(slope, missed.sum())
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        moved = 0.05 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
        weights, bias = weights - moved[:-1], bias - float(moved[-1])
    return {mark: float(weights[at]) for mark, at in number.items()} | {"": bias}


def keep_largest(weights: dict[str, float], at_most: int) -> dict[str, float]:
    """The heaviest marks only, to two decimals."""
    bias = weights[""]
    heavy = sorted((m for m in weights if m), key=lambda m: -abs(weights[m]))[:at_most]
    return {"": round(bias, 2)} | {m: round(weights[m], 2) for m in sorted(heavy) if abs(weights[m]) >= 0.01}


def choose_threshold(learnt: LinearClassifier, kept: Mapping[str, Rows]) -> float:
    """The lowest score that keeps to what is allowed for each kind of text."""
    found: list[float] = []
    for share, of_law in ((OF_LAW, True), (OF_OTHERS, False)):
        marked = [row for name, rows in kept.items() if (name in LAW) is of_law for row in rows]
        found.append(float(np.sort(learnt.scores(marked))[int(len(marked) * (1 - share))]))
    return max(found)


def extract_features(sentences: Sequence[str]) -> Rows:
    return [injection_features(normalized_sentence(sentence)) for sentence in sentences]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--leave-out", action="store_true")
    arguments.add_argument("--out", type=Path, default=OUT)
    arguments.add_argument("--each", type=int, default=600)
    arguments.add_argument("--marks", type=int, default=8_000)
    options = arguments.parse_args()
    rng = random.Random(SEED)
    real = public_texts.training_texts(options.data, 9_000, rng)
    for listed in real.values():
        rng.shuffle(listed)
    kept = {name: listed[: len(listed) // 3] for name, listed in real.items()}
    flat = [sentence for listed in real.values() for sentence in listed[len(listed) // 3 :]]
    rng.shuffle(flat)
    in_english = [as_inner_clause(s) for s in flat if s.isascii() and 4 <= len(s.split()) <= 14]
    in_hindi = [
        as_inner_clause(s)
        for s in flat
        if not s.isascii() and "\u0900" <= max(s) <= "\u097f" and 4 <= len(s.split()) <= 12
    ]
    romanised = [templates.romanise_as_typed(s, rng) for s in flat if "\u0900" <= max(s) <= "\u097f"][:4_000]
    made = templates.generate_injections(in_english, in_hindi, options.each, rng)
    like = [sentence for _, sentence in templates.generate_statements(in_english, in_hindi, options.each, rng)]
    for label, sides in ((1, made), (0, None)):
        others = [(name, text) for name, text in hand_written(label) for _ in range(OFTEN_WRITTEN)]
        others += [
            (name, text) for name, text in public_prompts(options.data, label, half=0) for _ in range(OFTEN_PUBLIC)
        ]
        if sides is not None:
            sides += others
        else:
            like += [text for _, text in others]
    statements, kept_marks = (
        extract_features([*flat, *romanised, *like]),
        {name: extract_features(listed) for name, listed in kept.items()},
    )
    of = [(family, row) for (family, _), row in zip(made, extract_features([s for _, s in made]), strict=True)]
    if options.leave_out:
        _leave_out(of, statements, kept_marks, options.marks)
        return
    learnt = LinearClassifier(keep_largest(fit_weights([row for _, row in of], statements), options.marks))
    learnt.threshold = round(choose_threshold(learnt, kept_marks), 2)
    every = np.concatenate([learnt.scores(listed) for listed in kept_marks.values()])
    bias, possible = learnt.weights[""], float(np.quantile(every, 1 - POSSIBLE))
    weights = {mark: weight for mark, weight in learnt.weights.items() if mark}
    shipped = {
        "threshold": round(learnt.threshold - bias, 2),
        "possible": round(possible - bias, 2),
        "weights": weights,
    }
    held = json.dumps(shipped, ensure_ascii=False, indent=0)
    options.out.write_text(held + "\n", encoding="utf-8")
    print(f"{len(learnt.weights):,} features, threshold {learnt.threshold}, {options.out.stat().st_size:,} bytes")
    told: dict[str, list[float]] = {}
    for name, listed in public_texts.held_out_texts(options.data, 6_000).items():
        scores = learnt.scores(extract_features(listed))
        taken = int((scores > learnt.threshold).sum())
        shown = float((scores > possible).mean())
        print(
            f"{name}: {taken} of {len(listed):,} classified as injection ({taken / len(listed):.2%}), {shown:.1%} possible"
        )
    for name, text in public_prompts(options.data, 1, half=1):
        told.setdefault(name, []).append(learnt.scores(extract_features([text]))[0])
    for name, scores in told.items():
        found = np.array(scores)
        print(f"{name}: {(found > learnt.threshold).mean():.1%} detected, {(found > possible).mean():.1%} possible")


def _leave_out(of: list[tuple[str, frozenset[str]]], statements: Rows, kept: Mapping[str, Rows], at_most: int) -> None:
    ways = sorted({family.removeprefix("hi ").removeprefix("roman ") for family, _ in of})
    for way in ways:
        without = [row for family, row in of if family.split()[-1] != way]
        learnt = LinearClassifier(keep_largest(fit_weights(without, statements, steps=200), at_most))
        learnt.threshold = choose_threshold(learnt, kept)
        for family in (way, f"hi {way}", f"roman {way}"):
            scores = learnt.scores([row for name, row in of if name == family])
            if len(scores):
                print(f"{family}: {(scores > learnt.threshold).mean():.0%} detected when left out", flush=True)


def as_inner_clause(sentence: str) -> str:
    """A sentence as part of another."""
    return (
        (sentence[:1].lower() + sentence[1:])
        .strip()
        .rstrip(".।;:")
        .replace("\n", " ")
        .replace("{", "")
        .replace("}", "")
    )


if __name__ == "__main__":
    main()
