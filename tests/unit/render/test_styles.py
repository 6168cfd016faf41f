"""Every style writes the same claims and reads them back."""

from dataclasses import replace

import pytest

from footnotary.domain.document import Labels
from footnotary.domain.draft import Claim
from footnotary.domain.identity import Span
from footnotary.domain.outcome import Answer, Citation
from footnotary.domain.verdict import Verdict
from footnotary.render.answer_text import render, slot_numbers, source_numbers, text_without_markers
from footnotary.render.citation_styles import full_source_name
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.text.citations.markers import cited_units
from tests.support.rendered_answers import parse_rendered

A = chunk_of(
    "Maths10_5.1_0",
    "A progression grows by a step.",
    kind="textbook",
    chapter="5",
    act="Demo Mathematics",
    chapter_title="Arithmetic Progressions",
    class_number=10,
)
B = chunk_of("IPC_420_0", "Cheating is punished [see note] with up to 7 years.", act="Indian Penal Code, 1860")


def answer_of(*claims):
    evidence = evidence_of("What is it about?", A, B)
    chunks = {A.id: A, B.id: B}
    citations, start = [], 0
    for number, claim in enumerate(claims):
        span = Span(start, start + len(claim.text))
        start = span.end + 1
        for cited in claim.cites:
            chunk = chunks[cited]
            citations.append(
                Citation(cited, number, chunk.text, Span(0, len(chunk.text)), None, span, 95 if chunk is A else None,
                         chunk.document_id, "0" * 64, "x", 0.9, chunk.labels)
            )  # fmt: skip
    return Answer(evidence.query, claims, tuple(citations), evidence, (Verdict.passed("all"),), 0.9, "test", "t", "d")


ANSWER = answer_of(
    Claim("A progression grows by a step.", (A.id,)),
    Claim("Cheating is punished [see note] with up to 7 years.", (B.id,)),
    Claim("Both are in the books.", (A.id, B.id)),
)


@pytest.mark.parametrize(
    ("style", "body"),
    [
        ("semantic_id", "A progression grows by a step [Maths10_5.1_0]."),
        ("source_id", "A progression grows by a step [SOURCE: Maths10_5.1_0]."),
        ("source_number", "A progression grows by a step [Source 1]."),
        ("number", "A progression grows by a step [1]."),
        ("footnote", "A progression grows by a step [^1]."),
        ("simple", "A progression grows by a step (Chapter 5, Page 95)."),
        ("full", "A progression grows by a step [Source 1]."),
    ],
)
def test_a_style_marks_its_claims(style, body):
    assert render(ANSWER, style).body.startswith(body)


def test_a_list_below_its_heading_has_no_line_with_one_space():
    prices = answer_of(Claim("Admission\n\n• Adults: £5.80\n• Children: £3.20", (A.id,)))
    marker = "[Maths10_5.1_0]"
    body = f"Admission {marker}\n• Adults: £5.80 {marker}\n• Children: £3.20 {marker}"
    assert render(prices, "semantic_id").body == body


def test_the_full_list_names_book_class_chapter_and_page():
    assert render(ANSWER, "full").sources == (
        "**Sources:**",
        "- Source 1: Demo Mathematics, Class 10, Chapter 5 (Arithmetic Progressions), Page 95",
        "- Source 2: Indian Penal Code, 1860, Section 420",
    )


@pytest.mark.parametrize("style", ["semantic_id", "source_id", "source_number", "number", "footnote", "full"])
def test_what_is_rendered_reads_back(style):
    numbers = {number: cited for cited, number in source_numbers(ANSWER).items()}
    assert parse_rendered(render(ANSWER, style).body, numbers, style) == ANSWER.claims


def test_two_sources_are_grouped_by_number_and_side_by_side_by_id():
    assert "[1, 2]" in render(ANSWER, "number").body
    assert "[Maths10_5.1_0][IPC_420_0]" in render(ANSWER, "semantic_id").body


def test_stripped_text_has_no_marker():
    assert text_without_markers(ANSWER) == " ".join(claim.text for claim in ANSWER.claims)


def test_a_list_stands_on_lines_of_its_own_and_every_line_is_cited():
    listed = answer_of(
        Claim("There are two kinds:\n(a) one; or\n(b) two.", (A.id,)), Claim("A step is fixed.", (A.id,))
    )
    body = "There are two kinds [1]:\n(a) one [1]; or\n(b) two [1].\n\nA step is fixed [1]."
    assert render(listed, "number").body == body
    assert all(unit.targets for unit in cited_units(body))


def test_a_preposition_at_the_end_of_a_claim_is_not_taken_for_the_markers():
    said = "That is the house they live in."
    body = render(answer_of(Claim(said, (B.id,))), "semantic_id").body
    assert body == "That is the house they live in. [IPC_420_0]"
    assert [unit.text for unit in cited_units(body)] == [said]


def test_an_answer_without_a_citation_cannot_be_made():
    with pytest.raises(ValueError, match="every claim a citation"):
        answer_of(Claim("Said without a source.", ()))


def test_an_answer_that_cites_the_fifth_passage_first_began_with_its_number():
    later = answer_of(Claim("Cheating is punished.", (B.id,)), Claim("A step is fixed.", (A.id,)))
    assert source_numbers(later) == {B.id: 1, A.id: 2}
    assert render(later, "number").body == "Cheating is punished [1]. A step is fixed [2]."
    assert render(later, "source_number", slot_numbers(later)).body.startswith("Cheating is punished [Source 2].")


PLAIN = {"kind": "text", "code": None, "act": None, "section": None}


@pytest.mark.parametrize(
    ("title", "section", "page", "document", "name"),
    [
        ("1. Paid leave", ("Employee Handbook", "1. Paid leave"), 3, "hr/h.pdf", "Employee Handbook, 1. Paid leave, page 3"),
        ("1. Paid leave", ("1. Paid leave",), None, "handbook.md", "handbook, 1. Paid leave"),
        ("2.1 Notice", ("2. Leave", "2.1 Notice"), None, "handbook.md", "handbook, 2.1 Notice"),
        (None, (), 39, "ADOBE_2022_10K.pdf", "ADOBE_2022_10K, page 39"),
        (None, (), None, "notes.txt", "notes"),
        ("Handbook", ("Handbook",), None, "handbook.md", "Handbook"),
    ],
)  # fmt: skip
def test_a_plain_document_is_named_by_its_title_or_file(title, section, page, document, name):
    labels = chunk_of("X_1_0", "text", title=title, **PLAIN).labels
    assert full_source_name(labels, page, document, section) == name


def test_a_clause_of_a_contract_is_named_with_its_document():
    labels = chunk_of("Lease_2.1_0", "text", title="2. Rent", **(PLAIN | {"section": "2.1"})).labels
    assert full_source_name(labels, None, "leases/lease.md", ("2. Rent", "2.1")) == "lease, Section 2.1 (2. Rent)"


def test_the_number_of_a_clause_was_given_twice():
    labels = chunk_of("Lease_1_0", "text", title="1. Rent", **(PLAIN | {"section": "1"})).labels
    assert full_source_name(labels, None, "lease.md", ("Flat Lease", "1. Rent")) == "Flat Lease, Section 1 (Rent)"


@pytest.mark.parametrize("style", ["number", "footnote", "full", "source_number"])
def test_two_documents_of_one_title_are_distinguished(style):
    one, two = (
        replace(
            chunk_of(f"Handbook{n}_1_0", f"Leave is {n} days.", title="1. Leave", **PLAIN),
            document_id=f"{n}.md",
            section=("Handbook", "1. Leave"),
        )
        for n in (20, 24)
    )
    evidence = evidence_of("How long is leave?", one, two)
    claims = (Claim(one.text, (one.id,)), Claim(two.text, (two.id,)))
    citations = tuple(
        Citation(chunk.id, n, chunk.text, Span(0, 5), None, Span(0, 5), None, chunk.document_id, "0" * 64, "x", 0.9,
                 chunk.labels)
        for n, chunk in enumerate((one, two))
    )  # fmt: skip
    answer = Answer(evidence.query, claims, citations, evidence, (Verdict.passed("all"),), 0.9, "test", "t", "d")
    listed = "\n".join(render(answer, style).sources)
    assert "Handbook, 1. Leave, 20.md" in listed
    assert "Handbook, 1. Leave, 24.md" in listed


@pytest.mark.parametrize(
    ("section", "name"),
    [("17", "Data Act, Section 17"), ("Article 17", "Data Act, Article 17"), ("12 A", "Data Act, Section 12 A")],
)
def test_the_unit_of_a_section_is_said_once(section, name):
    assert full_source_name(Labels(kind="act", act="Data Act", section=section), None, "data.jsonl") == name
