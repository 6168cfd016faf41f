"""How rows are shown in training: headings of every kind, and questions with something exchanged."""

from __future__ import annotations

import random
import re
from typing import Any

Row = dict[str, Any]
GENERIC = (
    "Overview",
    "General",
    "Details",
    "Introduction",
    "Page 12",
    "Section 4",
    "FAQ",
    "Notes",
    "Summary",
    "Part II",
    "Contents",
    "1.2 Terms",
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-zA-Z-]{2,}(?: [A-Z][a-zA-Z-]{2,}){0,2}")
_NUMBER = re.compile(r"\b\d{1,4}\b")


def other_questions(rows: list[Row], share: float, draw: random.Random) -> list[Row]:
    """Answered questions with a name or a number of the passage exchanged for another one: not answered any more."""
    names = [found for row in draw.sample(rows, min(len(rows), 20_000)) for found in _NAME.findall(row["a"])]
    out: list[Row] = []
    for row in rows:
        if row["y"] < 0.7 or draw.random() > share or not row["s"]:
            continue
        text, asked = " ".join(row["s"]) + " " + row["h"], row["a"]
        found = [m for pattern in (_NAME, _NUMBER) for m in pattern.finditer(asked) if m[0] in text]
        if not found:
            continue
        place = draw.choice(found)
        other = (
            draw.choice(names)
            if not place[0].isdigit()
            else str(int(place[0]) + draw.choice((-7, -3, -2, -1, 1, 2, 5, 10)))
        )
        if other not in text and other != place[0]:
            changed = asked[: place.start()] + other + asked[place.end() :]
            out.append(row | {"set": f"other:{row['set']}", "a": changed, "at": [], "y": 0.03})
    return out


def shown_heading(row: Row, others: list[str], draw: random.Random) -> str:
    """One way of many to show the headings of a passage."""
    own, luck = row["h"], draw.random()
    if not own:
        return "" if luck < 0.6 else draw.choice(GENERIC) if luck < 0.75 else draw.choice(others)
    parts = [part.strip() for part in own.split(" > ")]
    if luck < 0.35:
        return own
    if luck < 0.62:
        return ""
    if luck < 0.80:
        return parts[-1]
    if luck < 0.88:
        return parts[0]
    return draw.choice(others) if len(row["s"]) > 1 else own


def as_pair(row: Row, heading: str) -> tuple[str, str, list[tuple[int, int]]]:
    """Question, evidence, and the places of its sentences in the evidence."""
    text = f"{heading} | " if heading else ""
    spans: list[tuple[int, int]] = []
    for part in row["s"]:
        part = " ".join(part.split())
        spans.append((len(text), len(text) + len(part)))
        text += part + " "
    return row["a"], text.rstrip(), spans
