"""Acts, judgments, textbooks and plain texts fall into the sections they have."""

import pytest

from tests.unit.ingest.reading import chunks, document_and_chunks, ids

ACT = """ACT: Indian Penal Code, 1860
CODE: IPC

CHAPTER XVII: OFFENCES AGAINST PROPERTY

Section 415. Cheating.
Section 415 defines cheating. Whoever deceives any person cheats.

Section 420. Cheating and dishonestly inducing delivery of property.
Whoever cheats shall be punished, as
Section 417 says for the simple case, with imprisonment.

CHAPTER XVIII
OF OFFENCES RELATING TO DOCUMENTS

Section 463. Forgery.
Whoever makes a false document commits forgery.
"""


def test_an_act_falls_into_sections_with_their_numbers_titles_and_chapters():
    found = {chunk.id: chunk for chunk in chunks(ACT)}
    assert list(found) == ["IPC_415_0", "IPC_420_0", "IPC_463_0"]
    labels = found["IPC_420_0"].labels
    assert (labels.act, labels.year, labels.chapter) == ("Indian Penal Code, 1860", "1860", "XVII")
    assert labels.title == "Cheating and dishonestly inducing delivery of property"
    assert found["IPC_463_0"].labels.chapter_title == "OF OFFENCES RELATING TO DOCUMENTS"
    assert found["IPC_463_0"].section == ("CHAPTER XVIII: OF OFFENCES RELATING TO DOCUMENTS", "Section 463. Forgery.")
    assert found["IPC_415_0"].text.startswith("Section 415. Cheating.\nSection 415 defines")


@pytest.mark.parametrize(
    ("heading", "number", "title"),
    [
        ("Section 420. Cheating.", "420", "Cheating"),
        ("Section 420 IPC – Cheating and more", "420", "Cheating and more"),
        ("Section 498A: Cruelty", "498A", "Cruelty"),
        ("§ 164.514 Other requirements.", "164.514", "Other requirements"),
        ("Article 17. Right to erasure", "17", "Right to erasure"),
        ("Article 17\nRight to erasure", "17", "Right to erasure"),
        ("धारा 420. छल और बेईमानी", "420", "छल और बेईमानी"),
        ("Section 3. Title.—The text goes on here in the same line and is long enough to be no title", "3", "Title"),
    ],
)
def test_a_section_is_known_by_its_heading(heading, number, title):
    chunk = chunks(f"KIND: act\nCODE: A\n\n{heading}\n(1) The words of the law.")[0]
    assert (chunk.labels.section, chunk.labels.title) == (number, title)
    assert chunk.id == f"A_{number}_0"


@pytest.mark.parametrize(
    "line",
    ["Section 420 punishes cheating.", "Section 420(1) is different.", "Sections 5 and 6 apply.", "Part III of it."],
)
def test_a_sentence_about_a_section_begins_none(line):
    assert ids(f"CODE: A\nKIND: act\n\nSection 1. Title.\nText.\n\n{line} More.") == ["A_1_0"]


def test_numbered_headings_of_indian_acts_are_sections_and_lists_within_them_are_not():
    text = "KIND: act\nCODE: A\n\n1. Short title.—This is the Act.\n\n2. Punishments.—They are:\n1. death;\n2. fine.\n\n3. End.—It ends."
    assert ids(text) == ["A_1_0", "A_2_0", "A_3_0"]


def test_a_heading_within_a_section_stays_in_it():
    text = "KIND: act\nCODE: A\n\n## Section 1. Title\n\nText.\n\n### Explanation\n\nMore.\n\n# Other part\n\n## Section 2. End\n\nDone."
    assert [(chunk.id, chunk.section) for chunk in chunks(text, "act.md")] == [
        ("A_1_0", ("Section 1. Title",)),
        ("A_2_0", ("Other part", "Section 2. End")),
    ]


def test_a_table_of_contents_is_not_taken_for_the_sections_themselves():
    text = "KIND: act\nCODE: A\n\nSection 1. Title.\nSection 2. Extent.\n\nSection 1. Title.\nThe Act.\n\nSection 2. Extent.\nAll of it."
    found = {chunk.id: chunk.text for chunk in chunks(text)}
    assert found == {"A_1_0": "Section 1. Title.\nThe Act.", "A_2_0": "Section 2. Extent.\nAll of it."}


def test_a_section_in_the_header_makes_the_file_one_section():
    assert ids("ACT: IPC\nCODE: IPC\nSECTION: 420\n\nWhoever cheats.\n\nAnd more.") == ["IPC_420_0"]


def test_a_judgment_falls_into_numbered_paragraphs():
    text = "COURT: High Court\nCODE: HC\nCASE: 7\nYEAR: 2019\nTITLE: A v. B\n\n1. First point.\n\n2. Second.\n1999. is a year.\n\n3. Third."
    document, found = document_and_chunks(text)
    assert [chunk.id for chunk in found] == ["HC_7_2019_0", "HC_7_2019_1", "HC_7_2019_2"]
    assert (document.labels.kind, found[1].labels.section, found[1].section) == ("judgment", None, ("A v. B", "2"))


TEXTBOOK = """BOOK: Mathematics
CODE: Maths10
CLASS: 10
SUBJECT: mathematics

<!-- page 95 -->
# Chapter 5: Progressions

## 5.1 Steps

A first paragraph.

### Definition: Progression

A progression is a list.

<!-- page 96 -->
### Example 1

Find d.

Solution: It is 7.

## Summary

All in all.
"""


def test_a_textbook_keeps_definitions_and_examples_whole_with_their_pages():
    found = chunks(TEXTBOOK, "book.md")
    assert [(c.id, c.kind, c.page) for c in found] == [
        ("Maths10_5.1_0", "paragraph", 95),
        ("Maths10_5.1_1", "definition", 95),
        ("Maths10_5.1_2", "example", 96),
        ("Maths10_Summary_0", "paragraph", 96),
    ]
    assert found[2].text == "Example 1\n\nFind d.\n\nSolution: It is 7."
    assert (found[2].labels.chapter, found[2].labels.chapter_title, found[2].labels.class_number) == (
        "5",
        "Progressions",
        10,
    )
    assert found[2].section == ("Chapter 5: Progressions", "5.1 Steps", "Example 1")
    assert "page" not in " ".join(chunk.text for chunk in found)


def test_hindi_headings_name_the_kind_of_a_block():
    text = "CLASS: 10\nCODE: ग10\n\n## 5.1 पद\n\n### परिभाषा: पद\n\nपद एक संख्या है।\n\n### प्रश्नावली 5.1\n\n1. ज्ञात कीजिए।"
    found = chunks(text, "book.md")
    assert [chunk.kind for chunk in found] == ["definition", "exercise"]
    assert {chunk.labels.language for chunk in found} == {"hi"}


def test_headings_of_a_plain_document_name_its_sections():
    text = "# Guide\n\n## Getting started\n\nInstall it.\n\n## 2.1 Use\n\nUse it.\n\n## Getting started\n\nAgain."
    assert ids(text, "my-notes.md") == ["MyNotes_GettingStarted_0", "MyNotes_2.1_0", "MyNotes_GettingStarted_1"]


def test_a_text_without_structure_is_one_section():
    assert ids("Just some words.\n\nAnd more.", "notes.txt") == ["Notes_text_0"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Section 420. Cheating.\nWhoever cheats.", "act"),
        ("A Ltd v. B Ltd\n\n1. One.\n\n2. Two.\n\n3. Three.", "judgment"),
        ("## Example 1\n\na\n\n## Example 2\n\nb\n\n## Theorem 1\n\nc", "textbook"),
        ("Section 420 is discussed here.", "text"),
    ],
)
def test_the_kind_is_guessed_where_the_file_does_not_say(text, kind):
    assert document_and_chunks(text, "a.md")[0].labels.kind == kind


def test_a_heading_that_says_something_is_a_passage_though_nothing_stands_below_it():
    rules = chunks(
        "# Rules of the house\n\n## No smoking in the office\n\n## Badges\n\n## Who to ask if lost\n\nCall us.\n\n"
        "## Doors close at six sharp\n",
        "a.md",
    )
    assert [(chunk.section, chunk.text) for chunk in rules] == [
        (("Rules of the house", "No smoking in the office"), "No smoking in the office"),
        (("Rules of the house", "Who to ask if lost"), "Who to ask if lost\n\nCall us."),
        (("Rules of the house", "Doors close at six sharp"), "Doors close at six sharp"),
    ]


def test_a_document_of_headings_alone_still_has_text():
    assert ids("KIND: textbook\n\n# One\n\n## Two", "a.md") == ["A_text_0"]


HANDBOOK = """# Handbook

## Pay

Wages are paid on the last day of the month.

## Office rules

None of the following is permitted:

1. Employees may work from home.
2. Employees may bring pets to the office.
3. Visitors may park in the yard.

## Travel

Train tickets are paid for by the firm.
"""


@pytest.mark.parametrize("text", [HANDBOOK, HANDBOOK.replace("#", "").replace("\n\n", "\n")])
def test_a_numbered_list_makes_no_act_of_a_text_and_nothing_is_lost(text: str):
    document, found = document_and_chunks(text)
    assert document.labels.kind == "text"
    held = "\n".join(chunk.text for chunk in found)
    for line in filter(None, (line.strip("# ") for line in HANDBOOK.split("\n"))):
        assert line in held or line == "Handbook"
    assert any("None of the following" in c.text and "bring pets" in c.text for c in found)


def test_what_is_said_before_the_first_section_of_an_act_is_kept_however_short():
    text = "ACT: The Fees Act, 2001\n\nThe fee is ten rupees.\n\nSection 1. Title.\nThis is the Fees Act.\n"
    assert any("The fee is ten rupees." in chunk.text for chunk in chunks(text))


PLAIN_HANDBOOK = """HARTLEY STAFF HANDBOOK

1. Working hours

The normal week is 37.5 hours.

2. Reporting an accident

To report an accident:
1. Tell the first aider.
2. Write it in the red book.

3. Expenses

Claims are submitted within 60 days.
"""


def test_numbered_lines_between_blank_lines_are_headings_and_list_items_are_not():
    assert ids(PLAIN_HANDBOOK, "handbook.txt") == ["Handbook_1_0", "Handbook_2_0", "Handbook_3_0"]
    assert chunks(PLAIN_HANDBOOK)[1].section == ("HARTLEY STAFF HANDBOOK", "2. Reporting an accident")


PLAIN_LEASE = """Tenancy of 14 Mill Lane

1. Term
The tenancy lasts twelve months from May.

2. Rent and deposit
The rent is 9,000 rupees a month.
The tenant brings on the first day:
1. The deposit
2. Two photographs

3. Ending the tenancy
3.1 Notice
Either side may give notice of two months.
3.2 Leaving early
A tenant who leaves early pays one month's rent.

4. Repairs
4.1 Roof
The landlord repairs the roof.
4.2 The tenant repairs small damage at once.
"""


def test_numbered_headings_right_above_their_text_are_sections_and_numbered_items_and_clauses_are_not():
    found = chunks(PLAIN_LEASE, "lease.txt")
    assert {chunk.section[0] for chunk in found} == {"Tenancy of 14 Mill Lane"}
    assert [chunk.section[1:] for chunk in found] == [
        ("1. Term",),
        ("2. Rent and deposit",),
        ("3. Ending the tenancy", "3.1 Notice"),
        ("3. Ending the tenancy", "3.2 Leaving early"),
        ("4. Repairs",),
    ]
    assert found[1].text.endswith("1. The deposit\n2. Two photographs")
    assert "4.1 Roof" in found[-1].text, "4.2 is a clause, so that 4.1 is no section either"


MINUTES = """Minutes of the committee

1. Finances
The balance is £2,415.60 and was approved by all members.

2. Bonfires
Bonfires are banned from 1 May to 30 September.

Action points
- Peter Novak: quotes by 30 April
- Bea Holloway: plant sale

Next meeting: Tuesday 12 May 2026 at 7:00 pm
"""


def test_what_follows_the_last_numbered_section_under_its_own_heading_is_not_part_of_it():
    found = chunks(MINUTES, "minutes.txt")
    assert [(chunk.section[-1], chunk.text.splitlines()[-1]) for chunk in found[1:]] == [
        ("2. Bonfires", "Bonfires are banned from 1 May to 30 September."),
        ("Action points", "- Bea Holloway: plant sale"),
        ("Next meeting", "Next meeting: Tuesday 12 May 2026 at 7:00 pm"),
    ]


def test_a_heading_without_a_number_is_part_of_a_numbered_section_if_an_earlier_one_has_some_too():
    text = MINUTES.replace("by all members.", "by all members.\n\nAction points\n- Lucy Tan: letters")
    assert [chunk.section[-1] for chunk in chunks(text, "minutes.txt")] == ["1. Finances", "2. Bonfires"]


def test_the_last_lines_of_a_numbered_section_stay_in_it():
    text = MINUTES.replace("Action points\n- Peter", "Peter")
    assert [chunk.section[-1] for chunk in chunks(text, "minutes.txt")] == ["1. Finances", "2. Bonfires"]


LEAFLET = """Dolorin 400 mg film-coated tablets

1. What Dolorin is and what it is used for
Dolorin contains ibuprofen. It is used for the short-term treatment of pain and of fever.

2. What you need to know before you take Dolorin
Do not take Dolorin if you have a stomach ulcer.

Driving: Dolorin may cause dizziness or tiredness.

3. How to take Dolorin
Take one tablet when needed, with a glass of water.
"""


def test_a_numbered_heading_of_many_words_does_not_lose_the_sections_of_the_whole_text():
    assert [chunk.section[-1:] for chunk in chunks(LEAFLET, "leaflet.txt")] == [
        ("1. What Dolorin is and what it is used for",),
        ("2. What you need to know before you take Dolorin",),
        ("3. How to take Dolorin",),
    ]


def test_lines_in_capitals_between_blank_lines_are_headings():
    found = chunks("OPENING HOURS\n\nWe open at nine.\n\nPARKING\n\nThe yard has twelve places.\n")
    assert [chunk.labels.title for chunk in found] == ["OPENING HOURS", "PARKING"]


def test_short_lines_above_paragraphs_of_sentences_are_headings_from_three_on():
    rules = [
        f"{name}\n\nThere are rules for this, and all keep them." for name in ("Permits", "Charging cars", "Fines")
    ]
    found = chunks("PARKING AT THE DEPOT\n\nThe yard has twelve places.\n\n" + "\n\n".join(rules))
    assert [chunk.section[1:] for chunk in found] == [(), ("Permits",), ("Charging cars",), ("Fines",)]
    assert {chunk.section[0] for chunk in found} == {"PARKING AT THE DEPOT"}
    assert [chunk.section for chunk in chunks("\n\n".join(rules))] == [("Permits",), ("Charging cars",), ("Fines",)]
    assert [chunk.section for chunk in chunks("\n\n".join(rules[:2]))] == [()]


@pytest.mark.parametrize(
    "text",
    [
        "Shopping list\n\n1. Milk\n\n2. Bread\n\n4. Eggs\n\nThat is all.\n",
        "PARKING\n\nThe yard has twelve places.\n",
        "Dear all\n\nWe open at nine.\n\nKind regards\n\nThe office\n",
        "OPENING HOURS\nWe open at nine.\nPARKING\nThe yard has twelve places.\n",
        "Agenda of the meeting\n\n1. Budget\n\n2. New staff\n\n3. Any other matter\n\nThe meeting begins at nine.\n",
        "To the pool\n\n1. Take bus 7\n2. Get off at the mill\n3. Cross the bridge\nThe pool is on the left side.\n",
        "1. Bread with\nbutter that is fresh and salted.\n2. Milk from\nthe farm behind the hill.\n",
        "1. Milk\nTwo litres\n2. Flour\nHalf a kilo\n",
        "1. Buyers pay for all goods by bank transfer to the account of\nAcme Ltd within thirty days of delivery.\n\n"
        "2. Goods remain the property of Acme Ltd until they are paid to\nAcme Ltd in full by the buyer.\n",
        "1. Box\nOpen the box with a knife.\n2. Foam\nThrow the foam away.\n1. Use\nPress the red button now.\n",
    ],
    ids=[
        "a number is missing",
        "one alone",
        "a letter",
        "no blank lines",
        "items without text",
        "steps",
        "wrapped items",
        "items with an amount",
        "wrapped paragraphs",
        "numbers begin again",
    ],
)
def test_a_plain_text_without_clear_headings_is_one_passage(text: str):
    assert [chunk.section for chunk in chunks(text, "note.txt")] == [()]


PARTS = "<h1>Income</h1><h2>Print</h2><p>It grew.</p><h1>Costs</h1><h2>Paper</h2><p>They fell.</p>"


@pytest.mark.parametrize(
    ("page", "above"),
    [
        (f"<head><title>Yearly report</title></head>{PARTS}", "Yearly report"),
        (PARTS, "r2022"),  # "Income" is not the title of the report
        (f"<head><title>Site</title></head><h1>Report</h1>{PARTS.replace('h2', 'h3').replace('h1', 'h2')}", "Report"),
    ],
)
def test_the_title_of_a_file_is_above_its_headings_unless_one_of_them_is(page, above):
    assert {chunk.section[0] for chunk in chunks(f"<html>{page}</html>", "r2022.html")} == {above}
