"""How far the scores of the shipped models differ between settings, kernel sets and processors.

    python -m benchmarks.speed.score_agreement [--rounds N] [--other "LABEL=FILE" ...]
    python -m benchmarks.speed.score_agreement --verdicts        # compares the verdicts of both precisions as well
    python -m benchmarks.speed.score_agreement --write FILE      # on another machine, or under an emulator
    python -m benchmarks.speed.score_agreement --store           # after new weights: stores the golden scores again

Scores the golden pairs with products in float32 (as shipped) and in int8 (as before), with one and two threads, with and
without graph optimisations, and times both precisions. `--write` keeps the scores of one machine in a file, which
`--other` compares with this one. Prints the tables and writes benchmarks/results/speed/score-agreement.json and .md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from footnotary.models.model_packages import locate_model
from footnotary.models.onnx_session import OnnxSession, load_session, load_tokenizer

GOLDEN = Path(__file__).parent / "golden_scores.json"
RESULTS = Path(__file__).parents[1] / "results" / "speed"
QUALITY = Path(__file__).parents[1] / "quality"
TOLERANCE = 0.02
TOKENS = (64, 200)
_PLACES = 4
# The attribute in the file: its name, the tag of its value, its value.
_ATTRIBUTE = b"accuracy_level\x18"
PRECISIONS = {"float32": 1, "int8": 4}
LARGE, CLASSIFIER, EMBEDDER = "verifier-large", "injection-small", "footnotary-30m"
# The models by name, and the precision of the products in the shipped graphs.
SHIPPED = {LARGE: "float32", "verifier-small": "float32", CLASSIFIER: "float32", EMBEDDER: "int8"}

ScoresByPrecision = dict[str, dict[str, list[list[float]]]]


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """The texts each model scores, and the scores stored for them: one row of numbers per text or pair."""

    texts: Mapping[str, Sequence[Sequence[str]]]
    scores: Mapping[str, Sequence[Sequence[float]]]


def read_golden() -> GoldenSet:
    content = json.loads(GOLDEN.read_text(encoding="utf-8"))
    texts = {name: content["sentences"] if name == CLASSIFIER else content["pairs"] for name in SHIPPED}
    return GoldenSet(texts, content["scores"])


def open_session(model: Path, threads: int, optimised: bool = True) -> OnnxSession:
    """A session as the product opens it, or one without graph optimisations."""
    if optimised:
        return load_session(model, threads=threads)
    options: Any = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])  # type: ignore[return-value]


def scored(
    name: str, folder: Path, texts: Sequence[Sequence[str]], threads: int, optimised: bool = True
) -> list[list[float]]:
    """One row per pair or sentence: the probabilities, or for the embedder the cosine of the two texts of a pair."""
    session = open_session(folder / "model.onnx", threads, optimised)
    tokenizer = load_tokenizer((folder / "tokenizer.json").read_bytes())

    def run(text: str, passage: str | None = None) -> list[float]:
        encoding = tokenizer.encode(text, passage)
        kinds = {} if name == EMBEDDER else {"kinds": np.array([encoding.type_ids], dtype=np.int64)}
        output = session.run(None, {"ids": np.array([encoding.ids], dtype=np.int64)} | kinds)[0][0]
        return [float(value) for value in output]

    if name == EMBEDDER:
        return [[float(np.dot(run(first), run(second)))] for first, second in texts]
    if name == CLASSIFIER:
        return [run(*text)[:1] for text in texts]  # its second output is not trained
    return [run(*text) for text in texts]


@contextmanager
def in_precision(name: str, precision: str) -> Iterator[Path]:
    """The shipped folder of a model, or a copy whose products are made in another precision."""
    folder = locate_model(name)
    if SHIPPED[name] == precision:
        yield folder
        return
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / name
        shutil.copytree(folder, copy)
        graph = (folder / "model.onnx").read_bytes()
        old, new = PRECISIONS[SHIPPED[name]], PRECISIONS[precision]
        graph = graph.replace(_ATTRIBUTE + bytes([old]), _ATTRIBUTE + bytes([new]))
        (copy / "model.onnx").write_bytes(graph)
        config = json.loads((copy / "config.json").read_text(encoding="utf-8"))
        config["sha256"]["model.onnx"] = hashlib.sha256(graph).hexdigest()
        (copy / "config.json").write_text(json.dumps(config), encoding="utf-8")
        yield copy


def largest_difference(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float:
    return float(np.abs(np.array(one) - np.array(other)).max())


def all_scores(names: Sequence[str] = tuple(SHIPPED), limit: int | None = None) -> ScoresByPrecision:
    """By precision and model, with one thread."""
    golden = read_golden()
    found: ScoresByPrecision = {precision: {} for precision in PRECISIONS}
    for name in names:
        for precision in PRECISIONS:
            with in_precision(name, precision) as folder:
                found[precision][name] = scored(name, folder, golden.texts[name][:limit], threads=1)
            print(f"{name}, {precision}: done", flush=True)
    return found


def compare(here: ScoresByPrecision, other: ScoresByPrecision, precision: str) -> dict[str, float]:
    """By model: the largest difference over the golden rows that both have scored."""
    return {
        name: largest_difference(here[precision][name][: len(rows)], rows) for name, rows in other[precision].items()
    }


def differences(others: Mapping[str, ScoresByPrecision], here: ScoresByPrecision) -> list[dict[str, Any]]:
    """A row per setting: by model, the largest difference from one thread in the same precision on this machine."""
    golden = read_golden()
    settings = {"2 threads": (2, True), "no graph optimisations": (1, False)}
    rows: list[dict[str, Any]] = []
    for precision in PRECISIONS:
        for label, (threads, optimised) in settings.items():
            row: dict[str, Any] = {"setting": label, "precision": precision}
            for name in SHIPPED:
                with in_precision(name, precision) as folder:
                    found = scored(name, folder, golden.texts[name], threads, optimised)
                row[name] = largest_difference(here[precision][name], found)
            rows.append(row)
        for label, other in others.items():
            row = {"setting": label, "precision": precision}
            compared = {f"{name}, rows": len(found) for name, found in other[precision].items()}
            rows.append(row | compare(here, other, precision) | compared)
    rounding: dict[str, Any] = {"setting": "int8 instead of float32", "precision": "both"}
    rows.append(rounding | {name: largest_difference(here["float32"][name], here["int8"][name]) for name in SHIPPED})
    return rows


def timed(rounds: int) -> dict[str, dict[str, float]]:
    """Median milliseconds for one text of this many tokens with one thread, both precisions alternating."""
    table: dict[str, dict[str, float]] = {}
    for name in SHIPPED:
        taken: dict[tuple[str, int], list[float]] = {}
        with in_precision(name, "float32") as exact, in_precision(name, "int8") as rounded:
            sessions = {
                "float32": open_session(exact / "model.onnx", threads=1),
                "int8": open_session(rounded / "model.onnx", threads=1),
            }
            for _ in range(rounds + 1):
                for precision, session in sessions.items():
                    for length in TOKENS:
                        ids = np.arange(5, 5 + length, dtype=np.int64)[None]
                        began = time.perf_counter()
                        session.run(None, {"ids": ids} if name == EMBEDDER else {"ids": ids, "kinds": ids * 0})
                        taken.setdefault((precision, length), []).append(1000 * (time.perf_counter() - began))
        table[name] = {f"{p}, {n} tokens": round(statistics.median(ms[1:]), 1) for (p, n), ms in taken.items()}
    return table


def verdicts(files: Sequence[str]) -> list[dict[str, Any]]:
    """By claim: the fused score with each verifier and precision, under the default profile."""
    # Not needed for `--write`, which has to run where only onnxruntime and tokenizers are installed.
    from footnotary.claim import assess_claim
    from footnotary.profiles.load import load_profile
    from footnotary.reader.onnx_reader import OnnxReader

    policy = load_profile("default")
    rows = [json.loads(line) for file in files for line in (QUALITY / file).read_text(encoding="utf-8").splitlines()]
    for name in (LARGE, "verifier-small"):
        for precision in PRECISIONS:
            with in_precision(name, precision) as folder:
                by = OnnxReader(folder)
                for row in rows:
                    verdict = assess_claim(row["claim"], row["premise"], policy, by)
                    row[f"{name}, {precision}"] = (verdict.score, verdict.supported)
    return rows


def verdict_lines() -> list[str]:
    lines = [
        "",
        "Claims near the threshold of 0.55 or wrongly supported, measured here because no test rests on them:",
        "",
    ]
    lines += [f"| claim | is supported | {LARGE} | verifier-small |", "|---|---|--:|--:|"]
    for row in verdicts(["borderline_claims.jsonl"]):
        scores = [f"{row[f'{name}, float32'][0]:.2f}" for name in (LARGE, "verifier-small")]
        lines.append(f"| {row['claim']} | {'yes' if row['label'] else 'no'} | {' | '.join(scores)} |")
    rows = verdicts(["blind_claims.jsonl", "blind_claims_free.jsonl"])
    lines += [
        "",
        f"Verdicts on the {len(rows)} hand-written claims of `benchmarks/quality`, right with int8 / float32:",
        "",
    ]
    lines += ["| model | changed | right, int8 | right, float32 |", "|---|--:|--:|--:|"]
    for name in (LARGE, "verifier-small"):
        old, new = ([row[f"{name}, {precision}"][1] for row in rows] for precision in ("int8", "float32"))
        right = [sum(said == bool(row["label"]) for said, row in zip(found, rows, strict=True)) for found in (old, new)]
        changed = sum(a != b for a, b in zip(old, new, strict=True))
        lines.append(f"| {name} | {changed} | {right[0]} | {right[1]} |")
    return lines


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
    golden = all_scores()
    content["scores"] = {
        name: [[round(value, _PLACES) for value in row] for row in golden[SHIPPED[name]][name]] for name in SHIPPED
    }
    GOLDEN.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _rows_noted(row: Mapping[str, Any], name: str) -> str:
    count = row.get(f"{name}, rows")
    return "" if count is None else f" ({count} rows)"


def report(rows: Sequence[Mapping[str, Any]], speed: Mapping[str, Mapping[str, float]], command: str) -> list[str]:
    names = list(SHIPPED)
    lines = ["# Do scores agree between machines?", ""]
    lines += [f"`{command}` on {machine()}, load {os.getloadavg()[0]:.1f} when it ended.", ""]
    lines += [
        "The largest difference of a golden score (probability; cosine for the embedder) from that of one thread on this "
        "machine in the same precision. Shipped: float32 products for the first three, int8 for the embedder; tests allow "
        f"{TOLERANCE}. Other machines may have scored fewer of the golden rows; their number is given.",
        "",
        f"| setting | products | {' | '.join(names)} |",
        "|---|---|" + "--:|" * len(names),
    ]
    for row in rows:
        cells = [f"{row[name]:.6f}{_rows_noted(row, name)}" if name in row else "not run" for name in names]
        lines.append(f"| {row['setting']} | {row['precision']} | {' | '.join(cells)} |")
    lines += ["", "Median milliseconds for one text with one thread, both precisions measured in turn in one run:", ""]
    keys = [f"{precision}, {length} tokens" for length in TOKENS for precision in ("int8", "float32")]
    lines += [f"| model | {' | '.join(keys)} |", "|---|" + "--:|" * len(keys)]
    lines += [f"| {name} | {' | '.join(str(found[key]) for key in keys)} |" for name, found in speed.items()]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--verdicts", action="store_true", help="compare the verdicts of both precisions")
    parser.add_argument("--write", type=Path, help="write the scores of this machine to a file, and nothing else")
    parser.add_argument("--models", nargs="+", default=list(SHIPPED), choices=list(SHIPPED), help="with --write")
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
    others: dict[str, ScoresByPrecision] = {}
    for label, _, file in (one.partition("=") for one in options.other):
        for precision, found in json.loads(Path(file).read_text(encoding="utf-8")).items():
            others.setdefault(label, {}).setdefault(precision, {}).update(found)
    rows, speed = differences(others, here), timed(options.rounds)
    command = f"python -m benchmarks.speed.score_agreement --rounds {options.rounds}"
    command += "".join(f" --other {json.dumps(f'{label}=FILE')}" for label in others)
    command += " --verdicts" if options.verdicts else ""
    lines = report(rows, speed, command) + (verdict_lines() if options.verdicts else [])
    print("\n".join(lines))
    record = {"command": command, "machine": machine(), "differences": rows, "ms": speed}
    (RESULTS / "score-agreement.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    (RESULTS / "score-agreement.md").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
