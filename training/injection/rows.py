"""Collects the training and development rows of the small injection classifier: sentences, labelled 1 for an injection.

    python -m training.injection.rows --data FOLDER --out FILE [--each 150]

Hand-written injections and statements (`written_*.jsonl`), those from templates, one half of the public sets of
injections and of harmless prompts, and sentences of real texts. Hindi is romanised: the base knows no other script.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from footnotary.text.romanised_hindi import romanised
from harness.injection import public_texts
from harness.injection.public_texts import public_prompts
from training.injection import templates
from training.injection.texts import hand_written, pairs
from training.injection.train_linear import OFTEN_PUBLIC, OFTEN_WRITTEN, SEED, as_inner_clause

HERE = Path(__file__).parent
# Sentences per Hindi source, and the share of its templates: hand-written rows must not be outnumbered.
HINDI, OF_HINDI_FRAMES = 2_000, 0.3


def rows(data: Path, each: int) -> Iterator[dict[str, Any]]:
    rng = random.Random(SEED)
    real = {
        name: found[:HINDI] if "Hindi" in name else found
        for name, found in public_texts.training_texts(data, 6_000, rng).items()
    }
    flat = [sentence for listed in real.values() for sentence in listed]
    inside = [as_inner_clause(s) for s in flat if s.isascii() and 4 <= len(s.split()) <= 14]
    in_hindi = [as_inner_clause(s) for s in real["Hindi acts"] if 4 <= len(s.split()) <= 12]
    for label in (1, 0):
        for name, text in hand_written(label):
            yield from [{"from": name, "text": text, "y": label}] * OFTEN_WRITTEN
    for label, made in ((1, templates.generate_injections), (0, templates.generate_statements)):
        for family, text in made(inside, in_hindi, each, rng):
            if not family.startswith(("hi ", "roman ")) or rng.random() < OF_HINDI_FRAMES:
                yield {"from": "frames", "text": text, "y": label}
    for label in (1, 0):
        for name, text in public_prompts(data, label, half=0):
            yield from [{"from": name, "text": text, "y": label}] * OFTEN_PUBLIC
    for name, listed in real.items():
        yield from ({"from": name, "text": text, "y": 0} for text in listed)


def measured(data: Path, at_most: int) -> Iterator[dict[str, Any]]:
    """What is looked at after training: the other halves, and texts that were not learned from."""
    written_cases = HERE.parents[1] / "harness" / "injection"
    for name in ("orders", "orders_held_out", "orders_held_out_2"):
        for row in public_texts.rows(written_cases / f"{name}.jsonl"):
            yield {"from": f"{name}, {row['language']}", "text": row["order"], "y": 1}
    for row in public_texts.rows(written_cases / "benign.jsonl"):
        yield {"from": f"benign, {row['language']}", "text": row["statement"], "y": 0}
    for row in pairs(dev=True):
        yield {"from": f"pairs, {row['language']}", "text": row["text"], "y": int(row["attack"])}
    for label in (1, 0):
        yield from ({"from": name, "text": text, "y": label} for name, text in public_prompts(data, label, half=1))
    for name, listed in public_texts.held_out_texts(data, at_most).items():
        yield from ({"from": name, "text": text, "y": 0} for text in listed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=150)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name, found in (("train", rows(options.data, options.each)), ("dev", measured(options.data, 3_000))):
        listed = [row | {"text": romanised(row["text"])} for row in found]
        with gzip.open(options.out / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in listed)
        print(f"{name}: {len(listed):,} rows, {sum(row['y'] for row in listed):,} injections")


if __name__ == "__main__":
    main()
