"""The errors of a profile on labelled questions: counted on both sides, bounded, and written where a profile has them."""

import json
from pathlib import Path

import pytest

from footnotary.errors import ProfileError, UsageError
from footnotary.evaluate.calibration.answer_risk import (
    RowAnswerer,
    answer_risk_toml,
    measure_answer_risk,
    read_question_sets,
    share_with_bounds,
)
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.profiles.load import load_profile
from footnotary.testing.fake_reader import FakeReader
from footnotary.verify.run import checks_for

LEAVE = "Every permanent worker has eighteen days of paid leave in each year."
QUESTION = "How many days of paid leave does a permanent worker have in each year?"


def written(path: Path, *rows: dict) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    rows = [
        {"question": QUESTION, "passages": [LEAVE, "Lamps are cleaned on Mondays."], "answerable": True},
        {"question": QUESTION, "passages": ["Lamps are cleaned on Mondays."], "answerable": False},
        {"claim": QUESTION, "premise": "Nothing is said of it.", "label": 1, "level": "question"},
        {"question": QUESTION, "passage": LEAVE, "answerable": False},
    ]
    return written(tmp_path / "leave.jsonl", *rows)


def answerer(reader: FakeReader | None = None) -> RowAnswerer:
    profile = load_profile("default")
    return RowAnswerer(profile, ExtractiveGenerator(profile), checks_for(profile), reader)


def test_both_kinds_of_errors_are_counted_on_their_own_rows(questions: Path):
    found = measure_answer_risk(*read_question_sets([questions]), answerer())
    assert (found.false_answers[0], found.wrong_refusals[0]) == (0.5, 0.5)
    assert found.sets[0].rows == 4
    assert found.statement.startswith("false answers 50 % (1.3 % to 98.8 %), wrong refusals 50 %")


def test_the_reader_that_decides_is_named_and_its_threshold(questions: Path):
    found = measure_answer_risk(*read_question_sets([questions]), answerer(FakeReader({"": 0.0})))
    assert (found.reader, found.threshold) == ("fake-reader@0", load_profile("default").sufficiency.min_answerable)
    assert (found.false_answers[0], found.wrong_refusals[0]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("errors", "rows", "bounds"),
    [(0, 100, (0.0, 0.0, 0.0363)), (100, 100, (1.0, 0.9637, 1.0)), (15, 100, (0.15, 0.0864, 0.2354))],
)
def test_bounds_are_exact(errors: int, rows: int, bounds: tuple[float, float, float]):
    assert share_with_bounds(errors, rows) == pytest.approx(bounds, abs=2e-4)


def test_questions_of_one_kind_say_nothing(tmp_path: Path):
    path = written(tmp_path / "all.jsonl", {"question": QUESTION, "passages": [LEAVE], "answerable": True})
    with pytest.raises(UsageError, match="one kind"):
        measure_answer_risk(*read_question_sets([path]), answerer())


def test_rows_of_claims_are_no_questions(tmp_path: Path):
    path = written(tmp_path / "claims.jsonl", {"claim": LEAVE, "premise": LEAVE, "label": 1})
    with pytest.raises(UsageError, match="labels a claim"):
        read_question_sets([path])


def test_a_profile_states_what_was_measured_and_only_at_that_threshold(questions: Path, tmp_path: Path):
    found = measure_answer_risk(*read_question_sets([questions]), answerer())
    profile = tmp_path / "mine.toml"
    base = load_profile("default")
    profile.write_text(answer_risk_toml(found, base, extends="default", folder=tmp_path), encoding="utf-8")
    loaded = load_profile(profile)
    assert loaded.risk.answers == found
    assert (loaded.name, loaded.digest == base.digest) == ("default-calibrated", False)
    other = tmp_path / "other.toml"
    other.write_text('name = "other"\nextends = "mine.toml"\n[sufficiency]\nmin_answerable = 0.7\n', encoding="utf-8")
    assert not load_profile(other).risk.answers.statement
    changed = profile.read_text(encoding="utf-8").replace(
        f"min_answerable = {base.sufficiency.min_answerable}", "min_answerable = 0.7"
    )
    profile.write_text(changed, encoding="utf-8")
    with pytest.raises(ProfileError, match="was measured at the threshold"):
        load_profile(profile)


def test_a_profile_that_was_not_measured_is_stored_as_before(tmp_path: Path):
    path = tmp_path / "unmeasured.toml"
    path.write_text('name = "unmeasured"\nextends = "default"\n', encoding="utf-8")
    stored = load_profile(path).stored()
    assert "answers" not in stored["risk"]
    assert "sure_answerable" not in stored["sufficiency"]


def test_the_former_key_of_the_gate_is_accepted_and_kept_in_the_digest(tmp_path: Path):
    path = tmp_path / "former.toml"
    path.write_text('name = "former"\nextends = "default"\n[sufficiency]\nsure_answerable = 0.0\n', encoding="utf-8")
    assert load_profile(path).stored()["sufficiency"]["sure_answerable"] == 0.0
