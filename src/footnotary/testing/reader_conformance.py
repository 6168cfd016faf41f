"""What every reader must do, with any weights. A test class inherits it and gives the reader as a fixture."""

import pytest

from footnotary.ports import PassageText, Reader
from footnotary.text.sentences.splitter import sentence_spans

_QUESTION = "Who keeps the key of the hall?"
_PASSAGES = (
    PassageText("House rules > Keys", "The caretaker keeps the key of the hall. She lives next door."),
    PassageText("", "Lamps are cleaned on Mondays."),
    PassageText("House rules", "Rule 1 is about boxes. " * 120 + "The caretaker keeps the key of the hall."),
    PassageText("House rules > Keys", "Chairs.\n\n(a) Red chairs;\n(b) blue chairs."),
)
_TOLERANCE = 1e-3


class ReaderConformance:
    """Needs a fixture `reader`."""

    @pytest.fixture
    def reader(self) -> Reader:
        raise NotImplementedError

    def test_it_has_a_name_and_languages(self, reader: Reader) -> None:
        assert reader.name
        assert reader.languages

    def test_no_pairs_give_no_probabilities(self, reader: Reader) -> None:
        assert list(reader.support([])) == list(reader.answers([])) == list(reader.read(_QUESTION, [])) == []
        assert reader.best_of([]) == 0.0

    def test_probabilities_lie_between_0_and_1(self, reader: Reader) -> None:
        found = [
            *reader.support([(_QUESTION, [str(passage)]) for passage in _PASSAGES]),
            *reader.answers([(_QUESTION, [passage]) for passage in _PASSAGES]),
            *reader.answers([(_QUESTION, _PASSAGES)]),
        ]
        assert all(0.0 <= probability <= 1.0 for probability in found)

    def test_a_pair_does_not_depend_on_the_others_nor_on_their_order(self, reader: Reader) -> None:
        pairs = [(_QUESTION, [passage]) for passage in _PASSAGES]
        alone = [reader.answers([pair])[0] for pair in pairs]
        assert list(reader.answers(pairs)) == pytest.approx(alone, abs=_TOLERANCE)
        assert list(reader.answers(pairs[::-1])) == pytest.approx(alone[::-1], abs=_TOLERANCE)

    def test_nothing_to_read_supports_and_answers_nothing(self, reader: Reader) -> None:
        assert list(reader.support([("Keys are kept.", []), ("Keys are kept.", [" "])])) == [0.0, 0.0]
        assert list(reader.answers([(_QUESTION, []), (_QUESTION, [PassageText("", "")])])) == [0.0, 0.0]

    def test_what_is_longer_than_it_reads_gets_0(self, reader: Reader) -> None:
        long = "How are boxes kept in the room" + " of which the owner said that it is dry" * 100 + "?"
        assert list(reader.answers([(long, [PassageText("", "Boxes are kept dry.")])])) == [0.0]
        assert list(reader.support([(long, ["Boxes are kept dry."])])) == [0.0]

    def test_each_sentence_of_a_passage_is_read(self, reader: Reader) -> None:
        for passage, reading in zip(_PASSAGES, reader.read(_QUESTION, _PASSAGES), strict=True):
            assert len(reading.sentences) == len(sentence_spans(passage.text))
            assert all(0.0 <= probability <= 1.0 for probability in reading.sentences)

    def test_a_passage_read_alone_answers_as_it_is_read(self, reader: Reader) -> None:
        answers = reader.answers([(_QUESTION, [passage]) for passage in _PASSAGES])
        readings = reader.read(_QUESTION, _PASSAGES)
        assert [reading.answers for reading in readings] == pytest.approx(list(answers), abs=_TOLERANCE)

    def test_the_best_of_several_is_at_most_the_highest(self, reader: Reader) -> None:
        assert reader.best_of([0.3]) == 0.3
        assert reader.best_of([0.2, 0.6, 0.1]) <= 0.6

    def test_odd_text_is_read(self, reader: Reader) -> None:
        odd = ("\ud800 lone", "\x00\u202e", "ｆｕｌｌ　ｗｉｄｔｈ", "?" * 5_000, "कुंजी कौन रखता है?")
        found = reader.answers([(text, [PassageText(text, text)]) for text in odd])
        assert all(0.0 <= probability <= 1.0 for probability in found)
