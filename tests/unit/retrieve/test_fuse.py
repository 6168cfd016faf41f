"""Two ranked lists into one."""

from hypothesis import given
from hypothesis import strategies as st

from footnotary.ports import ScoredId
from footnotary.retrieve.score_fusion import fuse

ids = st.lists(st.sampled_from("ABCDEFGH"), unique=True)


def ranked(order):
    return [ScoredId(cited, 1.0 / rank) for rank, cited in enumerate(order, 1)]


@given(lexical=ids, dense=ids)
def test_everything_found_is_kept_once_and_the_order_is_repeatable(lexical, dense):
    fused = fuse(ranked(lexical), ranked(dense), 0.3)
    assert sorted(f.id for f in fused) == sorted({*lexical, *dense})
    assert fused == fuse(ranked(lexical), ranked(dense), 0.3)


@given(order=ids)
def test_one_list_alone_keeps_its_order(order):
    assert [f.id for f in fuse(ranked(order), (), 0.3)] == list(order)
    assert [f.id for f in fuse((), ranked(order), 0.3)] == list(order)


def test_a_clear_lead_in_one_list_outweighs_a_narrow_one_in_the_other():
    lexical = [ScoredId("A", 30.0), ScoredId("B", 5.0)]
    dense = [ScoredId("B", 0.81), ScoredId("A", 0.80), ScoredId("C", 0.40)]
    assert [f.id for f in fuse(lexical, dense, 0.3)] == ["A", "B", "C"]


def test_meaning_decides_between_passages_with_the_same_words():
    lexical = [ScoredId("A", 10.0), ScoredId("B", 10.0)]
    assert [f.id for f in fuse(lexical, [ScoredId("B", 0.9), ScoredId("A", 0.5)], 0.3)] == ["B", "A"]


def test_equal_scores_stand_in_order_of_id():
    assert [f.id for f in fuse(ranked("B"), ranked("A"), 0.5)] == ["B", "A"]
    assert [f.id for f in fuse([ScoredId("A", 2.0), ScoredId("B", 2.0)], (), 0.3)] == ["A", "B"]


def test_ranks_say_where_a_hit_stood():
    (first, *_) = fuse(ranked("AB"), ranked("CA"), 0.3)
    assert (first.id, first.ranks.lexical, first.ranks.dense, first.ranks.fused) == ("A", 1, 2, 1)
