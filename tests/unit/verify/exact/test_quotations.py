import pytest

from footnotary.verify.exact.quotations import quotations_altered

SOURCE = "The Code says that “a mistake of law is no excuse”, whoever makes it and why."


@pytest.mark.parametrize(
    "claim",
    [
        'The Code says "a mistake of fact is no excuse".',
        "The Code says “a mistake of law is an excuse”.",
        "The Code says «no excuse is a mistake».",
        "The Code says 'no excuse of any kind'.",
        'The Code says "no excuse ... a mistake".',
        'The Code defines "errors".',
    ],
)
def test_words_in_quotation_marks_that_the_source_does_not_have_are_named(claim):
    assert quotations_altered(claim, SOURCE) is not None


@pytest.mark.parametrize(
    "claim",
    [
        'The Code says "a mistake of law is no excuse".',
        'The Code says "A mistake ... is no excuse".',
        'The Code speaks of a "mistake".',
        "The owner's mistake isn't the tenant's.",
        "No quotation stands here.",
    ],
)
def test_words_that_stand_in_the_source_may_be_quoted(claim):
    assert quotations_altered(claim, SOURCE) is None
