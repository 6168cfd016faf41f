"""Questions that may need several passages, by their form."""

import pytest

from footnotary.text.question_forms import asks_for_several, compared_sides, requested_list


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("What is the difference between murder and culpable homicide?", ("murder", "culpable homicide")),
        ("difference between theft and extortion", ("theft", "extortion")),
        ("How does a lease differ from a licence?", ("lease", "licence")),
        ("How do use and disclosure differ?", ("use", "disclosure")),
        ("Compare the single ticket with the ten-swim card.", ("single ticket", "ten-swim card")),
        ("How is theft different from robbery?", ("theft", "robbery")),
        ("What is theft?", None),
        ("Who pays the difference?", None),
    ],
)
def test_the_sides_of_a_comparison_are_read_from_its_wording(question, sides):
    assert compared_sides(question) == sides


@pytest.mark.parametrize(
    "question",
    [
        "Which offences are punishable with death?",
        "What are the duties of a keeper?",
        "which health plans can charge a fee",
        "List the papers I need.",
        "What rights do tenants have?",
        "How does a lease differ from a licence?",
    ],
)
def test_a_plural_and_a_comparison_ask_for_several_things(question):
    assert asks_for_several(question)


@pytest.mark.parametrize(
    "question",
    ["What is theft?", "When must a breach be notified?", "What happens after ten days?", "What do I need to join?"],
)
def test_other_questions_ask_for_one(question):
    assert not asks_for_several(question)


@pytest.mark.parametrize(
    ("question", "requested"),
    [
        ("Which clubs are there?", ("clubs", "there")),
        ("What are the rules for gifts?", ("the rules for gifts", "")),
        ("What do the documents say about clubs?", ("clubs", "")),
        ("Which items are not in stock?", None),
        ("What is the price of the table?", None),
    ],
)
def test_the_list_that_a_question_asks_for_is_read_from_its_wording(question, requested):
    assert requested_list(question) == requested
