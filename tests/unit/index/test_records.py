"""What is written down is read back as it was."""

from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.document import Labels, OffsetMap, Segment
from footnotary.index.records import labels_from_json, labels_json, offsets_from_json, offsets_json

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
