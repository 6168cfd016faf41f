"""Near-duplicates."""

from footnotary.domain.evidence import Hit
from footnotary.retrieve.near_duplicates import without_near_duplicates
from footnotary.testing.builders import chunk_of

TEXT = "The employer shall pay wages to every worker at the rate that the Government has fixed for the work"


def hits(*texts):
    return [Hit(chunk_of(f"A_{n}_0", text), 0.9) for n, text in enumerate(texts)]


def kept(*texts):
    return [hit.chunk.id for hit in without_near_duplicates(hits(*texts), 0.9)]


def test_a_repetition_is_dropped_and_the_better_hit_stays():
    assert kept(TEXT, TEXT + ".") == ["A_0_0"]


def test_different_passages_stay():
    assert kept(TEXT, "Whoever cheats shall be punished.") == ["A_0_0", "A_1_0"]


def test_two_versions_that_differ_in_a_figure_are_two_facts():
    assert kept(TEXT + " within 7 days", TEXT + " within 70 days") == ["A_0_0", "A_1_0"]
