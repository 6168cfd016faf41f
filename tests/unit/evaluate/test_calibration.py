"""Calibrated refusal: the bound is exact, the promise holds in simulation, and where nothing can be promised it says so."""

import random
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footnotary.errors import UsageError
from footnotary.evaluate.calibration.risk_control import (
    LabelledScore,
    RiskLimit,
    calibrate_threshold,
    truncate_score,
)
from footnotary.evaluate.statistics.binomial import binomial_cdf, upper_bound

LIMIT = RiskLimit(0.1, 0.9)


def rows(pairs):
    return [LabelledScore(score, supported, str(i)) for i, (score, supported) in enumerate(pairs)]


def drawn(generator, n, risk_at):
    pairs = ((score, generator.random() >= risk_at(score)) for score in (generator.random() for _ in range(n)))
    return [LabelledScore(score, supported, f"{generator.random()}") for score, supported in pairs]


@pytest.mark.parametrize(("k", "n", "p"), [(0, 10, 0.3), (3, 10, 0.3), (9, 10, 0.5), (2, 50, 0.02), (10, 10, 0.1)])
def test_the_binomial_tail_is_the_sum_of_its_terms(k, n, p):
    assert binomial_cdf(k, n, p) == pytest.approx(sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1)))


def test_the_binomial_tail_does_not_underflow_for_many_rows():
    assert binomial_cdf(2000, 100_000, 0.02) == pytest.approx(0.506, abs=0.01)
    assert binomial_cdf(1500, 100_000, 0.02) < 1e-20


def test_the_bound_is_clopper_and_pearsons():
    assert upper_bound(0, 100, 0.95) == pytest.approx(1 - 0.05 ** (1 / 100))
    assert upper_bound(5, 100, 0.95) == pytest.approx(0.10225, abs=1e-4)
    assert upper_bound(0, 0, 0.95) == 1.0
    assert upper_bound(7, 7, 0.95) == 1.0


@given(st.floats(0, 1), st.integers(0, 10_000).map(lambda n: n / 10_000))
def test_cutting_a_score_to_four_decimals_changes_no_decision(score, threshold):
    assert (score >= threshold) == (truncate_score(score) >= threshold)


def test_two_percent_at_95_percent_takes_149_delivered_rows_without_a_fault():
    limit = RiskLimit(0.02, 0.95)
    # A quarter of the rows is the pilot: 199 rows leave 149, 198 leave 148.
    assert calibrate_threshold(rows([(0.9, True)] * 199), limit).chosen is not None
    short = calibrate_threshold(rows([(0.9, True)] * 190), limit)
    assert short.chosen is None
    assert 9 <= short.more_rows <= 40


def test_the_loosest_threshold_that_holds_is_chosen():
    generator = random.Random(1)
    found = calibrate_threshold(drawn(generator, 4000, lambda score: 0.0 if score > 0.4 else 0.9), LIMIT)
    assert 0.25 <= found.chosen.threshold <= 0.4
    assert found.chosen.upper_bound <= LIMIT.max_unsupported
    assert [test.threshold for test in found.tested] == sorted({t.threshold for t in found.tested}, reverse=True)
    assert all(test.holds for test in found.tested[:-1])


def test_a_threshold_below_the_floor_is_never_chosen():
    found = calibrate_threshold(rows([(i / 1000, True) for i in range(1000)]), LIMIT, floor=0.7)
    assert found.chosen.threshold == 0.7
    assert all(test.threshold >= 0.7 for test in found.tested)


def test_where_every_threshold_is_too_risky_none_is_chosen_and_more_rows_are_said_not_to_help():
    found = calibrate_threshold(rows([(i / 400, i % 2 == 0) for i in range(400)]), RiskLimit(0.02, 0.95))
    assert found.chosen is None
    assert found.more_rows is None


def test_where_rows_are_few_it_says_how_many_more_would_do():
    found = calibrate_threshold(rows([(0.5 + i / 100, True) for i in range(40)]), RiskLimit(0.02, 0.95))
    assert found.chosen is None
    assert 120 <= found.more_rows <= 200
    more = calibrate_threshold(
        rows([(0.5 + (i % 40) / 100, True) for i in range(40 + found.more_rows)]), RiskLimit(0.02, 0.95)
    )
    assert more.chosen is not None


def test_rows_of_one_group_are_never_on_both_sides():
    generator = random.Random(2)
    grouped = [LabelledScore(generator.random(), True, str(i // 50)) for i in range(1000)]
    found = calibrate_threshold(grouped, LIMIT)
    assert found.pilot_rows == 250
    assert found.groups == 20


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60), st.randoms())
@settings(max_examples=60)
def test_the_order_of_the_rows_does_not_matter(pairs, shuffler):
    given_rows = rows(pairs)
    shuffled = given_rows[:]
    shuffler.shuffle(shuffled)
    assert calibrate_threshold(given_rows, LIMIT) == calibrate_threshold(shuffled, LIMIT)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=200), st.floats(0.01, 0.5))
@settings(max_examples=60)
def test_what_is_chosen_was_tested_and_keeps_the_limit_on_the_test_rows(pairs, risk):
    found = calibrate_threshold(rows(pairs), RiskLimit(risk, 0.9))
    assert (found.chosen is None) == (not any(test.holds for test in found.tested))
    if found.chosen is not None:
        assert found.chosen.upper_bound <= risk + 1e-9
        assert found.chosen.unsupported <= risk * found.chosen.delivered
        assert found.more_rows is None


@pytest.mark.parametrize(
    "risk_at",
    [
        pytest.param(lambda score: 0.4 * (1 - score), id="higher scores are safer"),
        pytest.param(lambda score: 0.105, id="scores say nothing and every threshold is just too risky"),
        pytest.param(lambda score: 0.3 * score, id="scores are worth less than nothing"),
        pytest.param(lambda score: 0.5 if 0.6 < score < 0.7 else 0.02, id="a risky stretch in the middle"),
    ],
)
def test_the_promise_is_broken_no_more_often_than_it_says(risk_at):
    """300 calibrations on fresh data: the true risk of what was chosen exceeds the limit in at most 10 % of them."""
    generator = random.Random(17)
    grid = [i / 2000 for i in range(2001)]
    broken = 0
    for _ in range(300):
        found = calibrate_threshold(drawn(generator, 200, risk_at), LIMIT)
        if found.chosen is not None:
            above = [risk_at(score) for score in grid if score >= found.chosen.threshold]
            broken += sum(above) / len(above) > LIMIT.max_unsupported
    # Three standard errors of 300 draws at 10 %.
    assert broken / 300 <= 0.1 + 0.052


@pytest.mark.parametrize(("risk", "confidence"), [(0.0, 0.95), (1.0, 0.95), (0.02, 1.0), (0.02, 95.0), (-0.1, 0.5)])
def test_a_limit_that_is_no_share_is_a_mistake_of_the_caller(risk, confidence):
    with pytest.raises(UsageError, match="is not between 0 and 1"):
        RiskLimit(risk, confidence)


def test_no_rows_are_a_mistake_of_the_caller():
    with pytest.raises(UsageError, match="no labelled rows"):
        calibrate_threshold([], LIMIT)
