"""Compares the encoders, alone and fused with BM25 in several ways, in quality and speed.

    python -m benchmarks.quality.encoders --data ../shared/data

Prints a table and writes it to benchmarks/results/retrieval/encoders.md and .json. Needs the data folder, which is not part of
the repository. Every number is a mean over the questions of a set, in percent.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.encoder_sets import (
    HEADING_REPEATS,
    Bm25,
    Collection,
    Scores,
    collections,
    measured,
    named_first,
)
from footnotary.models.onnx_embedder import OnnxEmbedder
from footnotary.models.static_embedder import StaticEmbedder
from footnotary.text.tokens import content_terms

ROOT = Path(__file__).parents[2]
SHIPPED = ("footnotary-30m", "static-multilingual")
CANDIDATES = 100
RRF_DAMPING = 60
PASSAGES_TIMED = 100
QUESTIONS_TIMED = 30
DENSE_WEIGHTS = (0.2, 0.3, 0.4, 0.5)
COLUMNS = (
    ("cranfield", "nDCG@10"),
    ("cisi", "nDCG@10"),
    ("cacm", "nDCG@10"),
    ("ipc", "Hit@1"),
    ("ipc", "Hit@5"),
    ("known item", "Hit@1"),
    ("xquad en", "nDCG@10"),
    ("xquad hi", "nDCG@10"),
)
Embedder = OnnxEmbedder | StaticEmbedder
Join = Callable[[Scores, Scores], Scores]


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast one core embeds sections of the Penal Code, and a question of eleven words."""

    name: str
    passages_per_core_s: float
    question_ms: float
    megabytes: float


def reciprocal_ranks(lexical: Scores, dense: Scores) -> Scores:
    """Reciprocal-rank fusion of the first hundred of each list."""
    return _reciprocal(lexical, found=lexical > 0) + _reciprocal(dense, found=np.ones_like(dense, dtype=bool))


def _reciprocal(scores: Scores, found: NDArray[np.bool_]) -> Scores:
    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(scores.shape[1])[None, :], axis=1)
    return np.where((ranks < CANDIDATES) & found, 1.0 / (RRF_DAMPING + 1 + ranks), 0.0)


def weighted(dense_weight: float) -> Join:
    """Weighted sum of both scores, each brought to 0..1 within the first hundred of its list.

    The lexical score is divided by the best one; of the dense score the hundredth best is taken off first, because
    unrelated texts have a cosine well above zero.
    """

    def join(lexical: Scores, dense: Scores) -> Scores:
        best = np.maximum(lexical.max(axis=1, keepdims=True), 1e-9)
        by_word = np.where(lexical >= _last_of_list(lexical), lexical / best, 0.0)
        last = _last_of_list(dense)
        by_meaning = (dense - last) / np.maximum(dense.max(axis=1, keepdims=True) - last, 1e-9)
        return (1 - dense_weight) * by_word + dense_weight * np.maximum(by_meaning, 0.0)

    return join


def _last_of_list(scores: Scores) -> Scores:
    depth = min(CANDIDATES, scores.shape[1])
    return np.partition(scores, -depth, axis=1)[:, -depth][:, None]


def lexical_scores(collection: Collection, repeats: int) -> Scores:
    index = Bm25([passage.terms(repeats) for passage in collection.passages])
    return np.stack([index.scores(content_terms(question)) for question in collection.questions])


class CachedVectors:
    """An embedder whose vectors are kept in a folder, so that a repeated run does not embed the same texts again."""

    def __init__(self, embedder: Embedder, folder: Path | None) -> None:
        self.embedder = embedder
        self._file = None if folder is None else folder / f"{embedder.name}.npz"
        self._known: dict[str, NDArray[np.float32]] = {}
        if self._file is not None and self._file.is_file():
            with np.load(self._file) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._vectors("passage", texts, self.embedder.embed_passages)

    def questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._vectors("question", texts, lambda new: [self.embedder.embed_question(text) for text in new])

    def _vectors(
        self, role: str, texts: Sequence[str], embed: Callable[[list[str]], Iterable[NDArray[np.float32]]]
    ) -> NDArray[np.float32]:
        keys = [hashlib.sha256(f"{role}\0{text}".encode()).hexdigest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            self._known.update(zip(new, embed(list(new.values())), strict=True))
            if self._file is not None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                np.savez(self._file, keys=np.array(list(self._known)), vectors=np.stack(list(self._known.values())))
        return np.stack([self._known[key] for key in keys])


def dense_scores(collection: Collection, embedder: CachedVectors) -> Scores:
    passages = embedder.passages([passage.embedded for passage in collection.passages])
    return (embedder.questions(collection.questions) @ passages.T).astype(np.float64)


def rows_for(collection: Collection, embedders: Mapping[str, CachedVectors]) -> dict[str, Scores]:
    """The scores of every passage for every question, by the name of the method."""
    words = lexical_scores(collection, HEADING_REPEATS)
    rows = {
        "BM25, heading counted once": lexical_scores(collection, 1),
        f"BM25, heading counted {HEADING_REPEATS} times": words,
        f"BM25, heading counted {HEADING_REPEATS} times, named provisions first": named_first(collection, words),
    }
    for name, embedder in embedders.items():
        dense = dense_scores(collection, embedder)
        rows[f"{name} alone"] = dense
        rows[f"{name} + BM25, reciprocal ranks"] = reciprocal_ranks(words, dense)
        for weight in DENSE_WEIGHTS:
            rows[f"{name} + BM25, dense weight {weight}"] = weighted(weight)(words, dense)
        speaks = collection.language in embedder.embedder.languages
        joined = weighted(embedder.embedder.calibration.dense_weight)(words, dense) if speaks else words
        rows[f"**{name}: what the product does**"] = named_first(collection, joined)
    return rows


def speed_of(name: str, embedder: Embedder, folder: Path, texts: Sequence[str]) -> Speed:
    """Processor time, not time on the clock: a busy machine does not make an encoder slow."""
    embedder.embed_question("warm up")
    started = time.process_time()
    embedder.embed_passages(texts)
    passages_s = time.process_time() - started
    started = time.process_time()
    for _ in range(QUESTIONS_TIMED):
        embedder.embed_question("What is the punishment for theft in a dwelling house?")
    question_s = time.process_time() - started
    size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
    return Speed(name, len(texts) / passages_s, 1000 * question_s / QUESTIONS_TIMED, size)


def open_folder(folder: Path) -> Embedder:
    return StaticEmbedder(folder) if (folder / "table.npy").is_file() else OnnxEmbedder(folder)


def as_markdown(table: Mapping[str, Mapping[str, float]], speeds: Sequence[Speed], command: str) -> str:
    heads = [f"{name} {measure}" for name, measure in COLUMNS]
    lines = [
        "# Encoders compared",
        "",
        f"Made by `{command}` on {machine()}.",
        "",
        f"Joined lists are the first {CANDIDATES} of each; the product takes the weight in the encoder's `config.json`, puts",
        "provisions named by number first and gives an encoder no weight for a question in a language it does not list.",
        "",
        f"| | {' | '.join(heads)} |",
        f"|---|{'--:|' * len(heads)}",
        *(f"| {way} | {' | '.join(f'{figures[head]:.1f}' for head in heads)} |" for way, figures in table.items()),
        "",
        "| encoder | passages per core and second | one question, ms | MB |",
        "|---|--:|--:|--:|",
        *(f"| {s.name} | {s.passages_per_core_s:.0f} | {s.question_ms:.1f} | {s.megabytes:.1f} |" for s in speeds),
        "",
        f"Passages are the first {PASSAGES_TIMED} sections of the Penal Code, with titles. They are embedded side by",
        "side, so several cores give about as many times more.",
    ]
    return "\n".join(lines) + "\n"


def machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = os.environ.get("FOOTNOTARY_DATA", str(ROOT.parent / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=Path(default), help="the data folder (or FOOTNOTARY_DATA)")
    parser.add_argument("--also", type=Path, action="append", default=[], help="a further folder of weights to compare")
    parser.add_argument("--vectors", type=Path, help="a folder to keep vectors in between runs")
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results" / "retrieval")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        raise SystemExit(f"{arguments.data} is not there: pass --data or set FOOTNOTARY_DATA")

    folders = [ROOT / "src" / "footnotary" / "weights" / name for name in SHIPPED] + arguments.also
    embedders = {folder.name: CachedVectors(open_folder(folder), arguments.vectors) for folder in folders}
    figures: dict[str, dict[str, list[NDArray[np.float64]]]] = defaultdict(lambda: defaultdict(list))
    speeds: list[Speed] = []
    for collection in collections(arguments.data):
        print(f"{collection.name}: {len(collection.passages)} passages", file=sys.stderr)
        for way, scores in rows_for(collection, embedders).items():
            for measure, values in measured(collection, scores).items():
                figures[way][f"{collection.name} {measure}"].append(values)
        if collection.name == "ipc":
            texts = [passage.embedded for passage in collection.passages[:PASSAGES_TIMED]]
            speeds = [speed_of(folder.name, embedders[folder.name].embedder, folder, texts) for folder in folders]
    table = {
        way: {column: 100 * float(np.concatenate(values).mean()) for column, values in columns.items()}
        for way, columns in figures.items()
    }
    also = "".join(f" --also {folder.name}" for folder in arguments.also)
    command = f"python -m benchmarks.quality.encoders{also}"
    markdown = as_markdown(table, speeds, command)
    print(markdown)
    arguments.results.mkdir(parents=True, exist_ok=True)
    (arguments.results / "encoders.md").write_text(markdown, encoding="utf-8")
    result = {
        "command": command,
        "machine": machine(),
        "figures": table,
        "speed": {
            s.name: {"passages_per_core_s": s.passages_per_core_s, "question_ms": s.question_ms, "mb": s.megabytes}
            for s in speeds
        },
    }
    (arguments.results / "encoders.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
