"""What compares as equal, and what cannot be seen."""

import sys
import unicodedata

import pytest

from footnotary.text.normalise import (
    fold_quotes,
    invisible_places,
    nfc,
    plain_key,
    same_message,
    squeeze,
    without_invisible,
)

REFUSAL = "I don't have enough information from the indexed documents to answer."


def test_nfc_composes_but_keeps_compatibility_characters():
    assert nfc("e\u0301") == "é"
    assert nfc("10² ﬁne ４２０") == "10² ﬁne ４２０"


def test_quotes_and_dashes_fold_to_ascii_character_for_character():
    text = "‘a’ “b” «c» d–e—f −1 don’t"
    assert fold_quotes(text) == '\'a\' "b" "c" d-e-f -1 don\'t'
    assert len(fold_quotes(text)) == len(text)


def test_white_space_of_any_kind_is_squeezed():
    assert squeeze(" a\u00a0\n b\u3000\t c ") == "a b c"


def test_the_plain_key_ignores_quotes_composition_and_white_space_but_not_case():
    assert plain_key("“cafe\u0301”\n x") == plain_key('"café" x')
    assert plain_key("Café") != plain_key("café")


@pytest.mark.parametrize(
    "message",
    [
        REFUSAL,
        REFUSAL.replace("'", "’"),
        f"  {REFUSAL}\n",
        REFUSAL.replace(" ", "  "),
        REFUSAL.replace(" ", "\u00a0"),
        REFUSAL.replace(" have", "\nhave"),
    ],
)
def test_a_refusal_is_the_same_whatever_its_apostrophes_and_white_space(message: str):
    assert same_message(REFUSAL, message)


@pytest.mark.parametrize(
    "message",
    [
        REFUSAL.lower(),
        REFUSAL[:-1],
        REFUSAL + " However, I think so.",
        REFUSAL + " [IPC_420_0]",
        REFUSAL.replace("o", "о"),  # Cyrillic
        REFUSAL.replace("don't", "do\u200bn't"),
        REFUSAL.replace("don't", "dont"),
        REFUSAL.replace("'", '"'),
        "",
    ],
)
def test_anything_else_is_another_message(message: str):
    assert not same_message(REFUSAL, message)


@pytest.mark.parametrize(
    "char",
    [
        "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u202a", "\u202e", "\u2060", "\u2066", "\u2069", "\ufeff",
        "\u00ad", "\ufe0f", "\ufe00", "\U000e0041", "\U000e0001", "\U000e0100", "\x00", "\x07", "\x1b", "\x7f", "\x85",
        "\u034f", "\u180e", "\u3164", "\u2800", "\r", "\x0b", "\x0c", "\ud800",
    ],
)  # fmt: skip
def test_what_cannot_be_seen_is_named_and_removed(char: str):
    text = f"ab{char}c{char}"
    assert invisible_places(text) == (2, 4)
    assert [text[place] for place in invisible_places(text)] == [char, char]
    assert without_invisible(text) == "abc"


def test_every_control_and_format_character_of_unicode_counts():
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char) in ("Cc", "Cf", "Cs") and char not in "\n\t":
            assert invisible_places(char) == (0,), hex(code)


@pytest.mark.parametrize(
    "text", ["plain text", "a\tb\nc\r\nd", "क्\u200dष", "क्\u200cष", "नई दिल्ली", "é ü ß", "日本語", "a\u00a0b"]
)
def test_visible_text_line_ends_and_indic_joiners_stay(text: str):
    assert invisible_places(text) == ()
    assert without_invisible(text) == text


def test_a_row_of_joiners_is_no_spelling():
    assert invisible_places("क्\u200d\u200c\u200dष") == (3, 4)


@pytest.mark.parametrize("text", ["दिनों के \u200dभीतर", "भी\u200cतर", "भीतर\u200d", "a\u200dक"])
def test_a_joiner_that_joins_nothing_is_no_spelling(text: str):
    assert len(invisible_places(text)) == 1
