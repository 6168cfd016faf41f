"""How far the scores of the shipped models differ between threads, graph optimisations and processors.

    python -m benchmarks.speed.score_agreement [--rounds N] [--other "LABEL=FILE" ...]
    python -m benchmarks.speed.score_agreement --write FILE      # on another machine, or under an emulator
    python -m benchmarks.speed.score_agreement --store           # after new weights: stores the golden scores again

`--write` keeps the scores of one machine in a file, which `--other` compares with this one. Prints the tables and writes
benchmarks/results/speed/score-agreement.json and .md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from footnotary.models.merged_weights import GRAPH, merged_matrices
from footnotary.models.model_packages import locate_model
from footnotary.models.onnx_session import load_session, load_tokenizer, read_config

GOLDEN = Path(__file__).parent / "golden_scores.json"
RESULTS = Path(__file__).parents[1] / "results" / "speed"
TOLERANCE = 0.03  # a vector that lies between two steps may be rounded to either: one pair in twelve moves by 0.02
PADDED_TO = 16  # as the product pads pairs
TOKENS = (64, 200)
_PLACES = 4
LARGE, CLASSIFIER, EMBEDDER = "verifier-large", "injection-small", "footnotary-30m"
SHIPPED = (LARGE, "verifier-small", CLASSIFIER, EMBEDDER)

Scores = dict[str, list[list[float]]]


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """The texts each model scores, and the scores stored for them: one row of numbers per text or pair."""

    texts: Mapping[str, Sequence[Sequence[str]]]
    scores: Mapping[str, Sequence[Sequence[float]]]


def read_golden() -> GoldenSet:
    content = json.loads(GOLDEN.read_text(encoding="utf-8"))
    texts = {name: content["sentences"] if name == CLASSIFIER else content["pairs"] for name in SHIPPED}
    return GoldenSet(texts, content["scores"])


class TimedModel:
    """A graph of a shipped model as the product opens it, or without graph optimisations."""

    def __init__(self, folder: Path, threads: int, optimised: bool = True, update: bool = False) -> None:
        self._matrices = merged_matrices(folder, read_config(folder)[1]) if update else None
        graph = folder / (GRAPH if update else "model.onnx")
        if optimised:
            self._session: Any = load_session(graph, threads=threads, initializers=self._matrices)
        else:
            options: Any = onnxruntime.SessionOptions()
            options.intra_op_num_threads = threads
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            if self._matrices is not None:
                values = [onnxruntime.OrtValue.ortvalue_from_numpy(value) for value in self._matrices.values()]
                options.add_external_initializers(list(self._matrices), values)
            self._session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
        self._inputs = {one.name for one in self._session.get_inputs()}
        self._tokenizer = load_tokenizer((folder / "tokenizer.json").read_bytes())

    def run_ids(self, ids: np.ndarray[Any, Any], kinds: np.ndarray[Any, Any]) -> list[float]:
        given = {"ids": ids, "kinds": kinds, "mask": np.ones_like(ids)}
        if "mask" in self._inputs:
            missing = -ids.shape[1] % PADDED_TO
            given = {name: np.pad(values, ((0, 0), (0, missing))) for name, values in given.items()}
        output = self._session.run(None, {name: value for name, value in given.items() if name in self._inputs})[0][0]
        return [float(value) for value in output]

    def run(self, text: str, passage: str | None = None) -> list[float]:
        encoding = self._tokenizer.encode(text, passage)
        return self.run_ids(np.array([encoding.ids], np.int64), np.array([encoding.type_ids], np.int64))


def scored(
    name: str, folder: Path, texts: Sequence[Sequence[str]], threads: int, optimised: bool = True
) -> list[list[float]]:
    """One row per pair or sentence: the probabilities, or for the embedder the cosine of the two texts of a pair."""
    model = TimedModel(folder, threads, optimised)
    if name == EMBEDDER:
        return [[float(np.dot(model.run(first), model.run(second)))] for first, second in texts]
    if name == CLASSIFIER:
        return [model.run(*text)[:1] for text in texts]  # its second output is not trained
    questions = TimedModel(folder, threads, optimised, update=True)
    return [[model.run(*text)[0], questions.run(*text)[1]] for text in texts]


def largest_difference(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float:
    return float(np.abs(np.array(one) - np.array(other)).max())


def all_scores(names: Sequence[str] = SHIPPED, limit: int | None = None) -> Scores:
    """By model, with one thread."""
    golden = read_golden()
    return {name: scored(name, locate_model(name), golden.texts[name][:limit], threads=1) for name in names}


def differences(others: Mapping[str, Scores], here: Scores) -> list[dict[str, Any]]:
    """A row per setting: by model, the largest difference from one thread on this machine."""
    golden = read_golden()
    rows: list[dict[str, Any]] = []
    for label, (threads, optimised) in {"2 threads": (2, True), "no graph optimisations": (1, False)}.items():
        row: dict[str, Any] = {"setting": label}
        for name in SHIPPED:
            found = scored(name, locate_model(name), golden.texts[name], threads, optimised)
            row[name] = largest_difference(here[name], found)
        rows.append(row)
    for label, other in others.items():
        compared = {name: largest_difference(here[name][: len(found)], found) for name, found in other.items()}
        rows.append({"setting": label} | compared | {f"{name}, rows": len(found) for name, found in other.items()})
    return rows


def timed(rounds: int) -> dict[str, dict[str, float]]:
    """Median milliseconds for one text of this many tokens with one thread."""
    table: dict[str, dict[str, float]] = {}
    for name in SHIPPED:
        folder = locate_model(name)
        model = TimedModel(folder, threads=1, update=(folder / GRAPH).is_file())
        taken: dict[int, list[float]] = {}
        for _ in range(rounds + 1):
            for length in TOKENS:
                ids = np.arange(5, 5 + length, dtype=np.int64)[None]
                began = time.perf_counter()
                model.run_ids(ids, ids * 0)
                taken.setdefault(length, []).append(1000 * (time.perf_counter() - began))
        table[name] = {f"{length} tokens": round(statistics.median(ms[1:]), 1) for length, ms in taken.items()}
    return table


def machine() -> str:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = info.read_text(encoding="utf-8").splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    return f"{platform.machine()} ({model}), {os.cpu_count()} cores, onnxruntime {onnxruntime.__version__}"


def store() -> None:
    """Writes the scores of the weights as they are into the golden file."""
    content = json.loads(GOLDEN.read_text(encoding="utf-8"))
    content["scores"] = {
        name: [[round(value, _PLACES) for value in row] for row in rows] for name, rows in all_scores().items()
    }
    GOLDEN.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def report(rows: Sequence[Mapping[str, Any]], speed: Mapping[str, Mapping[str, float]], command: str) -> list[str]:
    lines = ["# Do scores agree between machines?", ""]
    lines += [f"`{command}` on {machine()}, load {os.getloadavg()[0]:.1f} when it ended.", ""]
    lines += [
        "The largest difference of a golden score (probability; cosine for the embedder) from that of one thread on this "
        f"machine; tests allow {TOLERANCE}. Other machines may have scored fewer of the golden rows.",
        "",
        f"| setting | {' | '.join(SHIPPED)} |",
        "|---|" + "--:|" * len(SHIPPED),
    ]
    for row in rows:
        cells = [
            (f"{row[name]:.6f}" + (f" ({row[f'{name}, rows']} rows)" if f"{name}, rows" in row else ""))
            if name in row
            else "not run"
            for name in SHIPPED
        ]
        lines.append(f"| {row['setting']} | {' | '.join(cells)} |")
    keys = [f"{length} tokens" for length in TOKENS]
    lines += ["", "Median milliseconds for one text with one thread:", "", f"| model | {' | '.join(keys)} |"]
    lines += ["|---|" + "--:|" * len(keys)]
    lines += [f"| {name} | {' | '.join(str(found[key]) for key in keys)} |" for name, found in speed.items()]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--write", type=Path, help="write the scores of this machine to a file, and nothing else")
    parser.add_argument("--models", nargs="+", default=list(SHIPPED), choices=SHIPPED, help="with --write")
    parser.add_argument("--limit", type=int, help="with --write: number of golden rows to score, as emulators are slow")
    parser.add_argument("--other", action="append", default=[], metavar="LABEL=FILE", help="compare with such a file")
    parser.add_argument("--store", action="store_true", help="store the golden scores again")
    options = parser.parse_args()
    if options.store:
        store()
        return
    here = all_scores(options.models, options.limit)
    if options.write:
        options.write.write_text(json.dumps(here), encoding="utf-8")
        return
    others: dict[str, Scores] = {}
    for label, _, file in (one.partition("=") for one in options.other):
        others.setdefault(label, {}).update(json.loads(Path(file).read_text(encoding="utf-8")))
    rows, speed = differences(others, here), timed(options.rounds)
    command = f"python -m benchmarks.speed.score_agreement --rounds {options.rounds}"
    command += "".join(f" --other {json.dumps(f'{label}=FILE')}" for label in others)
    lines = report(rows, speed, command)
    print("\n".join(lines))
    record = {"command": command, "machine": machine(), "differences": rows, "ms": speed}
    (RESULTS / "score-agreement.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    (RESULTS / "score-agreement.md").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
