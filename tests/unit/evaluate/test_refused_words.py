"""The measurement of named words: characters and words are counted over all sentences."""

from benchmarks.quality.refused_words.__main__ import MarkedSentence, absent_words, figures
from footnotary.domain.identity import Span

SENTENCE = MarkedSentence("The fee is nine rupees.", "The fee is two rupees.", (Span(11, 22),), "reported")


def test_naming_half_of_what_is_marked_is_half_the_recall():
    found = figures([SENTENCE], lambda _: [Span(11, 15)])
    assert found["character_precision"] == 100.0
    assert found["character_recall"] == 36.4
    assert (found["word_precision"], found["word_recall"]) == (100.0, 50.0)
    assert figures([SENTENCE], lambda _: [])["character_f1"] == 0.0
    whole = figures([SENTENCE], lambda s: [Span(0, len(s.text))])
    assert whole["character_recall"] == whole["share_named"] == 100.0


def test_absent_words_are_those_that_the_passage_does_not_have():
    assert [span.of(SENTENCE.text) for span in absent_words(SENTENCE)] == ["nine"]
