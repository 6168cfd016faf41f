"""Who asks for a clause by its number is given that clause, and no item of a list without what introduces it."""

from dataclasses import replace

import pytest

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.identity import Span, sha256_hex
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.profiles.load import load_profile
from footnotary.testing.builders import chunk_of, evidence_of

KEEPERS = (
    "(1) Every keeper shall fence the orchard.\n"
    "(2) Every keeper shall water the trees. Rain counts as water under sub-section (3).\n"
    "(2A) Old trees are watered twice.\n"
    "(3) The Board shall pay nine rupees for each tree."
)
NO_KEEPER = "(1) The Board shall keep a list.\n(2) No keeper shall—\n(a) fell a tree;\n"


def chunks_of(*texts: str) -> tuple[Chunk, ...]:
    """The chunks of one section, one behind the other in one document."""
    start, chunks = 0, list[Chunk]()
    for n, text in enumerate(texts):
        plain = chunk_of(f"Orchards_3_{n}", text)
        chunks.append(replace(plain, span=Span(start, start + len(text)), digest=sha256_hex(text)))
        start += len(text)
    return tuple(chunks)


def said(question: str, *chunks: Chunk) -> list[str]:
    profile = load_profile("legal")
    query = evidence_of(question, *chunks).query
    evidence = Evidence(query, tuple(Hit(chunk, 0.95, via="reference") for chunk in chunks))
    return [claim.text for claim in ExtractiveGenerator(profile).generate(query, evidence).claims]


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize(
    ("question", "claims"),
    [
        ("What does section 3(1) say?", ["Every keeper shall fence the orchard."]),
        (
            "What does section 3(2) say?",
            ["Every keeper shall water the trees.", "Rain counts as water under sub-section (3)."],
        ),
        ("What is section 3(2A) of the Orchards Act?", ["Old trees are watered twice."]),
        ("What does sub-section (3) of section 3 say?", ["The Board shall pay nine rupees for each tree."]),
    ],
)
def test_a_clause_named_by_its_number_is_what_is_given(question: str, claims: list[str], cut: bool):
    chunks = chunks_of(*KEEPERS.splitlines(keepends=True)) if cut else chunks_of(KEEPERS)
    assert said(question, *chunks) == claims


def test_an_item_of_a_list_is_given_with_what_introduces_it():
    (claim,) = said("What is section 3(2)(b)?", *chunks_of(NO_KEEPER + "(b) burn leaves."))
    assert claim.startswith("(2) No keeper shall—")
    assert claim.endswith("(b) burn leaves.")


def test_an_item_of_a_list_is_not_given_from_a_chunk_that_only_continues_with_it():
    claims = said("What is section 3(2)(b)?", *chunks_of(NO_KEEPER, "(b) burn leaves."))
    assert claims
    assert "burn leaves." not in claims


def test_the_next_subsection_is_no_item_of_the_list_before_it():
    chunks = chunks_of(NO_KEEPER + "(b) burn leaves.\n(3) Whoever burns leaves shall pay nine rupees.")
    assert said("What does section 3(3) say?", *chunks) == ["Whoever burns leaves shall pay nine rupees."]
    assert said("What is section 3(2)(b)?", *chunks)[0].endswith("(b) burn leaves.")
