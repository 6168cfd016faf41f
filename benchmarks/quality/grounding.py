"""Grounding: the product's verdict on every dev set of the data folder, next to the word-overlap rules it replaced.

    python -m benchmarks.quality.grounding [--cap N] [--profile P] [--jobs J] [--only SET]

Rows that the shipped verifier was trained on are left out. Thresholds are those of the profile and of the rules; the best threshold of each set is listed separately, for orientation: it is
chosen on the very rows it is measured on. Prints tables and writes benchmarks/results/quality/grounding.json and .md. Without the
data folder (FOOTNOTARY_DATA, or ../shared/data next to the repository) it prints a message and measures nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from footnotary.evaluate.datasets.labelled_rows import LabelledRow, read_rows
from footnotary.evaluate.grounding.evaluation import NO_ANSWERABILITY, split_scorable
from footnotary.evaluate.grounding.scoring import RowScorers, score_concurrently, scored_texts
from footnotary.evaluate.reporting.svg_charts import percent
from footnotary.evaluate.statistics.bootstrap import BootstrappedMeasures, Estimate, bootstrap_measures, mean_over_sets
from footnotary.evaluate.statistics.classification import best_threshold
from footnotary.profiles.load import load_profile
from footnotary.settings import load_settings
from footnotary.text.sentences.factual_content import has_factual_content
from footnotary.verify.meaning.word_overlap import overlap
from footnotary.wiring import open_row_scorers
from harness.grounding_rows import learned

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))
RESULTS = ROOT / "benchmarks" / "results" / "quality"
LEAD = ("ragtruth", "lfqa_verif", "attributionbench", "wice_claim", "summedits")
OURS = "ours"


def all_passages(row: LabelledRow) -> float:
    """The lowest share of a sentence's content words that occur in all passages together."""
    return min(overlap(part, row.passages) for part in _said(row))


def of_thirty(row: LabelledRow) -> float:
    """1 where every sentence shares 30 % with one passage, or 21 % with several together; else 0."""
    return float(all_passages(row) >= (0.30 if len(row.passages) == 1 else 0.21))


def of_fifty(row: LabelledRow) -> float:
    """1 where every sentence shares 50 % with the passages together; else 0."""
    return float(all_passages(row) >= 0.50)


def of_seventy(row: LabelledRow) -> float:
    """1 where 70 % of the sentences share 50 % with one passage; else 0."""
    said = _said(row)
    grounded = sum(any(overlap(part, (passage,)) >= 0.50 for passage in row.passages) for part in said)
    return float(grounded / len(said) >= 0.70)


RULES = {"overlap 30/21 %": of_thirty, "overlap 50 %": of_fifty, "50 % of words in 70 % of sentences": of_seventy}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--cap", type=int, default=500, help="rows per set, sampled the same way every time")
    arguments.add_argument("--profile", default="default")
    arguments.add_argument("--jobs", type=int, default=1)
    arguments.add_argument("--only", help="one set, by name; nothing is written")
    options = arguments.parse_args()
    files = sorted((DATA / "grounding" / "dev").glob("*.jsonl.gz"))
    if not files:
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        return
    names = {path.name.split(".")[0]: path for path in files}
    order = [name for name in (*LEAD, *(n for n in names if n not in LEAD)) if name in names]
    found: dict[str, dict[str, object]] = {}
    means: dict[str, dict[str, BootstrappedMeasures]] = {}
    skipped: dict[str, str] = {}
    threshold = load_profile(options.profile).verification.entailment_threshold
    opens = partial(open_row_scorers, options.profile, load_settings())
    scorers = opens()
    started = time.perf_counter()
    for name in order if options.only is None else [options.only]:
        # About half of each set was learned from; only the other half measures.
        unseen = [row for row in read_rows([names[name]], 2 * options.cap) if not learned(name, {"group": row.group})]
        rows, left = split_scorable(unseen[: options.cap], answerability=scorers.reader is not None)
        for one in left:
            skipped[name] = f"{one.rows} rows: {one.reason}"
        if rows:
            found[name], results = measured_set(rows, opens, scorers, threshold, options.jobs)
            if is_claims(rows):
                means[name] = results
            print(name, json.dumps({k: round(v, 3) for k, v in found[name]["balanced_accuracy"].items() if v is not None}), flush=True)  # fmt: skip
    record = {
        "command": f"python -m benchmarks.quality.grounding --cap {options.cap} --profile {options.profile}",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "seconds": round(time.perf_counter() - started),
        "verifier": scorers.claims.name,
        "profile": options.profile,
        "threshold": threshold,
        "sets": found,
        "means": {
            label: {rule: _record(mean_over_sets([means[s][rule] for s in among])) for rule in (OURS, *RULES)}
            for label, among in (("lead sets", [s for s in LEAD if s in means]), ("all sets", list(means)))
            if among
        },
        "skipped": skipped,
    }
    text = report(record)
    print(text)
    if options.only is None:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "grounding.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
        (RESULTS / "grounding.md").write_text(text, "utf-8")


def is_claims(rows: Sequence[LabelledRow]) -> bool:
    """Whether the set is about claims; those about answerability are in no mean, and no overlap rule speaks of them."""
    return all(row.level != "question" for row in rows)


def measured_set(
    rows: Sequence[LabelledRow], opens: partial[RowScorers], scorers: RowScorers, threshold: float, jobs: int
) -> tuple[dict[str, object], dict[str, BootstrappedMeasures]]:
    """The measures of one set: ours and every rule at its own threshold, and the best threshold separately."""
    labels, groups = [row.supported for row in rows], [row.group for row in rows]
    ours = [score.value for _, score in score_concurrently(rows, opens if jobs > 1 else lambda: scorers, jobs)]
    results = {OURS: bootstrap_measures(ours, labels, groups, threshold)}
    best = {OURS: best_threshold(ours, labels)}
    if is_claims(rows):
        results |= {
            rule: bootstrap_measures([says(row) for row in rows], labels, groups, 0.5) for rule, says in RULES.items()
        }
        best["overlap"] = best_threshold([all_passages(row) for row in rows], labels)
    tasks = sorted({row.task for row in rows})
    return {
        "rows": len(rows),
        "supported": sum(labels),
        "groups": results[OURS].groups,
        "balanced_accuracy": {rule: one.estimates["balanced_accuracy"].value for rule, one in results.items()},
        "measures": {rule: _record(one.estimates) for rule, one in results.items()},
        "best": best,
        "tasks": {task: _task(rows, ours, task, threshold) for task in tasks} if len(tasks) > 1 else {},
    }, results


def report(record: dict) -> str:
    sets = record["sets"]
    lines = ["# Grounding: ours next to word overlap", ""]
    lines += [f"`{record['command']}` on {record['machine']}, {record['seconds']} s. Verifier: {record['verifier']}, threshold "
              f"{record['threshold']}. Percent, with 95 % intervals over groups of rows. Lead sets first.", ""]  # fmt: skip
    head = [
        "set",
        "rows",
        "balanced accuracy, ours",
        *RULES,
        "F1 unsupported, ours",
        "AUROC, ours",
        "calibration error, ours",
    ]
    lines += ["## Thresholds as the profile and the rules have them", "", f"| {' | '.join(head)} |", "|---" + "|--:" * (len(head) - 1) + "|"]  # fmt: skip
    for name, row in sets.items():
        lines.append(_line(name, str(row["rows"]), row["measures"]))
        lines += [_line(f"– {task}", str(one["rows"]), {OURS: one["measures"]}) for task, one in row["tasks"].items()]
    lines += [_line(f"**mean, {label}**", "", measures) for label, measures in record["means"].items()]
    lines += ["", "## Best threshold of each set, chosen on the same rows: for orientation only", ""]
    lines += ["| set | ours, best | at | word overlap, best | at |", "|---|--:|--:|--:|--:|"]
    for name, row in sets.items():
        lines.append(f"| {name} | {_best(row['best'][OURS])} | {_best(row['best'].get('overlap'))} |")
    for label, among in (("lead sets", LEAD), ("all sets", tuple(s for s in sets if "overlap" in sets[s]["best"]))):
        cells: list[str] = []
        for who in (OURS, "overlap"):
            best = [sets[s]["best"][who][1] for s in among if s in sets and sets[s]["best"].get(who)]
            cells += [f"{100 * sum(best) / len(best):.1f}" if best else "–", ""]
        lines.append(f"| **mean, {label}** | {' | '.join(cells)} |")
    lines += ["", *(f"Skipped: {name}, {why}." for name, why in record["skipped"].items() if NO_ANSWERABILITY in why)]
    return "\n".join(lines).rstrip() + "\n"


def _said(row: LabelledRow) -> tuple[str, ...]:
    parts = scored_texts(row)
    return tuple(part for part in parts if has_factual_content(part)) or parts


def _task(rows: Sequence[LabelledRow], ours: Sequence[float], task: str, threshold: float) -> dict[str, object]:
    of = [(score, row) for score, row in zip(ours, rows, strict=True) if row.task == task]
    found = bootstrap_measures([s for s, _ in of], [r.supported for _, r in of], [r.group for _, r in of], threshold)
    return {"rows": len(of), "measures": _record(found.estimates)}


def _record(estimates: dict[str, Estimate]) -> dict[str, list[float | None]]:
    return {n: [None if v is None else round(v, 4) for v in (e.value, e.low, e.high)] for n, e in estimates.items()}


def _line(name: str, rows: str, measures: dict[str, dict[str, list[float | None]]]) -> str:
    ours = measures[OURS]
    rules = [percent(Estimate(measures[r]["balanced_accuracy"][0])) if r in measures else "" for r in RULES]
    more = [percent(Estimate(*ours[m])) for m in ("unsupported_f1", "auroc", "calibration_error")]
    return f"| {' | '.join([name, rows, percent(Estimate(*ours['balanced_accuracy'])), *rules, *more])} |"


def _best(found: Sequence[float] | None) -> str:
    return "– | –" if found is None else f"{100 * found[1]:.1f} | {found[0]:.3f}"


if __name__ == "__main__":
    main()
