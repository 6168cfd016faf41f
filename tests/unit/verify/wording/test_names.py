import pytest

from footnotary.verify.wording.names import names, names_disagree


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The State Government may make rules.", "The Central Government may make rules."),
        ("An appeal lies to the High Court.", "An appeal lies to the Appellate Tribunal."),
        ("The report goes to the Governor.", "The report goes to the President."),
        ("It was held by Ravi Kumar.", "It was held by Meera Nair."),
    ],
)
def test_a_name_that_the_source_does_not_have_is_named(claim, premise):
    assert names_disagree(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Rules may be made by the Central Government.", "The Central Government may make rules."),
        ("The IPC punishes theft.", "The Indian Penal Code punishes theft."),
        ("The Indian Penal Code punishes theft.", "The IPC punishes theft."),
        ("State Governments may act.", "The Central and State Governments may act."),
        ("However, theft is punished.", "Theft is punished."),
        ("Under Section 7, theft is punished in May.", "Theft is punished."),
    ],
)
def test_a_name_that_stands_in_the_source_in_some_form_is_fair(claim, premise):
    assert names_disagree(claim, premise) is None


def test_the_names_of_what_is_cited_are_known():
    assert names_disagree("The Factories Act limits hours.", "Hours are limited.") is not None
    assert names_disagree("The Factories Act limits hours.", "Hours are limited.", ["Factories Act, 1948"]) is None


def test_a_name_ends_with_its_line():
    claim = "These are the rules of Delhi\nHigh walls are banned."
    assert names(claim) == (("Delhi",),)
    assert names_disagree(claim, "Walls are banned.") is not None
    assert names_disagree(claim, "High walls are banned in Delhi.") is None
