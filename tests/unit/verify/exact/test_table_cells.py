import pytest

from footnotary import verify_claim
from footnotary.domain.verdict import Reason
from footnotary.verify.exact.table_cells import swapped_table_cell

CROPS = "| Year | Wheat | Rice |\n|---|---|---|\n| 2019 | 40 | 55 |\n| 2020 | 60 | 70 |"
FEES = "Fees of the harbour\n\nBoat | Fee (Rs) | Days\n\nGull | 40 | 3\n\nTern | 1,200 | 5\n\nSmall tern | 30 | 40"
YEARS = "Crop | 2019 | 2020\nWheat | 40 | 60\nRice | 55 | 70"
CORNER = "Birds at the pier\n| Summer | Winter\nGull | 7 | 40\nTern | 9 |\nSkua | 12 | 15"
BARS = "| | Summer | Winter |\n|---|---|---|\n| Gull | 7 | 40 |\n| Tern | 9 | 11"
MERGED = "Bird | Season | Count\nGull | summer | 7\n| winter | 40\nTern | summer | 9"
SPANNED = "Bird | Sightings | | Fee\nGull | 12 | 15 | 40\nTern | 3 | 4 | 20"

LABELLED = (
    "Revenue\n\nSegment | Fiscal 2021 | Fiscal 2022\nSegment: Cloud services | Fiscal 2021: 1,204 | Fiscal 2022: 1,587"
    "\nSegment: Devices | Fiscal 2021: 845 | Fiscal 2022: 790"
)
NOTED = (
    "| | 2021 | 2022 |\n|---|---|---|\n| Cloud | 1,204 | 1,587 | (in millions)\n| Devices | 845 | 790 | (in millions)"
)


@pytest.mark.parametrize(
    ("claim", "table"),
    [
        ("In 2019, rice was 40.", CROPS),
        ("Devices had 845 in fiscal 2022.", LABELLED),
        ("Cloud services had 790 in fiscal 2022.", LABELLED),
        ("Devices had 845 in 2022.", NOTED),
        ("Wheat in 2020 was 70.", CROPS),
        ("Wheat was 60 in 2019.", CROPS),
        ("In 2019, rice was 40 and wheat was 55.", CROPS),
        ("Wheat was 60 in 2019 and 40 in 2020.", CROPS),
        ("Rice was 55 in 2020.", YEARS),
        ("The days for the Gull are 40.", FEES),
        ("The fee for the Gull is 1200.", FEES),
        ("The fee for the Gull is 15.", SPANNED),
        ("In summer there were 40 of the Gull.", CORNER),
        ("In winter there were 12 of the Skua.", CORNER),
        ("In winter there were 7 of the Gull.", BARS),
        ("The Tern has a count of 40.", MERGED),
        ("There were 20 sightings of the Tern.", SPANNED),
    ],
)
def test_a_figure_of_another_row_or_column_is_refused(claim: str, table: str):
    assert swapped_table_cell(claim, table) is not None
    found = verify_claim(claim, [table], verifier="lexical")
    assert not found.supported
    assert Reason.NUMBER_UNSUPPORTED in found.reasons


@pytest.mark.parametrize(
    ("claim", "table"),
    [
        ("In 2019, wheat was 40 and rice was 55.", CROPS),
        ("Devices had 790 in fiscal 2022.", LABELLED),
        ("Cloud services had 1,204 in fiscal 2021 and 1,587 in fiscal 2022.", LABELLED),
        ("Devices had 790 in 2022.", NOTED),
        ("Wheat was 40 in 2019 and 60 in 2020.", CROPS),
        ("Rice rose from 55 in 2019 to 70 in 2020.", YEARS),
        ("The fee for the Tern is 1200 rupees.", FEES),
        ("A Gull costs 40 and may stay 3 days.", FEES),
        ("The small Tern pays 30.", FEES),
        ("The Tern may stay 5 days.", FEES),
        ("The harbour has 9 piers.", FEES),
        ("In winter there were 40 of the Gull.", CORNER),
        ("In summer there were 9 of the Tern.", CORNER),
        ("In winter there were 11 of the Tern.", BARS),
        ("The Gull has a count of 40 in winter.", MERGED),
        ("The Gull has a count of 7 in summer and 40 in winter.", MERGED),
        ("There were 15 sightings of the Gull.", SPANNED),
        ("There were 12 and 15 sightings of the Gull.", SPANNED),
        ("The fee for the Tern is 20.", SPANNED),
        ("The fee is 40.", "The fee is 40 | see below."),
    ],
)
def test_a_figure_of_its_own_row_and_column_is_no_fault(claim: str, table: str):
    assert swapped_table_cell(claim, table) is None
