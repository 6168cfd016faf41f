"""One amount or day in several forms: a claim may write it in another form than its source, and never another amount."""

import pytest

from footnotary.claim import assess_claim
from footnotary.ports import FusionWeights
from footnotary.profiles.load import load_profile
from footnotary.verify.exact.changed_words import new_name, words_changed
from footnotary.verify.exact.dates import dates_disagree
from footnotary.verify.exact.numbers import numbers_disagree
from footnotary.verify.exact.source_forms import in_source_forms

SAME = [
    ("The fee is 10 lakh rupees.", "The fee is Rs. 1,000,000."),
    ("The fee is 1 million rupees.", "The fee is ten lakh rupees."),
    ("The population is 7.5 crore.", "The population is 75 million."),
    ("Half of the members must be present.", "50 % of the members must be present."),
    ("A quarter of the fee is refunded.", "25 per cent of the fee is refunded."),
    ("It costs USD 5.", "It costs $5."),
    ("It costs US$5.", "It costs five dollars."),
    ("It costs Rs 500/-.", "It costs five hundred rupees."),
    ("The court sat on January 26, 1950.", "The court sat on 26/01/1950."),
    ("The court sat on 26th of January, 1950.", "The court sat on 1950-01-26."),
    ("On April 15 it rained.", "On 15 Apr it rained."),
    ("It was the twenty-first edition.", "It was the 21st edition."),
    ("The term is two years.", "The term is 24 months."),
    ("The term is 90 minutes.", "The term is 1 hour and 30 minutes."),
    ("The term is 1 hour 30 minutes.", "The term is 1.5 hours."),
    ("He is 6 feet 2 inches tall.", "He is 74 inches tall."),
    ("It is 100 degrees Celsius.", "It is 100 °C."),
    ("The speed is 60 miles per hour.", "The speed is 60 mph."),
    ("The speed is 60 km/h.", "The speed is 60 kilometres per hour."),
    ("The area is 5 square kilometres.", "The area is 5 km²."),
    ("The area is 5 sq. km.", "The area is 5 square kilometers."),
    ("It is 5 km long.", "It is 5,000 metres long."),
]
FREE = [
    ("Employers hand out P60s in May.", "Give each employee a P60 in May."),
    ("The air has to be changed twelve times an hour.", "There are twelve changes of air an hour."),
]
OTHER = [
    ("The fee is 10 lakh rupees.", "The fee is Rs. 10,000,000."),
    ("The fee is 10 lakh.", "The fee is 10 crore."),
    ("Half of the members must be present.", "45 % of the members must be present."),
    ("It costs US$5.", "It costs Rs. 5."),
    ("The term is two years.", "The term is 23 months."),
    ("The term is 90 minutes.", "The term is 1 hour and 20 minutes."),
    ("He is 6 feet 3 inches tall.", "He is 74 inches tall."),
    ("The speed is 60 miles per hour.", "The speed is 60 km/h."),
    ("The area is 5 square kilometres.", "The length is 5 kilometres."),
    ("One in four people smoke.", "20% of people smoke."),
    ("Employers hand out P61s in May.", "Give each employee a P60 in May."),
    ("The air has to be changed nine times an hour.", "There are twelve changes of air an hour."),
    ("The 33-year-old was arrested.", "Carlos Colina, 32, was arrested."),
]


@pytest.mark.parametrize(("one", "other"), [*SAME, *((b, a) for a, b in SAME)])
def test_one_amount_in_two_forms_is_no_disagreement(one: str, other: str):
    assert numbers_disagree(one, other) is None
    assert dates_disagree(one, other) is None
    assert new_name(one, other) is None
    assert words_changed(in_source_forms(one, other), other) is None


@pytest.mark.parametrize(("claim", "source"), FREE)
def test_a_figure_may_stand_in_another_construction(claim: str, source: str):
    assert numbers_disagree(claim, source) is None


@pytest.mark.parametrize(("claim", "source"), OTHER)
def test_another_amount_is_refused_in_any_form(claim: str, source: str):
    assert numbers_disagree(claim, source) is not None


def test_the_forms_of_the_source_replace_those_of_the_claim_and_nothing_else():
    source = "On 26.1.1950 the board paid Rs. 10,00,000 for 24 months, and 7 men left at 18:00."
    claim = "The board paid ten lakh rupees for two years on January 26, 1950; seven men left at 6 pm, 3 stayed."
    assert in_source_forms(claim, source) == (
        "The board paid Rs. 10,00,000 for 24 months on 26.1.1950; 7 men left at 18:00, 3 stayed."
    )


@pytest.mark.parametrize(("one", "two"), [("1914-18", "1918"), ("1914–18", "1914"), ("1914-1918", "1918")])
def test_a_span_of_years_gives_both(one: str, two: str):
    assert dates_disagree(f"The war ended in {two}.", f"The war was fought in {one}.") is None
    assert dates_disagree("The war ended in 1916.", f"The war was fought in {one}.") is not None


class _ByLetters:
    """A model that is sure of a claim whose words are the source's, and of no other."""

    name = "letters"
    fusion_weights = FusionWeights()

    def support(self, pairs):
        return [0.99 if claim in passages else 0.01 for claim, passages in pairs]


def test_a_model_reads_a_claim_in_the_forms_of_its_source():
    profile = load_profile("default")
    assert assess_claim("The fee is 10 lakh rupees.", "The fee is Rs. 1,000,000.", profile, _ByLetters()).supported
    assert not assess_claim("The fee is 11 lakh rupees.", "The fee is Rs. 1,000,000.", profile, _ByLetters()).supported
