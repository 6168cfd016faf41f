"""Measures the readers alone: ranking, calibration, both errors, and what moves a probability that should not.

    python -m benchmarks.quality.reading [--limit N] [--tiers large small] [--seed S]

Sets: questions over one passage (rag/squad2_dev500), privacy policies of the half that was not learned with a passage
of the same policy as the other side (rag/policyqa), and the documents of a page in our own words. Probes change how a
pair is shown and not what it says. Writes benchmarks/results/answering/reading.json and .md.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.quality.answers import DATA
from footnotary.ports import PassageText, Reader
from footnotary.profiles.load import load_profile
from footnotary.reader.calibration import expected_calibration_error
from footnotary.reader.shipped import open_verifier
from footnotary.text.sentences.splitter import sentences

RESULTS = Path(__file__).parents[2] / "results" / "answering"
OWN = Path(__file__).parents[1] / "questions" / "small_documents.jsonl"
Row = tuple[str, PassageText, bool]
OTHER_HEADINGS = ("Overview", "Annual report > Part II > Notes", "Theft", "Privacy Policy > Cookies")
SMALL_MOVE = 0.1


def _lines(path: Path) -> list[dict[str, Any]]:
    opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def one_passage(draw: random.Random, limit: int) -> list[Row]:
    rows = _lines(DATA / "rag" / "squad2_dev500" / "squad2_dev500.jsonl.gz")
    return [
        (r["question"], PassageText("", r["passage"]), bool(r["answerable"]))
        for r in draw.sample(rows, min(limit, len(rows)))
    ]


def policies(draw: random.Random, limit: int) -> list[Row]:
    by_policy: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _lines(DATA / "rag" / "policyqa" / "dev.jsonl.gz"):
        if int(hashlib.sha256(row["policy"].encode()).hexdigest(), 16) % 2:
            by_policy[row["policy"]].append(row)
    rows = [row for held in by_policy.values() for row in held]
    found: list[Row] = []
    for row in draw.sample(rows, min(limit // 2, len(rows))):
        right = {r["passage"] for r in by_policy[row["policy"]] if r["question"] == row["question"]}
        others = sorted({r["passage"] for r in by_policy[row["policy"]]} - right)
        if others:
            found.append((row["question"], PassageText("Privacy Policy", row["passage"]), True))
            found.append((row["question"], PassageText("Privacy Policy", draw.choice(others)), False))
    return found


def own_documents(draw: random.Random, limit: int) -> list[Row]:
    rows = [
        (question["question"], PassageText(document["title"], document["text"]), side == "answerable")
        for document in _lines(OWN)
        for side in ("answerable", "unanswerable")
        for question in document[side]
    ]
    return draw.sample(rows, min(limit, len(rows)))


SETS: dict[str, Callable[[random.Random, int], list[Row]]] = {
    "one passage": one_passage,
    "policies, other passage of the policy": policies,
    "documents of a page": own_documents,
}


def auroc(scores: np.ndarray[Any, Any], labels: np.ndarray[Any, Any]) -> float:
    right, wrong = scores[labels], scores[~labels]
    return float((right[:, None] > wrong).mean() + 0.5 * (right[:, None] == wrong).mean())


def probes(row: Row, draw: random.Random, filler: Sequence[str]) -> Iterator[tuple[str, str, PassageText]]:
    """(probe, question, passage): the same pair, shown in another way."""
    question, passage, _ = row
    parts = sentences(passage.text)
    for heading in OTHER_HEADINGS:
        yield "heading of another place", question, PassageText(heading, passage.text)
    yield "no heading", question, PassageText("", passage.text)
    yield "no question mark, lower case", question.lower().rstrip("?"), passage
    yield "without the final full stop", question, PassageText(passage.headings, passage.text.rstrip(". "))
    if len(parts) > 2:
        yield (
            "sentences in another order",
            question,
            PassageText(passage.headings, " ".join(draw.sample(parts, len(parts)))),
        )
    longer = [*parts, *draw.sample(filler, min(3, len(filler)))]
    yield "three sentences more behind it", question, PassageText(passage.headings, " ".join(longer))
    longer = [*draw.sample(filler, min(3, len(filler))), *parts]
    yield "three sentences more before it", question, PassageText(passage.headings, " ".join(longer))


def probe_table(reader: Reader, rows: Sequence[Row], draw: random.Random) -> dict[str, dict[str, float]]:
    filler = [s for _, passage, _ in rows for s in sentences(passage.text)[:1]]
    moved: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        shown = list(probes(row, draw, filler))
        base, *others = reader.answers([(row[0], (row[1],)), *((q, (p,)) for _, q, p in shown)])
        for (name, _, _), value in zip(shown, others, strict=True):
            moved[name].append(value - base)
    return {
        name: {
            "within 0.1": round(float(np.mean(np.abs(values) < SMALL_MOVE)), 3),
            "mean move": round(float(np.mean(values)), 3),
            "pairs": len(values),
        }
        for name, values in moved.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=150)
    parser.add_argument("--tiers", nargs="+", default=["large", "small"], choices=["large", "small"])
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    threshold = load_profile("default").sufficiency.min_answerable
    record: dict[str, Any] = {"command": f"python -m benchmarks.quality.reading --limit {options.limit}", "tiers": {}}
    lines = [
        "# The readers alone",
        "",
        f"`{record['command']}`; threshold {threshold}, that of the default profile.",
        "",
    ]
    for tier in options.tiers:
        reader = open_verifier(tier)
        assert reader is not None
        lines += [
            f"## {tier}",
            "",
            "| set | pairs | AUROC | calibration error | answered without an answer | refused with one |",
        ]
        lines += ["|---|--:|--:|--:|--:|--:|"]
        held: dict[str, Any] = {}
        for name, make in SETS.items():
            rows = make(random.Random(options.seed), options.limit)
            scores = np.array(reader.answers([(q, (p,)) for q, p, _ in rows]))  # pyright: ignore
            labels = np.array([label for _, _, label in rows])
            held[name] = {
                "pairs": len(rows),
                "auroc": round(100 * auroc(scores, labels), 1),
                "calibration error": round(expected_calibration_error(list(scores), list(labels)), 3),
                "false": round(100 * float((scores[~labels] >= threshold).mean()), 1),
                "refused": round(100 * float((scores[labels] < threshold).mean()), 1),
            }
            lines.append(f"| {name} | " + " | ".join(str(value) for value in held[name].values()) + " |")
            print(lines[-1], flush=True)
        found = probe_table(reader, one_passage(random.Random(options.seed), options.limit // 3), random.Random(1))
        lines += ["", "| changed | moves less than 0.1 | mean move | pairs |", "|---|--:|--:|--:|"]
        lines += [
            f"| {name} | {100 * v['within 0.1']:.0f} % | {v['mean move']:+.3f} | {v['pairs']} |"
            for name, v in found.items()
        ]
        lines.append("")
        print("\n".join(lines[-len(found) - 3 :]), flush=True)
        record["tiers"][tier] = {"sets": held, "probes": found}
    (RESULTS / "reading.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    (RESULTS / "reading.md").write_text("\n".join(lines).rstrip() + "\n", "utf-8")


if __name__ == "__main__":
    main()
