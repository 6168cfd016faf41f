import pytest

from footnotary import verify_claim
from footnotary.domain.verdict import Reason
from footnotary.verify.wording.connectives import connectives_disagree

BOTH = "shall be punished with imprisonment which may extend to seven years, and shall also be liable to fine"
EITHER = "shall be punished with imprisonment of up to one year, or with fine, or with both"


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Cheating is punished with imprisonment or a fine.", f"Whoever cheats {BOTH}."),
        ("Cheating is punished with imprisonment and a fine.", f"Whoever cheats {EITHER}."),
        (
            "The seller shall refund the price and replace the goods.",
            "The seller shall refund the price or replace the goods.",
        ),
        ("The notice is given by hand and by post.", "The notice is given by hand or by post."),
        (
            "No tenant shall move the stall, and the permit was granted in 1963 or ends after ten years.",
            "No tenant shall move the stall. The permit was granted in 1963 and ends after ten years.",
        ),
        (
            "The permit was granted in 1963 or ends after ten years; whoever hides a ledger near the stall is liable.",
            "Whoever hides a ledger near the stall is liable. The permit was granted in 1963 and ends after ten years.",
        ),
    ],
)
def test_and_for_or_is_named(claim, premise):
    assert connectives_disagree(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Cheating carries up to seven years in prison along with a fine.", f"Whoever cheats {BOTH}."),
        ("Cheating carries up to a year in prison, a fine, or both.", f"Whoever cheats {EITHER}."),
        (
            "The seller shall replace the goods or refund the price.",
            "The seller shall refund the price or replace the goods.",
        ),
        ("A notary and a magistrate as well as a judge may sign.", "A notary, a magistrate and a judge may sign."),
        ("Neither wages nor bonus is due.", "Wages and bonus are not due."),
        (
            "No tenant shall move, sell or burn the stall, the shed, or the cart.",
            "No tenant shall move, sell and burn the stall, the shed, and the cart.",
        ),
    ],
)
def test_the_same_joint_in_other_words_is_fair(claim, premise):
    assert connectives_disagree(claim, premise) is None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Applicants must submit a passport.", "Applicants must submit a passport or a birth certificate."),
        ("Applicants must submit a birth certificate.", "Applicants must submit a passport or a birth certificate."),
        ("The form needs a photo.", "The form needs a photo or a signature."),
        ("The seller shall refund the price.", "The seller shall refund the price or replace the goods."),
    ],
)
def test_where_either_will_do_one_alone_is_not_demanded_whatever_a_judge_says(claim, premise):
    class Sure:
        name, fusion_weights, languages = "sure", None, ("en",)

        def support(self, pairs):
            pytest.fail("it was asked")

    for judge in ("lexical", Sure()):
        found = verify_claim(claim, [premise], verifier=judge)
        assert (found.supported, found.reasons) == (False, (Reason.CONNECTIVE_MISMATCH,))


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Members may pay by card.", "Members may pay by cash or card."),
        ("Students must sign the book.", "Students or teachers must sign the book."),
        ("The tenant must not sell the shed.", "The tenant must not sell the shed or the cart."),
        ("The owner must report any theft.", "The owner must report any theft or fire."),
        ("The clerk must sign the form.", "The clerk must sign the form, and the owner pays by cash or card."),
    ],
)
def test_where_each_is_allowed_denied_or_meant_one_may_be_named(claim, premise):
    assert connectives_disagree(claim, premise) is None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The ball is blue.", "The ball is red or blue."),
        ("The ball is red.", "The ball is red or blue."),
        ("The rent was paid weekly.", "The rent was paid weekly or monthly."),
    ],
)
def test_one_of_two_alternatives_is_not_stated(claim, premise):
    verdict = verify_claim(claim, premise)
    assert not verdict.supported
    assert Reason.CONNECTIVE_MISMATCH in verdict.reasons


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The ball is blue or red.", "The ball is red or blue."),
        ("The ball is blue.", "The ball is blue. The cap is red or blue."),
        ("The hall is open to guests.", "The hall is open to members or guests."),
        ("The seat may be red.", "The seat may be red or blue."),
        ("A seat is free for pupils.", "A seat is free for pupils or teachers."),
    ],
)
def test_what_holds_of_each_alternative_is_left_alone(claim, premise):
    assert connectives_disagree(claim, premise) is None
