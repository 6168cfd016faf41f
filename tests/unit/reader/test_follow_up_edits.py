"""Edits put words of a follow-up and of the turn before it together, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.reader.follow_up_edits import JOINERS, Edit, FollowUp, Words, applied

FINE = "What is the fine for parking in a loading bay?"


@pytest.mark.parametrize(
    ("question", "answer", "typed", "edit", "asked"),
    [
        (FINE, "", "and on the pavement?", Edit("replace", (1, 4), (6, 10)), "What is the fine for parking on the pavement?"),
        (FINE, "", "a second time?", Edit("replace", (0, 3), (10, 10)), "What is the fine for parking in a loading bay a second time?"),
        ("Where is it kept?", "", "the first-aid kit", Edit("replace", (0, 4), (2, 3)), "Where is the first-aid kit kept?"),
        (
            "Where is it?", "The first-aid kit is in the hall.", "who checks it?", Edit("resolve", (2, 3), (0, 4), True),
            "who checks the first-aid kit?",
        ),
        (FINE, "", "what is the appeal period?", Edit("resolve", (5, 5), (3, 4), False, "for the"), "what is the appeal period for the fine?"),
        ("Who is the dean?", "Dr Roy.", "what are his duties?", Edit("resolve", (2, 3), (0, 2), True, "", True), "what are Dr Roy's duties?"),
        ("चोरी क्या है?", "", "उसकी सज़ा क्या है?", Edit("resolve", (0, 1), (0, 1)), "चोरी की सज़ा क्या है?"),
        ("किरायेदार कौन है?", "", "उसे कब बताना है?", Edit("resolve", (0, 1), (0, 1)), "किरायेदार को कब बताना है?"),
        ("चोरी की सज़ा क्या है?", "", "और डकैती की?", Edit("replace", (1, 2), (0, 1)), "डकैती की सज़ा क्या है?"),
    ],
)  # fmt: skip
def test_an_edit_moves_words_and_keeps_the_rest(question, answer, typed, edit, asked):
    assert applied(edit, FollowUp.of(typed, question, answer)) == asked


texts = st.lists(
    st.sampled_from("what is the fee for it Their Dr. Roy's § 5, चोरी the-hall (old)?".split()), max_size=9
).map(" ".join)


@given(texts, texts, texts, st.data())
def test_no_edit_brings_in_a_word_that_nobody_said(question, answer, typed, data):
    turn = FollowUp.of(typed, question, answer)
    operation = data.draw(st.sampled_from(["replace", "resolve"]))
    from_answer = data.draw(st.booleans())
    other = turn.answer if from_answer and operation == "resolve" else turn.question
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(turn.typed.places))] * 2)))
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(other.places))] * 2)))
    joiner = data.draw(st.sampled_from(JOINERS))
    edit = Edit(operation, (start, end), (first, last), from_answer, joiner, data.draw(st.booleans()))
    said = {*turn.typed.keys, *turn.question.keys, *turn.answer.keys, *joiner.split()}
    assert set(Words(applied(edit, turn)).keys) <= said
