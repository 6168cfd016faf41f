"""Asks the product questions of many kinds and reports false answers, wrong refusals and cited passages.

    python -m benchmarks.quality.answering [--sets NAME ...] [--limit N] [--seed S] [--tier small|large|lexical]

Public sets are read from the data folder (FOOTNOTARY_DATA, or ../shared/data next to the repository), sets in our own
words from benchmarks/quality/questions. Every outcome is kept in a cache folder (FOOTNOTARY_BENCHMARK_CACHE, or
~/.cache/footnotary-benchmarks) until the program or its weights change: an interrupted run continues where it stopped.
A run over all sets writes benchmarks/results/answering/answering.json and .md, with the tier in the name if it is not
large; a run over some only prints.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from benchmarks.quality.answering.asking import OutcomeCache, TrialOutcome, opened_bench, program_digest
from benchmarks.quality.answering.own_sets import own_kinds
from benchmarks.quality.answering.public_sets import public_kinds
from benchmarks.quality.answering.report import table, write
from benchmarks.quality.answering.trials import QuestionKind
from benchmarks.quality.answers import DATA

CACHE = Path(os.environ.get("FOOTNOTARY_BENCHMARK_CACHE", Path.home() / ".cache" / "footnotary-benchmarks"))


def main() -> None:
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    kinds = [*own_kinds(DATA), *(public_kinds(DATA) if DATA.is_dir() else [])]
    if not DATA.is_dir():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Only sets in our own words are asked.", file=sys.stderr)
    chosen = [kind for kind in kinds if not options.sets or any(name in kind.name for name in options.sets)]
    if not chosen:
        raise SystemExit(f"no set has such a name; choose from {', '.join(kind.name for kind in kinds)}")
    folder = CACHE / program_digest() / options.tier
    results: list[tuple[QuestionKind, list[TrialOutcome]]] = []
    try:
        for kind in chosen:
            results.append((kind, []))
            _measure(kind, results[-1][1], folder, options)
    except KeyboardInterrupt:
        print("\ninterrupted; the same command continues. So far:\n")
        print("\n".join(table(results)))
        raise SystemExit(130) from None
    print("\n".join(["", *table(results)]))
    if options.show:
        _show(results)
    if not options.sets and DATA.is_dir():
        write(results, _command(options), options.tier)


def _measure(kind: QuestionKind, outcomes: list[TrialOutcome], folder: Path, options: argparse.Namespace) -> None:
    cache = OutcomeCache(folder, kind, fresh=options.fresh)
    questions = kind.sampled(options.limit, options.seed)
    outcomes += [held for question in questions if (held := cache.get(question))]
    missing = [question for question in questions if cache.get(question) is None]
    print(f"{kind.name}: {len(questions)} questions, {len(outcomes)} known", file=sys.stderr)
    if not missing:
        return
    with opened_bench(kind, options.tier, CACHE / "vectors") as bench:
        for question in track(missing, kind.name, console=Console(stderr=True), disable=not sys.stderr.isatty()):
            outcome = bench.ask(question)
            cache.add(outcome)
            outcomes.append(outcome)


def _show(results: Sequence[tuple[QuestionKind, Sequence[TrialOutcome]]]) -> None:
    for kind, outcomes in results:
        print(f"\n{kind.name}")
        for outcome in outcomes:
            if outcome.answered != outcome.answerable or outcome.says_answer is False or outcome.cites_gold is False:
                said = f"{outcome.text} {list(outcome.cited)}" if outcome.answered else f"refused: {outcome.reason}"
                print(f"  {'?' if outcome.answerable else '-'} {outcome.question}\n      {said}")


def _options() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sets", nargs="*", default=[], help="sets whose name contains one of these; default: all")
    arguments.add_argument("--limit", type=int, help="questions of each side of each set; default: about 15 minutes")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--tier", choices=("small", "large", "lexical"), default="large")
    arguments.add_argument("--fresh", action="store_true", help="ask again what is in the cache")
    arguments.add_argument("--show", action="store_true", help="print what went wrong")
    return arguments.parse_args()


def _command(options: argparse.Namespace) -> str:
    limit = f" --limit {options.limit}" if options.limit is not None else ""
    return f"python -m benchmarks.quality.answering{limit} --seed {options.seed} --tier {options.tier}"


if __name__ == "__main__":
    main()
