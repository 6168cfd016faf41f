"""Each question is read by the reader that has learned its language, and by no other."""

import pytest

from footnotary.ports import PassageText, Reader
from footnotary.reader.by_language import ReaderByLanguage, reader_knowing
from footnotary.testing.fake_reader import FakeReader
from footnotary.testing.reader_conformance import ReaderConformance

ENGLISH, HINDI = "Who keeps the key?", "चाबी कौन रखता है?"
PASSAGE = PassageText("", "रखवाला चाबी रखता है।")


class TestReaderByLanguage(ReaderConformance):
    @pytest.fixture
    def reader(self) -> Reader:
        return ReaderByLanguage(FakeReader(), FakeReader(languages=("hi",)))


def test_pairs_go_to_the_reader_of_the_question_and_come_back_in_order():
    english, hindi = FakeReader({"चाबी": 0.2}), FakeReader({"चाबी": 0.8}, languages=("hi",))
    both = ReaderByLanguage(english, hindi)
    assert list(both.answers([(HINDI, [PASSAGE]), (ENGLISH, [PASSAGE]), (HINDI, [PASSAGE])])) == [0.8, 0.2, 0.8]
    assert [question for question, _ in english.asked] == [ENGLISH]
    assert both.read(HINDI, [PASSAGE])[0].answers == 0.8
    assert both.languages == ("en", "hi")


def test_a_question_in_a_language_nobody_has_learned_gets_0():
    both = ReaderByLanguage(FakeReader(), FakeReader(languages=("fr",)))
    assert list(both.answers([(HINDI, [PASSAGE])])) == [0.0]


def test_claims_are_read_by_the_first():
    both = ReaderByLanguage(FakeReader({"चाबी": 0.3}), FakeReader({"चाबी": 0.9}, languages=("hi",)))
    assert list(both.support([("रखवाला चाबी रखता है।", [PASSAGE.text])])) == [0.3]


def test_the_reader_that_knows_a_language_is_found_alone_and_among_others():
    english, hindi = FakeReader(), FakeReader(languages=("hi",))
    both = ReaderByLanguage(english, hindi)
    assert reader_knowing(both, "hi") is hindi
    assert reader_knowing(english, "en") is english
    assert reader_knowing(english, "hi") is None
    assert reader_knowing(None, "en") is None
