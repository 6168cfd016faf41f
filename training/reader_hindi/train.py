"""Trains the reader of Hindi questions, calibrates it and writes its weights; about ten minutes on one core.

    python -m training.reader_hindi.train --rows FOLDER --table FOLDER --out FOLDER [--epochs 2]

`--rows` is what `training.reader_hindi.rows` wrote, `--table` the folder of `static-multilingual`. Prints AUC on the
articles that were held out: the passage that answers against the same one cut, one near it, and those word search finds.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional as fn

from footnotary.models.word_vectors import WordVectors
from footnotary.reader.calibration import fit_platt
from footnotary.text.tokens import words
from training.reader_hindi.model import NEVER, WordPairNet, Words
from training.reader_hindi.rows import read

BATCH, RATE, WARM_UP = 64, 2e-3, 200
ENGLISH_SHARE = 0.2
MOST_ASKED, MOST_READ, MOST_HEADING = 32, 230, 20
MARKS_WEIGHT = 0.6
SMOOTHED = 0.02


@dataclass(frozen=True, slots=True)
class Pair:
    question: list[int]
    passage: list[int]
    sentence: list[int]  # of each word of the passage; -1 in headings
    label: int
    at: list[int]
    kind: str


class Vocabulary:
    """Every word once, with its row of the table; 0 is no word."""

    def __init__(self, vectors: WordVectors) -> None:
        self._vectors, self._numbers = vectors, dict[str, int]()

    def number(self, word: str) -> int:
        return self._numbers.setdefault(word, len(self._numbers) + 1)

    def tensors(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        rows = self._vectors.rows(list(self._numbers))
        stems = {stem: number for number, stem in enumerate(dict.fromkeys(["", *rows.stems]))}
        numbered = np.array([0, *(stems[stem] for stem in rows.stems)])
        first = np.zeros((1, rows.vectors.shape[1]), np.float32), np.zeros((1, rows.features.shape[1]), np.float32)
        return (
            torch.tensor(np.vstack([first[0], rows.vectors])),
            torch.tensor(np.vstack([first[1], rows.features])),
            torch.tensor(numbered),
        )


def encoded(row: dict[str, Any], vocabulary: Vocabulary) -> Pair | None:
    question = [vocabulary.number(word) for word in words(row["a"])][:MOST_ASKED]
    parts = [(-1, word) for word in words(row["h"])[:MOST_HEADING]]
    parts += [(place, word) for place, text in enumerate(row["s"]) for word in words(text)]
    parts = parts[:MOST_READ]
    if not question or not any(place >= 0 for place, _ in parts):
        return None
    passage = [vocabulary.number(word) for _, word in parts]
    return Pair(question, passage, [place for place, _ in parts], row["y"], row["at"], row["set"])


class Trainer:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vectors, self._features, self._stems = vocabulary.tensors()
        self.net = WordPairNet()

    def _words(self, rows: Sequence[list[int]]) -> tuple[torch.Tensor, Words]:
        ids = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = torch.tensor(row)
        return ids, Words(self._vectors[ids], self._features[ids], (ids > 0).float())

    def run(self, pairs: Sequence[Pair]) -> tuple[torch.Tensor, torch.Tensor]:
        asked, q = self._words([pair.question for pair in pairs])
        read_ids, p = self._words([pair.passage for pair in pairs])
        stems = self._stems[read_ids][:, :, None]
        same = ((stems == self._stems[asked][:, None]) & (stems > 0)).float()
        heading = torch.zeros(read_ids.shape)
        for number, pair in enumerate(pairs):
            heading[number, : len(pair.sentence)] = (torch.tensor(pair.sentence) < 0).float()
        return self.net(q, p, same, heading)

    def loss(self, pairs: Sequence[Pair]) -> torch.Tensor:
        """Whether it answers, and where: in the sentence of the answer, or nowhere."""
        odds, marks = self.run(pairs)
        labels = torch.tensor([float(pair.label) for pair in pairs])
        whole = fn.binary_cross_entropy_with_logits(odds, labels * (1 - 2 * SMOOTHED) + SMOOTHED)
        wanted, counted = torch.zeros(marks.shape), torch.zeros(marks.shape)
        for number, pair in enumerate(pairs):
            if pair.at or not pair.label:
                counted[number, : len(pair.sentence)] = 1
                wanted[number, : len(pair.sentence)] = torch.tensor([float(s in pair.at) for s in pair.sentence])
        counted *= marks > NEVER / 10
        each = fn.binary_cross_entropy_with_logits(marks, wanted, reduction="none") * counted
        return whole + MARKS_WEIGHT * (each.sum(1) / (counted.sum(1) + 1)).mean()

    def train(self, learned: Sequence[Pair], english: Sequence[Pair], epochs: int, draw: random.Random) -> None:
        optimizer = torch.optim.AdamW(self.net.parameters(), lr=RATE, weight_decay=0.02)
        count = int(ENGLISH_SHARE * len(english))
        total, step, start = epochs * ((len(learned) + count) // BATCH + 1), 0, time.monotonic()
        for epoch in range(epochs):
            self.net.train()
            for batch in batches([*learned, *draw.sample(english, count)], draw):
                step += 1
                for group in optimizer.param_groups:
                    group["lr"] = RATE * min(1, step / WARM_UP) * max(0.02, 1 - step / total)
                loss = self.loss(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
                if step % 100 == 0:
                    print(epoch, step, total, round(loss.item(), 3), f"{time.monotonic() - start:.0f} s", flush=True)

    def odds(self, pairs: Sequence[Pair]) -> list[float]:
        self.net.eval()
        found = [0.0] * len(pairs)
        order = sorted(range(len(pairs)), key=lambda place: len(pairs[place].passage))
        with torch.no_grad():
            for start in range(0, len(order), 2 * BATCH):
                places = order[start : start + 2 * BATCH]
                for place, value in zip(places, self.run([pairs[n] for n in places])[0].tolist(), strict=True):
                    found[place] = value
        return found


def batches(pairs: list[Pair], draw: random.Random) -> list[list[Pair]]:
    """Pairs of like length together, in any order."""
    draw.shuffle(pairs)
    found: list[list[Pair]] = []
    for start in range(0, len(pairs), BATCH * 40):
        held = sorted(pairs[start : start + BATCH * 40], key=lambda pair: len(pair.passage))
        found += [held[n : n + BATCH] for n in range(0, len(held), BATCH)]
    draw.shuffle(found)
    return found


def by_kind(pairs: Sequence[Pair], odds: Sequence[float]) -> dict[str, list[float]]:
    held: dict[str, list[float]] = defaultdict(list)
    for pair, value in zip(pairs, odds, strict=True):
        held[pair.kind.split(":")[1]].append(value)
    return held


def best_of_ten(pairs: Sequence[Pair], odds: Sequence[float]) -> tuple[list[float], list[float]]:
    """The highest of ten passages of each question: with the one that answers, and without it."""
    asked: dict[tuple[int, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for pair, value in zip(pairs, odds, strict=True):
        asked[tuple(pair.question)][pair.kind.split(":")[1]].append(value)
    found = [held for held in asked.values() if held["gold"] and len(held["found"]) > 1]
    return [max(held["gold"][0], *held["found"][:9]) for held in found], [max(held["found"]) for held in found]


def auc(right: Sequence[float], wrong: Sequence[float]) -> float:
    below = np.searchsorted(np.sort(wrong), right, "left") + np.searchsorted(np.sort(wrong), right, "right")
    return float(below.mean() / 2 / len(wrong))


def calibration(
    pairs: Sequence[Pair], odds: Sequence[float], written: Sequence[Pair], written_odds: Sequence[float]
) -> dict[str, dict[str, float]]:
    """One passage: as it is against the same one cut, and written documents with their close questions.

    The best of ten: with the one that answers against without it.
    """
    held = by_kind(pairs, odds)
    values = [*held["gold"], *held["cut"], *written_odds]
    labels = [True] * len(held["gold"]) + [False] * len(held["cut"]) + [bool(pair.label) for pair in written]
    one = fit_platt([_probability(value) for value in values], labels)
    with_it, without = best_of_ten(pairs, odds)
    best = fit_platt(
        [one.applied(_probability(v)) for v in (*with_it, *without)], [True] * len(with_it) + [False] * len(without)
    )
    return {
        name: {"slope": round(held.slope, 3), "intercept": round(held.intercept, 3)}
        for name, held in (("answers", one), ("answers_best", best))
    }


def _probability(odds: float) -> float:
    return 1 / (1 + float(np.exp(-odds)))


def report(pairs: Sequence[Pair], odds: Sequence[float]) -> dict[str, float]:
    held = by_kind(pairs, odds)
    found = {kind: auc(held["gold"], held[kind]) for kind in ("cut", "near", "found")}
    found["best of ten"] = auc(*best_of_ten(pairs, odds))
    return {kind: round(100 * value, 1) for kind, value in found.items()}


def written_auc(pairs: Sequence[Pair], odds: Sequence[float]) -> float:
    right = [value for pair, value in zip(pairs, odds, strict=True) if pair.label]
    wrong = [value for pair, value in zip(pairs, odds, strict=True) if not pair.label]
    return round(100 * auc(right, wrong), 1)


def export(net: WordPairNet, out: Path, table: str, calibrated: dict[str, dict[str, float]]) -> None:
    """Weights in half precision, and the configuration with their hash."""
    out.mkdir(parents=True, exist_ok=True)
    arrays = {name: value.detach().numpy().astype(np.float16) for name, value in net.state_dict().items()}
    np.savez(out / "model.npz", **arrays)
    config = {
        "name": "reader-hindi",
        "licence": "Apache-2.0",
        "languages": ["hi"],
        "words": MOST_READ - MOST_HEADING,
        "table": table,
        "sha256": {"model.npz": hashlib.sha256((out / "model.npz").read_bytes()).hexdigest()},
        "calibration": calibrated,
    }
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    vectors = WordVectors(options.table)
    vocabulary = Vocabulary(vectors)
    parts = {
        name: [pair for row in read(options.rows / f"{name}.jsonl.gz") if (pair := encoded(row, vocabulary))]
        for name in ("learned", "written", "english", "calibrated", "written_calibrated", "measured")
    }
    trainer = Trainer(vocabulary)
    hindi = [*parts["learned"], *parts["written"]]
    trainer.train(hindi, parts["english"], options.epochs, random.Random(options.seed))
    odds = {name: trainer.odds(parts[name]) for name in ("calibrated", "written_calibrated", "measured")}
    written = parts["written_calibrated"]
    calibrated = calibration(parts["calibrated"], odds["calibrated"], written, odds["written_calibrated"])
    export(trainer.net, options.out, vectors.name, calibrated)
    found = report(parts["measured"], odds["measured"]) | {"written": written_auc(written, odds["written_calibrated"])}
    print(json.dumps({"calibration": calibrated, "AUC": found}))


if __name__ == "__main__":
    main()
