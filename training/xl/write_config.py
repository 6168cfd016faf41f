"""Fits the calibration of the adapter on stored scores, and writes it with the adapter's hash into its config.json.

    python -m training.xl.write_config --scores scores.jsonl --adapter adapter.gguf.xz --config FOLDER/config.json

A row is `{"k", "score", "label", "set"}`: score is the logit of Yes over No, k the task: "c" a claim, "q" a question
over one passage, "t" over several passages together, "b" one of several passages read alone; those of one question
share `group`, and the best of them counts. Half of the groups (rows without one are groups of their own) are fitted
on, and what is printed is measured on the other half, set by set too. `--fit-all` fits on all rows once that is known.
`--weighing FILE` takes fusion weights as `training.verifier.fit_fusion` writes them; without it they stay as they are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from training.reader.fit_calibration import ReadRows, fitted, report

Row = dict[str, Any]
TASKS = {"c": "support", "q": "answers", "t": "answers_together", "b": "answers_best"}
# As the product reads a reply: to six digits, and nothing is certain.
LEAST = 1e-6


def probability(logit: float) -> float:
    return min(max(round(1 / (1 + math.exp(-max(min(logit, 50.0), -50.0))), 6), LEAST), 1 - LEAST)


def collected(rows: list[Row]) -> dict[str, ReadRows]:
    """The rows of each task; of several passages read alone the best."""
    found = {task: ReadRows() for task in TASKS.values()}
    best: dict[tuple[str, str], tuple[float, bool]] = {}
    for row in rows:
        said, label = probability(row["score"]), bool(row["label"])
        if row["k"] == "b":
            key = (row["set"], str(row["group"]))
            best[key] = (max(said, best.get(key, (0.0, label))[0]), label or best.get(key, (0.0, False))[1])
        else:
            found[TASKS[row["k"]]].add(said, label)
    for said, label in best.values():
        found["answers_best"].add(said, label)
    return found


def is_fitted(row: Row, number: int) -> bool:
    group = f"{row['set']}/{row.get('group', number)}"
    return hashlib.sha256(group.encode()).digest()[0] % 2 == 0


def config_with(config: Row, adapter: Path, scalings: dict[str, Any], weighing: Row | None) -> Row:
    """The configuration with another adapter and calibration."""
    digest = hashlib.sha256(adapter.read_bytes()).hexdigest()
    rounded = {task: {name: round(value, 4) for name, value in asdict(one).items()} for task, one in scalings.items()}
    changed = {"sha256": {adapter.name: digest}, "calibration": rounded}
    return config | changed | ({} if weighing is None else {"weighing": weighing})


def lines(rows: list[Row], scalings: dict[str, Any]) -> Iterator[str]:
    yield from report(collected(rows), scalings)
    for name in dict.fromkeys(row["set"] for row in rows):
        yield from (f"  {name}: {line}" for line in report(collected([r for r in rows if r["set"] == name]), scalings))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scores", type=Path, nargs="+", required=True)
    parser.add_argument("--adapter", type=Path, required=True)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--weighing", type=Path)
    parser.add_argument("--fit-all", action="store_true")
    options = parser.parse_args()
    rows: list[Row] = [
        json.loads(line) for path in options.scores for line in path.read_text("utf-8").splitlines() if line.strip()
    ]
    rows = [row for row in rows if row["score"] is not None and math.isfinite(row["score"])]
    fit_on = [row for number, row in enumerate(rows) if is_fitted(row, number)]
    measured_on = [row for number, row in enumerate(rows) if not is_fitted(row, number)]
    scalings = fitted(collected(fit_on))
    for line in lines(measured_on, scalings):
        print(line)
    if options.fit_all:
        scalings = fitted(collected(rows))
    weighing = json.loads(options.weighing.read_text("utf-8")) if options.weighing else None
    config = config_with(json.loads(options.config.read_text("utf-8")), options.adapter, scalings, weighing)
    options.config.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(config["calibration"], indent=2))


if __name__ == "__main__":
    main()
