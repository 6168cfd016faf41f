"""What a model that is sure decides, and what it does not."""

from collections.abc import Sequence

import pytest

from footnotary import verify_claim
from footnotary.domain.verdict import Reason
from footnotary.ports import FusionWeights
from footnotary.verify.claim_checks import evidence_from_texts
from footnotary.verify.meaning.score_fusion import ClaimToVerify, assess_claims

TERM = "Whoever steals shall be punished with imprisonment for a term which may extend to six months."
MARCH = "The licence granted on 4 March 2019 ends when the holder dies."
SHIP = "The wholesaler lends the retailer scales during the festival."


class Sure:
    """A model that takes every claim for supported, with the probability it is given."""

    name = "sure"
    fusion_weights = FusionWeights(0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    def __init__(self, chance: float) -> None:
        self.chance = chance

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        return [self.chance for _ in pairs]


@pytest.mark.parametrize(
    ("claim", "source", "reason"),
    [
        ("A thief faces imprisonment of up to twelve months.", TERM, Reason.NUMBER_UNSUPPORTED),
        ("The licence of 5 March 2019 ends with its holder's death.", MARCH, Reason.DATE_UNSUPPORTED),
        ('The law says that whoever steals "shall be hanged".', TERM, Reason.QUOTATION_ALTERED),
    ],
)
def test_no_model_talks_a_figure_a_date_or_a_quotation_through(claim: str, source: str, reason: Reason):
    verdict = verify_claim(claim, source, verifier=Sure(0.999))
    assert not verdict.supported
    assert reason in verdict.reasons


def test_an_exchanged_word_counts_unless_a_model_is_sure_of_the_claim():
    claim = SHIP.replace("lends", "gives")
    assert verify_claim(claim, SHIP, verifier=Sure(0.96)).supported
    assert verify_claim(claim, SHIP, verifier=Sure(0.9)).reasons == (Reason.TERM_SUBSTITUTED,)
    unread = verify_claim(claim, SHIP, verifier="lexical")
    assert (unread.supported, unread.reasons) == (False, (Reason.TERM_SUBSTITUTED,))


def test_a_finding_refuses_and_does_not_lower_the_score_as_well():
    claim = "A thief faces imprisonment of up to twelve months."
    asked = ClaimToVerify(claim, (TERM,), evidence_from_texts(claim, (TERM,)))
    (found,) = assess_claims([asked], Sure(0.9), 0.95)
    assert [check for check, _, _ in found.findings] == ["numbers_are_supported"]
    assert found.score == 0.9


def test_a_model_that_is_sure_overrides_a_low_word_overlap():
    claim = "At fairs the dealer borrows weighing machines off his supplier."
    assert verify_claim(claim, SHIP, verifier=Sure(0.999)).supported
    assert verify_claim(claim, SHIP, verifier=Sure(0.9)).reasons == (Reason.OVERLAP_LOW,)
