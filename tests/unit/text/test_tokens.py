"""What the one tokeniser promises to the index, the overlap screens and the guards."""

import unicodedata
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snowballstemmer.basestemmer import BaseStemmer
from snowballstemmer.english_stemmer import EnglishStemmer
from snowballstemmer.hindi_stemmer import HindiStemmer

from footnotary.text.stopwords import MODALS, NEGATIONS, QUANTIFIERS, QUESTION_WORDS, STOP_WORDS
from footnotary.text.tokens import content_terms, stem, word_places, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  ... !? —", []),
        ("Whoever Cheats", ["whoever", "cheats"]),
        ("the person's property", ["the", "person", "property"]),
        ("the person’s property", ["the", "person", "property"]),
        ("the persons' property", ["the", "persons", "property"]),
        ("don’t can't Hon’ble", ["don't", "can't", "hon'ble"]),
        ("'quoted' “words”", ["quoted", "words"]),
        ("well-known non-payment", ["well", "known", "non", "payment"]),
        ("section 164.514(b)", ["section", "164.514", "b"]),
        ("3.14 and 3.", ["3.14", "and", "3"]),
        ("Rs.500/-", ["rs", "500"]),
        ("Rs. 1,00,000", ["rs", "100000"]),
        ("10,000.50", ["10000.50"]),
        ("sections 1,2 and 3", ["sections", "1", "2", "and", "3"]),
        ("12.05.2020", ["12.05.2020"]),
        ("376A, 7th", ["376a", "7th"]),
        ("I.P.C. and IPC", ["ipc", "and", "ipc"]),
        ("15 U.S.C. § 1", ["15", "usc", "1"]),
        ("IPC_420_0", ["ipc", "420", "0"]),
        ("Straße naïve", ["strasse", "naïve"]),
        ("10²", ["10²"]),
        ("end.Next", ["end", "next"]),
    ],
)
def test_words_are_folded_runs_of_letters_and_figures(text: str, expected: list[str]):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("धारा ४२०", ["धारा", "420"]),
        ("श्रेढ़ियाँ क्या हैं?", ["श्रेढ़ियाँ", "क्या", "हैं"]),
        ("नियोजक।कर्मचारी", ["नियोजक", "कर्मचारी"]),
        ("क्\u200dया", ["क्या"]),
        ("१,००,०००", ["100000"]),
        ("தமிழ் ভাষা", ["தமிழ்", "ভাষা"]),
    ],
)
def test_words_of_indic_scripts_are_never_broken_at_vowel_signs_or_virama(text: str, expected: list[str]):
    assert words(text) == [unicodedata.normalize("NFC", word) for word in expected]


def test_composed_and_decomposed_nukta_letters_are_the_same_word():
    assert words("\u0915\u093c\u093e\u0928\u0942\u0928") == words("\u0958\u093e\u0928\u0942\u0928")


@pytest.mark.parametrize("invisible", ["\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\ufe0f"])
def test_an_invisible_character_inside_a_word_does_not_change_it(invisible: str):
    assert words(f"chea{invisible}ting") == ["cheating"]


def test_word_places_point_at_the_words_as_written():
    assert word_places("Rs. 1,000 (a person’s)") == [
        (0, 2, "rs"),
        (4, 9, "1000"),
        (11, 12, "a"),
        (13, 21, "person"),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cheating", "cheats"),
        ("punishments", "punishment"),
        ("employers", "employer"),
        ("अपराधों", "अपराध"),
        ("दण्ड", "दंड"),
        ("हिन्दी", "हिंदी"),
        ("संख्याएँ", "संख्याएं"),
        ("सज़ा", "सजा"),
    ],
)
def test_forms_of_one_word_share_a_stem(one: str, other: str):
    assert stem(words(one)[0]) == stem(words(other)[0])


@pytest.mark.parametrize(("one", "other"), [("employer", "employee"), ("420", "42"), ("376a", "376"), ("पढ़ना", "पढना")])
def test_other_words_have_other_stems(one: str, other: str):
    assert stem(words(one)[0]) != stem(words(other)[0])


@given(word=st.from_regex(r"[a-zà-ÿ']{1,12}(?:s|ed|ing|ly|ness|ational|ogist|ies)?", fullmatch=True) | st.text())
@pytest.mark.parametrize(("language", "in_python"), [("english", EnglishStemmer), ("hindi", HindiStemmer)])
def test_a_stem_is_the_same_with_and_without_the_library_in_c(language: str, in_python: type[BaseStemmer], word: str):
    in_c = pytest.importorskip("Stemmer").Stemmer(language)
    for one in words(word):
        assert in_c.stemWord(one) == in_python().stemWord(one)


@pytest.mark.parametrize("name", ["ipc_digest.txt", "arithmetic_progressions_hi.md"])
def test_the_words_of_a_corpus_have_the_same_stems_with_and_without_the_library_in_c(name: str):
    library = pytest.importorskip("Stemmer")
    text = (files("footnotary") / "demo_corpus" / name).read_text(encoding="utf-8")
    for language, in_python in (("english", EnglishStemmer()), ("hindi", HindiStemmer())):
        in_c = library.Stemmer(language)
        for word in set(words(text)):
            assert in_c.stemWord(word) == in_python.stemWord(word)


def test_content_terms_leave_out_stop_words_and_keep_order_and_repeats():
    text = "What is the punishment for cheating? Cheating under Section 420 shall not be ..."
    assert content_terms(text) == ["punish", "cheat", "cheat", "section", "420"]
    assert content_terms("धारा 420 के तहत सज़ा क्या है?") == [stem("धारा"), "420", stem("तहत"), stem("सजा")]


@pytest.mark.parametrize("text", ["What is it?", "who are they and why", "यह क्या है?", "...", ""])
def test_a_text_of_only_stop_words_has_no_content(text: str):
    assert content_terms(text) == []


def test_a_will_in_law_is_content():
    assert content_terms("What is a will?") == ["will"]


def test_stop_words_are_written_as_the_tokeniser_writes_them():
    for word in STOP_WORDS | NEGATIONS | MODALS | QUANTIFIERS:
        assert words(word) == [word]


def test_negations_quantifiers_and_question_words_are_no_content():
    assert NEGATIONS | QUANTIFIERS | QUESTION_WORDS <= STOP_WORDS


@given(st.text("aZs09 .,'_-(\n\x00\x1c—–―“”…•§\u00a0’‘", max_size=60))
def test_plain_text_is_cut_like_text_with_other_characters_in_it(text: str):
    assert [*words(text), "दण्ड"] == words(f"{text} दण्ड")
    assert [*content_terms(text), "दंड"] == content_terms(f"{text} दण्ड")


@given(st.text("ab1.,' -", max_size=60))
def test_printed_marks_change_no_word(text: str):
    printed = text.replace("'", "’").replace("-", "—")
    assert words(printed) == words(text)
