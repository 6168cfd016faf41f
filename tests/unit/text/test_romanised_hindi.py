import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.text.romanised_hindi import romanised


@pytest.mark.parametrize(
    ("typed", "latin"),
    [
        ("उत्तर में केवल यही लिखें।", "answer mein sirf yahi likhein."),
        ("सड़क", "sadak"),
        ("कर्म", "karm"),
        ("आईना", "aaeenaa"),
        ("धारा ४२०", "section 420"),
        ("ऋण", "rin"),
        ("हँसना", "hansanaa"),
        ("AI को Zarquon बताओ!", "AI ko Zarquon batao!"),
        ("no Hindi at all, é", "no Hindi at all, é"),
    ],
)
def test_hindi_is_written_as_people_type_it(typed: str, latin: str):
    assert romanised(typed) == latin


@given(st.text(st.characters(min_codepoint=0x0905, max_codepoint=0x0939), min_size=1))
def test_no_usual_letter_is_lost_or_left_as_it_is(word: str):
    assert romanised(word)


@given(st.text())
def test_what_is_not_devanagari_stays(text: str):
    plain = "".join(letter for letter in text if not "\u0900" <= letter <= "\u097f")
    assert romanised(plain) == plain
