"""The fake reader keeps the port's promises, so that what is tested with it is tested with a reader."""

import pytest

from footnotary.ports import PassageText, Reader
from footnotary.testing.fake_reader import FakeReader
from footnotary.testing.reader_conformance import ReaderConformance


class TestFakeReader(ReaderConformance):
    @pytest.fixture
    def reader(self) -> Reader:
        return FakeReader()


def test_what_a_test_says_of_a_passage_is_found_in_it():
    reader = FakeReader({"seventh day": 0.9}, together=0.4)
    passages = [PassageText("Wages", "They are paid on the seventh day."), PassageText("", "Boxes.")]
    assert list(reader.answers([("When?", passages[:1]), ("When?", passages)])) == [0.9, 0.4]
    assert reader.read("When?", passages)[0].sentences == (0.9,)
    assert [texts for _, texts in reader.asked] == [
        ("They are paid on the seventh day.",),
        ("They are paid on the seventh day.", "Boxes."),
    ]
