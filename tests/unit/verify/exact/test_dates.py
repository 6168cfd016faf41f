"""The dates guard: a claim may say less of a date than its source, never more or other."""

import pytest

from footnotary.verify.exact.dates import dates_disagree

COMMENCES = "The Constitution came into force on 26 January 1950."
ACT = "This Act may be called the Minimum Wages Act, 1948."


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("It came into force on 26 January 1951.", COMMENCES), ("It came into force on 27 January 1950.", COMMENCES),
        ("It came into force on 26 February 1950.", COMMENCES), ("It came into force in 1949.", COMMENCES),
        ("It came into force on 26.01.1951.", COMMENCES), ("The Minimum Wages Act, 1949 is its name.", ACT),
        ("It happened on 5 May 2020.", "It happened in May 2020."), ("It began in 2005.", "It began long ago."),
        ("यह 15 अगस्त 1948 को हुआ।", "यह 15 अगस्त 1947 को हुआ।"),
        ("It came into force on fifteen January 1950.", f"{COMMENCES} It has fifteen pages."),
        ("It came into force on 500 January 1950.", f"{COMMENCES} It has 500 pages."),
        ("It came into force on 1200 January 1950.", f"{COMMENCES} It has 1200 pages."),
        ("It came into force on January 45th, 1950.", f"{COMMENCES} It has 45 pages."),
    ],
)  # fmt: skip
def test_another_date_is_found(claim: str, premise: str) -> None:
    assert dates_disagree(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("It was passed in 1948.", ACT), ("संविधान 26 जनवरी 1950 को लागू हुआ।", COMMENCES), ("It dates from 1950.", "It dates from 1950."),
        ("It came into force on January 26, 1950.", COMMENCES), ("It came into force on 26.01.1950.", COMMENCES),
        ("It came into force in January 1950.", COMMENCES), ("It came into force in 1950.", COMMENCES),
        ("It came into force on the 26th day of January, 1950.", COMMENCES), ("The Minimum Wages Act of 1948.", ACT),
        ("The Penal Code, 1860 punishes theft.", "Theft is punished."), ("It has no date.", COMMENCES),
        ("The war of 1914 was long.", "The war of 1914-18 was long."),
        ("On 1 May 2020 it began.", "In 2020 the term began on 1 May."),
        ("It came into force on twenty-six January 1950.", COMMENCES),
        ("It began on 32 May 2020.", "It began, as it is printed, on 32 May 2020."),
    ],
)  # fmt: skip
def test_the_same_date_in_another_form_is_left_alone(claim: str, premise: str) -> None:
    assert dates_disagree(claim, premise) is None
