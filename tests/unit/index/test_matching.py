"""When a label answers to a filter or a reference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.query import Filters, Reference
from footnotary.index.label_matching import (
    allowed_facet_keys,
    clause_sort_key,
    fold_label,
    matching_works,
    provision_facet_keys,
    section_key,
    work_key,
)

IPC = work_key("ipc", "indian penal code, 1860", "1860")
CRPC = work_key("crpc", "code of criminal procedure, 1973", "1973")
WAGES = work_key("minimumwagesact", "minimum wages act", "1948")
NEW_WAGES = work_key("", "minimum wages act, 2010", "")
RULES = work_key("", "rules", "")
ONLY_A_CODE = work_key("hipaa", "", "")
CONTRACTS = work_key("ICA", "The Indian Contract Act, 1872", "")
NOTHING = work_key("", "", "")
ALL = (IPC, CRPC, WAGES, NEW_WAGES, RULES, ONLY_A_CODE, CONTRACTS, NOTHING)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("IPC", {IPC}),
        ("ipc", {IPC}),
        ("I.P.C.", {IPC}),
        ("Penal Code", {IPC}),
        ("the Indian Penal Code", {IPC}),
        ("Indian Penal Code 1860", {IPC}),
        ("the Indian Penal Code (Act 45 of 1860)", {IPC}),
        ("Indian Penal Code, 1950", set()),
        ("Criminal Procedure", {CRPC}),
        ("CCP", {CRPC}),
        ("Minimum Wages Act", {WAGES, NEW_WAGES}),
        ("Minimum Wages Act, 1948", {WAGES}),
        ("Minimum Wages Act of 2010", {NEW_WAGES}),
        ("MinimumWagesAct", {WAGES}),
        ("HIPAA", {ONLY_A_CODE}),
        ("Minimum Wages Rules", set()),
        ("Penal", {IPC}),
        ("Pen", set()),
        ("IPC Act", {IPC}),
        ("Companies Act, 1956", set()),
        ("Motor Vehicles Act", set()),
    ],
)
def test_a_work_is_meant_by_its_code_initials_or_name(asked: str, meant: set[str]):
    assert set(matching_works(asked, ALL)) == meant


def test_the_said_act_may_be_any_that_has_a_name():
    assert set(matching_works("the said Act", ALL)) == set(ALL) - {NOTHING}


@pytest.mark.parametrize("same", [("120-B", "120B", "120 b"), ("420", "४२०"), ("164.514", "164.514 "), ("2(1)", "21")])
def test_a_section_is_one_however_it_is_written(same: tuple[str, ...]):
    assert len({section_key(section) for section in same}) == 1


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_two_numbers_are_two_sections(one: int, other: int):
    assert (section_key(str(one)) == section_key(str(other))) == (one == other)


@given(st.text(max_size=30))
def test_folding_is_done_once_and_for_all(text: str):
    assert fold_label(fold_label(text)) == fold_label(text)


@given(st.text(max_size=60))
def test_whatever_an_act_is_called_it_is_asked_for_by_its_own_name(name: str):
    key = work_key("", name, "")
    if any(char.isalnum() for char in fold_label(name)) and "the" not in fold_label(name):
        assert matching_works(name, [key]) == (key,)


def test_filters_that_ask_nothing_restrict_nothing():
    assert allowed_facet_keys(Filters(), ALL) == {}


def test_a_provision_outside_the_filters_is_nowhere():
    assert provision_facet_keys(Reference("420"), Filters(section="415"), ALL) is None
    assert provision_facet_keys(Reference("§"), Filters(), ALL) is None
    assert provision_facet_keys(Reference("420", "IPC"), Filters(act="HIPAA"), ALL) == {"work": (), "section": ("420",)}
    assert provision_facet_keys(Reference("120-B", "IPC"), Filters(section="120b"), ALL) == {
        "work": (IPC,),
        "section": ("120b",),
    }


def test_a_title_of_any_length_is_compared_quickly():
    assert matching_works("Indian Penal Code " * 50_000, ALL) == (IPC,)


@pytest.mark.parametrize(
    ("clause", "text", "place"),
    [
        ("b", "(b) Helping.", 0),
        ("(B)", " (b) Helping.", 0),
        ("b", "(a) Doing. (b) Helping.", 1),
        ("(2)(b)", "(2) They shall- (a) do; (b) help.", 0),
        ("(2)(b)", "(b) Helping.", 0),
        ("(2)(b)", "(3) Helping.", 1),
        (None, "(b) Helping.", 1),
    ],
)
def test_a_passage_that_opens_with_the_clause_goes_first(clause: str | None, text: str, place: int):
    assert clause_sort_key(clause, text) == place
