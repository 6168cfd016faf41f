"""Figures of tables that are counted in thousands, millions or crores: the claim must say so, and say the same."""

import re

from footnotary.text.tokens import terms_of
from footnotary.verify.exact.mismatch import Mismatch
from footnotary.verify.exact.read_tables import SCALE_NAMES, numbers_in, tables_in

_SCALED = re.compile(rf"(?P<figure>(?<![\w.,])\d[\d,]*(?:\.\d+)?)[\s-](?P<scale>{SCALE_NAMES})s?\b", re.I)
_SCALE = re.compile(rf"\b(?:{SCALE_NAMES})s?\b|\d\s?(?:k|m|mn|bn|cr)\b", re.I)
_PERCENT = re.compile(r"\d[\d,.]*\s?(?:%|per ?cent)", re.I)


def without_table_scale(claim: str, whole: str) -> str:
    """The claim with "790 million" as "790" where a table of the source gives 790 in millions."""
    given = {(figure, table.scale) for table in tables_in(whole) if table.scale for figure in _figures(table.numbers)}
    if not given:
        return claim

    def bare(found: re.Match[str]) -> str:
        same = (found["figure"].replace(",", ""), found["scale"].lower()) in given
        return found["figure"] if same else found[0]

    return _SCALED.sub(bare, claim)


def dropped_table_scale(claim: str, whole: str) -> Mismatch | None:
    """What the claim leaves out, if it gives a figure of a row it names without the thousands or millions it is in."""
    tables = [table for table in tables_in(whole) if table.scale]
    if not tables or _SCALE.search(claim):
        return None
    figures, said = set(numbers_in(_PERCENT.sub(" ", claim))), terms_of(claim)
    for table in tables:
        own = figures.difference(*(numbers_in(name) for name in (*table.row_names, *table.column_names)))
        for label, row in zip(table.rows, table.numbers, strict=True):
            if label and label <= said and (left := own & _figures((row,))):
                return Mismatch(min(left), f"{min(left)} {table.scale}s")
    return None


def _figures(rows: tuple[tuple[frozenset[str], ...], ...]) -> frozenset[str]:
    return frozenset(figure for row in rows for cell in row for figure in cell)
