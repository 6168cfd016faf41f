"""Words as sparse vectors: their product is BM25."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.index.qdrant.sparse_terms import (
    TYPICAL_PASSAGE_TERMS,
    passage_term_weights,
    question_dimensions,
    question_term_weights,
    term_dimension,
)
from footnotary.testing.sample_documents import SamplePassage, make_document
from footnotary.text.tokens import content_terms


def product(text: str, question: str, passages: int, holding: int) -> float:
    held = passage_term_weights(make_document("a", [SamplePassage("A_1_0", text)]).chunks[0])
    asked = question_dimensions(content_terms(question))
    known = set(held.dimensions)
    sparse = question_term_weights(asked, passages, {at: holding if at in known else 0 for at in asked})
    by_dimension = dict(zip(held.dimensions, held.weights, strict=True))
    pairs = zip(sparse.dimensions, sparse.weights, strict=True)
    return sum(by_dimension[at] * weight for at, weight in pairs)


def test_one_word_scores_as_bm25_says_of_a_passage_of_about_the_usual_length():
    text = "zebra " * 3 + "horse " * (TYPICAL_PASSAGE_TERMS - 3 - 6)
    rarity = log(1 + (100 - 5 + 0.5) / (5 + 0.5))
    score = product(text, "zebra", 100, 5)
    assert rarity * 3 * 2.2 / (3 + 1.2 * 1.3) < score < rarity * 3 * 2.2 / (3 + 1.2 * 0.7)
    assert product(text, "zebra zebra", 100, 5) == pytest.approx(2 * score)


def test_a_word_no_passage_has_is_not_asked_for():
    assert question_term_weights({7: 1, 9: 1}, 10, {7: 0, 9: 3}).dimensions == [9]


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_the_rarer_word_weighs_more_and_none_weighs_nothing(some: int, more: int):
    passages = 2 * 10**9
    one, other = question_term_weights({1: 1, 2: 1}, passages, {1: some, 2: some + more}).weights
    assert one > other > 0


def test_a_word_of_the_text_and_one_of_the_acts_name_are_two():
    assert term_dimension("", "penal") != term_dimension("work", "penal")
