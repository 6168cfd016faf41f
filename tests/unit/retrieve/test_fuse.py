"""Two ranked lists into one."""

from hypothesis import given
from hypothesis import strategies as st

from footnotary.ports import Scored
from footnotary.retrieve.fuse import fuse

ids = st.lists(st.sampled_from("ABCDEFGH"), unique=True)


def ranked(order):
    return [Scored(cited, 1.0 / rank) for rank, cited in enumerate(order, 1)]


@given(lexical=ids, dense=ids)
def test_everything_found_is_kept_once_and_the_order_is_repeatable(lexical, dense):
    fused = fuse(ranked(lexical), ranked(dense))
    assert sorted(f.id for f in fused) == sorted({*lexical, *dense})
    assert fused == fuse(ranked(lexical), ranked(dense))


@given(order=ids)
def test_one_list_alone_keeps_its_order(order):
    assert [f.id for f in fuse(ranked(order), ())] == list(order)
    assert [f.id for f in fuse((), ranked(order))] == list(order)


def test_what_both_lists_find_comes_before_what_one_finds():
    assert [f.id for f in fuse(ranked("ABC"), ranked("DBE"))][0] == "B"


def test_equal_scores_stand_in_order_of_id():
    assert [f.id for f in fuse(ranked("B"), ranked("A"), dense_weight=0.5)] == ["A", "B"]


def test_ranks_say_where_a_hit_stood():
    (first, *_) = fuse(ranked("AB"), ranked("CA"))
    assert (first.id, first.ranks.lexical, first.ranks.dense, first.ranks.fused) == ("A", 1, 2, 1)
