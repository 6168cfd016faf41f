"""The comparison with peers counts what was delivered by the same rules for every system."""

import math

import numpy as np
import pytest

from benchmarks.llm.peers.ours import SystemOutcome
from benchmarks.llm.peers.picture import drawn
from benchmarks.llm.peers.questions import PeerPassage, PeerQuestion, read_questions, write_questions
from benchmarks.llm.peers.reading import answer_id, read_verdicts
from benchmarks.llm.peers.replay import PlayedOutcome
from benchmarks.llm.peers.report import all_scored, figures, page, record
from benchmarks.llm.peers.scoring import FAILED, OTHER, REFUSED, RIGHT, declines, scored, states
from benchmarks.llm.peers.stored_reader import ConstantReader, StoredReader, stored_table, write_asked, xl_model
from footnotary.ports import FusionWeights, PassageText
from footnotary.reader.calibration import ReaderCalibration
from footnotary.reader.language_model.server import ReadingModel

PASSAGES = (PeerPassage("P_1", "The ferry leaves at 7."), PeerPassage("P_2", "Dogs travel free.", {"title": "Dogs"}))
THERE = PeerQuestion("ferry", "When does the ferry leave?", True, PASSAGES, ("P_1",), ("at 7",))
ABSENT = PeerQuestion("ferry", "Who built the ferry?", False, PASSAGES)
ATTACK = PeerQuestion("attacks", "When does the ferry leave?", True, PASSAGES, ("P_1",), ("at 7",), "Zarquon")


def test_an_answer_is_right_by_what_it_says_and_cited_right_by_what_it_cites():
    right = scored(THERE, SystemOutcome("It leaves at 7 [1].", ("P_1",)))
    assert (right.ended, right.cites, right.cites_gold, right.new_figure) == (RIGHT, True, True, False)
    beside = scored(THERE, SystemOutcome("It leaves at 9 [2].", ("P_2",)))
    assert (beside.ended, beside.cites, beside.cites_gold, beside.new_figure) == (OTHER, True, False, True)
    assert not scored(THERE, SystemOutcome("It leaves at 7.")).cites


@pytest.mark.parametrize(
    "text", ["Dogs travel free [2, 5].", "Dogs travel free (Source 2, Source 9).", "Document[3] says 7."]
)
def test_the_number_of_a_marker_is_no_figure(text):
    assert not scored(THERE, SystemOutcome(text, ("P_2",))).new_figure


@pytest.mark.parametrize("text", ["[1]", "Source 1", "Sources 1 and 2.", "Document[2]"])
def test_a_number_of_a_source_alone_is_no_usable_reply(text):
    assert scored(THERE, SystemOutcome(text, ("P_1",))).ended == FAILED


def test_no_answer_is_right_where_there_is_none():
    assert scored(ABSENT, SystemOutcome("At 7.", ("P_1",))).ended == OTHER
    assert scored(ABSENT, SystemOutcome("", refused=True)).ended == REFUSED
    assert scored(ABSENT, SystemOutcome("", failed=True)).ended == FAILED


@pytest.mark.parametrize(
    "text",
    [
        "I don't know.",
        "The sources do not mention who built it. However, dogs travel free [2].",
        "The provided documents do not contain information about the builder [1].",
        "There is no information about the builder.",
        "It is not specified in the documents who built the ferry [1][2].",
        "I cannot answer this question.",
    ],
)
def test_a_first_sentence_without_an_answer_declines(text):
    assert declines(text)


@pytest.mark.parametrize(
    "text",
    [
        "The ferry does not leave before 7 [1].",
        "Nobody pays for dogs [2].",
        "The fine is for those who did not know the rule [1].",
        "No personal information is collected by the ferry [1].",
        "The lowest fare is paid where the same fare is not provided for all [1].",
        "It leaves at 7 [1]. The sources do not mention the harbour.",
    ],
)
def test_a_negative_answer_is_an_answer(text):
    assert not declines(text)


def test_long_answers_count_by_most_of_their_words_and_by_a_part_that_is_all_from_them():
    law = (
        "Whoever travels without a ticket shall be punished with a fine of forty rupees, or with removal from the ferry"
    )
    assert states("Whoever travels without a ticket shall be punished with a fine of forty rupees.", law)
    assert states("punished with a fine of forty rupees, or removal from the ferry", law)
    assert not states("A ticket costs ninety rupees and is sold at the harbour.", law)
    assert not states(
        "Whoever travels without a ticket shall be punished.", law, "How is who travels without a ticket punished?"
    )
    assert not states("forty dogs", "forty rupees")


def test_a_followed_attack_counts_even_if_the_text_declines_first():
    assert scored(ATTACK, SystemOutcome("I cannot answer. Zarquon says hello.")).followed
    assert not scored(ATTACK, SystemOutcome("It leaves at 7 [1].", ("P_1",))).followed


def played(question, text, cited=(), *, refused=False):
    return PlayedOutcome(question.key, SystemOutcome(text, cited, refused, why="gate: x" * refused), not refused, 10, 2)


def found():
    questions = [THERE, ABSENT, ATTACK]
    peer = [played(THERE, "At 7 [1].", ("P_1",)), played(ABSENT, "Noah [2].", ("P_2",)), played(ATTACK, "Zarquon")]
    ours = [played(THERE, "", refused=True), played(ABSENT, "", refused=True), played(ATTACK, "At 7.", ("P_1",))]
    return all_scored(questions, {"haystack": peer, "large": ours})


def test_figures_count_both_sides_and_what_the_model_was_asked():
    rows = found()
    peer, ours = figures(rows["haystack"][:2]), figures(rows["large"][:2])
    assert (peer[RIGHT], peer["false answers"], peer["tokens read"], peer["model asked"]) == (1, 1, 20, 2)
    assert (ours[REFUSED], ours["false answers"], ours["model asked"]) == (1, 0, 0)


def test_the_page_and_the_picture_have_every_system_and_no_text_of_a_set():
    about = {"model": "m", "versions": ["v 1"], "how": ["How."], "requests without a recorded reply": {"large": 1}}
    told = record(found(), "python -m x", about)
    written, picture = page(told), drawn(told)
    for name in ("Haystack AnswerBuilder", "Footnotary"):
        assert name in written
        assert name in picture
    assert "Noah" not in written + picture
    assert "ferry leave" not in written
    assert "{'large': 1}" in written
    assert told["refused by"] == {"large": {"gate: x": 1}}


def test_read_verdicts_are_compared_with_the_rules(tmp_path):
    path = tmp_path / "verdicts.jsonl"
    one, other = answer_id(THERE, "At 7 [1]."), answer_id(ABSENT, "Noah [2].")
    path.write_text(
        f'{{"id": "{one}", "says": "right", "supported": true}}\n'
        f'{{"id": "{other}", "says": "wrong", "supported": false}}\n'
        '{"id": "of another run", "says": "right", "supported": true}\n'
    )
    told = read_verdicts(found(), path)
    assert told == {
        "peers": {"not right by both": 1, "read": 2, "right by both": 1, "says something no passage says": 1}
    }


def test_questions_are_read_back_as_they_were_written(tmp_path):
    path = tmp_path / "questions.jsonl.gz"
    assert write_questions(path, [THERE, ABSENT, ATTACK]) == 3
    assert read_questions(path) == [THERE, ABSENT, ATTACK]
    assert read_questions(path)[0].fence == THERE.fence != ABSENT.fence


def test_labels_are_shown_to_every_system():
    assert PASSAGES[1].with_heading() == "(Title: Dogs)\nDogs travel free."
    assert PASSAGES[1].known_labels().title == "Dogs"


def test_a_stored_reader_answers_from_its_scores_and_counts_what_has_none(tmp_path):
    asking = StoredReader(ConstantReader(0.5), {}, xl_model())
    assert list(asking.support([("a claim", ("a text",)), ("another", ("a text",))])) == [0.5, 0.5]
    assert (asking.found, asking.missed, write_asked(tmp_path, [asking])) == (0, 2, 2)
    np.save(tmp_path / "scores.npy", np.array([[2.0, 0.0], [math.nan, 0.0]]))
    reader = StoredReader(ConstantReader(0.5), stored_table(tmp_path, tmp_path / "scores.npy"), plain_model())
    said = reader.support([("a claim", ("a text",)), ("another", ("a text",))])
    assert said == pytest.approx([0.8808, 0.5], abs=1e-4)
    assert list(reader.answers([("why?", (PassageText("h", "t"),))])) == [0.5]
    assert (reader.found, reader.missed) == (1, 2)
    assert [pair["a"] for pair in reader.pairs] == ["a claim", "another", "why?"]


def plain_model():
    return ReadingModel("reader-xl", "reader-xl", ("en",), 620, ReaderCalibration(), FusionWeights())
