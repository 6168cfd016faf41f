"""Two-stage reading keeps the promises of one reader, and uses the small one for the first stage only."""

import pytest

from footnotary.ports import PassageText, Reader, TwoStageReader
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.reader.by_language import reader_knowing
from footnotary.reader.cascade import CascadeReader, first_stage_scores
from footnotary.reader.onnx_reader import OnnxReader
from footnotary.reader.shipped import reader_for
from footnotary.testing.fake_reader import FakeReader
from footnotary.testing.reader_conformance import ReaderConformance

PAIRS = [("Who keeps the key?", [PassageText("", "The caretaker keeps the key.")])]


class TestCascadeReader(ReaderConformance):
    @pytest.fixture
    def reader(self) -> Reader:
        return CascadeReader(FakeReader(), FakeReader())


def test_the_small_reader_is_used_for_the_first_stage_only():
    small, large = FakeReader({"": 0.123456}), FakeReader({"": 0.9})
    both = CascadeReader(small, large)
    assert both.answers(PAIRS) == [0.9]
    assert both.read(PAIRS[0][0], PAIRS[0][1])[0].answers == 0.9
    assert small.asked == []
    assert first_stage_scores(both, PAIRS) == [0.1235]
    assert len(large.asked) == 1


def test_a_reader_without_a_first_stage_scores_by_reading():
    reader = FakeReader({"": 0.7})
    assert not isinstance(reader, TwoStageReader)
    assert first_stage_scores(reader, PAIRS) == [0.7]


def test_languages_are_those_that_both_have_learned():
    both = CascadeReader(FakeReader(languages=("en",)), FakeReader(languages=("hi", "en")))
    assert both.languages == ("en",)


@pytest.mark.trained
def test_the_large_setting_reads_with_both_and_the_small_one_with_one():
    policy = load_profile("default")
    found = reader_for(policy, "large")
    large, small = reader_knowing(found, "en"), reader_knowing(reader_for(policy, "small"), "en")
    assert isinstance(large, CascadeReader)
    assert isinstance(small, OnnxReader)
    assert small.name in large.name
    assert reader_for(policy, "large") is found
    assert reader_for(policy, "lexical") is None


@pytest.mark.trained
def test_the_first_stage_of_xl_is_the_reader_of_each_language():
    policy = load_profile("default")
    found = reader_for(policy, "xl")
    english, hindi = reader_knowing(found, "en"), reader_knowing(found, "hi")
    assert isinstance(english, CascadeReader)
    assert isinstance(hindi, CascadeReader)
    assert all(reader.name.startswith("reader-xl@") for reader in (english, hindi))
    assert "verifier-small" in english.name
    assert "reader-hindi" in hindi.name
    assert (english.languages, hindi.languages) == (("en",), ("hi",))
    assert reader_for(policy, "xl") is found


@pytest.mark.trained
def test_a_profile_may_ask_for_xl():
    policy = load_profile("default")
    asked = policy.verification.model_copy(update={"verifier": "xl"})
    found = reader_for(
        Profile.model_validate(policy.model_copy(update={"verification": asked}).model_dump()), "profile"
    )
    assert found is reader_for(policy, "xl")
