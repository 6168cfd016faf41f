"""Vectors to measure first passes with: real sections, filled up with variations, at the width of the default embedder.

    python -m benchmarks.scale.vectors --sections all_acts_en_sections.jsonl.gz --n 100000 --out vectors.npy

The sections are embedded with the shipped fast embedder and turned into 384 dimensions by a rotation, which keeps every
product between two of them; a variation is a mix of a section with another one and some noise. Questions are sections'
titles. It costs seconds, where the default embedder would take hours on a small machine.
"""

import argparse
import gzip
import json
from pathlib import Path

import numpy as np

from footnotary.wiring import open_embedder

WIDTH = 384


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sections", type=Path, required=True)
    parser.add_argument("--n", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    with gzip.open(given.sections, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    embedder, dice = open_embedder("fast"), np.random.default_rng(7)
    real = embedder.embed_passages([row["text"][:1000] for row in rows])
    titled = [row["title"] for row in rows if len(row.get("title") or "") > 20]
    asked = embedder.embed_passages([titled[i] for i in dice.choice(len(titled), given.questions, replace=False)])
    rotation = np.linalg.qr(dice.standard_normal((WIDTH, real.shape[1])))[0].T.astype(np.float32)
    more = max(0, given.n - len(real))
    mixed = 0.8 * real[dice.integers(len(real), size=more)] + 0.2 * real[dice.integers(len(real), size=more)]
    mixed += dice.standard_normal(mixed.shape).astype(np.float32) * 0.02
    vectors = np.concatenate([real, mixed])[: given.n]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    np.savez(
        given.out, vectors=(vectors @ rotation).astype(np.float32), questions=(asked @ rotation).astype(np.float32)
    )
    print(f"{len(vectors)} vectors, of which {min(len(real), given.n)} are sections, and {len(asked)} questions")


if __name__ == "__main__":
    main()
