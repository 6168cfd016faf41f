"""Cells of a workbook as ranges: one line for a table, not one for each of its cells."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

_CELL = re.compile(r"(?P<sheet>.+!)(?P<column>[A-Z]{1,3})(?P<row>\d+)")


def with_cell_ranges(places: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Each place with its detail; neighbouring cells of one sheet as the smallest range that has them all, without."""
    for sheet, group in groupby(places, lambda place: found["sheet"] if (found := _CELL.fullmatch(place[0])) else ""):
        held = list(group)
        cells = list(dict.fromkeys(place for place, _ in held))
        if sheet and len(cells) > 1:
            yield f"{sheet}{_range(cells)}"
        else:
            yield from (f"{place}, {detail}" for place, detail in held)


def _range(cells: Iterable[str]) -> str:
    found = [cell for place in cells if (cell := _CELL.fullmatch(place)) is not None]
    columns = sorted({cell["column"] for cell in found}, key=lambda column: (len(column), column))
    rows = sorted({int(cell["row"]) for cell in found})
    return f"{columns[0]}{rows[0]}:{columns[-1]}{rows[-1]}"
