"""Fits the calibration of a reader on some labelled sets and checks it on others.

    python -m training.reader.fit_calibration --weights FOLDER --fit SET... --check SET... [--rows N]

Sets are files of labelled rows. Prints, for each question the reader is asked, area under the curve, calibration error
before and after, and both error rates at the best threshold on the sets it was not fitted on; then the member
`calibration` for the weights' config.json. Weights that have one are measured without it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from footnotary.evaluate.datasets.labelled_rows import LabelledRow, read_rows
from footnotary.evaluate.statistics.classification import Sample, best_threshold
from footnotary.gate.reader_decision import MOST_READ
from footnotary.ports import PassageText, Reader
from footnotary.reader.calibration import PlattScaling, ReaderCalibration, expected_calibration_error, fit_platt
from footnotary.reader.onnx_reader import OnnxReader

ROWS = 400


@dataclass(slots=True)
class ReadRows:
    """What a reader says of rows for one question, and what is true."""

    probabilities: list[float] = field(default_factory=list[float])
    labels: list[bool] = field(default_factory=list[bool])

    def add(self, probability: float, label: bool) -> None:
        self.probabilities.append(probability)
        self.labels.append(label)


def read_by(reader: Reader, rows: Sequence[LabelledRow]) -> dict[str, ReadRows]:
    """The probabilities of each question on the rows that ask it."""
    found = {question: ReadRows() for question in ("support", "answers", "answers_together", "answers_best")}
    for row in rows:
        if row.level != "question":
            found["support"].add(reader.support([(row.claim, row.passages)])[0], row.supported)
            continue
        passages = [PassageText("", text) for text in row.passages]
        if len(passages) == 1:
            found["answers"].add(reader.answers([(row.claim, passages)])[0], row.supported)
        else:
            alone = reader.answers([(row.claim, [passage]) for passage in passages[:MOST_READ]])
            found["answers_best"].add(max(alone), row.supported)
            found["answers_together"].add(reader.answers([(row.claim, passages[:MOST_READ])])[0], row.supported)
    return found


def fitted(found: dict[str, ReadRows]) -> dict[str, PlattScaling]:
    """The scaling of each question that has rows of both labels. That of the best is fitted behind that of one."""
    scalings = {
        question: fit_platt(rows.probabilities, rows.labels)
        for question, rows in found.items()
        if len(set(rows.labels)) > 1 and question != "answers_best"
    }
    best = found["answers_best"]
    if len(set(best.labels)) > 1:
        one = scalings.get("answers", PlattScaling())
        scalings["answers_best"] = fit_platt([one.applied(p) for p in best.probabilities], best.labels)
    return scalings


def applied(question: str, probability: float, scalings: dict[str, PlattScaling]) -> float:
    """A probability as the gate compares it."""
    if question == "answers_best":
        probability = scalings.get("answers", PlattScaling()).applied(probability)
    return scalings.get(question, PlattScaling()).applied(probability)


def report(found: dict[str, ReadRows], scalings: dict[str, PlattScaling]) -> Iterator[str]:
    """A line for each question that was checked."""
    for question, rows in found.items():
        if len(set(rows.labels)) < 2:
            continue
        after = [applied(question, probability, scalings) for probability in rows.probabilities]
        best = best_threshold(after, rows.labels)
        threshold = best[0] if best else 0.5
        wrong = sum(p >= threshold and not label for p, label in zip(after, rows.labels, strict=True))
        missed = sum(p < threshold and label for p, label in zip(after, rows.labels, strict=True))
        area = Sample(after, rows.labels).measured(threshold)["auroc"] or 0.0
        before, now = (expected_calibration_error(p, rows.labels) for p in (rows.probabilities, after))
        yield (
            f"{question}: {len(after)} rows, AUC {100 * area:.1f}, calibration error {100 * before:.1f} -> {100 * now:.1f}, "
            f"at {threshold:.2f} false {100 * wrong / rows.labels.count(False):.1f} %, "
            f"missed {100 * missed / rows.labels.count(True):.1f} %"
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--weights", type=Path, required=True)
    arguments.add_argument("--fit", type=Path, nargs="+", required=True)
    arguments.add_argument("--check", type=Path, nargs="+", required=True)
    arguments.add_argument("--rows", type=int, default=ROWS, help="of each set, at most")
    options = arguments.parse_args()
    if set(options.fit) & set(options.check):
        arguments.error("a set that is fitted on cannot check")
    reader = OnnxReader(options.weights)
    reader.calibration = ReaderCalibration()
    scalings = fitted(read_by(reader, read_rows(options.fit, options.rows)))
    for line in report(read_by(reader, read_rows(options.check, options.rows)), scalings):
        print(line)
    rounded = {
        question: {name: round(value, 4) for name, value in asdict(one).items()} for question, one in scalings.items()
    }
    print(json.dumps({"calibration": rounded}, indent=2))


if __name__ == "__main__":
    main()
