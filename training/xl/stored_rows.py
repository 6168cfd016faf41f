"""Rows in one file: every passage once, then the rows that show it."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from footnotary.reader.language_model.prompt import evidence_text

Row = dict[str, Any]


def usable(row: Row) -> bool:
    words = sum(len(text.split()) for _, text in row["e"])
    return words >= 3 and 1 <= len(row["a"].split()) <= 160


def write(path: Path, rows: Iterable[Row]) -> Counter[str]:
    """Passages, numbered by their order, before the rows that show them."""
    number: dict[str, int] = {}
    counts: Counter[str] = Counter()
    lines: list[str] = []
    for row in rows:
        if not usable(row):
            continue
        shown = [(heading, number.setdefault(" ".join(text.split()), len(number))) for heading, text in row["e"]]
        kept = {key: value for key, value in row.items() if key != "e"} | {"p": shown}
        lines.append(json.dumps(kept, ensure_ascii=False))
        counts[f"{row['set'].split('/')[0]} {int(row['y'] >= 0.5)}"] += 1
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=9) as out:
        for text in number:
            out.write(json.dumps(text, ensure_ascii=False) + "\n")
        out.writelines(line + "\n" for line in lines)
    return counts


def read_rows(path: Path, limit: int = 0) -> list[Row]:
    """The rows of a file of `write`, each with its evidence as text under "e"."""
    passages: list[str] = []
    out: list[Row] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if isinstance(row := json.loads(line), str):
                passages.append(row)
                continue
            out.append(row | {"e": evidence_text([(heading, passages[i]) for heading, i in row.pop("p")])})
            if limit and len(out) >= limit:
                break
    return out
