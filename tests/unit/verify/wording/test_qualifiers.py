import pytest

from footnotary import verify_claim
from footnotary.domain.verdict import Reason
from footnotary.verify.wording.qualifiers import changed_function_word


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("All members voted.", "Nearly all members voted."),
        ("500 people came to the fair.", "Almost 500 people came to the fair."),
        ("Members may only vote.", "Only members may vote."),
        ("Only the office accepts cash.", "The office accepts only cash."),
        ("Sales in the north were half those in the south.", "Sales in the north were twice those in the south."),
    ],
)
def test_a_small_word_left_out_moved_or_exchanged_is_refused_whatever_a_judge_says(claim: str, source: str):
    class Sure:
        name, fusion_weights, languages = "sure", None, ("en",)

        def support(self, pairs):
            pytest.fail("it was asked")

    for judge in ("lexical", Sure()):
        found = verify_claim(claim, [source], verifier=judge)
        assert not found.supported
        assert Reason.QUANTIFIER_MISMATCH in found.reasons


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Almost all members voted.", "Nearly all members voted."),
        ("Most members voted.", "Nearly all members voted."),
        ("The hall may be used only by members.", "The hall may only be used by members."),
        ("Only members may vote.", "Only members may vote, and guests may listen."),
        ("Cash is accepted only on Monday.", "Only on Monday is cash accepted."),
        ("Sales in the north were double those in the south.", "Sales in the north were double those in the south."),
        ("The fair was nearly full.", "The fair was nearly full in May."),
    ],
)
def test_the_same_small_word_in_its_place_is_no_fault(claim: str, source: str):
    assert changed_function_word(claim, source) is None
