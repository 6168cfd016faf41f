"""Chapters of a textbook as they are printed: numbered sections, and blocks that stay whole and typed."""

import pytest

from tests.unit.ingest.pdf_writer import Sheet, Text, column, pdf
from tests.unit.ingest.reading import document_and_chunks

PROSE = "The steps of a stair are all of one height, and so we can tell how high it is from how many there are."
PARAGRAPHS = (
    f"3.1 Introduction\n{PROSE} {PROSE}\n3.2 Steps\n{PROSE}\nExample 1 : How high are ten steps of 5 cm?\nSolution : They are 50 cm high. {PROSE}"
    f"\n4.8 + x = 3.6 by what was said\nRemark : The ground is no step. {PROSE}\nTheorem 3.1 (Rule of the stair) : The height is the number times the step."
    f"\nProof : Add them one by one. {PROSE}\nActivity 1 : Count the steps of your school. {PROSE}\nEXERCISE 3.1\n1. How high are 20 steps of 4 cm?\n2. How many are 80 cm?"
    f"\n3.3 Summary\nIn this chapter, you have studied stairs. {PROSE}"
).split("\n")


def chapter(title="STAIRS AND LADDERS 3", paragraphs=PARAGRAPHS):
    runs, y = [Text(220, 800, title, 16)], 750.0
    sheets = []
    for paragraph in paragraphs:
        lines = column([paragraph], 72, y, 440, 11)
        if lines[-1].y < 60:
            sheets.append(Sheet(runs))
            runs, y = [], 780.0
            lines = column([paragraph], 72, y, 440, 11)
        runs += lines
        y = lines[-1].y - 24
    return document_and_chunks(pdf([*sheets, Sheet(runs)]), "stairs.pdf")


def test_a_printed_chapter_falls_into_sections_and_typed_blocks():
    document, found = chapter()
    assert document.labels.kind == "textbook"
    assert [(chunk.labels.section, chunk.kind, chunk.section[-1]) for chunk in found] == [
        ("3.1", "paragraph", "3.1 Introduction"),
        ("3.2", "paragraph", "3.2 Steps"),
        ("3.2", "example", "Example 1"),
        ("3.2", "explanation", "Remark"),
        ("3.2", "theorem", "Theorem 3.1 (Rule of the stair)"),
        ("3.2", "exercise", "Activity 1"),
        ("3.2", "exercise", "EXERCISE 3.1"),
        ("3.3", "paragraph", "3.3 Summary"),
    ]
    assert {(chunk.labels.chapter, chunk.labels.chapter_title) for chunk in found} == {("3", "STAIRS AND LADDERS")}
    assert {chunk.section[0] for chunk in found} == {"Chapter 3: STAIRS AND LADDERS"}


def test_a_solution_stays_with_its_example_and_a_proof_with_its_theorem():
    found = {chunk.section[-1]: chunk.text for chunk in chapter()[1]}
    assert "Solution : They are 50 cm high." in found["Example 1"]
    assert "Proof : Add them" in found["Theorem 3.1 (Rule of the stair)"]
    assert "2. How many are 80 cm?" in found["EXERCISE 3.1"]


@pytest.mark.parametrize("title", ["STAIRS AND 3 LADDERS", "STAIRS AND LADDERS3"])
def test_the_number_of_a_chapter_may_stand_anywhere_in_its_title(title):
    assert chapter(title)[1][0].labels.chapter_title == "STAIRS AND LADDERS"


def test_a_chapter_named_by_its_number_has_its_title_below():
    paragraphs = ["Stairs and Ladders", *PARAGRAPHS]
    found = chapter("CHAPTER3", paragraphs)[1]
    assert (found[0].labels.chapter, found[0].labels.chapter_title) == ("3", "Stairs and Ladders")


def test_figures_that_look_like_a_section_are_none():
    found = chapter(paragraphs=[*PARAGRAPHS[:4], "3.9 Volt is too much", "12.5 Metres of rope", *PARAGRAPHS[4:]])[1]
    assert [chunk.labels.section for chunk in found if chunk.kind == "paragraph"] == ["3.1", "3.2", "3.3"]


def test_an_example_that_begins_within_a_line_is_one():
    found = chapter(
        paragraphs=[*PARAGRAPHS[:6], f"{PROSE} Example 2 : What is the step? It is 4 cm.", *PARAGRAPHS[6:]]
    )[1]
    assert [chunk.section[-1] for chunk in found if chunk.kind == "example"] == ["Example 1", "Example 2"]
    assert next(chunk.text for chunk in found if chunk.section[-1] == "Example 2").startswith("Example 2 :")


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("E X E R C I S E S", "exercise"),
        ("Example 10* : Find it.", "example"),
        ("Activity 1.8 Take some oil.", "exercise"),
        ("Remarks :", "explanation"),
        ("Activity 1.1 can be described as a test.", None),
        ("Example shows that it is so.", None),
        ("Remark that it is so.", None),
    ],
)
def test_a_block_is_known_by_how_it_is_announced(line, kind):
    text = f"CLASS: 10\nCODE: M\n\n## 3.1 Steps\n\n{PROSE}\n\n{line}\n\n{PROSE}\n"
    kinds = [chunk.kind for chunk in document_and_chunks(text, "book.md")[1]]
    assert kinds == (["paragraph"] if kind is None else ["paragraph", kind])
