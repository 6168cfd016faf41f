"""Definitions that run over passages are quoted whole: with their items, provisos and explanations, or not at all."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from footnotary.domain.evidence import Hit
from footnotary.domain.identity import Span
from footnotary.domain.query import Scope
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.generate.extractive.hit_splitting import candidate_sentences
from footnotary.profiles.load import load_profile
from footnotary.reader.draft_reading import DraftedClaim, read_draft
from footnotary.retrieve.list_neighbours import rest_of_lists
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.testing.fake_reader import FakeReader
from footnotary.text.sentences.split_lists import is_split_list

_TEXTS = (
    '(a) "gun" means anything that shoots;',
    '(b) "keeper" means any person who—\n\n(i) feeds the deer; or',
    "(ii) fences the wood,\n\nbut does not include any person—",
    "(a) who hunts; or\n\n(b) who sells wood:",
    "Provided that a person who sells only his own wood is a keeper.\n\nExplanation.—A person who buys hay feeds deer;",
    '(c) "net" means anything woven;',
)


def definitions(*texts):
    """Passages that follow one another in section 2 of an act."""
    start, chunks = 0, []
    for n, text in enumerate(texts):
        span = Span(start, start + len(text))
        chunks.append(replace(chunk_of(f"FA_2_{n}", text, title="Definitions"), span=span, kind="definition"))
        start = span.end + 2
    return chunks


CHUNKS = definitions(*_TEXTS)


def said(question, *chunks, profile="legal", **marks):
    evidence = evidence_of(question, *chunks, profile=profile)
    reader = FakeReader({phrase.replace("_", " "): probability for phrase, probability in marks.items()})
    generator = ExtractiveGenerator(load_profile(profile), reader)
    return [claim.text for claim in generator.generate(evidence.query, evidence).claims]


@pytest.mark.parametrize("marked", ["feeds_the_deer", "fences_the_wood"])
def test_a_definition_is_given_with_its_items_exceptions_provisos_and_explanations(marked):
    claims = said("Who is a keeper?", *CHUNKS, **{marked: 0.9})
    assert claims == list(_TEXTS[1:5])


def test_a_definition_in_one_passage_is_given_alone():
    assert said("What is a net?", *CHUNKS, woven=0.9) == ['"net" means anything woven;']


def test_a_definition_of_too_many_passages_is_not_given_in_part():
    items = [f"({n}) feeds the deer of wood number {n};" for n in ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")]
    long = definitions('(a) "keeper" means any person who—', *items)
    assert said("Who is a keeper?", *long, keeper=0.9, feeds=0.8) == []
    assert len(said("Who is a keeper?", *long[:8], keeper=0.9, feeds=0.8)) == 8


def test_the_sentence_of_a_list_ends_behind_its_items():
    text = "A keeper shall have—\n(a) a licence;\n(b) a net,\n\nbut not a gun.\n\nhe walks."
    units = candidate_sentences(Hit(chunk_of("FA_4_0", text), 0.9))
    assert [unit.text for unit in units] == [text.removesuffix("\n\nhe walks."), "he walks."]


@pytest.mark.parametrize("found", range(1, 5))
def test_the_rest_of_a_definition_is_found_from_each_of_its_passages_and_no_other_definition(found):
    store = SimpleNamespace(chunks=lambda _, ids: [chunk for chunk in CHUNKS if chunk.id in ids])
    hits = [Hit(CHUNKS[n], 0.9) for n in sorted({0, found, 5})]
    rest = rest_of_lists(hits, Scope("wood"), store)
    assert {hit.chunk.id for hit in rest} == {f"FA_2_{n}" for n in range(1, 5)} - {f"FA_2_{found}"}


def test_definitions_of_a_glossary_are_no_list():
    assert not is_split_list(CHUNKS[0], CHUNKS[1])
    paragraphs = [replace(chunk, kind="paragraph") for chunk in CHUNKS]
    assert is_split_list(CHUNKS[3], CHUNKS[4])
    assert not is_split_list(paragraphs[3], paragraphs[4])


def test_the_rest_of_a_definition_belongs_to_the_answer_though_it_answers_nothing_alone():
    reader = FakeReader({"keeper": 0.9})
    alone = [DraftedClaim.copied(chunk.text, chunk, reader) for chunk in CHUNKS[3:5]]
    rest = DraftedClaim.copied(_TEXTS[4], CHUNKS[4], reader, CHUNKS[3])
    head = DraftedClaim.copied(_TEXTS[1], CHUNKS[1], reader)
    assert read_draft(["Who is a keeper?"], [head, alone[0]], reader, 0.5).stray == 1
    assert read_draft(["Who is a keeper?"], [head, replace(alone[0], is_rest=True)], reader, 0.5).stray is None
    assert rest.is_rest
