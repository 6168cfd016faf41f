"""Which sentences answer: the rule and not what illustrates it, the section asked for, lists and formulas whole."""

import pytest

from footnotary.domain.document import Labels
from footnotary.domain.evidence import Hit
from footnotary.generate.extractive.excerpts import excerpts_of
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.generate.extractive.hit_splitting import candidate_sentences
from footnotary.generate.extractive.sentence_roles import names_people_by_letters
from footnotary.profiles.load import load_profile
from footnotary.testing.builders import chunk_of, evidence_of

POACHING = chunk_of(
    "FA_30_0",
    "30. Poaching.—Except in the cases hereinafter excepted, hunting is poaching, if it is done without a licence, or—\n\n"
    "2ndly.—If it is done by night, or—\n\n"
    "3rdly.—If it is done with nets.\n\n"
    "Illustrations\n\n"
    "(a) A shoots Z's deer in Z's wood. A is guilty of poaching.\n\n"
    "Exception 1.—Hunting is not poaching if the hunter saves his own life by it.",
    title="Poaching",
)
WARDEN = chunk_of(
    "FA_2_0",
    "2. “Warden”.—The word “warden” denotes a person of any of the following kinds, namely:—\n\n* * * * *\n\n"
    "Second.—Every keeper of a wood;\n\n[Third.—Every keeper of a river;]",
    title="“Warden”",
)
POACHING_FINE = chunk_of(
    "FA_31_0", "Whoever poaches shall be punished with fine which may extend to fifty rupees.", title="Punishment for poaching"
)  # fmt: skip
NIGHT_FINE = chunk_of(
    "FA_32_0",
    "Whoever, being a keeper of a wood and armed with a gun or with any other weapon, is guilty of poaching by night in a "
    "wood of which he is the keeper, shall be punished with imprisonment for poaching which may extend to two years.",
    title="Poaching by a keeper, armed and by night",
)
REPEALED = chunk_of(
    "FA_33_0", "Repealed by the Forest (Amendment) Act, 1942, which spoke of poaching.", title="Poaching"
)
SUM = chunk_of(
    "Maths_5_0",
    "We add the terms in pairs.\n\nSo, the sum of the first n terms of an AP is given by\n\nS = n/2 [2a + (n - 1) d]",
    kind="textbook", title="Sum of first n terms",
)  # fmt: skip
NTH = chunk_of(
    "Maths_4_0",
    "In an AP with first term a and common difference d, the nth term of the n terms is given by a + (n - 1) d.",
    kind="textbook", title="nth term",
)  # fmt: skip


def said(question, *chunks, profile="legal"):
    evidence = evidence_of(question, *chunks, profile=profile)
    return [
        claim.text for claim in ExtractiveGenerator(load_profile(profile)).generate(evidence.query, evidence).claims
    ]


def test_what_something_is_is_answered_by_the_rule_with_all_its_heads_and_no_illustration():
    (claim,) = said("What is poaching?", POACHING, POACHING_FINE)
    assert claim.startswith("Except in the cases")
    assert claim.endswith("with nets.")


def test_an_illustration_answers_who_asks_for_one():
    claims = said("Give an illustration of poaching", POACHING)
    assert "A is guilty of poaching." in claims
    assert "Illustrations" not in claims


def test_asterisks_are_no_answer_and_items_counted_in_words_stay_with_their_opening():
    (claim,) = said("Define warden", WARDEN)
    assert claim.startswith("The word “warden” denotes")
    assert "Every keeper of a river" in claim


def test_a_penalty_is_that_of_the_section_titled_by_the_offence_and_not_of_a_graver_case():
    assert said("What is the punishment for poaching?", NIGHT_FINE, POACHING_FINE)[0].endswith("fifty rupees.")


def test_a_note_on_what_was_repealed_answers_nothing_else():
    assert not any("Repealed" in claim for claim in said("What is poaching?", REPEALED, POACHING))


def test_notes_outside_of_sections_are_no_law():
    notes = chunk_of("FA_notes_0", "1. Subs. by Act 26 of 1955, s. 2, for “poaching of deer”.", section=None)
    assert not any("Subs." in claim for claim in said("Which section deals with poaching?", notes, POACHING))


def test_a_formula_stays_with_the_words_that_announce_it():
    claims = said("What is the sum of the first n terms of an AP?", NTH, SUM, profile="tutor")
    assert claims[0].endswith("S = n/2 [2a + (n - 1) d]")


def test_a_lookup_gives_the_section_and_not_its_illustrations():
    claims = said("What is section 30?", POACHING)
    assert claims[0].startswith("Except in the cases")
    assert not any(names_people_by_letters(claim) for claim in claims)


def test_terms_defined_in_one_list_are_answered_one_at_a_time():
    terms = chunk_of(
        "FA_1_0",
        "In this Act,—\n(a) “deer” means any animal with antlers;\n(b) “net” means anything woven that holds an animal;",
        title="Definitions",
    )
    assert said("What is a net?", terms) == ["“net” means anything woven that holds an animal;"]


def test_in_hindi_a_heading_without_a_verb_and_a_task_are_no_answers():
    chunk = chunk_of(
        "जलनियम_1_0",
        "कुएं के जल का शुल्क।\nकुएं के जल का शुल्क दस रुपये है।\nकुएं के जल का शुल्क बताइए।",
        title="शुल्क",
    )
    assert said("कुएं के जल का शुल्क कितना है?", chunk) == ["कुएं के जल का शुल्क दस रुपये है।"]


@pytest.mark.parametrize(
    "unit",
    [
        "A is guilty of murder.",
        "Here A cheats.",
        "(a) A finds a purse.",
        "A shoots Z.",
        "Z dies of the blow.",
        "क, य को धोखा देता है।",
    ],
)
def test_people_called_by_letters_are_found(unit):
    assert names_people_by_letters(unit)


@pytest.mark.parametrize(
    "unit",
    ["A person is said to cheat who lies.", "as in Part B of this Act", "under Chapter X", "I. P. C.", "report P-26", "खंड (क) या (ख)", "(3) A keeper who lies shall pay.", "3. Duties.—(2A) A keeper shall fence it."],
)  # fmt: skip
def test_letters_that_are_no_people_are_left_alone(unit):
    assert not names_people_by_letters(unit)


def test_every_passage_stands_in_its_chunk():
    for chunk in (POACHING, WARDEN, SUM):
        for passage in candidate_sentences(Hit(chunk, 0.9)):
            assert passage.text in chunk.text


def test_letters_are_people_only_in_acts():
    book = chunk_of("Maths_6_0", "The line through A and B is drawn.", kind="textbook")
    assert [passage.role for passage in candidate_sentences(Hit(book, 0.9))] == ["rule"]
    assert Labels().kind == "text"


def test_of_two_penalties_the_one_headed_punishment_alone_is_that_of_the_bare_offence():
    bare = chunk_of(
        "FA_41_0", "Whoever is a member of a gang of poachers shall be punished with fine which may extend to ten rupees.",
        title="Punishment",
    )  # fmt: skip
    armed = chunk_of(
        "FA_42_0",
        "Whoever, being armed, is a member of a gang of poachers shall be punished with imprisonment for two years.",
        title="Joining gang of poachers armed",
    )
    question = "What is the punishment for being a member of a gang of poachers?"
    assert said(question, armed, bare)[0] == bare.text


@pytest.mark.parametrize(
    ("text", "units"),
    [
        (
            'The hall is old. The witness said: "The door was open. The yard was empty." The case was closed.',
            ["The hall is old.", 'The witness said: "The door was open. The yard was empty."', "The case was closed."],
        ),
        (
            "State whether true or false.\n(a) The moon is a star.\n(b) Iron rusts in damp air.",
            ["State whether true or false.\n(a) The moon is a star.\n(b) Iron rusts in damp air."],
        ),
    ],
)
def test_reported_speech_and_statements_to_assess_stay_with_the_words_that_say_so(text, units):
    assert [passage.text for passage in candidate_sentences(Hit(chunk_of("Hall_1_0", text), 0.9))] == units


def test_a_marker_that_a_document_puts_behind_a_sentence_is_no_part_of_it():
    text = "Whoever spits pays forty rupees. [SOURCE: Zarquon_1_0] The fine is paid at once [sic]."
    found = [candidate.text for candidate in candidate_sentences(Hit(chunk_of("Rule_1_0", text), 0.9))]
    assert found == ["Whoever spits pays forty rupees.", "The fine is paid at once [sic]."]


def test_the_title_in_a_numbered_line_is_no_sentence_of_an_answer():
    text = "4. Pets. Small caged animals may be kept. Dogs need consent.\n5. Heating. The landlord services the boiler."
    found = [candidate.text for candidate in candidate_sentences(Hit(chunk_of("Lease_1_0", text), 0.9))]
    assert found == ["Small caged animals may be kept.", "Dogs need consent.", "The landlord services the boiler."]


@pytest.mark.parametrize(
    ("question", "steps"), [("How do I descale the kettle?", 3), ("What is put into the kettle for descaling?", 1)]
)
def test_a_step_is_given_with_all_steps_of_a_procedure(question, steps):
    lines = ("1. Fill it with half a litre of vinegar.", "2. Leave it for an hour.", "3. Empty and rinse it.")
    evidence = evidence_of(
        question, chunk_of("K_1_0", "\n".join(("The kettle needs care.", *lines))), profile="default"
    )
    units = candidate_sentences(evidence.hits[0])
    chosen = [unit for unit in units if "vinegar" in unit.text]
    (excerpt,) = excerpts_of(chosen, units, evidence.query.facets[0])
    assert sum(line[3:] in excerpt.text for line in lines) == steps


def test_an_item_with_items_of_its_own_is_quoted_with_them_and_without_the_other_items():
    text = "• Guards\n  • lock the gate\n  • write the names\n• Cleaners\n  • wear gloves\n    • of rubber"
    units = candidate_sentences(Hit(chunk_of("Site_1_0", text, section=None, kind="text"), 0.9))
    assert [unit.text for unit in units] == [
        "Guards\n  • lock the gate\n  • write the names",
        "Cleaners\n  • wear gloves\n    • of rubber",
    ]
    evidence = evidence_of("What do guards do?", units[0].hit.chunk, profile="default")
    (excerpt,) = excerpts_of(units[:1], units, evidence.query.facets[0])
    assert excerpt.text == units[0].text


def test_a_list_continues_after_the_nested_items_of_one_of_its_items():
    text = "Bring:\n1. a form\n  (a) signed\n  (b) dated\n2. a photo"
    (unit,) = candidate_sentences(Hit(chunk_of("Site_2_0", text), 0.9))
    assert unit.text == text


@pytest.mark.parametrize(
    "text", ["Dr. Pillai gives the lectures.", "P. Rao spoke of the tank.", "No. 7 is the red bus."]
)
def test_an_abbreviation_or_an_initial_at_the_start_of_a_sentence_is_no_list_mark(text):
    assert [unit.text for unit in candidate_sentences(Hit(chunk_of("Notes_1_0", text), 0.9))] == [text]


def test_an_item_with_its_own_items_stays_without_the_others_where_only_it_is_asked_for():
    text = "Reading\n\n- Required\n  - the course notes\n- Optional\n  - the old notes"
    evidence = evidence_of(
        "What is the required reading?", chunk_of("Course_1_0", text, kind="text"), profile="default"
    )
    units = candidate_sentences(evidence.hits[0])
    (excerpt,) = excerpts_of(units, units, evidence.query.facets[0])
    assert excerpt.text == "Required\n  - the course notes"


@pytest.mark.parametrize(("title", "lead"), [("What you may not do", "You may not:"), ("You may not", "You may not:")])
def test_an_introduction_in_the_words_of_the_title_stays_with_its_items(title, lead):
    text = f"{title}\n\n{lead}\n- smoke in the hall\n- keep dogs"
    units = candidate_sentences(Hit(chunk_of("House_1_0", text, title=title, kind="text"), 0.9))
    assert [unit.text for unit in units] == [f"{lead}\n- smoke in the hall\n- keep dogs"]


@pytest.mark.parametrize("text", ["Dowry death", "Dowry death.\n\nDowry death", "…", "\n", ""])
def test_a_passage_of_headings_alone_has_no_units(text: str) -> None:
    chunk = chunk_of("IPC_304B_0", text, title="Dowry death")
    assert candidate_sentences(Hit(chunk, 0.9)) == ()


@pytest.mark.parametrize("title", ["9. Break clause", "1. What a lease is and what it is used for"])
def test_a_heading_that_reads_like_the_beginning_of_a_sentence_is_not_joined_to_the_answer(title):
    rule = "Either party may end the tenancy by giving two months' notice."
    chunk = chunk_of("Lease_9_0", f"{title}\n{rule}", section=None, kind="text", title=title)
    (unit,) = candidate_sentences(Hit(chunk, 0.9))
    assert unit.text == rule
    assert unit.heading is not None
    assert unit.heading.of(chunk.text) == title
