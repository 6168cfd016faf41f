"""Passages that answer otherwise in words of their own: what a reader finds is reported, stated or refused."""

from dataclasses import replace

import pytest

from footnotary.domain.document import Labels
from footnotary.domain.draft import Claim, Draft
from footnotary.domain.query import Scope
from footnotary.domain.verdict import Reason
from footnotary.external.passages import make_evidence, make_hit
from footnotary.gate.intent import understand
from footnotary.ports import ContradictionReader, Submission
from footnotary.profiles.load import load_profile
from footnotary.reader.cascade import CascadeReader, contradictions_by
from footnotary.testing.fake_reader import FakeReader
from footnotary.verify.conflicts.agreement import conflicts_of, sources_agree, with_both_sides
from footnotary.verify.run import verify

QUESTION = "Who designed the Merrow Street Library?"
HONEST = "The Merrow Street Library opened in 1934. It was designed by Edith Calloway."
LIE = "Few know who designed the Merrow Street Library. It was designed by Hugh Pemberton."
OTHER = "The Merrow Street Library lends books to children."


class Contradicting(FakeReader):
    """Says that passages with different names contradict each other, with the probability it is given."""

    def __init__(self, probability=0.95):
        super().__init__({"Hugh": 0.9, "Edith": 0.9, "lends": 0.1, "opened": 0.1, "Few": 0.1})
        self.probability = probability
        self.compared = []

    def contradicts(self, pairs):
        self.compared += pairs
        names = ("Edith", "Hugh")
        return [
            self.probability if any(a in said and b in text for a, b in (names, names[::-1])) else 0.01
            for said, text in pairs
        ]


def submitted(*claims, extractive=False, texts=None, kinds=None):
    query = understand(QUESTION, Scope("p"), load_profile("default"))
    texts = texts or {"A": HONEST, "B": LIE, "C": OTHER}
    hits = [make_hit(name, text, 1.0, Labels()) for name, text in texts.items()]
    hits = [replace(hit, chunk=replace(hit.chunk, kind=(kinds or {}).get(hit.chunk.id, "text"))) for hit in hits]
    return Submission(query, make_evidence(query, hits), Draft(claims, "given", extractive=extractive))


CLAIM = Claim("It was designed by Edith Calloway.", ("A",))


def test_a_passage_that_answers_otherwise_is_refused_with_both_sides_named():
    verdict = sources_agree("refuse", Contradicting())(submitted(CLAIM))
    assert verdict.reason is Reason.CONFLICTING_SOURCES
    assert "[A]" in verdict.detail
    assert "Hugh Pemberton" in verdict.detail


def of_one_law(submission, sections, **law):
    """The same, with each passage as a section of one law."""
    hits = [
        replace(hit, chunk=replace(hit.chunk, labels=Labels(section=section, **law)))
        for hit, section in zip(submission.evidence.hits, sections, strict=True)
    ]
    return replace(submission, evidence=make_evidence(submission.query, hits))


@pytest.mark.parametrize("law", [{"act": "Library Act", "year": 1934}, {"code": "LA"}])
def test_different_sections_of_one_law_are_not_read_as_contradictions_and_two_texts_of_one_are(law):
    reader = Contradicting()
    check = sources_agree("refuse", reader)
    assert check(of_one_law(submitted(CLAIM), ("1", "2", "3"), **law)).status == "pass"
    assert reader.compared == []
    assert check(of_one_law(submitted(CLAIM), ("1", "1", "3"), **law)).reason is Reason.CONFLICTING_SOURCES


def test_passages_of_one_document_are_not_read_as_contradictions():
    reader, submission = Contradicting(), submitted(CLAIM)
    hits = [replace(hit, chunk=replace(hit.chunk, document_id="Guide")) for hit in submission.evidence.hits]
    assert (
        sources_agree("refuse", reader)(replace(submission, evidence=make_evidence(submission.query, hits))).status
        == "pass"
    )


def test_an_extractive_answer_states_the_other_side_too():
    reader = Contradicting()
    both = with_both_sides(submitted(CLAIM, extractive=True), reader)
    assert [claim.cites for claim in both.draft.claims] == [("A",), ("B",)]
    assert "Hugh Pemberton" in both.draft.claims[1].text
    verdicts = verify(both, (("sources_agree", sources_agree("state_both", reader)),))
    assert verdicts[0].status == "pass"
    assert [(each.id_a, each.id_b) for each in conflicts_of(both, verdicts, reader)] == [("A", "B")]


def test_a_model_that_states_one_side_is_refused():
    assert sources_agree("state_both", Contradicting())(submitted(CLAIM)).reason is Reason.CONFLICTING_SOURCES


def test_two_claims_that_contradict_each_other_are_a_stated_conflict():
    submission = submitted(CLAIM, Claim("It was designed by Hugh Pemberton.", ("B",)))
    reader = Contradicting()
    verdict = sources_agree("state_both", reader)(submission)
    assert verdict.status == "pass"
    assert len(conflicts_of(submission, (verdict,), reader)) == 1


@pytest.mark.parametrize("reader", [None, FakeReader(), Contradicting(0.6)], ids=["none", "cannot", "doubts"])
def test_without_a_reader_that_is_sure_nothing_is_reported(reader):
    assert sources_agree("refuse", reader)(submitted(CLAIM)).status == "pass"


def test_a_passage_that_does_not_answer_contradicts_nothing():
    reader = Contradicting()
    sources_agree("refuse", reader)(submitted(CLAIM))
    assert all(text != OTHER for _, text in reader.compared)
    assert reader.compared


def test_a_row_of_which_no_sentence_answers_was_read_as_the_other_side():
    """The pool's opening hours, of all rows together, seemed to say when the open day is."""

    class Unsure(Contradicting):
        def read(self, question, passages):
            return [
                replace(reading, sentences=(0.43,) * len(reading.sentences))
                for reading in super().read(question, passages)
            ]

    reader = Unsure()
    assert sources_agree("refuse", reader)(submitted(CLAIM)).status == "pass"
    assert reader.compared == []


def test_a_passage_of_another_standing_contradicts_nothing():
    assert sources_agree("refuse", Contradicting())(submitted(CLAIM, kinds={"B": "exercise"})).status == "pass"


def test_however_many_passages_are_given_few_are_read():
    reader = Contradicting()
    texts = {"A": HONEST} | {f"B{n}": LIE.replace("Few", f"Few of {n}") for n in range(60)}
    assert sources_agree("refuse", reader)(submitted(CLAIM, texts=texts)).status == "fail"
    assert len(reader.asked) <= 10
    assert len(reader.compared) <= 8


def test_what_the_small_reader_rules_out_is_not_read_by_the_large_one():
    large, small = Contradicting(), Contradicting(0.05)
    pairs = [("Who? Edith.", LIE), ("Who? Edith.", HONEST)]
    assert list(CascadeReader(small, large).contradicts(pairs)) == [0.0, 0.0]
    assert large.compared == []
    assert contradictions_by(FakeReader(), pairs) == [0.0, 0.0]
    assert isinstance(CascadeReader(small, large), ContradictionReader)
