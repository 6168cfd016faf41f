"""The reader of follow-ups finds the likeliest edit in what the model says of each token."""

import json
import shutil

import numpy as np
import pytest

from footnotary.errors import BackendError
from footnotary.models.follow_up_model import tokens_of_texts
from footnotary.models.model_packages import locate_model
from footnotary.models.onnx_session import load_tokenizer
from footnotary.reader.follow_up_edits import JOINERS, OPERATIONS, Edit, FollowUp, applied
from footnotary.reader.follow_up_reader import (
    ANSWER,
    QUESTION,
    TEXTS_OF_POINTERS,
    TYPED,
    FollowUpReader,
    likeliest_edit,
    texts_of,
)

SMALL = locate_model("verifier-small")
TOKENIZER = load_tokenizer((SMALL / "tokenizer.json").read_bytes())
FINE = "What is the fine for parking in a loading bay?"


def said(turn, operation, spans, joiner="", possessive=False):
    """Tokens of a turn, and outputs of a model that is sure of one edit; `spans` are (pointer, text, words)."""
    tokens = tokens_of_texts(TOKENIZER, texts_of(turn))
    outputs = np.zeros(len(OPERATIONS) + len(JOINERS) + 1, np.float32)
    outputs[OPERATIONS.index(operation)] = 20
    outputs[len(OPERATIONS) + JOINERS.index(joiner)] = 20
    outputs[-1] = 20 if possessive else -20
    pointers = np.zeros((len(tokens.ids), len(TEXTS_OF_POINTERS)), np.float32)
    for pointer, text, words in spans:
        first, last = tokens.span(text, *words)
        pointers[first, pointer] = pointers[last, pointer + 1] = 20
    return outputs, pointers, tokens, turn


@pytest.mark.parametrize(
    ("turn", "operation", "spans", "more", "edit"),
    [
        (FollowUp.of("and on the pavement?", FINE, ""), "replace", [(0, QUESTION, (6, 10)), (2, TYPED, (1, 4))], {}, Edit("replace", (1, 4), (6, 10))),
        # put in at the end, in the middle and at the beginning
        (FollowUp.of("twice?", FINE, ""), "replace", [(0, QUESTION, (10, 10)), (2, TYPED, (0, 1))], {}, Edit("replace", (0, 1), (10, 10))),
        (FollowUp.of("late", FINE, ""), "replace", [(0, QUESTION, (5, 5)), (2, TYPED, (0, 1))], {}, Edit("replace", (0, 1), (5, 5))),
        (FollowUp.of("today", FINE, ""), "replace", [(0, QUESTION, (0, 0)), (2, TYPED, (0, 1))], {}, Edit("replace", (0, 1), (0, 0))),
        (
            FollowUp.of("what are his duties?", "Who is the dean?", "Dr Roy."), "resolve", [(4, TYPED, (2, 3)), (6, ANSWER, (0, 2))],
            {"possessive": True}, Edit("resolve", (2, 3), (0, 2), True, "", True),
        ),
        (
            FollowUp.of("is there a fee?", FINE, ""), "resolve", [(4, TYPED, (4, 4)), (6, QUESTION, (5, 6))], {"joiner": "for"},
            Edit("resolve", (4, 4), (5, 6), False, "for"),
        ),
        (FollowUp.of("why?", FINE, "It blocks the way."), "why", [], {}, Edit("why")),
    ],
)  # fmt: skip
def test_the_edit_that_the_model_is_sure_of_is_found(turn, operation, spans, more, edit):
    found, probability = likeliest_edit(*said(turn, operation, spans, **more))
    assert found == edit
    assert probability > 0.99


def test_the_probability_is_that_of_all_parts():
    turn = FollowUp.of("and on the pavement?", FINE, "")
    outputs, pointers, tokens, _ = said(turn, "replace", [(0, QUESTION, (6, 10)), (2, TYPED, (1, 4))])
    first, _ = tokens.span(QUESTION, 8, 10)
    pointers[first, 0] = 20  # as likely as the other beginning
    assert likeliest_edit(outputs, pointers, tokens, turn)[1] == pytest.approx(0.5, abs=0.01)


def test_the_same_words_in_question_and_answer_are_one_edit():
    turn = FollowUp.of("who set it?", "Where is the limit?", "The limit is in rule 4.")
    outputs, pointers, tokens, _ = said(turn, "resolve", [(4, TYPED, (2, 3)), (6, QUESTION, (2, 4))])
    first, last = tokens.span(ANSWER, 0, 2)
    pointers[first, 6] = pointers[last, 7] = 20
    found, probability = likeliest_edit(outputs, pointers, tokens, turn)
    assert applied(found, turn) == "who set the limit?"
    assert probability == pytest.approx(0.5, abs=0.01)  # either beginning goes with either end


def test_a_source_without_words_leaves_the_follow_up_open():
    turn = FollowUp.of("who?", "", "")
    outputs, pointers, tokens, _ = said(turn, "resolve", [])
    assert likeliest_edit(outputs, pointers, tokens, turn)[0] == Edit("open")


def test_words_behind_what_is_read_are_in_no_edit():
    turn = FollowUp.of("and now?", "word " * 300, "")
    tokens = tokens_of_texts(TOKENIZER, texts_of(turn))
    assert len(tokens.ids) < 100
    assert tokens.span(QUESTION, 250, 251) is None
    assert tokens.span(QUESTION, 0, 1) is not None


def test_hindi_is_read_in_latin_letters_word_by_word():
    (typed, places), *_ = texts_of(FollowUp.of("और डकैती के लिए।", "चोरी की सज़ा क्या है?", ""))
    assert typed.isascii()
    assert [typed[start:end] for start, end in places] == ["aur", "dakaiti", "ke", "lie"]
    assert typed.endswith(".")


def test_a_folder_without_the_files_says_what_is_missing(tmp_path):
    with pytest.raises(BackendError, match="not a folder of weights"):
        FollowUpReader(tmp_path)
    config = json.loads((SMALL / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(BackendError, match=r"lack follow_up\.onnx"):
        FollowUpReader(tmp_path).likeliest(FollowUp.of("and for theft?", FINE, ""))


def test_weights_that_were_changed_are_not_read(tmp_path):
    for name in ("config.json", "follow_up.onnx", "follow_up.npz", "tokenizer.json"):
        shutil.copyfile(SMALL / name, tmp_path / name)
    with (tmp_path / "follow_up.npz").open("ab") as file:
        file.write(b"x")
    with pytest.raises(BackendError, match=r"follow_up\.npz does not have the sha256"):
        FollowUpReader(tmp_path).likeliest(FollowUp.of("and for theft?", FINE, ""))


@pytest.mark.trained
def test_reading_is_the_same_every_time_and_in_every_thread():
    turn = FollowUp.of("and for robbery?", "What is the punishment for theft?", "")
    one, other = FollowUpReader(SMALL), FollowUpReader(SMALL)
    assert one.likeliest(turn) == one.likeliest(turn) == other.likeliest(turn)
    assert applied(one.likeliest(turn)[0], turn) == "What is the punishment for robbery?"
