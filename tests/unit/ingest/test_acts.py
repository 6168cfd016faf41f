"""Acts as they are printed: lists of sections, amendments by States, schedules, titles in the margin."""

import pytest

from tests.unit.ingest.pdf_writer import Sheet, Text, column, pdf
from tests.unit.ingest.reading import chunks, document_and_chunks, ids

FRONT = "THE HARBOUR LIGHTS ACT, 1961\n\n"
LISTED = (
    FRONT
    + "ARRANGEMENT OF SECTIONS\n\nSECTIONS\n\n1. Short title.\n\n2. Definitions.\n\n3. Keepers.\n\n4. Repeal.\n\n"
    + FRONT
    + "ACT NO. 7 OF 1961\n\nAn Act to keep the lights of harbours, and for what is connected with them.\n\n"
)


def sections(text, name="act.txt"):
    return {chunk.labels.section: chunk for chunk in chunks(text, name) if chunk.labels.section}


def test_the_list_of_sections_is_no_text_of_the_act():
    document, found = document_and_chunks(
        LISTED + "1. Short title.—This is the Act.\n\n2. Definitions.—Words.\n\n3. Keepers.—Men."
    )
    assert [chunk.id for chunk in found] == [
        "HarbourLightsAct_text_0",
        "HarbourLightsAct_1_0",
        "HarbourLightsAct_2_0",
        "HarbourLightsAct_3_0",
    ]
    assert "ARRANGEMENT" not in "".join(chunk.text for chunk in found)
    assert (document.labels.act, document.labels.year) == ("Harbour Lights Act, 1961", "1961")


@pytest.mark.parametrize(
    "heading",
    ["3. Keepers.—", "3. Keepers.- ", "[3 Keepers.—", "3.Keepers. ", "1[3. Keepers.—", "Section 3. Keepers. ", "3. "],
)
def test_what_the_list_names_is_a_section_however_its_heading_is_set(heading):
    text = (
        LISTED
        + f"1. Short title.—This is the Act.\n\n2. Definitions.—Words.\n\n{heading}Every light has a keeper.\n\n4. Repeal.—Done."
    )
    found = sections(text)
    assert list(found) == ["1", "2", "3", "4"]
    assert found["3"].labels.title == "Keepers"


def test_a_heading_of_the_list_is_one_even_after_a_line_that_was_not_ended():
    text = (
        LISTED
        + "1. Short title.—This is the Act\n2. Definitions.—Words mean what they mean\n3. Keepers.—Every light has one"
    )
    assert list(sections(text)) == ["1", "2", "3"]


def test_the_name_of_an_act_is_written_as_the_act_writes_it():
    text = "THE SOUTHERN PORT (LIGHTS AND BUOYS)\n\nACT, 1990\n\n1. Short title.—This Act may be called the Southern Port (Lights and Buoys) Act, 1990.\n\n2. Extent.—All.\n\n3. End.—So."
    assert document_and_chunks(text)[0].labels.act == "Southern Port (Lights and Buoys) Act, 1990"


def test_a_number_with_a_hyphen_is_cited_without():
    assert "HarbourLightsAct_171I_0" in ids(FRONT + "171H. Fees.—Paid.\n\n171-I. Accounts.—Kept.\n\n172. End.—So.")


def test_notes_and_lists_within_an_act_are_no_sections():
    text = FRONT + (
        "1. Short title\n\nThis is the Act.\n\n2. Subs. by Act 5 of 1970, s. 2, for the word lamp.\n\n2. Keepers\n\nThere are:\n\n"
        "1. day keepers,\n\n2. night keepers.\n\n3. Fees\n\nThey are fixed.\n\n4. Rules\n\nThey are made."
    )
    found = sections(text)
    assert list(found) == ["1", "2", "3", "4"]
    assert "night keepers" in found["2"].text
    assert found["3"].labels.title == "Fees"


STATES = LISTED.replace("3. Keepers.\n\n", "3. Keepers.\n\n3B. Wages.\n\n") + (
    "1. Short title.—This is the Act.\n\n2. Definitions.—Words.\n\n3. Keepers.—Every light has a keeper.\n\n"
    "STATE AMENDMENTS\n\nKerala.—\n\nAfter section 3 insert the following, namely:—\n\n3A. Night keepers.—They keep at night.\n\n"
    "[Vide Kerala Act 4 of 1970, s. 2]\n\nWest Bengal\n\n“3. Keepers.—Two keepers.”\n\n[Vide West Bengal Act 1 of 1980, s. 5]\n\n"
    "3B. Wages.—They are paid.\n\n4. Repeal.—Done."
)


@pytest.mark.parametrize(
    "text", [STATES, FRONT + STATES.partition("connected with them.\n\n")[2]], ids=["listed", "not listed"]
)
def test_what_a_state_amends_is_no_section_of_the_act(text):
    found = chunks(text)
    assert [chunk.id for chunk in found if "_text_" not in chunk.id] == [
        "HarbourLightsAct_1_0",
        "HarbourLightsAct_2_0",
        "HarbourLightsAct_3_0",
        "HarbourLightsAct_3_StateAmendment_0",
        "HarbourLightsAct_3_StateAmendment_1",
        "HarbourLightsAct_3B_0",
        "HarbourLightsAct_4_0",
    ]
    kerala = next(chunk for chunk in found if "night" in chunk.text)
    assert kerala.section == ("3. Keepers.—", "State amendment", "Kerala")
    assert (kerala.labels.section, kerala.labels.title) == (None, "State amendment: Kerala")


def test_records_keep_amendments_by_states_apart():
    row = '{"id": "HLA_3_0", "act": "Harbour Lights Act, 1961", "section": "3", "title": "Keepers", "text": "One keeper.\\n\\nSTATE AMENDMENT\\n\\nGoa\\n\\nTwo keepers."}'
    assert [(chunk.id, chunk.section[-1]) for chunk in chunks(row, "act.jsonl")] == [
        ("HLA_3_0", "3. Keepers"),
        ("HLA_3_StateAmendment_0", "Goa"),
    ]


def test_a_schedule_stands_in_a_place_of_its_own_and_its_numbers_are_no_sections():
    text = FRONT + (
        "1. Short title.—This is the Act.\n\n2. Fees.—As in the Schedule.\n\n3. End.—So.\n\nTHE FIRST SCHEDULE\n\n[See section 2]\n\n"
        "4. Lamps.—Ten.\n\n5. Buoys.—Five.\n\nTHE SECOND SCHEDULE\n\nForms."
    )
    assert [chunk.id.removeprefix("HarbourLightsAct_") for chunk in chunks(text)] == [
        "1_0",
        "2_0",
        "3_0",
        "ScheduleFirst_0",
        "ScheduleSecond_0",
    ]


def test_asterisks_for_what_was_left_out_are_nothing_to_cite():
    text = FRONT + "* * * * *\n\n1. Short title.—This is the Act.\n\n2. Fees.—None.\n\n3. End.—So."
    assert all("*" not in chunk.text for chunk in chunks(text))


def test_a_repealed_section_can_be_cited_and_defines_nothing():
    text = (
        FRONT
        + "1. Short title.—This is the Act.\n\n2. [Definition of “lamp”.] Rep. by Act 5 of 1970, s. 3.\n\n3. End.—So."
    )
    repealed = sections(text)["2"]
    assert (repealed.labels.title, repealed.kind) == ("Definition of “lamp”", "paragraph")


def test_sections_whose_titles_stand_in_the_margin_get_them():
    words = "of the harbour and of all the lights that are kept there by day and by night for the ships that pass by"
    runs, y = [Text(150, 780, "THE HARBOUR LIGHTS ACT, 1961", 11)], 740.0
    for number, title in enumerate(("Short title.", "Keepers of the lights.", "Fees.", "Repeal and saving."), start=1):
        text = column([f"{number}. (1) This is what is said {words}.", f"(2) And this {words}."], 72, y, 320, 11)
        runs += [*text, Text(420, y, title, 8)]
        y = min(run.y for run in text) - 14
    found = sections(pdf([Sheet(runs)]), "act.pdf")
    assert [(number, chunk.labels.title) for number, chunk in found.items()] == [
        ("1", "Short title"),
        ("2", "Keepers of the lights"),
        ("3", "Fees"),
        ("4", "Repeal and saving"),
    ]
    assert all("for the ships that pass by." in chunk.text for chunk in found.values())
    assert found["2"].section == ("2. Keepers of the lights.",)


REGULATION = """REGULATION (EU) 2031/12 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL
of 3 May 2031
on the lights of harbours (Harbour Lights Regulation)

Whereas:

(1) Lights help ships, as
(3) of another act says.

(2) Ships help trade.

HAVE ADOPTED THIS REGULATION:

CHAPTER I
General provisions

Section 1
Scope

Article 1
Subject-matter
1. This Regulation lays down rules on lights.
2. It protects ships.

Section 2
Terms

Article 2
Definitions
For the purposes of this Regulation:
(1) ‘light’ means a lamp that burns;
(2) ‘harbour’ means a port.

Article 3
Entry into force
It enters into force.
"""


def test_a_regulation_of_the_union_has_recitals_and_articles():
    document, found = document_and_chunks(REGULATION)
    assert (document.labels.kind, document.labels.act, document.labels.code) == (
        "regulation",
        "Harbour Lights Regulation, 2031",
        "EU2031_12",
    )
    assert [chunk.id.removeprefix("EU2031_12_") for chunk in found] == [
        "text_0",
        "R1_0",
        "R2_0",
        "1_0",
        "2_0",
        "2_1",
        "3_0",
    ]
    assert found[1].section == ("Recitals", "Recital 1")
    assert found[3].section == ("CHAPTER I: General provisions", "Section 1: Scope", "Article 1: Subject-matter")
    assert (found[5].text, found[5].kind) == ("(2) ‘harbour’ means a port.", "definition")


def test_the_list_of_a_part_and_reserved_sections_are_no_second_sections():
    text = (
        "Title 45 — Lights\n\nPART 160—LIGHTS\n\nSubpart A—General\n\nSec.\n160.101 Purpose.\n160.102 [Reserved]\n\n"
        "AUTHORITY: 42 U.S.C. 1.\n\n§ 160.101 Purpose.\n\nThe rules keep lights.\n\n§ 160.102 [Reserved]\n\n"
        "Subparts B-C [Reserved]\n\n§ 160.103 End.\n\nSo it ends."
    )
    found = [chunk.id for chunk in chunks(text) if "_text_" not in chunk.id]
    assert found == ["CFR45_160.101_0", "CFR45_160.102_0", "CFR45_160.103_0"]
