"""What a model that is sure may overrule, and what it may not."""

from collections.abc import Sequence

import pytest

from footnotary import verify_claim
from footnotary.domain.verdict import Reason
from footnotary.ports import FusionWeights

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
        ("Whoever steals faces six months of imprisonment; Zarquon", TERM, Reason.NAME_UNSUPPORTED),
    ],
)
def test_no_model_talks_a_figure_a_date_or_a_name_through(claim: str, source: str, reason: Reason):
    verdict = verify_claim(claim, source, verifier=Sure(0.999))
    assert not verdict.supported
    assert reason in verdict.reasons


def test_a_guard_that_reads_words_gives_way_to_a_model_that_is_sure():
    claim = "During the festival the retailer borrows scales from the wholesaler."
    assert verify_claim(claim, SHIP, verifier=Sure(0.999)).supported
    assert not verify_claim(claim, SHIP, verifier=Sure(0.9)).supported
