import pytest

from footnotary.verify.wording.roles.agreement import roles_disagree

PAY = "The employer shall pay the employee at the end of the month."
CHEAT = "Whoever cheats and induces the person deceived to deliver property shall be punished."


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The employee shall pay the employer at the end of the month.", PAY),
        ("The employer shall be paid by the employee at the end of the month.", PAY),
        ("The tenant shall keep the roof in repair.", "The landlord shall keep the roof in repair."),
        ("The person deceived shall be punished.", CHEAT),
        ("The deceived person is liable to punishment.", CHEAT),
        (
            "The risk is borne by the buyer until the seller delivers.",
            "The risk is borne by the seller until the buyer is served.",
        ),
        ("A business associate may audit the covered entity.", "A covered entity may audit the business associate."),
    ],
)
def test_a_party_in_the_place_of_another_is_named(claim, premise):
    assert roles_disagree(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The employee shall be paid by the employer at the end of the month.", PAY),
        ("At the end of the month, employers must pay their employees.", PAY),
        ("A person who cheats shall be punished.", CHEAT),
        ("The bail of the accused is decided by the court.", "The court decides on bail for the accused."),
    ],
)
def test_the_same_parties_in_another_voice_are_fair(claim, premise):
    assert roles_disagree(claim, premise) is None
