"""Measures against values worked out by hand, and what must hold of them for any scores."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footnotary.evaluate.statistics.binomial import upper_bound
from footnotary.evaluate.statistics.bootstrap import Estimate, bootstrap_measures, mean_over_sets
from footnotary.evaluate.statistics.classification import (
    MEASURE_NAMES,
    Sample,
    best_threshold,
    reliability_bins,
    risk_coverage,
)

# Four supported and four unsupported; at 0.5 one supported claim is refused and two unsupported ones are delivered.
SCORES = [0.9, 0.8, 0.6, 0.3, 0.7, 0.6, 0.2, 0.1]
LABELS = [True, True, True, True, False, False, False, False]

scored = st.lists(st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.booleans()), min_size=1, max_size=40).map(
    lambda rows: ([s for s, _ in rows], [y for _, y in rows])
)


def compute_measures(scores, labels, threshold):
    return Sample(scores, labels).measured(threshold)


def test_the_measures_are_those_computed_by_hand():
    found = compute_measures(SCORES, LABELS, 0.5)
    assert found["supported_recall"] == 3 / 4
    assert found["unsupported_recall"] == 2 / 4
    assert found["balanced_accuracy"] == (3 / 4 + 2 / 4) / 2
    assert found["supported_precision"] == 3 / 5
    assert found["unsupported_precision"] == 2 / 3
    assert found["supported_f1"] == pytest.approx(2 * 3 / (2 * 3 + 2 + 1))
    assert found["unsupported_f1"] == pytest.approx(2 * 2 / (2 * 2 + 1 + 2))
    # Of 16 pairs, 0.9 and 0.8 win 4 each, 0.6 wins 2 and ties 1, 0.3 wins 2.
    assert found["auroc"] == pytest.approx((4 + 4 + 2.5 + 2) / 16)
    assert found["brier"] == pytest.approx((0.01 + 0.04 + 0.16 + 0.49 + 0.49 + 0.36 + 0.04 + 0.01) / 8)


def test_average_precision_takes_tied_scores_together():
    # Supported, from the top: 0.9 (1 of 1), 0.8 (2 of 2), 0.7 wrong, 0.6 twice (3 of 5), 0.3 (4 of 6).
    found = compute_measures(SCORES, LABELS, 0.5)
    assert found["supported_average_precision"] == pytest.approx((1 + 1 + 3 / 5 + 4 / 6) / 4)
    # Unsupported, from the bottom: 0.1 (1 of 1), 0.2 (2 of 2), 0.3 wrong, 0.6 twice (3 of 5), 0.7 (4 of 6).
    assert found["unsupported_average_precision"] == pytest.approx((1 + 1 + 3 / 5 + 4 / 6) / 4)


def test_the_calibration_error_is_the_mean_gap_between_score_and_share():
    # In the bin from 0.8 two rows score 0.85 on average and one is supported; in the bin from 0.1 one of one is not.
    found = compute_measures([0.8, 0.9 - 1e-9, 0.1], [True, False, False], 0.5)
    assert found["calibration_error"] == pytest.approx((abs(1.7 - 1) + abs(0.1 - 0)) / 3, abs=1e-6)


def test_the_threshold_is_inclusive():
    assert compute_measures([0.5], [True], 0.5)["supported_recall"] == 1.0
    assert compute_measures([0.5], [True], 0.5001)["supported_recall"] == 0.0


def test_what_one_label_leaves_undefined_is_none_and_not_a_number():
    found = compute_measures([0.2, 0.9], [False, False], 0.5)
    assert found["balanced_accuracy"] is None
    assert found["auroc"] is None
    assert found["supported_average_precision"] is None
    assert found["unsupported_recall"] == 0.5
    assert found["supported_precision"] == 0.0


@pytest.mark.parametrize("scores", [[1.2], [-0.1], [math.nan]])
def test_a_score_outside_its_range_is_an_error(scores):
    with pytest.raises(ValueError, match="outside"):
        compute_measures(scores, [True], 0.5)


def test_as_many_scores_as_labels_are_needed():
    with pytest.raises(ValueError, match="2 scores and 1 labels"):
        compute_measures([0.1, 0.2], [True], 0.5)


@given(scored)
def test_a_weight_of_two_is_a_row_given_twice(rows):
    import numpy as np

    scores, labels = rows
    twice = compute_measures(scores + scores[:1], labels + labels[:1], 0.5)
    weighted = Sample(scores, labels).measured(0.5, np.array([2.0] + [1.0] * (len(scores) - 1)))
    for name in MEASURE_NAMES:
        assert weighted[name] == (None if twice[name] is None else pytest.approx(twice[name]))


@given(scored)
def test_every_defined_measure_is_a_share(rows):
    for value in compute_measures(*rows, 0.5).values():
        assert value is None or 0.0 <= value <= 1.0 + 1e-9


@given(scored)
def test_swapping_the_labels_turns_the_area_round(rows):
    scores, labels = rows
    area, turned = (compute_measures(scores, of, 0.5)["auroc"] for of in (labels, [not y for y in labels]))
    assert (area is None) == (turned is None)
    if area is not None:
        assert area + turned == pytest.approx(1.0)


@settings(deadline=None)
@given(scored)
def test_no_threshold_beats_the_best_one(rows):
    scores, labels = rows
    best = best_threshold(scores, labels)
    if best is None:
        assert len(set(labels)) == 1
        return
    threshold, accuracy = best
    if accuracy > 0.5:
        assert compute_measures(scores, labels, threshold)["balanced_accuracy"] == pytest.approx(accuracy)
    for other in (n / 20 for n in range(21)):
        assert compute_measures(scores, labels, other)["balanced_accuracy"] <= accuracy + 1e-9


def test_the_reliability_bins_hold_every_row_once():
    bins = reliability_bins([*SCORES, 1.0], [*LABELS, True])
    assert sum(b.rows for b in bins) == 9
    assert (bins[-1].low, bins[-1].rows) == (0.9, 2)


def test_the_risk_coverage_curve_goes_from_strict_to_loose_one_point_a_score():
    points = risk_coverage(SCORES, LABELS)
    assert [p.threshold for p in points] == [0.9, 0.8, 0.7, 0.6, 0.3, 0.2, 0.1]
    at = points[3]
    assert (at.delivered, at.unsupported, at.coverage, at.risk) == (5, 2, 5 / 8, 2 / 5)
    assert points[-1].coverage == 1.0


def test_intervals_hold_the_value_and_are_the_same_every_time():
    groups = [str(i) for i in range(8)]
    one, two = (bootstrap_measures(SCORES * 5, LABELS * 5, groups * 5, 0.5, resamples=200) for _ in range(2))
    assert one.estimates == two.estimates
    area = one.estimates["auroc"]
    assert area.low <= area.value <= area.high
    assert area.low < area.high


def test_rows_of_one_group_are_drawn_together():
    # Five copies of each row under one group say no more than the row: the interval must not shrink.
    once = bootstrap_measures(SCORES, LABELS, [str(i) for i in range(8)], 0.5, resamples=400).estimates["brier"]
    copies = bootstrap_measures(SCORES * 5, LABELS * 5, [str(i) for i in range(8)] * 5, 0.5, resamples=400).estimates[
        "brier"
    ]
    apart = bootstrap_measures(SCORES * 5, LABELS * 5, [str(i) for i in range(40)], 0.5, resamples=400).estimates[
        "brier"
    ]
    assert copies.high - copies.low == pytest.approx(once.high - once.low)
    assert apart.high - apart.low < 0.7 * (once.high - once.low)


def test_one_group_alone_has_no_interval():
    assert bootstrap_measures(SCORES, LABELS, ["a"] * 8, 0.5, resamples=50).estimates["auroc"].low is None


def test_the_mean_counts_every_set_the_same_and_leaves_out_the_undefined():
    many = bootstrap_measures(SCORES * 3, LABELS * 3, [str(i) for i in range(24)], 0.5, resamples=50)
    perfect = bootstrap_measures([0.9, 0.1], [True, False], ["a", "b"], 0.5, resamples=50)
    one_label = bootstrap_measures([0.9], [True], ["a"], 0.5, resamples=50)
    means = mean_over_sets([many, perfect, one_label])
    assert means["balanced_accuracy"].value == pytest.approx((0.625 + 1.0) / 2)
    assert mean_over_sets([one_label])["auroc"] == Estimate(None)


def test_a_few_right_rows_were_reported_as_certain():
    found = bootstrap_measures([0.9, 0.8, 0.1, 0.2, 0.1], [True, True, False, False, False], list("abcde"), 0.5)
    exact = {
        "supported_recall": 1 - upper_bound(0, 2, 0.975),
        "unsupported_recall": 1 - upper_bound(0, 3, 0.975),
        "unsupported_precision": 1 - upper_bound(0, 3, 0.975),
        "balanced_accuracy": 1 - upper_bound(0, 2, 0.975),
        "auroc": 1 - upper_bound(0, 2, 0.975),
    }
    for name, low in exact.items():
        estimate = found.estimates[name]
        assert (estimate.value, estimate.low, estimate.high) == (1.0, pytest.approx(low), 1.0), name
    mean = mean_over_sets([found, found])["balanced_accuracy"]
    assert (mean.value, mean.low, mean.high) == (1.0, pytest.approx(exact["balanced_accuracy"]), 1.0)


def test_a_precision_over_few_predictions_has_the_bound_of_those_few():
    scores, labels = [0.1] + [0.9] * 19, [False] * 2 + [True] * 18
    found = bootstrap_measures(scores, labels, [str(i) for i in range(20)], 0.5)
    assert found.estimates["unsupported_precision"].low == pytest.approx(1 - upper_bound(0, 1, 0.975))
