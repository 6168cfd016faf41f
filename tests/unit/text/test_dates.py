"""Dates are read as far as they are given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.text.dates.mentions import dates


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("26 January 1950", (1950, 1, 26)), ("January 26, 1950", (1950, 1, 26)), ("26th January, 1950", (1950, 1, 26)),
        ("the 26th day of January, 1950", (1950, 1, 26)), ("26.01.1950", (1950, 1, 26)), ("26/01/1950", (1950, 1, 26)),
        ("2020-01-31", (2020, 1, 31)), ("the twenty-sixth day of November, 1949", (1949, 11, 26)),
        ("Jan. 25, 2013", (2013, 1, 25)), ("31 March", (None, 3, 31)), ("from 1st April", (None, 4, 1)),
        ("March 2020", (2020, 3, None)), ("in January", (None, 1, None)), ("in 2005", (2005, None, None)),
        ("the Act of 1948", (1948, None, None)), ("Minimum Wages Act, 1948", (1948, None, None)),
        ("15 अगस्त 1947", (1947, 8, 15)), ("२६ जनवरी १९५०", (1950, 1, 26)), ("1 May 2020", (2020, 5, 1)),
        ("45 July 1984", (1984, 7, 45)), ("July 500th, 1984", (1984, 7, 500)),
        ("the year 2019-20", (2019, None, None)), ("the 2018–19 season", (2018, None, None)),
    ],
)  # fmt: skip
def test_a_date_is_read_as_far_as_it_is_given(text: str, date: tuple[int | None, int | None, int | None]) -> None:
    assert [(d.year, d.month, d.day) for d in dates(text)] == [date]


@pytest.mark.parametrize(
    "text",
    [
        "it may 5 times",
        "2000 individuals",
        "of 1250 persons",
        "section 1948",
        "may extend to 2000 rupees",
        "IPC_1860_0",
        "500 May",
        "the sum of 999 July",
    ],
)
def test_a_number_that_counts_or_names_is_no_date(text: str) -> None:
    assert dates(text) == ()


def test_the_year_of_a_name_is_marked_as_such() -> None:
    assert [d.in_name for d in dates("The Code on Wages, 2019 replaced rules made in 1950.")] == [True, False]


@given(st.dates())
def test_every_iso_date_is_read_back(day) -> None:
    if day.year >= 1000:
        assert [(d.year, d.month, d.day) for d in dates(f"on {day.isoformat()} he")] == [(day.year, day.month, day.day)]
