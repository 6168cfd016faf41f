"""Calibrates a model behind an endpoint on labelled rows: fitted on one half, and measured on the other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from footnotary.errors import UsageError
from footnotary.evaluate.datasets.labelled_rows import LabelledRow
from footnotary.evaluate.grounding.resumable_scores import ScoreFile
from footnotary.evaluate.grounding.scoring import Score
from footnotary.ports import PassageText, Reader
from footnotary.reader.calibration import PlattScaling, expected_calibration_error, fit_platt
from footnotary.text.language import language_of

# Fewer rows of a label than this, in either half, say nothing.
LEAST_ROWS = 10


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """The model's score of a row, before calibration."""

    probability: float
    label: bool
    fitted: bool


@dataclass(frozen=True, slots=True)
class FittedTask:
    """A calibration, and both kinds of errors at a threshold on the rows it was not fitted on."""

    scaling: PlattScaling
    fitted_rows: int
    measured_rows: int
    calibration_error: float
    threshold: float
    wrongly_accepted: float
    wrongly_refused: float

    def record(self) -> dict[str, Any]:
        return {
            "fitted_rows": self.fitted_rows,
            "measured_rows": self.measured_rows,
            "calibration_error": round(self.calibration_error, 4),
            "threshold": self.threshold,
            "wrongly_accepted": round(self.wrongly_accepted, 4),
            "wrongly_refused": round(self.wrongly_refused, 4),
        }


def score_rows_by(
    rows: Sequence[LabelledRow],
    reader: Reader,
    kept: ScoreFile,
    step: Callable[[int, int], None] | None = None,
) -> list[ScoredRow]:
    """What the reader says of each claim or question over the passages of its row; stored scores are reused."""
    scored: list[ScoredRow] = []
    for row in rows:
        if row not in kept:
            kept.add(row, Score(_read(row, reader)))
        scored.append(ScoredRow(kept[row].value, row.supported, _is_fitted(row)))
        if step is not None:
            step(len(scored), len(rows))
    return scored


def _read(row: LabelledRow, reader: Reader) -> float:
    if row.level == "question":
        return reader.answers([(row.claim, [PassageText("", text) for text in row.passages])])[0]
    return reader.support([(row.claim, row.passages)])[0]


def require_enough(name: str, rows: Sequence[LabelledRow]) -> None:
    """Raises `UsageError` if one half has too few rows of a label; call it before the model is asked."""
    for side in (True, False):
        half = [row.supported for row in rows if _is_fitted(row) == side]
        right = sum(half)
        if min(right, len(half) - right) < LEAST_ROWS:
            raise UsageError(
                f"too few {name}: one half has {right} with label 1 and {len(half) - right} with label 0",
                hint=f"give at least {4 * LEAST_ROWS} of each label, of many groups, which are not divided",
            )


def fit_task(name: str, scored: Sequence[ScoredRow], threshold: float) -> FittedTask:
    """The calibration of one task with enough rows. Raises `UsageError` if the model cannot distinguish the labels."""
    fitted = [row for row in scored if row.fitted]
    measured = [row for row in scored if not row.fitted]
    try:
        scaling = fit_platt([row.probability for row in fitted], [row.label for row in fitted])
    except ValueError:
        raise UsageError(
            f"the model does not distinguish {name} with label 1 from those with label 0", hint="use another model"
        ) from None
    found = [scaling.applied(row.probability) for row in measured]
    labels = [row.label for row in measured]
    accepted = [probability >= threshold for probability in found]
    said = list(zip(labels, accepted, strict=True))
    return FittedTask(
        scaling,
        len(fitted),
        len(measured),
        expected_calibration_error(found, labels),
        threshold,
        said.count((False, True)) / labels.count(False),
        said.count((True, False)) / labels.count(True),
    )


def languages_of(rows: Sequence[LabelledRow]) -> tuple[str, ...]:
    """The languages of enough rows: those the calibrated model may be asked in."""
    found = [language_of(row.claim) for row in rows]
    return tuple(sorted({language for language in found if found.count(language) >= 2 * LEAST_ROWS}))


def _is_fitted(row: LabelledRow) -> bool:
    group = hashlib.sha256(f"{row.dataset}/{row.group}".encode("utf-8", "replace")).digest()
    return group[0] % 2 == 0
