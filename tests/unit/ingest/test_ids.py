"""Ids come from place, from the rows' own ids where they have some, and never belong to two documents."""

import json

import pytest

from footnotary.domain.document import Block, Labels
from footnotary.domain.identity import Span
from footnotary.ingest.chunking.semantic_ids import mint_ids, resolve_id_collisions
from footnotary.ingest.structure.id_names import camel_case_id_part, code_from_title
from footnotary.ingest.structure.outline import Unit
from tests.unit.ingest.reading import chunks, ids


def rows(*records):
    return "\n".join(json.dumps({"text": "Words of the law.", **record}) for record in records)


def unit(place, code="IPC", year=None, **more):
    return Unit(Block("paragraph", Span(0, 1), Labels(year=year)), code, place, **more)


@pytest.mark.parametrize(
    ("record", "first", "aliases"),
    [
        ({"id": "IPC_420_0", "section": "420"}, "IPC_420_0", ()),
        ({"id": "GDPR_R26_0", "section": "Recital 26"}, "GDPR_R26_0", ()),
        ({"id": "RTI_hi_P1_0", "page": 1}, "RTI_hi_P1_0", ()),
        ({"id": "HIPAA_164.502", "section": "164.502"}, "HIPAA_164.502_0", ("HIPAA_164.502",)),
        ({"id": "HIPAA_160.103_sub_g0", "section": "160.103"}, "HIPAA_160.103_0", ("HIPAA_160.103_sub_g0",)),
        ({"id": "the-act:en:S1_0", "act": "The Test Act, 2011", "section": "1"}, "TestAct_1_0", ()),
        ({"act": "Minimum Wages Act, 1948", "section": "Section 2"}, "MinimumWagesAct_2_0", ()),
        ({"code": "IPC", "act": "Indian Penal Code", "section": "420"}, "IPC_420_0", ()),
        ({"title": "Some heading"}, "Laws_SomeHeading_0", ()),
        ({}, "Laws_text_0", ()),
    ],
)
def test_a_row_is_named_by_its_own_id_or_by_its_place(record, first, aliases):
    chunk = chunks(rows(record), "laws.jsonl")[0]
    assert (chunk.id, chunk.aliases) == (first, aliases)


def test_rows_that_repeat_a_place_continue_counting():
    assert ids(rows({"id": "A_1_0"}, {"id": "A_1_0"}, {"id": "A_2_0"}), "a.jsonl") == ["A_1_0", "A_1_1", "A_2_0"]


def test_rows_that_number_themselves_keep_their_numbers_even_if_one_is_cut():
    long = " ".join(f"This is sentence {n} here." for n in range(60))
    assert ids(rows({"id": "A_1_0", "text": long}, {"id": "A_1_1"}), "a.jsonl") == ["A_1_0", "A_1_0_1", "A_1_1"]


def test_two_acts_of_one_name_in_a_file_are_distinguished_by_year():
    records = rows({"act": "Finance Act, 2001", "section": "1"}, {"act": "Finance Act, 2002", "section": "1"})
    assert ids(records, "a.jsonl") == ["FinanceAct_1_0", "FinanceAct2002_1_0"]


def test_the_name_of_an_act_has_no_full_stop():
    assert chunks(rows({"act": "The Test Act, 2011.", "section": "1"}), "a.jsonl")[0].labels.act == "The Test Act, 2011"


def test_what_is_no_id_does_not_become_an_alias():
    assert chunks(rows({"id": "bad id!", "section": "1", "act": "A Act"}), "a.jsonl")[0].aliases == ()


@pytest.mark.parametrize(
    ("title", "code"),
    [
        ("Minimum Wages Act, 1948", "MinimumWagesAct"),
        ("The Code on Wages, 2019", "CodeOnWages"),
        ("Indian Penal Code (IPC), 1860", "IPC"),
        ("मजदूरी संहिता, 2019", "मजदूरीसंहिता"),
        ("1984", "1984"),
    ],
)
def test_a_code_is_made_from_the_name_of_an_act(title, code):
    assert code_from_title(title) == code


def test_a_long_heading_is_cut_between_words():
    assert camel_case_id_part("word " * 40) == "Word" * 15


def test_places_that_are_written_alike_in_ids_do_not_collide():
    assert [named.ids for named in mint_ids([unit("2(1)"), unit("21")], [1, 1])] == [("IPC_21_0",), ("IPC_21_1",)]


def owners(held):
    return lambda asked: {id_: held[id_] for id_ in asked if id_ in held}


def codes(units, document_id, held, *, is_stored=False):
    return [unit.code for unit in resolve_id_collisions(units, document_id, owners(held), is_stored=is_stored)]


def test_a_new_document_that_collides_gets_the_year_for_all_its_sections():
    both = [unit("1", year="1860"), unit("2", year="1860")]
    assert codes(both, "new", {"IPC_2_0": "old"}) == ["IPC1860", "IPC1860"]


def test_without_a_year_or_where_that_is_taken_too_a_digest_distinguishes_them():
    (code,) = codes([unit("1")], "new", {"IPC_1_0": "old"})
    assert code.startswith("IPC_")
    assert codes([unit("1", year="1860")], "new", {"IPC_1_0": "a", "IPC1860_1_0": "b"}) == [code]


def test_a_stored_document_keeps_its_code_even_when_the_other_is_gone():
    assert codes([unit("1", year="1860")], "new", {"IPC1860_1_0": "new"}, is_stored=True) == ["IPC1860"]
    assert codes([unit("1", year="1860")], "new", {"IPC_1_0": "new"}, is_stored=True) == ["IPC"]


def test_a_stored_document_renames_only_the_new_section_that_collides():
    both = [unit("1", year="1860"), unit("2", year="1860")]
    assert codes(both, "mine", {"IPC_1_0": "mine", "IPC_2_0": "other"}, is_stored=True) == ["IPC", "IPC1860"]


def test_an_alias_that_is_another_documents_id_is_given_up():
    (settled_unit,) = resolve_id_collisions([unit("1", own_id="X_9")], "new", owners({"X_9": "old"}), is_stored=False)
    assert settled_unit.own_id is None
