"""The figures guard: every amount of a claim stands in the source, with its unit, for the same thing."""

import pytest

from footnotary import verify_claim
from footnotary.verify.exact.mismatch import Mismatch
from footnotary.verify.exact.numbers import numbers_disagree

CHEATING = (
    "Whoever cheats shall be punished with imprisonment of either description for a term which may extend to seven"
    " years, and shall also be liable to fine which may extend to five hundred rupees."
)
BREACH = "A breach that affects 500 or more individuals is reported without delay and no later than 60 days."
WAGES = (
    "The employer shall pay Rs. 1,00,000 within 30 days, and ten times the amount of the shortfall, at 12 per cent"
    " per year."
)
TWO_TERMS = "Simple imprisonment may last six months; rigorous imprisonment may last two years."
HOURS = "A normal working day is nine hours for an adult and four and a half hours for a child."
SERIES = "The series has the first term a = 2 and the common difference d = 3."
ANSWERS = "Answers are due within thirty days. The penalty is 250 rupees each day and shall not exceed 25,000 rupees."
TRIBUNAL = "The tribunal has five members and three judges."


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The term may extend to seventy years.", CHEATING),
        ("Cheating is punished with up to 17 years in prison.", CHEATING),
        ("Cheating is punished with up to seven months in prison.", CHEATING),
        ("Cheating is punished with up to 7 weeks in prison.", CHEATING),
        ("The fine may extend to $500.", CHEATING),
        ("The fine may extend to Rs. 5,000.", CHEATING),
        ("The fine may extend to five hundred dollars.", CHEATING),
        ("The imprisonment may extend to five hundred years.", CHEATING),
        ("The fine may extend to seven rupees.", CHEATING),
        ("The prison term is 84 weeks at most.", CHEATING),
        ("A breach of 5,000 or more individuals is reported.", BREACH),
        ("A breach of 50 or more individuals is reported.", BREACH),
        ("A breach that affects 500 days is reported.", BREACH),
        ("A breach is reported within 60 months.", BREACH),
        ("A breach is reported within 60 hours.", BREACH),
        ("A breach is reported within two months.", BREACH),
        ("The employer pays Rs. 10,00,000 within 30 days.", WAGES),
        ("The employer pays one crore rupees.", WAGES),
        ("The employer pays two times the shortfall.", WAGES),
        ("Interest runs at 12 percentage points.", WAGES),
        ("Interest runs at 21 per cent.", WAGES),
        ("Interest runs at 12 per cent per month.", WAGES),
        ("The employer pays within 30 working days.", WAGES),
        ("The employer pays Rs. 1,00,000 within 30 days, 60 days in all.", WAGES),
        ("The tribunal has three members.", TRIBUNAL),
        ("The tribunal has one judge.", TRIBUNAL),
        ("The penalty is 250 rupees a month.", ANSWERS),
        ("The rule applies after the third conviction.", "The rule applies after the second conviction."),
        ("This is stated in Chapter 6.", "Chapter 5 states this."),
        ("Water is written H3O.", "Water is written H2O."),
        ("The fine is 420 rupees.", "Section 420 provides for a fine."),
        ("A quorum is three-fourths of the members.", "A quorum is two-thirds of the members."),
        ("The sum of the first ten terms is 65.", "The sum of the first ten terms is 55."),
        ("सज़ा सत्तर वर्ष तक हो सकती है।", "सज़ा सात वर्ष तक हो सकती है।"),
        ("Interest of two per cent is charged.", "Interest of two per cent a month is charged."),
        ("The fine is ten rupees.", "The fine is ten rupees per day."),
        ("The penalty is fifty rupees.", "The penalty is fifty rupees for each day of delay."),
        ("The fee is 300 rupees.", "The fee is 300 rupees per child."),
        ("One million people live there.", "One and a half million people live there."),
        ("Half a million people live there.", "One and a half million people live there."),
        ("The charge is 1.6 × 10¹⁹ coulomb.", "The charge is 1.6 × 10⁻¹⁹ coulomb."),
        ("The sample holds 3 × 10⁶ cells.", "The sample holds 3 × 10⁵ cells."),
        ("The area is x^3.", "The area is x^2."),
        ("The speed is v = t/d.", "The speed is v = d/t."),
        ("It has at least 2 users.", "It has 2 to 3 million users."),
        ("It costs 1.5 rupees.", "It costs 1.5 to 2.5 crore rupees."),
        ("The limit is 1e9 units.", "The limit is 1e5 units."),
        ("Version 3a7 is out of support.", "Version 3a9 is out of support."),
        ("जुर्माना पाँच हज़ार रुपये है।", "जुर्माना पाँच सौ रुपये है।"),
    ],
)
def test_an_amount_the_source_does_not_give_is_found(claim: str, premise: str) -> None:
    assert numbers_disagree(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The prison term may extend to 7 years.", CHEATING),
        ("The fine is ten rupees a day.", "The fine is ten rupees per day."),
        ("Interest of two per cent is charged every month.", "Interest of two per cent a month is charged."),
        ("The fine is ten rupees.", "The fine is ten rupees, and ten rupees more for each day."),
        ("The cost is 2½ lakh rupees.", "The cost is Rs. 2,50,000."),
        ("The cost is Rs. 2,50,000.", "The cost is two and a half lakh rupees."),
        ("1.5 million people live there.", "One and a half million people live there."),
        ("It has a charge of 1.6 × 10⁻¹⁹ coulomb.", "The charge is 1.6 × 10⁻¹⁹ coulomb."),
        ("Speed is given by v = d/t.", "The speed is v = d/t, where d is the distance."),
        ("A cheat may be jailed for up to 7 (seven) years.", CHEATING),
        ("Cheating can lead to 84 months in prison at most.", CHEATING),
        ("The fine may be as high as Rs. 500.", CHEATING),
        ("A fine of up to ₹500 may be added.", CHEATING),
        ("Cheating is punishable with imprisonment.", CHEATING),
        ("One who cheats may be imprisoned.", CHEATING),
        ("A breach affecting five hundred or more people is reported.", BREACH),
        ("A breach is reported within sixty (60) days.", BREACH),
        ("The employer pays one lakh rupees within thirty days.", WAGES),
        ("The employer pays ₹100,000.", WAGES),
        ("The employer pays ten times the shortfall at 12% a year.", WAGES),
        ("Interest is 12 percent annually.", WAGES),
        ("Rigorous imprisonment may last two years.", TWO_TERMS),
        ("Simple imprisonment may last half a year.", TWO_TERMS),
        ("The tribunal has 3 judges.", TRIBUNAL),
        ("A child's normal working day is four and a half hours.", HOURS),
        ("Adults work nine hours a day.", HOURS),
        ("The first term is 2 and the common difference is 3.", SERIES),
        ("The penalty is ₹250 a day and cannot exceed ₹25,000.", ANSWERS),
        ("Half of the fine goes to the victim.", "Fifty percent of the fine goes to the victim."),
        (
            "Between three and seven years are possible.",
            "The term is not less than three years but may extend to seven years.",
        ),
        ("Each of the two parties signs.", "Both parties sign."),
        ("More than one person must act.", "Two or more persons must act."),
        ("A third party may sue.", "Any other person may sue."),
        ("The term is seven years.", "Imprisonment (years): 7"),
        ("Notice is given on day 120.", "Notice is given on the one hundred and twentieth day."),
        ("सज़ा 7 साल तक हो सकती है।", "सज़ा सात वर्ष तक हो सकती है।"),
        ("Under section 420, one may be imprisoned for seven years.", CHEATING),
        ("It has 2 million to 3 million users.", "It has 2 to 3 million users."),
        ("It takes five thousand to six thousand litres.", "It takes five to six thousand litres."),
    ],
)
def test_the_same_amount_in_other_words_is_left_alone(claim: str, premise: str) -> None:
    assert numbers_disagree(claim, premise) is None


def test_the_message_gives_both_values() -> None:
    found = numbers_disagree("up to seventy years", "up to seven years")
    assert found == Mismatch("seventy years", "seven years")


def test_a_bare_figure_is_held_to_the_source_even_where_it_is_a_one():
    source = "The net shall not be sold unless the registrar agrees in writing."
    assert numbers_disagree("The net shall not be sold unless the registrar agrees (see 1).", source) is not None
    assert numbers_disagree("One shall not sell the net unless the registrar agrees.", source) is None


def test_a_pointer_to_a_number_is_no_amount():
    toll = "The fee for the toll bridge is two rupees, and it is payable by the contractor (see 4)."
    assert numbers_disagree("(see 2) The fee for the toll bridge is two rupees.", toll) is not None
    assert numbers_disagree("The fee for the toll bridge is two rupees (see 4).", toll) is None


def test_a_third_party_counts_nothing():
    assert numbers_disagree("The costs are paid by a third party.", "A third party pays the costs.") is None


@pytest.mark.parametrize(
    "claim", ["The motor takes between 5 and 10 volts.", "The motor takes 5 to 10 volts.", "The motor takes 5 - 10 V."]
)
def test_a_capital_v_behind_a_number_is_volts(claim):
    assert numbers_disagree(claim, "The motor takes 5-10 V.") is None
    assert numbers_disagree(claim, "The motor takes 5-10 kV.") is not None


def test_a_match_is_not_measured_in_volts():
    assert numbers_disagree("Lions won by 5 volts.", "The score was Lions 5 V 3 Tigers.") is not None


@pytest.mark.parametrize(
    ("claim", "premise", "agrees"),
    [
        ("30% of the pupils walk.", "Three in ten pupils walk.", True),
        ("20 per cent of the pupils walk.", "One out of every five pupils walks.", True),
        ("40% of the pupils walk.", "Three in ten pupils walk.", False),
        ("30% of the pupils walk.", "Three walk in ten schools.", False),
        ("It rains 30% of the time.", "It rains on three in ten days.", False),
    ],
)
def test_n_in_m_is_a_share(claim, premise, agrees):
    assert (numbers_disagree(claim, premise) is None) is agrees


@pytest.mark.parametrize(
    ("claim", "premise", "agrees"),
    [
        ("The office closes at 18:00.", "The office closes at 6 pm.", True),
        ("The office closes at 6 p.m.", "The office closes at 18:00.", True),
        ("The office opens at 9:30.", "The office opens at 9.30 a.m. on weekdays.", True),
        ("The office closes at 17:00.", "The office closes at 6 pm.", False),
        ("The office closes at 6:00.", "The office closes at 6 pm.", False),
        ("The office closes at 6 pm.", "The office closes at 6 am.", False),
        ("The office closes at 12 am.", "The office closes at 12 pm.", False),
    ],
)
def test_a_time_of_the_day_is_one_on_either_clock(claim, premise, agrees):
    assert (numbers_disagree(claim, premise) is None) is agrees
    assert verify_claim(claim, premise).supported is agrees
