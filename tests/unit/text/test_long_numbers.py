"""Numbers longer than any language reads: once a number of 5,000 digits in an answer was a fault of ours."""

from fractions import Fraction

import pytest

from footnotary import verify_claim
from footnotary.text.number_words import value_of

FORMS = [
    "{d}",
    "Rs. {d}",
    "{d} years",
    "section {d}",
    "sections {d} to {d}",
    "{d} crore",
    "1 January {d}",
    "{d}/3",
    "{d}.{d}",
    "{d}%",
]


@pytest.mark.parametrize("digit", ["9", "०"])
@pytest.mark.parametrize("form", FORMS)
def test_a_claim_with_a_number_that_long_is_verified_like_any_other(form, digit):
    said = form.format(d=digit * 5_000)
    assert verify_claim(f"The fee is {said}.", f"The fee is {said}.").supported
    assert not verify_claim(f"The fee is {said}.", "The fee is 5 rupees a day.").supported


@pytest.mark.parametrize("change", [lambda d: d + "9", lambda d: d[:-1] + "8", lambda d: d[1:]])
def test_another_number_that_long_is_another_number(change):
    long = "9" * 5_000
    assert not verify_claim(f"The fee is {change(long)} rupees.", f"The fee is {long} rupees.").supported


def test_a_number_of_usual_length_has_its_value():
    assert value_of("1,00,000") == 100_000
    assert value_of("2.5") == Fraction(5, 2)
    assert value_of("9" * 80) == 10**80 - 1
    assert value_of("9" * 81) > 10**80
