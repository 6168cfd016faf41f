"""Rows of statements and passages that contradict each other, agree, or only look as if they disagreed.

`written/conflicts.jsonl.gz` holds questions with passages that answer them alike and otherwise, written by hand; a row asks
whether a passage contradicts what another answers. Next to them stand public pairs of claim and evidence with three
labels. One question in eight is kept for measuring.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from footnotary.reader.evidence_window import window_for
from footnotary.verify.conflicts.read_contradictions import statement
from harness.grounding_rows import passages_of
from training.reader.written_rows import WRITTEN, kept, lines_of
from training.verifier.rows import read

Row = dict[str, Any]
PUBLIC = {
    "infotabs": 0.4, "negation_nli": 1, "contractnli": 1, "citation_integrity": 1, "ambient_disamb": 1,
    "timex_nli": 0.4, "vitaminc_mini": 3,
}  # fmt: skip
CONTRADICTS = ("contradiction", "refute", "refutes")
TIMES = 5


def written_conflicts(*, held_out: bool) -> Iterator[Row]:
    for found in lines_of(WRITTEN / "conflicts.jsonl.gz"):
        if kept(found["q"]) != held_out:
            continue
        passages = {passage["id"]: passage for passage in found["passages"]}
        for name, label in (("agree", 0), ("contradict", 1), ("neither", 0)):
            for first, second in found[name]:
                for one, other in ((first, second), (second, first)):
                    if answer := passages[one]["answer"]:
                        asked = statement(found["q"], answer)
                        yield {"set": f"conflict:{name}", "a": asked, "b": passages[other]["text"], "y": label}


def conflict_rows(data: Path, draw: random.Random) -> Iterator[Row]:
    for _ in range(TIMES):
        yield from written_conflicts(held_out=False)
    for name, share in PUBLIC.items():
        for row in read(data / "grounding" / "train2" / f"{name}.train.jsonl.gz"):
            for _ in range(int(share) + (draw.random() < share % 1)):
                label = int(str(row.get("label3")).lower() in CONTRADICTS)
                b = window_for(row["claim"], passages_of(row["premise"]), 230)
                yield {"set": f"conflict:{name}", "a": row["claim"], "b": b, "y": label}
