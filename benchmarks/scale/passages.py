"""Passages, vectors and questions for measuring stores at 10,000 to a million chunks.

The texts are pieces of about 500 characters of real acts from the data folder; where these run out, variations of them
follow in which every sixth word comes from another piece. Some thousand pieces and all questions (headings of sections)
are embedded with the default embedder; every other vector is a mix of two of these with noise, as embedding a million
passages would take hours on a small machine.
"""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.corpora import pieces
from footnotary.ports import Vectors
from footnotary.wiring import open_embedder

PIECE = 500
QUESTIONS = 200
_EVERY = 6
_AT_ONCE = 50_000


def texts(count: int) -> Iterator[str]:
    """The first `count` passages, always the same."""
    real = [str(row["text"]) for row in islice(pieces(PIECE), count)]
    yield from real
    dice = np.random.default_rng(11)
    for _ in range(count - len(real)):
        one, other = (real[int(i)].split(" ") for i in dice.integers(len(real), size=2))
        for place in range(int(dice.integers(_EVERY)), len(one), _EVERY):
            one[place] = other[place % len(other)]
        yield " ".join(one)


def questions() -> list[str]:
    titles = sorted({title for row in pieces(PIECE) if len(title := str(row.get("title") or "")) > 20})
    return [titles[int(i)] for i in np.random.default_rng(7).permutation(len(titles))[:QUESTIONS]]


def prepare(folder: Path, count: int, embedded: int) -> None:
    """Writes `texts.jsonl`, `vectors.npy` and `questions.npz` for the largest run; smaller ones use their beginnings."""
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "prepared.json"
    if done.is_file():
        held, real = json.loads(done.read_text("utf-8"))
        if held >= count and real == embedded:
            return
    asked = questions()
    embedder = open_embedder("default")
    known = embedder.embed_passages(list(islice(texts(embedded), embedded)))
    np.savez(
        folder / "questions.npz",
        texts=np.array(asked),
        vectors=np.stack([embedder.embed_question(question) for question in asked]),
    )
    with (folder / "texts.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(text, ensure_ascii=False) + "\n" for text in texts(count))
    _write_vectors(folder / "vectors.npy", known, count)
    done.write_text(json.dumps([count, embedded]), "utf-8")


def _write_vectors(path: Path, known: Vectors, count: int) -> None:
    dice = np.random.default_rng(13)
    out = np.lib.format.open_memmap(path, "w+", np.float32, (count, known.shape[1]))
    out[: len(known)] = known[:count]
    for start in range(len(known), count, _AT_ONCE):
        size = min(_AT_ONCE, count - start)
        one, other = (known[dice.integers(len(known), size=size)] for _ in range(2))
        mixed = 0.8 * one + 0.2 * other + 0.02 * dice.standard_normal(one.shape, dtype=np.float32)
        out[start : start + size] = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    out.flush()


def prepared(folder: Path, count: int) -> tuple[Iterator[str], NDArray[np.float32], list[str], NDArray[np.float32]]:
    """The first `count` texts and vectors, and the questions with theirs."""
    asked = np.load(folder / "questions.npz")
    lines = (folder / "texts.jsonl").open(encoding="utf-8")
    some = (str(json.loads(line)) for line in islice(lines, count))
    return some, np.load(folder / "vectors.npy", mmap_mode="r")[:count], asked["texts"].tolist(), asked["vectors"]
