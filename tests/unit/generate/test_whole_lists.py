"""Tables and lists that a question asks for as a whole: all their rows or items, and single ones where it names them."""

from dataclasses import replace

import pytest

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import Span
from footnotary.generate.extractive.hit_splitting import candidate_sentences
from footnotary.generate.extractive.whole_lists import with_whole_lists
from footnotary.testing.builders import chunk_of, evidence_of

CLUBS = (
    "| Club: Chess | Day: Monday | Cost: £20 |",
    "| Club: Choir | Day: Tuesday | Cost: free |",
    "| Club: Football | Day: Wednesday | Cost: £25 |",
    "| Club: Coding | Day: Thursday | Cost: £30 |",
)
GIFTS = (
    "Gifts worth up to 50 EUR may be accepted without approval.",
    "Gifts worth more than 50 EUR need the approval of the line manager.",
    "Cash and vouchers must never be accepted.",
)


def completed(question: str, first: str, *texts: str, title: str = "", is_certain: bool = False) -> list[str]:
    """The texts of the completed answer, if the sentence `first` was chosen."""
    section = ("Handbook", title) if title else ()
    chunks: list[Chunk] = []
    for at, text in enumerate(texts):
        chunk = chunk_of(f"R_{at}_0", text)
        start = chunks[-1].span.end if chunks else 0
        labels = replace(chunk.labels, title=title or None)
        span = Span(start, start + len(text))
        chunks.append(replace(chunk, document_id="r", section=section, labels=labels, span=span))
    passages = [each for hit in evidence_of(question, *chunks).hits for each in candidate_sentences(hit)]
    chosen = [each for each in passages if each.text == first]
    return [each.text for each in with_whole_lists(chosen, passages, question, is_certain=is_certain)]


def of_clubs(question: str, title: str = "") -> list[str]:
    return completed(question, CLUBS[0], "\n".join(["| Club | Day | Cost |", *CLUBS]), title=title, is_certain=True)


def of_gifts(question: str, *, is_certain: bool = False) -> list[str]:
    items = "\n".join(f"- {gift}" for gift in GIFTS)
    return completed(question, GIFTS[1], items, title="3. Gifts and hospitality", is_certain=is_certain)


@pytest.mark.parametrize(
    "question",
    [
        "Which clubs are there?",
        "What are the costs of the clubs?",
        "List all clubs.",
        "What do the documents say about clubs?",
    ],
)
def test_a_question_for_a_whole_table_does_not_get_some_of_its_rows(question):
    assert of_clubs(question) == list(CLUBS)


@pytest.mark.parametrize(
    "question",
    [
        "What clubs are there on Mondays?",
        "Which clubs are free?",
        "Which clubs do not cost anything?",
        "What are the costs of chess?",
        "Which clubs are for beginners?",
        "How much does the club cost?",
        "What is the cost of the club?",
    ],
)
def test_a_question_that_distinguishes_rows_does_not_get_the_whole_table(question):
    assert of_clubs(question) == [CLUBS[0]]


def test_words_of_the_heading_ask_for_the_whole_table():
    assert of_clubs("What are the activities?") == [CLUBS[0]]
    assert of_clubs("What are the activities?", title="Activities") == list(CLUBS)


def test_a_table_that_runs_over_passages_is_given_from_its_first_row():
    found = completed("Which clubs are there?", CLUBS[3], "\n".join(CLUBS[:2]), "\n".join(CLUBS[2:]))
    assert found == list(CLUBS)


def test_a_table_too_long_for_an_answer_stays_as_chosen():
    rows = [f"| Club: {n} | Notes: {'very long ' * 40} |".replace("  ", " ") for n in range(9)]
    assert completed("Which clubs are there?", rows[0], "\n".join(rows)) == [rows[0]]


def test_a_question_for_all_rules_does_not_get_one_item_of_the_list():
    assert of_gifts("What are the rules for gifts?") == list(GIFTS)
    assert of_gifts("What are the rules for gifts?", is_certain=True) == [GIFTS[1]]


@pytest.mark.parametrize(
    "question", ["What are the rules for cash?", "What are the rules?", "Who must approve a gift?", "What is a gift?"]
)
def test_a_question_that_is_not_about_the_section_does_not_get_the_whole_list(question):
    assert of_gifts(question) == [GIFTS[1]]
