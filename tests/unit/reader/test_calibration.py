"""Calibration moves log-odds and keeps their order; what is fitted is calibrated."""

import random

import pytest

from footnotary.reader.calibration import (
    PlattScaling,
    ReaderCalibration,
    expected_calibration_error,
    fit_platt,
    log_odds,
)


def drawn(count: int, slope: float, intercept: float) -> tuple[list[float], list[bool]]:
    """Probabilities, and labels drawn as often as the scaled probabilities say."""
    draw = random.Random(7)
    said = [draw.uniform(0.01, 0.99) for _ in range(count)]
    return said, [draw.random() < PlattScaling(slope, intercept).applied(p) for p in said]


def test_no_calibration_changes_nothing():
    assert ReaderCalibration.read({}).answers.applied(0.123) == 0.123


def test_a_configuration_names_the_questions():
    read = ReaderCalibration.read({"answers": {"slope": 1.0, "intercept": 1.0}})
    assert read.answers.applied(0.5) == pytest.approx(0.731, abs=1e-3)
    assert read.support.applied(0.5) == 0.5


@pytest.mark.parametrize(("slope", "intercept"), [(1.0, 0.0), (0.4, -1.5), (2.5, 1.0)])
def test_what_was_drawn_is_fitted(slope: float, intercept: float):
    found = fit_platt(*drawn(8_000, slope, intercept))
    assert (found.slope, found.intercept) == pytest.approx((slope, intercept), abs=0.15)


def test_fitting_lowers_the_calibration_error():
    said, labels = drawn(4_000, 0.3, -1.0)
    fitted = fit_platt(said, labels)
    before = expected_calibration_error(said, labels)
    after = expected_calibration_error([fitted.applied(p) for p in said], labels)
    assert after < 0.05 < before


def test_separable_rows_are_fitted_too():
    fitted = fit_platt([0.1, 0.2, 0.8, 0.9], [False, False, True, True])
    assert fitted.applied(0.1) < 0.5 < fitted.applied(0.9)


@pytest.mark.parametrize(("said", "labels"), [([0.5, 0.6], [True, True]), ([], []), ([0.5], [True, False])])
def test_rows_of_one_label_cannot_calibrate(said: list[float], labels: list[bool]):
    with pytest.raises(ValueError, match="both labels"):
        fit_platt(said, labels)


def test_probabilities_that_say_the_opposite_cannot_be_calibrated():
    with pytest.raises(ValueError, match="slope above 0"):
        fit_platt([0.1, 0.2, 0.3, 0.8, 0.9, 0.7], [True, True, True, False, False, False])


def test_certainty_has_finite_odds():
    assert log_odds(0.0) == pytest.approx(-log_odds(1.0))
    assert PlattScaling(2.0, 0.0).applied(1.0) < 1.0


def test_the_error_of_calibrated_bins_is_none():
    assert expected_calibration_error([0.5, 0.5], [True, False]) == 0.0
    assert expected_calibration_error([0.9, 0.9], [False, False]) == pytest.approx(0.9)
    assert expected_calibration_error([], []) == 0.0
