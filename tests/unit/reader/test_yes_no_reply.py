"""Yes against No, of whatever a server says of the first token; anything else is an error that says what came."""

import json
import math

import pytest

from footnotary.errors import ModelError
from footnotary.reader.language_model.yes_no_reply import read_yes_no
from footnotary.testing.logprob_server import logprob_completion, says


def read(likely: dict[str, float | None] | None) -> float:
    return read_yes_no(json.dumps(logprob_completion(likely)).encode()).probability


@pytest.mark.parametrize("probability", [0.02, 0.5, 0.9])
def test_it_is_the_share_of_yes_among_yes_and_no(probability: float):
    assert read_yes_no(json.dumps(says(probability)).encode()).probability == pytest.approx(probability, abs=1e-6)


def test_other_tokens_do_not_count():
    assert read({"Maybe": -0.1, "Yes": -4.0, "No": -4.0}) == 0.5


@pytest.mark.parametrize("yes", ["Yes", " Yes", "yes", "YES", "▁Yes", "ĠYes", "\nyes"])
@pytest.mark.parametrize("no", ["No", " no"])
def test_every_spelling_counts(yes: str, no: str):
    assert read({yes: -1.0, no: -1.0}) == 0.5


def test_spellings_are_added_up():
    half = math.log(0.25)
    assert read({"Yes": half, " yes": half, "No": math.log(0.5)}) == pytest.approx(0.5)


@pytest.mark.parametrize("word", ["Yesterday", "Nothing", "Not", "yes!", "N"])
def test_a_word_that_begins_alike_is_another(word: str):
    assert read({"Yes": -1.0, "No": -2.0, word: -0.01}) == read({"Yes": -1.0, "No": -2.0})


def test_a_word_that_is_missing_is_at_most_as_likely_as_the_last():
    assert read({"Yes": -0.1, "Sure": -3.0, "Well": -9.0}) == pytest.approx(1 / (1 + math.exp(-8.9)), abs=1e-6)
    assert read({"No": -0.1, "Sure": -3.0, "Well": -9.0}) == pytest.approx(1 / (1 + math.exp(8.9)), abs=1e-6)


def test_a_null_is_a_token_that_is_impossible():
    assert read({"Yes": -0.1, "No": None, "Well": -5.0}) == read({"Yes": -0.1, "Well": -5.0})


def test_nothing_is_certain():
    assert read({"Yes": 0.0, "No": -300.0}) == 1 - 1e-6
    assert read({"No": 0.0, "Yes": -3e38}) == 1e-6


def test_neither_yes_nor_no_is_an_error_that_shows_what_the_model_says():
    with pytest.raises(ModelError, match=r"neither Yes nor No.*'<think>', 'The'") as caught:
        read({"<think>": -0.1, "The": -2.0})
    assert "without thinking" in caught.value.hint
    assert not caught.value.retryable


@pytest.mark.parametrize("likely", [None, {}])
def test_no_log_probabilities_is_an_error_that_says_what_to_do(likely: dict[str, float | None] | None):
    with pytest.raises(ModelError, match="no log-probabilities") as caught:
        read(likely)
    assert "llama-server" in caught.value.hint


def test_one_token_without_others_is_not_enough():
    with pytest.raises(ModelError, match="returned 1 likely tokens, 20 were asked for"):
        read({"Yes": -0.1})


@pytest.mark.parametrize(
    "body",
    [b"", b"no", b"{}", b'{"choices": []}', b'{"choices": [{"logprobs": {"content": "Yes"}}]}', b'{"choices": [1, 2]}'],
)
def test_a_body_in_another_form_is_an_error(body: bytes):
    with pytest.raises(ModelError, match="unexpected response"):
        read_yes_no(body)


def test_the_model_that_the_server_reports_is_shown():
    assert read_yes_no(json.dumps(says(0.5, model="q")).encode()).model == "q"
