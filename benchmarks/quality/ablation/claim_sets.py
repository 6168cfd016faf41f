"""The claim sets of the ablation: our own held-out claims, changed statutes, public grounding sets and Hindi."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

from benchmarks.quality.guards import DATA, FREE, GROUNDING, Item, blind_items, grounding_items, statute_items
from harness.adversarial.cases import case_files

BORDERLINE = FREE.with_name("borderline.jsonl")
HINDI = ("train2/infotabs_hi", "nc/xnli_hi")
MAX_HINDI_CHARACTERS = 4_000


def claim_sets(per_kind: int) -> dict[str, list[Item]]:
    """Every set by name. `per_kind` claims of each kind of change to a statute and of each label of a public set."""
    sets = {
        "own cases": _own_items(4 * per_kind),
        "blind": blind_items(),
        "free": [*blind_items(FREE), *blind_items(BORDERLINE)],
    }
    if DATA.is_dir():
        dev = DATA / "grounding" / "dev"
        sets["statutes"] = statute_items(per_kind)
        sets["grounding dev"] = [
            item for name in GROUNDING for item in grounding_items(dev / f"{name}.dev.jsonl.gz", per_kind)
        ]
        sets["hindi"] = [
            item for name in HINDI for item in _hindi_items(DATA / "grounding" / f"{name}.train.jsonl.gz", 2 * per_kind)
        ]
    return sets


def _own_items(cap: int) -> list[Item]:
    """The cases kept with the checks: what their author had before him."""
    items = [Item(c.claim, (c.source,), c.faithful, name) for name, cases in case_files().items() for c in cases]
    random.Random(13).shuffle(items)
    return [item for label in (True, False) for item in [i for i in items if i.faithful is label][:cap]]


def _hindi_items(path: Path, cap: int) -> list[Item]:
    """Hindi claims over Hindi passages: claims over English ones are another task."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows = [row for row in rows if "English table" not in row.get("subset", "")]
    rows = [row for row in rows if row["claim"].strip() and len(row["premise"]) <= MAX_HINDI_CHARACTERS]
    random.Random(13).shuffle(rows)
    taken = [row for label in (1, 0) for row in [r for r in rows if r["label"] == label][:cap]]
    return [Item(row["claim"], (row["premise"],), bool(row["label"]), row["dataset"]) for row in taken]
