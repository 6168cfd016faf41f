"""Phrases are found as whole words, and where they stand."""

import pytest

from footnotary.text.phrases import first_phrase, has_phrase, phrase_spans


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("It is, AS WE\n know, so.", "as we know"),
        ("It\u2019s well\u2011known.", "it's well-known"),
        ("It's known.", "it\u2019s known"),
        ("यह सामान्य ज्ञान है।", "सामान्य ज्ञान"),
    ],
)
def test_case_quotes_dashes_and_white_space_do_not_hide_a_phrase(text: str, phrase: str):
    assert has_phrase(text, (phrase,))


@pytest.mark.parametrize(("text", "phrase"), [("to define", "fine"), ("fined", "fine"), ("दंडित", "दंड"), ("fine", "")])
def test_a_phrase_inside_a_longer_word_is_not_there(text: str, phrase: str):
    assert not has_phrase(text, (phrase,) if phrase else ())


def test_the_earliest_phrase_is_the_first_and_the_longer_one_wins():
    assert first_phrase("by a fine of money, or jail", ("jail", "fine", "fine of money")) == "fine of money"


def test_places_hold_behind_a_letter_whose_lower_case_is_two_letters():
    text = "\u0130zmir has a fine"
    ((span, _),) = phrase_spans(text, ("fine",))
    assert span.of(text) == "fine"
