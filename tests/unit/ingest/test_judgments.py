"""Judgments fall into their numbered paragraphs, under the court and the parties they name."""

import pytest

from tests.unit.ingest.pdf_writer import Sheet, Text, column, pdf
from tests.unit.ingest.reading import document_and_chunks

FACTS = "1. Leave granted. The appellant keeps the lamps of the harbour, and the respondent pays for the oil."
JUDGMENT = f"""REPORTABLE

IN THE SUPREME COURT OF COASTLAND

CIVIL APPEAL NO. 4321 OF 2019

HARBOUR MASTERS LTD. ...APPELLANT(S)

VERSUS

STATE OF COASTLAND ...RESPONDENT(S)

J U D G M E N T

A. Facts

{FACTS}

2. The dispute is about two years:
1. the first, and
2. the second.

B. Law

3. The appeal is allowed.
"""


def test_a_judgment_without_a_header_is_known_by_its_front():
    document, found = document_and_chunks(JUDGMENT)
    labels = document.labels
    assert (labels.kind, labels.court, labels.year) == ("judgment", "Supreme Court of Coastland", "2019")
    assert labels.title == "Harbour Masters Ltd v. State of Coastland"
    assert [(chunk.id, chunk.section[1:]) for chunk in found] == [
        ("HarbourMastersLtdVStateOfCoastland_1_0", ("A. Facts", "1")),
        ("HarbourMastersLtdVStateOfCoastland_2_0", ("A. Facts", "2")),
        ("HarbourMastersLtdVStateOfCoastland_3_0", ("B. Law", "3")),
    ]
    assert "2. the second." in found[1].text


def test_the_headnote_stands_apart_from_the_paragraphs():
    text = "Lamps Ltd v. Oils Ltd\n\nHEADNOTE\n\nLamps must be lit.\n\n[1] One.\n\n[2] Two.\n\n[3] Three."
    assert [(chunk.id, chunk.section) for chunk in document_and_chunks(text)[1]] == [
        ("LampsLtdVOilsLtd_headnote_0", ("Lamps Ltd v. Oils Ltd", "HEADNOTE")),
        ("LampsLtdVOilsLtd_1_0", ("Lamps Ltd v. Oils Ltd", "1")),
        ("LampsLtdVOilsLtd_2_0", ("Lamps Ltd v. Oils Ltd", "2")),
        ("LampsLtdVOilsLtd_3_0", ("Lamps Ltd v. Oils Ltd", "3")),
    ]


def test_a_paragraph_keeps_its_id_when_the_headnote_grows():
    def of(headnote):
        text = f"Lamps Ltd v. Oils Ltd\n\nHEADNOTE\n\n{headnote}\n\n1. One.\n\n2. Two.\n\n3. Three."
        return {chunk.id: chunk.text for chunk in document_and_chunks(text)[1] if "headnote" not in chunk.id}

    assert of("Short.") == of("A longer one. " * 300)


@pytest.mark.parametrize(
    "line", ["Lamps Ltd vs. Oils Ltd", "LAMPS LTD. VERSUS OILS LTD.", "Lamps Ltd v. Oils Ltd ...Respondents"]
)
def test_parties_on_one_line_are_named_alike(line):
    assert (
        document_and_chunks(f"{line}\n\n1. One.\n\n2. Two.\n\n3. Three.")[0].labels.title.lower()
        == "lamps ltd v. oils ltd"
    )


def test_the_pages_of_a_judgment_give_the_same_paragraphs():
    front = [Text(180, 800, "IN THE SUPREME COURT OF COASTLAND", 11), Text(230, 770, "Lamps Ltd v. Oils Ltd", 11)]
    body = column(
        [FACTS * 2, "2. The dispute is about the price of oil. " * 3, "3. The appeal is allowed. " * 4],
        72,
        730,
        440,
        11,
    )
    document, found = document_and_chunks(pdf([Sheet([*front, *body])]), "judgment.pdf")
    assert document.labels.court == "Supreme Court of Coastland"
    assert [chunk.id for chunk in found] == [f"LampsLtdVOilsLtd_{number}_0" for number in (1, 2, 3)]


def test_the_last_line_of_a_judgment_is_a_passage_though_it_is_all_in_capitals():
    text = "Lamps Ltd v. Oils Ltd\n\n1. One.\n\nB. THE LAW\n\n2. Two.\n\n3. Three.\n\nAPPEAL DISMISSED."
    found = document_and_chunks(text)[1]
    assert [chunk.text for chunk in found] == ["1. One.", "2. Two.", "3. Three.", "APPEAL DISMISSED."]
    assert found[-1].id == "LampsLtdVOilsLtd_text_0"
