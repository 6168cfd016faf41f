"""When two sentences lay down one rule with different values, and when they only look like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.verify.conflicts.contradicting_values import disagreement, rule_in

NOUNS = st.sampled_from(["annual leave", "sick leave", "maternity leave"])
WHO = st.sampled_from(["Every employee", "Every driver", "Every trainee"])
NUMBERS = st.sampled_from(
    ["5", "five", "7", "seven", "12", "twelve", "12 (twelve)", "at least 7", "up to 12", "about 7"]
)
LEAVE = st.builds(lambda who, number, noun: f"{who} is entitled to {number} days of {noun}.", WHO, NUMBERS, NOUNS)


def disagree(one, other):
    a, b = rule_in(one), rule_in(other)
    return None if a is None or b is None else disagreement(a, b)


@given(LEAVE, LEAVE)
def test_disagreement_does_not_depend_on_who_comes_first(one, other):
    there, back = disagree(one, other), disagree(other, one)
    assert (there is None) == (back is None)
    if there is not None:
        assert (there.one, there.other) == (back.other, back.one)


@given(st.text(max_size=200))
def test_no_text_disagrees_with_itself(text):
    assert disagree(text, text) is None


@given(LEAVE)
def test_no_sentence_disagrees_with_itself(sentence):
    assert disagree(sentence, sentence) is None


@given(st.integers(1, 400), st.integers(1, 400))
def test_one_rule_with_two_figures_is_a_disagreement_exactly_when_they_differ(one, other):
    said = disagree(
        f"Every employee is entitled to {one} days of leave.", f"Employees are entitled to {other} days of leave."
    )
    assert (said is not None) == (one != other)


@given(WHO, WHO, NOUNS, NOUNS)
def test_rules_about_different_things_never_disagree(who, whose, noun, another):
    said = disagree(f"{who} is entitled to 5 days of {noun}.", f"{whose} is entitled to 9 days of {another}.")
    assert (said is not None) == (who == whose and noun == another)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The upper age limit for entry is 35 years.", "The lower age limit for entry is 18 years."),
        ("The fee for a new connection is Rs. 500.", "The fee for an old connection is Rs. 900."),
        ("Group C employees get 12 days of leave.", "Group D employees get 18 days of leave."),
        ("The fee for Form 16 is Rs. 100.", "The fee for Form 17 is Rs. 200."),
        ("The interest on deposits is about 6 percent.", "The interest on deposits is 7 percent."),
        ("The fine for late filing is Rs. 500.", "The fine for late filing is 500 dollars."),
        ("The library opens on 3 May.", "The library opens on 3 May 2024."),
        ("The library opens in May 2024.", "The library opens on 3 May 2024."),
        ("Pupils may sell goods at the fair.", "Pupils may not sell goods at the fair without a permit."),
        ("1. Ins. by s. 8, ibid. (w.e.f. 19-11-1986).", "1. Ins. by s. 8, ibid. (w.e.f. 27-10-2009)."),
        ("(a) shall be punished with a fine of 100 rupees;", "(a) shall be punished with a fine of 200 rupees;"),
        ("He shall be punished with a fine of 100 rupees.", "He shall be punished with a fine of 200 rupees."),
        ("The Gazette of India 103", "The Gazette of India 107"),
        ("Is the fee for entry Rs. 100?", "The fee for entry is Rs. 200."),
        ("Whoever cheats shall be fined 100 rupees.", "Whoever cheats by personation shall be fined 300 rupees."),
    ],
)
def test_what_cannot_be_held_against_each_other_is_not(one, other):
    assert disagree(one, other) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Group C employees get 12 days of leave.", "Group C employees get 18 days of leave."),
        ("The interest rate on deposits is 6 percent.", "The interest rate on deposits is 7.5%."),
        ("A person must be 18 years old to vote.", "A person must be 21 years old to vote."),
        ("The board consists of seven members.", "The board consists of 9 members."),
        ("Records must be kept for at least 5 years.", "Records must be kept for at least seven years."),
        ("Records must be kept for at least 5 years.", "Records must be kept for 3 years."),
        ("Smoking on the campus is allowed for visitors.", "Smoking on the campus is not allowed for visitors."),
        ("आवेदन शुल्क 500 रुपये है।", "आवेदन शुल्क ₹750 होगा।"),
        ("कर्मचारी अवकाश अगले वर्ष में ले जा सकते हैं।", "कर्मचारी अवकाश अगले वर्ष में नहीं ले जा सकते हैं।"),
    ],
)
def test_one_rule_laid_down_twice_with_different_values_is_a_disagreement(one, other):
    assert disagree(one, other) is not None
