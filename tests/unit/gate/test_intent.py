"""What a question asks for."""

import pytest

from footnotary.domain.query import Reference, Scope
from footnotary.gate.intent import understand
from footnotary.gate.question_type import query_type
from footnotary.profiles.load import load_profile

LEGAL = load_profile("legal")


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is cheating?", "definition"),
        ("Define employer", "definition"),
        ("What does employer mean?", "definition"),
        ("What is the definition of punishment?", "definition"),
        ("What is meant by wrongful gain?", "definition"),
        ("Who is a business associate?", "definition"),
        ("What is an arithmetic progression?", "definition"),
        ("समांतर श्रेढ़ी किसे कहते हैं?", "definition"),
        ("What is the punishment for cheating?", "punishment"),
        ("What is the penalty for theft?", "punishment"),
        ("How is theft punished?", "punishment"),
        ("What is the term of imprisonment for criminal intimidation?", "punishment"),
        ("Explain the term wages", "definition"),
        ("What fine can be imposed for defamation?", "punishment"),
        ("Steps to de-identify health information", "procedure"),
        ("What is 420 IPC?", "general"),
        ("चोरी की सज़ा क्या है?", "punishment"),
        ("How to file a complaint?", "procedure"),
        ("How to apply for a licence?", "procedure"),
        ("How do you calculate overtime?", "procedure"),
        ("What are the steps to register?", "procedure"),
        ("What is the procedure for fixing minimum wages?", "procedure"),
        ("What is the extent of the Act?", "scope"),
        ("Does the Act apply to railways?", "scope"),
        ("What is the applicability of the Act?", "scope"),
        ("Give an example of an arithmetic progression", "example"),
        ("Find the tenth term of the progression 2, 5, 8", "problem"),
        ("What is Section 420 IPC?", "general"),
        ("What is section 2(e) of the Minimum Wages Act?", "general"),
        ("What is the time limit for filing a claim?", "general"),
        ("Who enforces the Act?", "general"),
        ("Tell me about cheating", "general"),
    ],
)
def test_a_question_is_of_its_kind(question, kind):
    assert query_type(question, LEGAL.intents) == kind


def test_a_fine_is_not_found_in_define():
    assert query_type("Define a contract", LEGAL.intents) == "definition"


def test_a_compound_question_has_a_part_for_each_thing_asked():
    query = understand("What is cheating and how is it punished?", Scope("p"), LEGAL)
    assert [facet.type for facet in query.facets] == ["definition", "punishment"]
    assert [[key.term for key in facet.subject] for facet in query.facets] == [["cheat"], ["cheat"]]


def test_and_between_nouns_does_not_part_a_question():
    assert len(understand("What is the difference between theft and extortion?", Scope("p"), LEGAL).facets) == 1


def test_a_provision_is_understood_by_number_and_act():
    query = understand("What is Section 420 IPC?", Scope("p"), LEGAL)
    assert query.references == (Reference("420", "IPC"),)
    assert query.facets[0].subject == ()


def test_the_glossary_expands_abbreviations_both_ways():
    spelled = understand("What does the Indian Penal Code say on theft?", Scope("p"), LEGAL)
    short = understand("What does the IPC say on theft?", Scope("p"), LEGAL)
    assert "IPC" in [expansion.text for expansion in spelled.expansions]
    assert "Indian Penal Code" in [expansion.text for expansion in short.expansions]


def test_an_abbreviation_is_met_by_its_long_form():
    compliance = load_profile("compliance")
    (phi, *_) = understand("What is PHI?", Scope("p"), compliance).facets[0].subject
    assert phi.stands_in({"protect", "health", "inform"})
    assert not phi.stands_in({"health"})


def test_a_question_of_stop_words_is_about_nothing():
    assert understand("What is it?", Scope("p"), LEGAL).facets[0].subject == ()


def test_the_hindi_word_for_section_is_no_subject():
    (facet,) = understand("धारा 420 क्या है?", Scope("p"), LEGAL).facets
    assert (facet.references, facet.subject) == ((Reference("420"),), ())


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("ठेकेदार से क्या अभिप्रेत है?", "definition"),
        ("अम्ल क्या होते हैं?", "definition"),
        ("भारत की राजधानी क्या है?", "general"),
        ("What constitutes the offence of bribery?", "definition"),
        ("Who is considered a judge according to law?", "definition"),
    ],
)
def test_a_meaning_is_asked_for_in_many_words(question, kind):
    assert query_type(question, LEGAL.intents) == kind


@pytest.mark.parametrize(
    ("question", "law"),
    [
        ("मजदूरी संहिता, 2019 के अधीन बोनस कब दिया जाएगा?", "मजदूरी संहिता, 2019"),
        ("सूचना का अधिकार अधिनियम में लोक प्राधिकारी किसे कहते हैं?", "सूचना का अधिकार अधिनियम"),
        ("लोक सेवक की परिभाषा भारतीय दंड संहिता में क्या है?", "भारतीय दंड संहिता"),
        ("इस अधिनियम का नाम क्या है?", None),
        ("अधिनियम क्या है?", None),
    ],
)
def test_the_law_asked_under_is_known_by_its_hindi_name(question, law):
    assert understand(question, Scope("law"), LEGAL).facets[0].act == law


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("Who is a keeper under the Keeper Protection Act?", ["keeper"]),
        ("Who is a keeper under the Forest Act?", ["keeper"]),
        ("What is the Keeper Protection Act?", ["keeper", "protect", "act"]),
    ],
)
def test_a_word_of_the_name_of_an_act_is_the_subject_where_it_is_also_asked_about(question, terms):
    assert [key.term for key in understand(question, Scope("law"), LEGAL).facets[0].subject] == terms


def test_what_only_asks_is_not_searched_for():
    facet = understand("Which section deals with: Hurt?", Scope("law"), LEGAL).facets[0]
    assert facet.terms == ("hurt",)
    assert "कह" not in " ".join(understand("नियोजक किसे कहते हैं?", Scope("law"), LEGAL).facets[0].terms)


def test_the_terms_of_a_series_are_asked_about_and_the_term_is_not():
    tutor = load_profile("tutor")

    def subject(question):
        return [key.term for key in understand(question, Scope("maths"), tutor).facets[0].subject]

    assert "term" in subject("What is the sum of the first n terms of an AP?")
    assert "term" not in subject("What does the term AP mean?")


def test_what_a_term_is_also_called_counts_less_than_what_was_said():
    terms = understand("What is the sum of an AP?", Scope("maths"), load_profile("tutor")).facets[0].terms
    assert terms.count("ap") > terms.count("arithmet") == 1


@pytest.mark.parametrize(
    "question",
    [
        "What acts are not interference within the meaning of section 171C?",
        "What is the duty of a public servant as defined in section 225A?",
    ],
)
def test_where_a_word_is_defined_is_no_question_for_its_meaning(question):
    assert understand(question, Scope("law"), LEGAL).type == "general"


def test_the_height_of_a_fee_is_no_question_for_its_meaning():
    assert understand("What is the membership fee?", Scope("club"), LEGAL).type == "general"
    assert understand("What is a membership fee?", Scope("club"), LEGAL).type == "definition"


@pytest.mark.parametrize(
    "question",
    ["What does section 12 A say?", "What does section number 302 say?", "धारा 376 क क्या है?", "What is ipc 302?"],
)
def test_the_number_of_a_provision_is_no_subject_however_it_is_written(question: str):
    assert understand(question, Scope("p"), LEGAL).facets[0].subject == ()
