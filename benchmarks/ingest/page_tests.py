"""The unit tests that come with some pages: what must be there, what must not, in which order, in which cell."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from benchmarks.ingest.test_set import FOLDER
from benchmarks.ingest.text_similarity import holds, plain

Row = dict[str, Any]


def page_tests(name: str) -> list[Row]:
    """The tests of one file, without those that ask for formulas in LaTeX, which the product does not write."""
    lines = (FOLDER / "olmocr_bench_sample_tests.jsonl").read_text("utf-8").splitlines()
    rows: list[Row] = [json.loads(line) for line in lines if line.strip()]
    return [row for row in rows if row["pdf"] == name.rpartition("/")[2] and row["type"] != "math"]


def passed(test: Row, text: str) -> bool:
    """Whether the product's text of the page passes the test; case-sensitive unless the test says otherwise."""
    edits = int(test.get("max_diffs", 0))
    kind = test["type"]
    if kind in ("present", "absent"):
        found = bool(holds(_plain(test, test["text"]), _plain(test, text), edits))
        return found is (kind == "present")
    if kind == "order":
        before, after = (
            holds(plain(test["before"]), plain(text), edits),
            holds(plain(test["after"]), plain(text), edits),
        )
        return bool(before and after) and before[0] < after[-1]
    assert kind == "table"
    return _table(test, [[plain(cell) for cell in line.split(" | ")] for line in text.splitlines() if " | " in line])


def _plain(test: Row, text: str) -> str:
    return plain(text) if test.get("case_sensitive", True) else plain(text).lower()


def _table(test: Row, rows: list[list[str]]) -> bool:
    """Whether some cell has the text and has the neighbours and required headings.

    Rows keep no empty cells, so the cell above is the one in the same place counted from the left or from the right.
    """
    wanted = plain(test["cell"])
    for at, row in enumerate(rows):
        for place, cell in enumerate(row):
            if wanted == cell and all(
                _matches(plain(test[side]), _beside(rows, at, place, side)) for side in _SIDES if side in test
            ):
                return True
    return False


_SIDES = ("left", "right", "up", "down", "left_heading", "top_heading")


def _beside(rows: list[list[str]], at: int, place: int, side: str) -> Iterable[str]:
    row = rows[at]
    if side == "left":
        return row[place - 1 : place]
    if side == "right":
        return row[place + 1 : place + 2]
    if side == "left_heading":
        return row[:place]
    if side == "top_heading":
        return [cell for above in rows[:at] for cell in above]
    other = rows[at - 1 : at] if side == "up" else rows[at + 1 : at + 2]
    return [cell for line in other for cell in _same_place(line, place, len(row))]


def _same_place(line: list[str], place: int, width: int) -> list[str]:
    fromright = place - width
    return [line[i] for i in {place, fromright + len(line)} if 0 <= i < len(line)]


def _matches(wanted: str, cells: Iterable[str]) -> bool:
    return any(wanted in cell for cell in cells)
