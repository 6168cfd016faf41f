import pytest

from footnotary.verify.wording.negation.agreement import negation_disagrees

RULE = "A child below fourteen shall not be employed in a factory."


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("A child below fourteen shall be employed in a factory.", RULE),
        ("A child below fourteen may be employed in a factory.", RULE),
        ("The contract is invalid.", "The contract is valid."),
        ("The seizure was lawful.", "The seizure was unlawful."),
        ("The tenant is not liable for repairs.", "The tenant is liable for repairs."),
        ("The minor commits an offence by signing.", "The minor commits no offence by signing."),
        ("Nobody may enter the hall.", "Everybody may enter the hall."),
        ("Wages include gratuity.", "Wages do not include gratuity."),
        ("नियोजक भुगतान करता है।", "नियोजक भुगतान नहीं करता है।"),
    ],
)
def test_a_denial_added_or_left_out_is_named(claim, premise):
    assert negation_disagrees(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("No child below fourteen may be employed in a factory.", RULE),
        ("Employing a child below fourteen in a factory is prohibited.", RULE),
        ("The fine is not more than ten rupees.", "The fine may extend to ten rupees."),
        ("The seizure was not unlawful.", "The seizure was lawful."),
        ("A tenant who fails to pay rent loses the lease.", "A tenant who does not pay rent loses the lease."),
        ("The tenant pays rent whether or not he lives there.", "The tenant pays rent even if he does not live there."),
        ("The contract is void.", "The contract is not valid."),
        ("Not only the owner but also the manager is liable.", "The owner and the manager are liable."),
    ],
)
def test_the_same_denial_in_other_words_is_fair(claim, premise):
    assert negation_disagrees(claim, premise) is None


def test_a_claim_too_long_to_be_one_statement_is_not_passed():
    assert negation_disagrees("the board may meet " * 300, "The board may meet.") is not None
