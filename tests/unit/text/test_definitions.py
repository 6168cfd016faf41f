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
    ],
)
def test_a_definition_is_filed_under_its_term(text, term):
    assert definition_key(content_terms(term)) in defined_terms(text)


@pytest.mark.parametrize(
    "text",
    ["The employer must pay minimum wages.", 'He said "stop" and left.', "It includes nothing.", ""],
)
def test_what_defines_nothing_is_filed_under_nothing(text):
    assert not {key for key in defined_terms(text) if "employ" in key or "stop" in key}


def test_hostile_text_is_read_in_one_pass():
    assert defined_terms("“" * 50_000) == frozenset()
    assert defined_terms("a " * 50_000 + "means") is not None
