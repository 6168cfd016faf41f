"""Which language a question is taken to be in."""

import pytest

from footnotary.text.language import is_romanised_hindi, language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is Section 420 IPC?", "en"),
        ("", "en"),
        ("420", "en"),
        ("धारा 420 क्या है?", "hi"),
        ("समांतर श्रेढ़ी", "hi"),
        ("IPC Section 420 क्या है?", "hi"),
        ("NCERT की पुस्तक में arithmetic progression क्या है?", "hi"),
        ("What is श्रेढ़ी?", "en"),
        ("What does the word धारा mean in an act?", "en"),
        ("समांतर श्रेढ़ी formula", "hi"),
        ("arithmetic progression श्रेढ़ी", "en"),
        ("IPC 420 kya hai?", "en"),
        ("Qu'est-ce que c'est?", "en"),
    ],
)
def test_the_language_of_a_question(text: str, language: str):
    assert language_of(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "IPC 420 kya hai?",
        "dhara 420 mein kitni saza hoti hai",
        "Section 420 ke bare mein batao",
        "chori ki saza kya hai",
    ],
)
def test_hindi_in_latin_letters_is_noticed(text: str):
    assert is_romanised_hindi(text)


@pytest.mark.parametrize(
    "text",
    [
        "What is Section 420 IPC?",
        "धारा 420 क्या है?",
        "Define hai",
        "The ka of ancient Egypt and the ba",
        "",
        "punishment",
    ],
)
def test_other_text_is_not_taken_for_romanised_hindi(text: str):
    assert not is_romanised_hindi(text)
