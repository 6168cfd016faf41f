"""Words in letters that are not theirs: no guard would know them, and every reader does."""

import pytest

from footnotary import verify_claim
from footnotary.verify.lookalike_letters import homoglyph_words

RULE = "The tenant shall pay the fee of 253 rupees within ten days and keep the key."
HINDI_RULE = "दुकान का शुल्क 253 रुपये है।"


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("shall", "shall n\u00f3t"),
        ("shall", "shall no\u0301t"),
        ("shall", "shall n\u043et"),
        ("shall", "shall \u039dot"),
        ("shall", "shall \uff4e\uff4f\uff54"),
        ("shall", "m\u00e1y"),
        ("and", "\u00f3r"),
        ("and", "a\u0301nd"),
        ("ten", "elev\u00e9n"),
        ("the key", "th\u0301e key"),
        ("days", "day\u00fds"),
    ],
)
def test_a_word_in_other_letters_supports_nothing(word, other):
    assert not verify_claim(RULE.replace(word, other, 1), RULE, verifier="lexical").supported


def test_an_accent_that_hindi_does_not_have_is_found():
    assert homoglyph_words(HINDI_RULE.replace("रु", "र\u0301ु"), (HINDI_RULE,)) == ["र\u0301ुपये"]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (RULE, RULE),
        ("The café is open.", "The cafe is open."),
        ("Sales vis-à-vis purchases.", "Sales vis-a-vis purchases."),
        ("José shall not pay.", "Jose shall not pay."),
        ("The tenant doesn’t pay.", "The tenant does not pay."),
        ("See Nº 5.", "See No. 5."),
        ("The length is 5 µm and the resistance 3 kΩ.", "It is 5 μm long; the resistance is 3 kΩ."),
        ("सज़ा तीन वर्ष है।", "सजा तीन वर्ष है।"),
        ("The word th\u0301e is odd.", "The word TH\u0301E is odd."),
        ("Закон действует с мая.", "The law applies from May."),
    ],
)
def test_a_spelling_of_its_own_is_left_alone(claim, source):
    assert homoglyph_words(claim, (source,)) == []
