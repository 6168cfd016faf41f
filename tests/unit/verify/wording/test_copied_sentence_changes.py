"""Figures, dates and labels that say the same in another form, beside those that look alike and do not."""

import pytest

from footnotary import verify_claim
from footnotary.domain.verdict import Reason

BAG = "The cabin bag may weigh no more than 8 kg including its contents."
NOISE = "Complaints about noise fell by a third in 2019."
WEIRS = "Schedule 2 gives the close seasons, and Schedule 5 names the weirs at which nets are forbidden."
WIND = "The monsoon blows from the south-west between June and September, bringing rain to the coast."
SYRUP = "Give children between six and eleven years 5 millilitres of the syrup up to four times daily."
CABLE = "The cable under the yard carries 11 kilovolts."


@pytest.mark.parametrize(
    ("same", "other", "source", "reason"),
    [
        (
            "Eight kilos is the upper limit for a cabin bag with its contents.",
            "Nine kilos is the upper limit for a cabin bag with its contents.",
            BAG,
            Reason.NUMBER_UNSUPPORTED,
        ),
        (
            "Complaints about noise fell by one third in 2019.",
            "Complaints about noise fell by one fifth in 2019.",
            NOISE,
            Reason.NUMBER_UNSUPPORTED,
        ),
        (
            "The fifth Schedule names the weirs at which nets are forbidden.",
            "The seventh Schedule names the weirs at which nets are forbidden.",
            WEIRS,
            Reason.NUMBER_UNSUPPORTED,
        ),
        (
            "From June to September the monsoon blows from the south-west.",
            "From July to September the monsoon blows from the south-west.",
            WIND,
            Reason.DATE_UNSUPPORTED,
        ),
        (
            "Give children between six and eleven years 5 ml of the syrup.",
            "Give children between six and eleven years 5 litres of the syrup.",
            SYRUP,
            Reason.NUMBER_UNSUPPORTED,
        ),
        (
            "Under the yard the cable carries 11,000 volts.",
            "Under the yard the cable carries 11 volts.",
            CABLE,
            Reason.NUMBER_UNSUPPORTED,
        ),
    ],
)
def test_the_same_in_another_form_is_supported_and_what_looks_alike_is_not(
    same: str, other: str, source: str, reason: Reason
):
    assert verify_claim(same, source, verifier="lexical").supported
    assert reason in verify_claim(other, source, verifier="lexical").reasons
