"""The quote beside a claim is a place in the source, and the place that carries the claim."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.verify.meaning.supporting_sentence import best_quote

SENTENCES = ("Whoever cheats pays a fine.", "Whoever steals goes to prison.", "A goat may graze on the common.")
TEXT = " ".join(SENTENCES)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_claim_that_is_a_quote_is_found_where_it_stands(sentence: str):
    span, held = best_quote(sentence, TEXT)
    assert (span.of(TEXT), held) == (sentence, 1.0)


@pytest.mark.parametrize(
    ("claim", "at"), [("A thief who steals goes to prison.", 1), ("The common is grazed by a goat.", 2)]
)
def test_a_claim_in_other_words_is_given_the_sentence_that_carries_it(claim: str, at: int):
    span, held = best_quote(claim, TEXT)
    assert SENTENCES[at] in span.of(TEXT)
    assert 0 < held <= 1


@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=80).filter(str.strip))
def test_a_quote_is_never_empty_and_lies_in_the_source(claim: str, text: str):
    span, held = best_quote(claim, text)
    assert 0 <= span.start < span.end <= len(text)
    assert 0 <= held <= 1


def test_a_quote_begins_and_ends_with_whole_words():
    text = "Uninsured vehicles are towed. Later, insured vehicles are towed too."
    span, _ = best_quote("insured vehicles are towed", text)
    assert span.start == text.index("insured vehicles are towed too")
