"""Terms a passage defines."""

import pytest

from footnotary.text.definitions import defined_terms, definition_key
from footnotary.text.tokens import content_terms


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ('(e) "employer" means any person who employs another;', "employer"),
        ("(1) ‘personal data’ means any information relating to a person;", "personal data"),
        ("Section 44. Injury.\nThe word “injury” denotes any harm whatever.", "injury"),
        ("The words “public servant” denote a person falling under any of the descriptions.", "public servant"),
        ("Section 415 defines cheating. Cheating means deceiving a person.", "cheating"),
        ("A person is said to abet the doing of a thing who instigates it.", "abet"),
        ("Whoever takes movable property without consent is said to commit theft.", "theft"),
        ("He is said to commit criminal trespass.", "criminal trespass"),
        ('"wages", in relation to a worker, includes any allowance.', "wages"),
        ("Business associate means a person who acts for another.", "business associate"),
        ("So, an arithmetic progression (AP) is a list of numbers.", "arithmetic progression"),
        ("(ठ) “नियोजक” से ऐसा व्यक्ति अभिप्रेत है जो किसी को काम पर रखता है;", "नियोजक"),
        ("(ठ) “' नियोजक '' से ऐसा व्यक्ति अभिप्रेत है;", "नियोजक"),
        ("छल का अर्थ है किसी को धोखा देना।", "छल"),
        ("चोरी वह कार्य है जिसमें कोई वस्तु ले ली जाती है।", "चोरी"),
        ("इस प्रक्रिया को संक्षारण कहते हैं।", "संक्षारण"),
        ("जिन अभिक्रियाओं में ऊष्मा निकलती है उन्हें ऊष्माक्षेपी अभिक्रिया कहा जाता है।", "ऊष्माक्षेपी अभिक्रिया"),
        ("ऐसी संख्या अभाज्य संख्या कहलाती है।", "अभाज्य संख्या"),
    ],
)
def test_a_definition_is_filed_under_its_term(text, term):
    assert definition_key(content_terms(term)) in defined_terms(text)


@pytest.mark.parametrize(
    "text",
    [
        "The employer must pay minimum wages.",
        'He said "stop" and left.',
        "It includes nothing.",
        "जहां कोई कर्मचारी ऐसे अवचार का दोषी पाया जाता है।",
        "किसी अभिक्रिया का ऐसा समीकरण लिखिए।",
        "नियोजक मजदूरी का संदाय करेगा।",
        "",
    ],
)
def test_what_defines_nothing_is_filed_under_nothing(text):
    assert not {
        key for key in defined_terms(text) if any(word in key for word in ("employ", "stop", "कर्मचार", "नियोजक"))
    }


def test_hostile_text_is_read_in_one_pass():
    assert defined_terms("“" * 50_000) == frozenset()
    assert defined_terms("a " * 50_000 + "means") is not None
    for hostile in ("“क” से ", "को क ख ग घ ", "क वह "):
        assert defined_terms(hostile * 20_000) is not None


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("CHEATING MEANS TAKING.", "cheating"),
        ("“Wages” SIGNIFIES pay.", "wages"),
        ("(a) “Wages” ſhall refer to pay; “Stock” ıs defined in section 2.", "stock"),
        ("A person is Said To commit theft.", "theft"),
    ],
)
def test_a_definition_is_seen_however_its_letters_are_written(text: str, term: str):
    assert definition_key(content_terms(term)) in defined_terms(text)
