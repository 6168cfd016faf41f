import pytest

from footnotary.verify.wording.quantifiers import quantifiers_disagree


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Some employees are entitled to leave.", "All employees are entitled to leave."),
        ("All metals conduct heat well.", "Most metals conduct heat well."),
        ("Some employees are entitled to leave.", "Employees are entitled to leave."),
        ("Only an employee may apply to the authority.", "An employee may apply to the authority."),
        (
            "The safe may be opened with the key of the manager.",
            "The safe may be opened only with the key of the manager.",
        ),
        ("Either spouse must sign the form.", "Both spouses must sign the form."),
        ("The meeting is always held in March.", "The meeting is usually held in March."),
    ],
)
def test_another_extent_is_named(claim, premise):
    assert quantifiers_disagree(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Anyone who steals is punished.", "Whoever steals is punished."),
        ("Every person who steals is punished.", "Any person who steals is punished."),
        ("An employee is entitled to leave.", "Every employee is entitled to leave."),
        ("The safe may be opened solely with the key.", "The safe may be opened only with the key."),
        ("The fee is only ten rupees.", "The fee is ten rupees."),
        ("Only with consent may the landlord enter.", "The landlord may not enter unless there is consent."),
    ],
)
def test_the_same_extent_in_other_words_is_fair(claim, premise):
    assert quantifiers_disagree(claim, premise) is None
