"""The calibration that is written for weights is fitted on the questions they are asked."""

import random

from footnotary.evaluate.datasets.labelled_rows import LabelledRow
from footnotary.testing.fake_reader import FakeReader
from training.reader.fit_calibration import applied, fitted, read_by, report


def rows(count: int, passages: int, level: str = "question") -> list[LabelledRow]:
    """Rows whose passage says how likely it is said to answer, twice as sure as it should be."""
    draw = random.Random(count + passages)
    made = []
    for number in range(count):
        said = draw.choice([0.1, 0.3, 0.7, 0.9])
        texts = [f"chance {said}", *("chance 0.0" for _ in range(passages - 1))]
        label = draw.random() < 0.5 + (said - 0.5) / 2
        given = {"id": str(number), "dataset": "d", "group": "g", "claim": "q?", "level": level, "label": label}
        made.append(LabelledRow.model_validate(given | {"premise": texts}))
    return made


def test_what_is_fitted_on_some_rows_is_calibrated_on_others():
    reader = FakeReader({f"chance {said}": said for said in (0.0, 0.1, 0.3, 0.7, 0.9)})
    scalings = fitted(read_by(reader, [*rows(2_000, 1), *rows(2_001, 4), *rows(500, 1, "claim")]))
    assert set(scalings) == {"support", "answers", "answers_together", "answers_best"}
    assert 0.6 < applied("answers", 0.9, scalings) < 0.8
    assert 0.6 < applied("answers_best", 0.9, scalings) < 0.8
    lines = list(report(read_by(reader, [*rows(1_000, 1), *rows(1_001, 4)]), scalings))
    assert [line.split(":")[0] for line in lines] == ["answers", "answers_together", "answers_best"]


def test_a_question_without_rows_of_both_labels_is_left_out():
    reader = FakeReader()
    assert fitted(read_by(reader, rows(1, 1))) == {}
