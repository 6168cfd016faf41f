"""Texts to fill an index with: sections of real acts where the data folder is there, variations of the demo otherwise."""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from footnotary.cli.questions.demo import corpus_folder
from footnotary.ports import Embedder, RelevanceCalibration, Vector, Vectors
from footnotary.text.sentences.splitter import sentences

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))
ACTS = DATA / "corpora" / "in_acts" / "all_acts_en_sections.jsonl.gz"
ROWS_PER_FILE = 5_000

Row = dict[str, object]


def rows() -> Iterator[Row]:
    """Passages of some 1,500 characters, never ending where they are made up."""
    yield from _act_rows() if ACTS.is_file() else _made_up_rows()


def pieces(longest: int) -> Iterator[Row]:
    """The same passages in pieces of whole lines of about `longest` characters."""
    for row in rows():
        piece = ""
        for line in str(row["text"]).splitlines():
            if piece and len(piece) + len(line) > longest:
                yield {**row, "text": piece}
                piece = ""
            piece += f"{line}\n"
        if piece.strip():
            yield {**row, "text": piece}


def written(found: Iterator[Row], count: int, folder: Path) -> Path:
    """A folder with at most `count` rows in files of a few thousand, as a user would hand them in."""
    folder.mkdir(parents=True)
    kept = islice(found, count)
    number = 0
    while some := list(islice(kept, ROWS_PER_FILE)):
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in some)
        (folder / f"rows_{number:02}.jsonl").write_text("".join(lines), encoding="utf-8")
        number += 1
    return folder


def where_from() -> str:
    if ACTS.is_file():
        return "sections of Indian central acts from the data folder"
    return "made up from sentences of the demo corpus, as there is no data folder"


def _act_rows() -> Iterator[Row]:
    with gzip.open(ACTS, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            yield {key: row[key] for key in ("act", "section", "page", "title", "text") if row.get(key) is not None}


def _made_up_rows() -> Iterator[Row]:
    chance = random.Random(1)
    said: list[str] = []
    for path in sorted(corpus_folder().glob("*.txt")):
        said += sentences(path.read_text(encoding="utf-8"))
    number = 0
    while True:
        number += 1
        text = "\n".join(chance.sample(said, k=min(9, len(said))))
        yield {"act": f"Act {number // 100 + 1}", "section": str(number % 100 + 1), "text": text}


class RandomPassages:
    """An embedder that gives passages random unit vectors, and questions real ones.

    Exact search takes as long whatever the vectors say; embedding 100,000 passages would take an hour.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._chance = np.random.default_rng(1)

    name = property(lambda self: self._embedder.name)
    dimensions = property(lambda self: self._embedder.dimensions)
    languages = property(lambda self: self._embedder.languages)

    @property
    def calibration(self) -> RelevanceCalibration:
        return self._embedder.calibration

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        vectors = self._chance.standard_normal((len(texts), self._embedder.dimensions), dtype=np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def embed_question(self, text: str) -> Vector:
        return self._embedder.embed_question(text)
