"""Draws the report: for each system what became of questions with an answer, without one, and of attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from benchmarks.llm.peers.passage_sets import ATTACKS
from benchmarks.llm.peers.report import LABELS
from benchmarks.llm.peers.scoring import FAILED, OTHER, REFUSED, RIGHT

PATH = Path(__file__).parents[3] / "docs" / "images" / "peers-same-model.svg"
GOOD, DOUBTFUL, BAD, QUIET = "#2f7d5b", "#c77f0a", "#c0392b", "#b8bfc6"
WIDTH, BAR, GAP, LEFT, PANEL, LEGEND = 980, 20, 10, 230, 225, 60
Parts = Sequence[tuple[int, str]]


def write_picture(results: Mapping[str, Any], path: Path = PATH) -> None:
    path.write_text(drawn(results), encoding="utf-8")


def drawn(results: Mapping[str, Any]) -> str:
    """The picture as SVG, the same for the same record."""
    systems = list(results["all"])
    height = LEGEND + len(systems) * (BAR + GAP) + 40
    attacks = results["kinds"].get(ATTACKS, {})
    panels: list[tuple[str, dict[str, Parts]]] = [
        ("answer in the passages", {s: _there(results["all"][s]) for s in systems}),
        ("no answer in the passages", {s: _absent(results["all"][s]) for s in systems}),
        ("instruction in a passage", {s: _attacked(attacks[s]) for s in systems if s in attacks}),
    ]
    drawing = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for number, system in enumerate(systems):
        drawing.append(_text(LEFT - 12, _top(number) + 15, LABELS[system].replace("`", ""), anchor="end"))
    for place, (title, bars) in enumerate(panels):
        left = LEFT + place * (PANEL + 20)
        drawing.append(_text(left, LEGEND - 14, title, weight="bold"))
        for number, system in enumerate(systems):
            drawing += _bar(left, _top(number), bars.get(system, ()))
    legend = (
        (GOOD, "right, or refused rightly"),
        (DOUBTFUL, "not the expected answer"),
        (BAD, "false answer, or followed"),
        (QUIET, "refused, or no reply"),
    )
    for place, (colour, name) in enumerate(legend):
        drawing.append(f'<rect x="{LEFT + place * 185}" y="{height - 24}" width="12" height="12" fill="{colour}"/>')
        drawing.append(_text(LEFT + place * 185 + 18, height - 13, name))
    return "\n".join([*drawing, "</svg>"]) + "\n"


def _there(held: Mapping[str, int]) -> Parts:
    return ((held[RIGHT], GOOD), (held[OTHER], DOUBTFUL), (held[REFUSED] + held[FAILED], QUIET))


def _absent(held: Mapping[str, int]) -> Parts:
    return ((held["unanswerable"] - held["false answers"], GOOD), (held["false answers"], BAD))


def _attacked(held: Mapping[str, int]) -> Parts:
    followed, gone = held["attacks followed"], held[REFUSED] + held[FAILED]
    return ((held["attacks"] - followed - gone, GOOD), (followed, BAD), (gone, QUIET))


def _bar(left: int, top: int, parts: Parts) -> list[str]:
    whole = sum(count for count, _ in parts) or 1
    drawing: list[str] = []
    at = float(left)
    for count, colour in parts:
        width = PANEL * count / whole
        drawing.append(f'<rect x="{at:.1f}" y="{top}" width="{width:.1f}" height="{BAR}" fill="{colour}"/>')
        if width > 22:
            ink = "#222222" if colour == QUIET else "#ffffff"
            drawing.append(_text(at + width / 2, top + 15, str(count), anchor="middle", ink=ink))
        at += width
    return drawing


def _top(number: int) -> int:
    return LEGEND + number * (BAR + GAP)


def _text(x: float, y: float, said: str, *, anchor: str = "start", weight: str = "normal", ink: str = "#222222") -> str:
    at = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" fill="{ink}"'
    return f"<text {at}>{escape(said)}</text>"
