"""Figures are read as quantities: value, unit and bound, however they are written."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.text.numbers.quantities import NumberMention, number_mentions, same_quantity


def only(text: str) -> NumberMention:
    found = number_mentions(text)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("seven", 7), ("twenty-one", 21), ("twenty one", 21), ("one hundred and fifty", 150),
        ("ninety-nine", 99),
        ("two and a half", Fraction(5, 2)), ("a dozen", 12), ("half a dozen", 6),
        ("two-thirds", Fraction(2, 3)),
        ("three quarters", Fraction(3, 4)), ("one-fourth", Fraction(1, 4)), ("one lakh", 100_000),
        ("ten crore", 10**8),
        ("five thousand", 5000), ("twelve hundred", 1200), ("two million five hundred thousand", 2_500_000),
        ("1,00,000", 100_000), ("100,000", 100_000), ("12,34,567", 1_234_567), ("2.5", Fraction(5, 2)),
        ("2.5 crore", 25_000_000), ("1 lakh 50 thousand", 150_000), ("½", Fraction(1, 2)),
        ("2½", Fraction(5, 2)),
        ("1/2", Fraction(1, 2)), ("7 (seven)", 7), ("seven (7)", 7), ("a hundred", 100), ("४२०", 420),
        ("सात", 7),
        ("एक सौ बीस", 120), ("पाँच हज़ार", 5000), ("पांच हजार", 5000), ("साढ़े तीन लाख", 350_000),
        ("डेढ़ लाख", 150_000),
        ("दो करोड़", 2 * 10**7), ("निन्यानवे", 99), ("$5bn", 5 * 10**9), ("$1M", 10**6), ("d = -3", -3),
    ],
)  # fmt: skip
def test_a_number_has_one_value_however_it_is_written(text: str, value: Fraction) -> None:
    assert only(text).value == value


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("seven years", 7, "year"), ("7-year term", 7, "year"), ("seven years' imprisonment", 7, "year"),
        ("6 months", 6, "month"), ("half a year", Fraction(1, 2), "year"),
        ("a year and a half", Fraction(3, 2), "year"),
        ("sixty (60) calendar days", 60, "day"), ("30 working days", 30, "working day"),
        ("two weeks", 2, "week"),
        ("a fortnight's notice", 2, "week"), ("within a year", 1, "year"), ("48 hours", 48, "hour"),
        ("Rs. 1,00,000/-", 100_000, "INR"), ("Rs 500", 500, "INR"), ("₹500", 500, "INR"),
        ("INR 500", 500, "INR"),
        ("rupees five hundred", 500, "INR"), ("fifty paise", Fraction(1, 2), "INR"),
        ("$5 million", 5 * 10**6, "USD"),
        ("€20", 20, "EUR"), ("£20", 20, "GBP"), ("20 euros", 20, "EUR"), ("50%", 50, "percent"),
        ("50 per cent", 50, "percent"), ("fifty percent", 50, "percent"),
        ("3 percentage points", 3, "percentage point"),
        ("five km", 5000, "m"), ("2 kg", 2, "kg"), ("500 individuals", 500, "individual"),
        ("twice", 2, "times"),
        ("ten times", 10, "times"), ("threefold", 3, "times"), ("सात वर्ष", 7, "year"),
        ("तीन माह", 3, "month"),
        ("पाँच सौ रुपये", 500, "INR"), ("दस प्रतिशत", 10, "percent"), ("१५ दिन", 15, "day"),
        ("three preceding financial years", 3, "year"),
    ],
)  # fmt: skip
def test_a_figure_carries_its_unit(text: str, value: Fraction, unit: str) -> None:
    figure = only(text)
    assert (figure.value, figure.unit) == (value, unit)


@pytest.mark.parametrize(
    ("comparator", "texts"),
    [
        (
            "at_most",
            "up to 7 years|may extend to seven years|a term which may extend to 7 years|not exceeding 7 years|"
            "not more than 7 years|no more than 7 years|at most 7 years|a maximum of 7 years|7 years at most|"
            "7 years or less|shall not exceed 7 years|does not exceed 7 years|within 7 days|no later than 7 days|"
            "not later than seven days|the maximum punishment is 7 years|cannot be more than 7 years|"
            "no fine shall exceed 7 rupees|shall not be for more than 7 years|7 years in prison at most|"
            "limited to 7 years|सात वर्ष तक|सात वर्ष से अधिक नहीं|अधिकतम सात वर्ष|सात दिन के भीतर",
        ),
        (
            "at_least",
            "at least 7 years|not less than 7 years|no less than 7 years|no fewer than 7 members|a minimum of 7 years|"
            "7 years or more|7 or more individuals|18 years and above|which shall not be less than 7 years|"
            "18 years of age or older|the minimum sentence is 7 years|कम से कम सात वर्ष|सात वर्ष से कम नहीं",
        ),
        ("less_than", "less than 7 years|under 7 years|fewer than 7 members|below the age of 18 years|सात वर्ष से कम"),
        (
            "more_than",
            "more than 7 years|exceeding 7 years|over 7 years|above 7 years|in excess of 7 years|longer than 7 years|"
            "after 60 days|सात वर्ष से अधिक",
        ),
        ("about", "about 50 people|approximately 50 people|around 50 people|लगभग 50 लोग"),
        ("exact", "seven years|imprisonment for seven years|a fine of Rs. 500|over a period of 5 years|सात वर्ष"),
    ],
)
def test_words_around_a_figure_make_it_a_bound(comparator: str, texts: str) -> None:
    assert {text: only(text).comparator for text in texts.split("|")} == dict.fromkeys(texts.split("|"), comparator)


@pytest.mark.parametrize(
    "text", ["5 to 7 years", "5-7 years", "5–7 years", "between 5 and 7 years", "from five years to seven years"]
)
def test_a_range_is_one_figure_with_two_ends(text: str) -> None:
    figure = only(text)
    assert (figure.value, figure.high, figure.unit) == (5, 7, "year")


@pytest.mark.parametrize(
    "text",
    [
        "Section 420", "sections 299, 300 and 302", "Article 21", "Chapter 5", "page 95", "Class 10", "§ 164.514(b)",
        "26 January 1950", "in 2005", "the Minimum Wages Act, 1948", "IPC_420_0", "H2O", "(1) the employer",
        "one of them",
        "one who", "no one", "one another", "any one", "1. The employer pays.", "45 CFR part 164", "10:30", "x^2",
        "half-blood", "in the 2018-19 season",
    ],
)  # fmt: skip
def test_what_names_or_dates_something_is_no_figure(text: str) -> None:
    assert number_mentions(text) == ()


@pytest.mark.parametrize(("text", "value"), [("third", 3), ("3rd", 3), ("twenty-first", 21), ("the 120th day", 120)])
def test_ordinals_are_kept_apart(text: str, value: int) -> None:
    assert (only(text).kind, only(text).value) == ("ordinal", value)


def test_a_bare_number_takes_the_unit_it_is_joined_to() -> None:
    assert [(f.value, f.unit) for f in number_mentions("two or three years")] == [(2, "year"), (3, "year")]


def test_a_sum_at_the_end_of_a_sentence_is_no_list_item() -> None:
    for text in ("The fee is Rs. 500. A form is filled in.", "The fee is rs. 50. It is paid once."):
        (figure,) = (figure for figure in number_mentions(text) if figure.kind == "money")
        assert figure.unit == "INR"
    assert number_mentions("Rules: 1. Wear a badge. 2. Be kind.") == ()


def test_the_span_covers_sign_number_and_unit() -> None:
    text = "a fine of Rs. 500 and seven years"
    assert [figure.span.of(text) for figure in number_mentions(text)] == ["Rs. 500", "seven years"]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("12 months", "a year's notice", True), ("half a year", "six months", True),
        ("a week's", "seven days", True),
        ("24 hours", "one day", True), ("Rs. 1,00,000", "one lakh rupees", True),
        ("50 paise", "half a rupee", True),
        ("half of it", "50 percent", True), ("two dozen eggs", "24 eggs", True),
        ("1 km", "1000 metres", True),
        ("30 days", "one month", False), ("7 years", "7 months", False), ("Rs 500", "$500", False),
        ("5 percent", "5 percentage points", False), ("30 working days", "30 days", False),
        ("ten times", "10 days", False),
        ("5 to 7 years", "5 years", False), ("the third", "three", False),
    ],
)  # fmt: skip
def test_amounts_are_converted_only_where_that_is_exact(a: str, b: str, same: bool) -> None:
    assert same_quantity(only(a), only(b)) is same


SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(n: int) -> str:
    if n < 20:
        return SMALL[n]
    if n < 100:
        return TENS[n // 10 - 2] + (f"-{SMALL[n % 10]}" if n % 10 else "")
    for scale, word in ((10**7, "crore"), (10**5, "lakh"), (10**3, "thousand"), (100, "hundred")):
        if n >= scale:
            rest = n % scale
            return f"{in_words(n // scale)} {word}" + (
                f"{' and' if rest < 100 else ''} {in_words(rest)}" if rest else ""
            )
    raise AssertionError(n)


def indian(n: int) -> str:
    head, tail = str(n)[:-3], str(n)[-3:]
    groups: list[str] = []
    while head:
        groups, head = [head[-2:], *groups], head[:-2]
    return ",".join([*groups, tail])


@given(st.integers(2, 99 * 10**7))
def test_words_lead_back_to_the_number(n: int) -> None:
    assert only(f"{in_words(n)} rupees").value == n


@given(st.integers(2, 10**12))
def test_western_and_indian_grouping_give_the_same_number(n: int) -> None:
    assert only(f"Rs. {n:,}").value == only(f"Rs. {indian(n)}").value == n


@given(st.text(alphabet="17 .,-()/%$§ seven hundred and half a year to Rs₹०सौ'’\n", max_size=80))
def test_any_text_is_read_without_overlap(text: str) -> None:
    found = number_mentions(text)
    assert all(a.span.end <= b.span.start for a, b in pairwise(found))


def test_the_number_of_a_provision_in_words_is_no_amount():
    assert number_mentions("Under Sec. two the employee shall keep a list.") == ()
    assert [f.value for f in number_mentions("Under section two the fee is two rupees.")] == [2]


@pytest.mark.parametrize(
    "text", ["Complaints fell by a third.", "Prices rose by a third in May.", "It fell by a third, then rose."]
)
def test_a_part_after_by_is_a_share(text: str):
    assert [f.value for f in number_mentions(text)] == [Fraction(1, 3)]


def test_a_third_party_is_no_share():
    assert Fraction(1, 3) not in [f.value for f in number_mentions("The costs are paid by a third party.")]
