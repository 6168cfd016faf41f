"""People read a sentence; what a check measured follows it where details are shown."""

import pytest

from footnotary.domain.verdict import Reason, Verdict
from footnotary.render.verdict_text import verdict_text


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, "not close enough"),
        ({"best_score": 0.1649, "threshold": 0.3}, "not close enough (best score 0.16, threshold 0.3)"),
        ({"part": "Who signs?", "compared": False, "found": 1}, "not close enough (found 1)"),
    ],
)
def test_numbers_follow_the_sentence_and_text_does_not(values, text):
    assert verdict_text(Verdict.failed("c", Reason.NO_RELEVANT_CONTENT, "not close enough", **values)) == text


def test_a_check_that_passed_may_have_numbers_only():
    assert verdict_text(Verdict.passed("c", overlap=1.0)) == "(overlap 1)"
