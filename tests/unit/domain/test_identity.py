"""Ids: what is written as one, and that nothing which only looks like one is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.identity import MAX_ID_LENGTH, Span, is_semantic_id, semantic_id, slug


@pytest.mark.parametrize("text", ["IPC_420_0", "HIPAA_164.514_0", "गणित10_5.1_0", "A", "7"])
def test_letters_and_digits_joined_by_dots_and_bars_are_an_id(text: str):
    assert is_semantic_id(text)


@pytest.mark.parametrize(
    "text",
    ["", "_", ".", "IPC_420_", "_IPC", "IPC..420", "IPC 420", "IPC-420", "IPC_420\n", "IPC\u200b_420", "IPC_420;1", "x" * (MAX_ID_LENGTH + 1)],
)  # fmt: skip
def test_nothing_else_is_one(text: str):
    assert not is_semantic_id(text)


@pytest.mark.parametrize(
    "text",
    ["ＩＰＣ_420_0", "IPC_４２０_0", "𝐈𝐏𝐂_420_0", "IPC_42⁰_0", "IPC_①_0", "ﬁne_1_0", "e\u0301tat_1_0", "\u0301IPC"],
)
def test_what_looks_like_an_id_in_other_letters_is_none(text: str):
    assert not is_semantic_id(text)


@given(st.text(max_size=30), st.text(max_size=30), st.integers(0, 10**6))
def test_every_name_and_number_makes_an_id(code: str, section: str, ordinal: int):
    minted = semantic_id(code, section, ordinal)
    assert is_semantic_id(minted)
    assert minted.endswith(f"_{ordinal}")


@given(st.text(max_size=30))
def test_a_slug_is_its_own_slug(name: str):
    assert slug(slug(name)) == slug(name)


def test_what_is_blanked_leaves_every_position_and_line_as_it_is():
    assert Span(4, 11).blanked("The fee\nis due.") == "The    \n   due."


def test_spans_that_only_touch_do_not_overlap():
    assert Span(0, 3).overlaps(Span(2, 5))
    assert not Span(0, 3).overlaps(Span(3, 5))
