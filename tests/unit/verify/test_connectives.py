import pytest

from footnotary.verify.connectives import connectives_disagree

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
