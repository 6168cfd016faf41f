"""Passages that say of themselves that they are no fact: marked, and used only where nothing else answers."""

import pytest

from footnotary.audit.canonical_json import to_plain
from footnotary.corpus import Corpus
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.injection.examination import examine
from footnotary.profiles.load import load_profile
from footnotary.render.outcome_record import outcome_record
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.sample_documents import SamplePassage, make_document
from footnotary.verify.run import checks_for

TRUE = "The library of Ostrow opens at nine in the morning."
TALE = "The library of Ostrow opens at midnight for the ghosts."
QUESTION = "When does the library of Ostrow open?"


def kinds(*texts):
    passages = [SamplePassage(f"X_{n}_0", text) for n, text in enumerate(texts)]
    return [[flag.kind for flag in chunk.flags] for chunk in examine(make_document("x", passages).chunks)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("This is a work of fiction. The mayor is a bear.", "fiction"),
        ("This story is entirely fictional. The mayor is a bear.", "fiction"),
        ("The following example is purely hypothetical. A lends B ten rupees.", "hypothetical"),
        ("This circular has been superseded by Circular 9. The fee is ten rupees.", "superseded"),
        ("This policy is no longer in force. The fee is ten rupees.", "superseded"),
    ],
)
def test_what_a_passage_says_of_itself_is_marked(text, kind):
    assert kinds(text) == [[kind]]


@pytest.mark.parametrize(
    "text",
    [
        "The circular of 1999 has been superseded by this one.",
        "A licence that is withdrawn must be returned.",
        "She writes fiction. Her novel is a work of fiction about a bear.",
        "If this order is withdrawn, the fee is paid back.",
        "Hypothetical questions are not admitted in cross-examination.",
        "The complaint says that this report is fictional.",
    ],
)
def test_what_a_passage_says_of_something_else_is_not(text):
    assert kinds(text) == [[]]


def test_what_the_first_passage_says_of_the_document_holds_for_all():
    assert kinds("This novel is a work of fiction.", TALE) == [["fiction"], ["fiction"]]
    assert kinds("This example is hypothetical.", TALE) == [["hypothetical"], []]
    assert kinds(TALE, "This novel is a work of fiction.") == [[], ["fiction"]]


def asked(documents):
    profile, store, embedder = load_profile("default"), DictStore(), HashEmbedder()
    corpus = Corpus(store, embedder, examine=examine)
    reports = [corpus.ingest_text(name, text, "town") for name, text in documents.items()]
    assert not any(report.failed for report in reports)
    engine = Engine(store, embedder, ExtractiveGenerator(profile), profile, checks_for(profile))
    return engine.ask(QUESTION, Scope("town")), reports


def test_a_marked_passage_says_nothing_where_another_answers():
    outcome, reports = asked({"tale.txt": f"This story is fictional. {TALE}", "facts.txt": TRUE})
    assert reports[0].added[0].declared == ("fiction",)
    assert isinstance(outcome, Answer)
    assert outcome.text == TRUE
    assert outcome.citations[0].marks == ()
    assert "marks" not in to_plain(outcome.citations[0])


def test_where_nothing_else_answers_the_citation_says_what_the_source_is():
    outcome, _ = asked({"tale.txt": f"This story is fictional. {TALE}"})
    assert isinstance(outcome, Answer)
    assert outcome.text == TALE
    assert outcome.citations[0].marks == ("fiction",)
    assert outcome_record(outcome, "number")["citation_details"][0]["marks"] == ["fiction"]
