"""Written rows teach the edit that gives the question they stand for."""

import gzip
import json

import pytest

from footnotary.reader.follow_up_edits import applied
from training.follow_ups.edits import WRITTEN, examples_of

FINE = "What is the fine for parking in a loading bay?"


def row(question, answer, typed, meant, kind="ellipsis", acceptable=()):
    turn = {"question": question, "answer": answer}
    return {"history": [turn], "followup": typed, "standalone": meant, "acceptable": list(acceptable), "kind": kind}


@pytest.mark.parametrize(
    ("question", "answer", "typed", "meant"),
    [
        (FINE, "", "and on the pavement?", "What is the fine for parking on the pavement?"),
        ("Can I cancel the order?", "", "in writing?", "Can I cancel the order in writing?"),
        ("Where is the kit?", "It is in the hall.", "who checks it?", "who checks the kit?"),
        (
            "Who wrote Faust?",
            "Johann Goethe wrote Faust.",
            "ok and where was he born?",
            "where was Johann Goethe born?",
        ),
        ("How do I renew my card?", "Ask at the desk.", "is there a fee?", "is there a fee for my card?"),
        ("Who is the dean?", "Dr Roy is the dean.", "what are his duties?", "what are Dr Roy's duties?"),
        ("May the tenant reduce the rent?", "", "can he pay it late?", "can the tenant pay the rent late?"),
    ],
)
def test_the_edits_of_a_row_give_what_it_stands_for(question, answer, typed, meant):
    *edits, last = examples_of(row(question, answer, typed, meant))
    if last.edit.operation != "keep":
        edits.append(last)
    assert edits
    assert applied(edits[-1].edit, edits[-1].turn) == meant


@pytest.mark.parametrize(
    ("kind", "typed", "operation"),
    [("new_topic", "Who is the dean?", "keep"), ("unclear", "and the other one?", "open"), ("why", "how come?", "why")],
)
def test_what_needs_no_words_of_another_text_has_an_operation_alone(kind, typed, operation):
    meant = "Why is it that the fine is 40 euros?" if kind == "why" else typed
    (example,) = examples_of(row(FINE, "The fine is 40 euros.", typed, meant, kind))
    assert example.edit.operation == operation


def test_other_words_than_those_of_the_conversation_teach_nothing():
    assert examples_of(row(FINE, "", "and abroad?", "How much do foreigners pay?")) == []


def test_a_refusal_is_no_answer_to_take_words_from():
    refused = "I cannot answer this from the indexed documents."
    assert examples_of(row("Who is the dean?", refused, "where are they?", "where are the indexed documents?")) == []


def test_every_written_row_has_the_fields_that_are_read():
    for path in WRITTEN.glob("*.jsonl.gz"):
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            assert set(json.loads(line)) == {"history", "followup", "standalone", "acceptable", "kind"}
