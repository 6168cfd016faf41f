"""What is written down is read back as it was."""

from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.document import Labels, OffsetMap, Segment
from footnotary.domain.identity import Span
from footnotary.domain.layout import Box, Page, PlacedWord, layout_of
from footnotary.index.sqlite.row_serialization import (
    labels_from_json,
    labels_json,
    layout_blob,
    layout_from_blob,
    offsets_from_json,
    offsets_json,
)

names = st.none() | st.text(max_size=8)


@given(
    st.builds(
        Labels,
        st.sampled_from(["act", "text", "textbook"]), names, names, names, names, names, names, names, names,
        st.none() | st.integers(1, 12), names, st.sampled_from(["en", "hi"]),
    )
)  # fmt: skip
def test_labels_come_back(labels: Labels):
    assert labels_from_json(labels_json(labels)) == labels


@given(st.lists(st.builds(Segment, *[st.integers(0, 2**40)] * 4), max_size=5), st.sampled_from(["utf-8", "utf-16-le"]))
def test_the_way_back_to_the_original_comes_back(segments: list[Segment], encoding: str):
    offsets = OffsetMap(tuple(segments), encoding)
    assert offsets_from_json(offsets_json(offsets)) == offsets


words = st.builds(
    PlacedWord,
    st.tuples(st.integers(0, 10**6), st.integers(1, 60)).map(lambda at: Span(at[0], at[0] + at[1])),
    st.integers(1, 2000),
    st.builds(Box, *[st.integers(-200, 1_000_000).map(lambda hundredths: hundredths / 64)] * 4),
    st.none() | st.integers(0, 100).map(lambda percent: percent / 100),
)


@given(st.lists(words, max_size=20), st.lists(st.builds(Page, st.just(595.5), st.just(842.0), st.just(90), names)))
def test_where_words_stand_comes_back_to_a_hundredth_of_a_point(placed: list[PlacedWord], pages: list[Page]):
    layout = layout_of(sorted(placed, key=lambda word: word.span), pages)
    kept = layout_from_blob(layout_blob(layout))
    assert kept is not None
    assert (kept.pages, kept.numbers, kept.confidences) == (layout.pages, layout.numbers, layout.confidences)
    assert all(abs(a - b) < 0.01 for a, b in zip(kept.corners, layout.corners, strict=True))
    assert layout_from_blob(layout_blob(None)) is None


@given(st.lists(st.builds(Segment, *[st.integers(0, 2**40)] * 4, st.integers(1, 900)), max_size=5))
def test_the_way_back_to_pages_comes_back(segments: list[Segment]):
    offsets = OffsetMap(tuple(segments), "")
    assert offsets_from_json(offsets_json(offsets)) == offsets
