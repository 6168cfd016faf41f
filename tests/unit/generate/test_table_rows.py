"""Rows of tables that say their headings: given alone, and the row that the question names before any other."""

from dataclasses import replace

import pytest

from footnotary.generate.extractive.excerpts import excerpts_of, with_best_rows
from footnotary.generate.extractive.hit_splitting import candidate_sentences
from footnotary.testing.builders import chunk_of, evidence_of

QUESTION = "What was total revenue in fiscal 2022?"
MEDIA = "Segment: digital media | Fiscal 2022 revenue: $12,842 | Fiscal 2021 revenue: $11,520"
TOTAL = "Segment: total revenue | Fiscal 2022 revenue: $17,606 | Fiscal 2021 revenue: $15,785"
PLAIN = "Revenue\n\nSegment | Fiscal 2022 revenue | Fiscal 2021 revenue"


def read(*texts: str, question: str = QUESTION, documents: tuple[str, ...] = ("a", "a")):
    chunks = [replace(chunk_of(f"R_{at}_0", text), document_id=documents[at]) for at, text in enumerate(texts)]
    evidence = evidence_of(question, *chunks, profile="default")
    passages = [passage for hit in evidence.hits for passage in candidate_sentences(hit)]
    (facet,) = evidence.query.facets
    return facet, passages, {passage.text: passage for passage in passages}


def test_the_row_of_the_total_takes_the_place_of_a_segment():
    facet, passages, by_text = read(f"{PLAIN}\n{MEDIA}\n{TOTAL}")
    assert with_best_rows([by_text[MEDIA]], passages, facet) == [by_text[TOTAL]]
    assert with_best_rows([by_text[MEDIA], by_text[TOTAL]], passages, facet) == [by_text[TOTAL]]


def test_the_better_row_may_be_in_another_passage_but_not_in_another_document():
    facet, passages, by_text = read(f"{PLAIN}\n{MEDIA}", f"{PLAIN}\n{TOTAL}")
    assert with_best_rows([by_text[MEDIA]], passages, facet) == [by_text[TOTAL]]
    facet, passages, by_text = read(f"{PLAIN}\n{MEDIA}", f"{PLAIN}\n{TOTAL}", documents=("a", "b"))
    assert with_best_rows([by_text[MEDIA]], passages, facet) == [by_text[MEDIA]]


def test_rows_that_the_question_does_not_tell_apart_stay():
    facet, passages, by_text = read(f"{PLAIN}\n{MEDIA}\n{TOTAL}", question="What was the revenue in fiscal 2022?")
    assert with_best_rows([by_text[MEDIA], by_text[TOTAL]], passages, facet) == [by_text[MEDIA], by_text[TOTAL]]


def test_a_row_that_says_its_headings_is_given_without_the_rows_above_it():
    facet, passages, by_text = read(f"{PLAIN}\n{MEDIA}\n{TOTAL}")
    assert [excerpt.text for excerpt in excerpts_of([by_text[TOTAL]], passages, facet)] == [TOTAL]


@pytest.mark.parametrize("frame", ["{}", "| {} |"])
def test_the_header_of_a_table_was_the_answer_to_a_question_for_its_rows(frame):
    header, row = (
        frame.format("Member | Fee | Locker"),
        frame.format("Member: Adult | Fee: 240 euros | Locker: 30 euros"),
    )
    _, passages, _ = read(f"{header}\n{row}", question="What are the fees?")
    assert [passage.text for passage in passages] == [row]


def test_a_row_above_rows_that_do_not_say_its_headings_stays():
    _, passages, _ = read("Interest rate | 4.25%\nTerm: fixed | 5 years", question="What is the interest rate?")
    assert [passage.text for passage in passages] == ["Interest rate | 4.25%", "Term: fixed | 5 years"]


def test_a_row_of_markdown_is_given_alone_also_with_a_unit_behind_it():
    row = "| Segment: Devices | Fiscal 2021: 845 | Fiscal 2022: 790 {} |"
    for devices in (row.format("(in millions)"), row.format("").replace("790  |", "790 | (in millions)")):
        cloud = "| Segment: Cloud | Fiscal 2021: 1,204 | Fiscal 2022: 1,587 |"
        facet, passages, by_text = read(f"| Segment | Fiscal 2021 | Fiscal 2022 |\n{cloud}\n{devices}")
        assert [excerpt.text for excerpt in excerpts_of([by_text[devices]], passages, facet)] == [devices]


@pytest.mark.parametrize("frame", ["{}", "| {} |"])
@pytest.mark.parametrize(
    "row",
    [
        "Item: Table | | Price: 85 EUR | Stock: no",
        "Item: Table | | | Stock: no",
        "Item: Table | Colour: red | Price: 85 EUR | ",
        "Item: Table |  | Price: 85 EUR | Stock: no",
    ],
)
def test_a_row_with_an_empty_cell_is_given_without_the_rows_above_it(row, frame):
    header, chair, table = (
        frame.format(text).strip()
        for text in ("Item | Colour | Price | Stock", "Item: Chair | Colour: red | Price: 20 EUR | Stock: yes", row)
    )
    facet, passages, by_text = read(f"{header}\n{chair}\n{table}", question="What is the price of the table?")
    assert [excerpt.text for excerpt in excerpts_of([by_text[table]], passages, facet)] == [table]


def test_a_row_that_is_called_a_total_by_another_word_takes_the_place_of_a_segment():
    whole = "Segment: Consolidated | Fiscal 2022 revenue: $17,606 | Fiscal 2021 revenue: $15,785"
    facet, passages, by_text = read(f"{PLAIN}\n{MEDIA}\n{whole}")
    assert with_best_rows([by_text[MEDIA]], passages, facet) == [by_text[whole]]
    facet, passages, by_text = read(f"{PLAIN}\n{MEDIA}\n{whole}", question="What was digital media revenue in 2022?")
    assert with_best_rows([by_text[MEDIA]], passages, facet) == [by_text[MEDIA]]


def test_rows_that_begin_in_lower_case_are_not_joined():
    _, _, by_text = read("Item | Fee\nlamp | 5\ndesk | 9")
    assert {"lamp | 5", "desk | 9"} <= set(by_text)


def test_a_row_whose_heading_has_a_time_of_day_is_given_without_the_rows_above_it():
    monday = "| Day: Monday | Early (6:00-14:00): Amir | Off: Carl |"
    tuesday = "| Day: Tuesday | Early (6:00-14:00): Beth | Off: Amir |"
    facet, passages, by_text = read(f"| Day | Early (6:00-14:00) | Off |\n{monday}\n{tuesday}")
    assert [excerpt.text for excerpt in excerpts_of([by_text[tuesday]], passages, facet)] == [tuesday]


def test_a_table_of_which_most_rows_are_chosen_is_given_whole():
    basic, plus, flex = (
        f"| Plan: {name} | Sauna: {sauna} |" for name, sauna in (("A", "no"), ("B", "yes"), ("C", "yes"))
    )
    facet, passages, by_text = read(f"| Plan | Sauna |\n{basic}\n{plus}\n{flex}")
    found = excerpts_of([by_text[basic], by_text[plus]], passages, facet)
    assert [excerpt.text for excerpt in found] == [f"{basic}\n{plus}\n{flex}"]
    assert [excerpt.text for excerpt in excerpts_of([by_text[flex]], passages, facet)] == [flex]


def test_a_line_of_a_form_is_given_alone_and_a_row_below_headings_is_not():
    form = "Loan\n\nAmount | 250,000\nInterest rate | 4.25%\nYears | 15"
    facet, passages, by_text = read(form, question="What is the interest rate of the loan?")
    rate = by_text["Interest rate | 4.25%"]
    assert [excerpt.text for excerpt in excerpts_of([rate], passages, facet)] == ["Interest rate | 4.25%"]
    facet, passages, by_text = read(
        form.replace("Amount | 250,000", "Item | Value"), question="What is the interest rate?"
    )
    (excerpt,) = excerpts_of([by_text["Interest rate | 4.25%"]], passages, facet)
    assert excerpt.text == "Item | Value\nInterest rate | 4.25%"
