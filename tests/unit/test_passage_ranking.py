"""The order in which the passages of a caller are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.document import Labels
from footnotary.domain.query import Scope
from footnotary.external.passage_ranking import rank_passages
from footnotary.external.passages import make_evidence, make_hit
from footnotary.gate.intent import understand
from footnotary.profiles.load import load_profile
from footnotary.testing.fake_embedder import HashEmbedder

LEAVE = "Every worker has eighteen days of paid leave in each year."
FEES = "The fee for a second copy of the badge is nine euros."
FILLERS = [f"Building {n} has a list of {n + 3} visitors." for n in range(30)]


def ranked(question, texts, embedder=None):
    query = understand(question, Scope("given"), load_profile("legal"))
    evidence = make_evidence(query, (make_hit(f"D{n}", text, 1.0, Labels()) for n, text in enumerate(texts)))
    return [hit.chunk.text for hit in rank_passages(query, evidence.hits, embedder)]


@pytest.mark.parametrize("embedder", [None, HashEmbedder()])
@pytest.mark.parametrize("place", [0, 11, 30])
def test_the_passage_that_answers_comes_first_wherever_it_was(embedder, place):
    texts = [*FILLERS[:place], LEAVE, *FILLERS[place:]]
    assert ranked("How many days of leave does a worker have?", texts, embedder)[0] == LEAVE


@pytest.mark.parametrize("embedder", [None, HashEmbedder()])
def test_each_part_of_a_question_has_its_passage_among_the_first(embedder):
    question = "How many days of leave does a worker have, and what is the fee for a second badge?"
    assert set(ranked(question, [*FILLERS, LEAVE, FEES], embedder)[:2]) == {LEAVE, FEES}


def test_without_words_in_common_the_order_of_the_caller_stays():
    assert ranked("What is the speed of light?", FILLERS) == FILLERS


@given(st.lists(st.sampled_from([LEAVE, FEES, *FILLERS]), max_size=12))
def test_no_passage_is_lost_or_added(texts):
    assert sorted(ranked("How many days of leave does a worker have?", texts, HashEmbedder())) == sorted(texts)
