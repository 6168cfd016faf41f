"""A figure of a table in millions is so many millions: no less, no more, and never without saying so."""

import pytest

from footnotary import verify_claim
from footnotary.domain.verdict import Reason

NOTE = "(in millions)"
ROWS = "Segment: Cloud | Fiscal 2021: 1,204 | Fiscal 2022: 1,587 {0}\nSegment: Devices | Fiscal 2021: 845 | Fiscal 2022: 790 {0}"
TABLE = f"Revenue\n\nSegment | Fiscal 2021 | Fiscal 2022\n{ROWS}"
CRORE = TABLE.format("(₹ crore)")
EXCEPTED = TABLE.format("(In millions, except per share data)")
MILLIONS = TABLE.format(NOTE)


@pytest.mark.parametrize(
    ("claim", "table"),
    [
        ("Devices had revenue of 790 million in fiscal 2022.", MILLIONS),
        ("Devices had revenue of 790 in fiscal 2022 (in millions).", MILLIONS),
        ("Cloud revenue rose from 1,204 million in fiscal 2021 to 1,587 million in fiscal 2022.", MILLIONS),
        ("Devices had revenue of 790 crore in fiscal 2022.", CRORE),
        ("Devices had revenue of 790 in fiscal 2022.", EXCEPTED),
        ("Devices had revenue of 790 in fiscal 2022.", TABLE.format("")),
    ],
)
def test_a_figure_with_the_scale_of_its_table_is_supported(claim, table):
    assert verify_claim(claim, [table], verifier="lexical").supported


@pytest.mark.parametrize(
    ("claim", "table"),
    [
        ("Devices had revenue of 790 thousand in fiscal 2022.", MILLIONS),
        ("Devices had revenue of 790 billion in fiscal 2022.", MILLIONS),
        ("Devices had revenue of 790 million in fiscal 2022.", CRORE),
        ("Devices had revenue of 790 million in fiscal 2022.", TABLE.format("")),
        ("Devices had revenue of 790 in fiscal 2022.", MILLIONS),
        ("Devices had revenue of 845 million in fiscal 2022.", MILLIONS),
        ("Cloud had revenue of 790 million in fiscal 2022.", MILLIONS),
    ],
)
def test_a_figure_of_another_scale_or_without_it_is_refused(claim, table):
    found = verify_claim(claim, [table], verifier="lexical")
    assert not found.supported
    assert Reason.NUMBER_UNSUPPORTED in found.reasons
