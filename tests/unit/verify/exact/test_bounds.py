"""The comparators guard: a bound stays the bound it is."""

import pytest

from footnotary.verify.claim_checks import check_findings, evidence_from_texts
from footnotary.verify.exact.bounds import bounds_reversed, comparators_disagree
from footnotary.verify.exact.mismatch import Mismatch

UP_TO = "imprisonment for a term which may extend to seven years"
AT_LEAST = "imprisonment which shall not be less than three years"
WITHIN = "The appeal is filed within 60 days of the order."
OR_MORE = "A breach affecting 500 or more residents is announced."
CAP = "The deduction shall not exceed 50 per cent of the wages."


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The sentence shall be seven years.", UP_TO), ("Seven years' imprisonment follows.", UP_TO),
        ("A seven-year term follows.", UP_TO), ("At least seven years follow.", UP_TO),
        ("Not less than 7 years follow.", UP_TO), ("More than seven years follow.", UP_TO),
        ("A minimum of seven years follows.", UP_TO), ("Less than seven years follow.", UP_TO),
        ("Up to three years follow.", AT_LEAST), ("At most 3 years follow.", AT_LEAST),
        ("Three years follow.", AT_LEAST),
        ("The maximum is three years.", AT_LEAST), ("The appeal is filed after 60 days.", WITHIN),
        ("The appeal is filed at least 60 days later.", WITHIN),
        ("More than 500 residents are affected.", OR_MORE),
        ("At most 500 residents are affected.", OR_MORE), ("500 or fewer residents are affected.", OR_MORE),
        ("Fewer than 500 residents are affected.", OR_MORE), ("The deduction exceeds 50 per cent.", CAP),
        ("The deduction is at least 50%.", CAP),
        ("Up to seven years follow.", "He is imprisoned for seven years."),
        ("कम से कम सात वर्ष", "सात वर्ष तक"),
        ("The fine exceeds Rs 500.", "The fine does not exceed Rs 500."),
        ("The term is exactly 5 years.", "The term is up to and including 5 years."),
        ("Imprisonment for a term which may not extend to seven years.", UP_TO),
        ("Imprisonment which cannot extend to seven years.", UP_TO),
        ("Imprisonment for a term which shall extend to seven years.", UP_TO),
    ],
)  # fmt: skip
def test_a_changed_bound_is_found(claim: str, premise: str) -> None:
    assert comparators_disagree(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Up to 7 years follow.", UP_TO), ("A maximum of seven years follows.", UP_TO),
        ("Seven years at most follow.", UP_TO),
        ("No more than seven years follow.", UP_TO), ("The maximum sentence is seven years.", UP_TO),
        ("The sentence does not exceed 7 years.", UP_TO), ("7 years or less follow.", UP_TO),
        ("The term cannot be more than seven years.", UP_TO), ("At least three years follow.", AT_LEAST),
        ("A minimum of 3 years follows.", AT_LEAST), ("Three years or more follow.", AT_LEAST),
        ("No later than 60 days after the order.", WITHIN), ("One has 60 days to appeal.", WITHIN),
        ("There is a 60-day limit.", WITHIN), ("The limit is 60 days.", WITHIN),
        ("The party has sixty days to file.", "The party may file within 60 days."),
        ("The maximum prison term for cheating and inducing delivery of property is seven years.", UP_TO),
        ("The terms add up to 155.", "The sum of the terms is 155."), ("At least 500 residents are affected.", OR_MORE),
        ("No fewer than 500 residents are affected.", OR_MORE),
        ("More than 499 residents are affected.", OR_MORE),
        ("The deduction is 50% at most.", CAP), ("The deduction is capped at 50 per cent.", CAP),
        ("About 7 years pass.", "Seven years pass."),
        ("The term is 3 to 7 years.", "not less than three years but which may extend to seven years"),
        ("At most seven years.", "Seven years for one and up to seven years for another."),
        ("सात साल तक", "सात वर्ष तक"),
        ("The Act applies from 1 May 2020.", "The Act comes into force on 1 May 2020."),
        ("Up to 70 years follow.", UP_TO),
    ],
)  # fmt: skip
def test_a_bound_in_other_words_is_left_alone(claim: str, premise: str) -> None:
    assert comparators_disagree(claim, premise) is None


def test_the_message_gives_both_bounds() -> None:
    found = comparators_disagree("at least seven years", "up to seven years")
    assert found == Mismatch("at least seven years", "at most seven years")


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("At least seven years follow.", UP_TO), ("At most 3 years follow.", AT_LEAST),
        ("Fewer than 500 residents are affected.", OR_MORE), ("More than three years follow.", "Less than 3 years follow."),
    ],
)  # fmt: skip
def test_a_lower_limit_for_an_upper_one_is_found(claim: str, premise: str) -> None:
    assert bounds_reversed(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Seven years follow.", UP_TO), ("More than 500 residents are affected.", OR_MORE),
        ("Less than 60 days.", WITHIN), ("Up to 3 years.", "It is up to 3 years, and not less than 3 years for repeaters."),
    ],
)  # fmt: skip
def test_a_limit_of_the_same_direction_is_not_reversed(claim: str, premise: str) -> None:
    assert bounds_reversed(claim, premise) is None


def test_no_model_overrides_a_limit_reversed_in_a_copied_sentence() -> None:
    source = "When the period of time allowed is less than 7 days, Sundays must be excluded from the computation."
    cited = evidence_from_texts("", (source,))
    found = check_findings(source.replace("is less", "is not less"), cited, sure=True, read=True)
    assert [(name, mismatch.source_says) for name, _, mismatch in found] == [("comparators_agree", "less than 7 days")]
    assert check_findings("A court of at least 7 days does not sit on Sundays.", cited, sure=True, read=True) == ()
