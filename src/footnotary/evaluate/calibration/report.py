"""The calibration report: JSON, Markdown and an HTML page with the risk-coverage curve."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from footnotary.deprecated import EVALUATION_FIELDS, with_former_fields
from footnotary.evaluate.calibration.risk_control import CalibrationResult, LabelledScore
from footnotary.evaluate.reporting import html_page as p
from footnotary.evaluate.reporting.svg_charts import reliability_diagram, risk_coverage_curve
from footnotary.evaluate.statistics.classification import reliability_bins, risk_coverage

TITLE = "Calibrated refusal"
_HEADER = ("threshold", "delivered", "unsupported", "upper bound", "within the limit")


def write_calibration(
    folder: Path, found: CalibrationResult, rows: Sequence[LabelledScore], *, said: str, verifier: str, floor: float
) -> None:
    """Writes calibration.json, calibration.md and calibration.html into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    record = calibration_record(found, said=said, verifier=verifier)
    (folder / "calibration.json").write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (folder / "calibration.md").write_text(_markdown(found, said, verifier), encoding="utf-8")
    (folder / "calibration.html").write_text(_html(found, rows, said, verifier, floor), encoding="utf-8")


def calibration_record(found: CalibrationResult, *, said: str, verifier: str) -> dict[str, Any]:
    """The whole result, for programs."""
    record = {"holds": found.chosen is not None, "statement": said, "verifier": verifier} | asdict(found)
    return with_former_fields(record, EVALUATION_FIELDS)


def caveat(found: CalibrationResult) -> str:
    """The assumptions behind the statement."""
    rests = "It holds for rows drawn independently from the distribution of the answers, for this verifier and profile."
    if found.groups == found.rows:
        return rests
    return (
        f"{rests} These {found.rows} rows come from {found.groups} groups; rows of one group carry less "
        "information than as many independent ones, so the bound is optimistic."
    )


def _markdown(found: CalibrationResult, said: str, verifier: str) -> str:
    lines = [f"# {TITLE}", "", f"**{said}**", "", caveat(found), "", f"Verifier: {verifier}. {_split_text(found)}", ""]
    lines += [f"| {' | '.join(_HEADER)} |", "|--:|--:|--:|--:|---|"]
    lines += [f"| {' | '.join(cells)} |" for cells in _test_cells(found)]
    return "\n".join(lines) + "\n"


def _html(found: CalibrationResult, rows: Sequence[LabelledScore], said: str, verifier: str, floor: float) -> str:
    scores, labels = [row.score for row in rows], [row.supported for row in rows]
    chosen = found.chosen
    values = [(_percent(found.limit.max_unsupported), "unsupported claims allowed; no threshold keeps this limit")]
    if chosen is not None:
        coverage = sum(score >= chosen.threshold for score in scores) / len(scores)
        values = [
            (f"{chosen.threshold:g}", "threshold chosen"),
            (_percent(coverage), "of the labelled claims delivered"),
            (
                _percent(chosen.upper_bound),
                f"upper bound of the unsupported share, at {_percent(found.limit.confidence)} confidence",
            ),
        ]
    curve = risk_coverage_curve(
        risk_coverage(scores, labels),
        threshold=None if chosen is None else chosen.threshold,
        limit=found.limit.max_unsupported,
        floor=floor,
    )
    sections = [
        p.highlighted(said, holds=chosen is not None),
        p.paragraph(caveat(found), "note"),
        p.tiles([*values, (f"{found.rows:,}", "labelled rows")]),
        p.heading("Risk and coverage"),
        p.side_by_side(
            p.figure(
                curve,
                "All labelled rows: the unsupported share of the delivered claims as the threshold is lowered and more "
                "is delivered. The dot is the chosen threshold; the pale part is below the profile's own.",
            ),
            p.figure(
                reliability_diagram(reliability_bins(scores, labels)),
                "Scores against the share that is supported: on the dashed line a score is a probability.",
            ),
        ),
        p.heading("The tests, from strict to loose"),
        p.paragraph(_split_text(found)),
        p.table(_HEADER, _test_cells(found)),
    ]
    return p.page(TITLE, f"Verifier: {verifier}.", sections)


def _split_text(found: CalibrationResult) -> str:
    return (
        f"{found.pilot_rows:,} rows chose the starting threshold; the other {found.rows - found.pilot_rows:,} tested "
        "each threshold at the full level, until the first one whose upper bound exceeded the limit."
    )


def _test_cells(found: CalibrationResult) -> list[list[str]]:
    return [
        [
            f"{t.threshold:g}",
            f"{t.delivered:,}",
            f"{t.unsupported:,}",
            _percent(t.upper_bound),
            "yes" if t.holds else "no",
        ]
        for t in found.tested
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
