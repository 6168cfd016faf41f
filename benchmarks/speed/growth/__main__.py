"""How the processor time of every path grows with its input: n and 2n, as ratios.

    python -m benchmarks.speed.growth [--repeats 3] [--only WORD ...]

Work in proportion to its input has a ratio of 2; less where part of it does not depend on the input. What is clearly
above is marked. Both sizes take turns, and the least processor time of the repetitions counts, of this process and of
those it starts. Models are the fast embedder and lexical mode unless the path says otherwise. Writes
benchmarks/results/speed/growth.json and .md after every path. Exits with 1 if a path is marked.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from typing import Any

from benchmarks.speed.answer_path import RESULTS, machine
from benchmarks.speed.corpora import where_from
from benchmarks.speed.growth import claim_paths, ingest_paths, store_paths
from benchmarks.speed.growth.measuring import GrowthResult, measure

COMMAND = "python -m benchmarks.speed.growth"
HIGH = 2.3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--only", nargs="*", help="measure paths whose name has one of these words, and keep the others"
    )
    given = parser.parse_args()
    every = [*ingest_paths.paths(), *store_paths.paths(), *claim_paths.paths()]
    kept = _kept() if given.only else {}
    for path in every:
        if given.only is None or any(word in path.name for word in given.only):
            kept[path.name] = measure(path, given.repeats)
            print(row(kept[path.name]), flush=True)
            _write([kept[one.name] for one in every if one.name in kept], given.repeats)
    sys.exit(1 if any(result.ratio > HIGH for result in kept.values()) else 0)


def _kept() -> dict[str, GrowthResult]:
    path = RESULTS / "growth.json"
    rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["paths"] if path.is_file() else []
    return {one["name"]: GrowthResult(**one) for one in rows}


def _write(results: list[GrowthResult], repeats: int) -> None:
    load = os.getloadavg()[0]
    record = {"command": COMMAND, "machine": machine(), "load": load, "paths": [asdict(one) for one in results]}
    (RESULTS / "growth.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "growth.md").write_text(as_markdown(results, f"{COMMAND} --repeats {repeats}", load), encoding="utf-8")


def row(result: GrowthResult) -> str:
    cells = [f"{1000 * seconds:,.1f}" for seconds in result.cpu_s]
    mark = " (high)" if result.ratio > HIGH else ""
    return f"| {result.name} | {result.n:,} {result.unit} | {' | '.join(cells)} | {result.ratio:.2f}{mark} |"


def as_markdown(results: list[GrowthResult], command: str, load: float) -> str:
    high = [result.name for result in results if result.ratio > HIGH]
    lines = [
        "# Growth with twice the input\n",
        f"Made by `{command}` on {machine()}; load at the end {load:.1f}. Milliseconds of processor time at n and at 2n, the least",
        f"of the repetitions, which take turns. Texts: {where_from()}. Work in proportion to its input has a ratio of 2; marked",
        f"where it is above {HIGH}: {', '.join(high) or 'none'}.\n",
        "| path | n | at n, ms | at 2n, ms | ratio |",
        "|---|--:|--:|--:|--:|",
        *map(row, results),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
