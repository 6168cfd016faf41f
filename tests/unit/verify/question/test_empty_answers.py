"""A draft that says nothing is refused by exact rules, and one that says something is not."""

import pytest

from footnotary.verify.question.empty_answers import empty_answer

REFUSALS = ("I cannot answer this from the indexed documents.",)


@pytest.mark.parametrize(
    ("question", "claims", "at_fault"),
    [
        ("Why was the appeal dismissed?", ["The appeal is dismissed."], 0),
        ("When did the ferry leave?", ["The ferry left on.", "The ferry did leave."], None),
        ("When did the ferry leave?", ["The ferry did leave."], 0),
        ("What is the fee for a kiln permit?", ["The fee for a kiln permit."], 0),
        ("Who signs the lease of the mill?", ["The lease of the mill is signed."], 0),
        ("नाव कब चली?", ["नाव चली।"], 0),
        ("What is the visitor fee?", ["https://museum.example/visit"], 0),
        ("What is the visitor fee?", ["Visitors pay 4 euros.", "www.museum.example"], 1),
        ("What is the visitor fee?", ["info@museum.example, www.museum.example."], 0),
        ("What is the visitor fee?", ["Page 12 of 30"], 0),
        ("What is the visitor fee?", ["p. 7"], 0),
        ("Which papers are needed?", ["The following papers are needed:"], 0),
        ("Which powers has the board?", ["The board may grant licences.", "The board may also\u2014"], 1),
        ("What is the visitor fee?", ["I cannot answer this from the  indexed documents."], 0),
        ("What is the visitor fee?", ["I cannot answer that."], 0),
        ("What is the visitor fee?", ["The passage does not contain this information.", "See the sources."], 0),
    ],
)
def test_a_draft_that_says_nothing(question, claims, at_fault):
    found = empty_answer(question, claims, REFUSALS)
    assert (None if found is None else found[1]) == at_fault


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Was the appeal dismissed?", "The appeal was dismissed."),
        ("Which is larger, Jupiter or Saturn?", "Jupiter is larger."),
        ("Who is older: Asha or Ravi?", "Ravi is older."),
        ("Why was the appeal dismissed?", "The appeal was not dismissed."),
        ("How many members must attend?", "All members must attend."),
        ("Who must pay the fee?", "You must pay the fee."),
        ("When was the appeal dismissed?", "The appeal was dismissed in May."),
        ("How many tablets?", "2"),
        ("Is it open on Sunday?", "No."),
        ("Does she sing?", "She does."),
        ("क्या अपील खारिज हुई?", "अपील खारिज हुई।"),
        ("What is the web site of the museum?", "The museum's site is www.museum.example."),
        ("On which page is the table?", "The table is on page 12."),
        ("Which papers are needed?", "These papers: a passport and a photograph."),
        ("Where is it?", "It is at 12 p. m. closed"),
    ],
)
def test_a_draft_that_says_something(question, claim):
    assert empty_answer(question, [claim], REFUSALS) is None


def test_a_lead_in_with_its_items_is_whole():
    assert empty_answer("Which papers are needed?", ["These are needed:", "a passport and a photograph."]) is None


def test_a_claim_that_repeats_the_question_may_stand_before_the_answer():
    assert empty_answer("Why was the appeal dismissed?", ["The appeal is dismissed.", "It was late."]) is None


def test_a_yes_or_no_question_with_a_question_word_inside_is_answered_by_its_own_words():
    question = "Does the report mention the strike as the notice says how the strike ended?"
    assert empty_answer(question, ["The report mentions the strike as the notice says how the strike ended."]) is None
