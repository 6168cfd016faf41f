"""What a model is shown of a conflict: both sides, also where the gate stopped reading at the first."""

import pytest

from footnotary.domain.draft import Claim, ModelRequest
from footnotary.domain.outcome import Answer
from footnotary.engine import answer_from
from footnotary.external.passages import answer_from_given_evidence
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Conflicts
from footnotary.reader.cascade import CascadeReader
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.testing.fake_reader import FakeReader
from footnotary.testing.scripted_models import Says
from footnotary.verify.conflicts import aligned_passages
from footnotary.verify.conflicts.other_sides import with_other_sides
from footnotary.verify.run import checks_for

SIX = chunk_of("WATER_1", "Drinking water in the northern ward is supplied for six hours each day.")
TWO = chunk_of("WATER_2", "Drinking water in the northern ward is supplied for two hours each day.")
LAMPS = chunk_of("LAMPS_1", "The lamps of the northern ward are lit for nine hours each day.")
QUESTION = "For how many hours is drinking water supplied in the northern ward each day?"
EVIDENCE = evidence_of(QUESTION, SIX, TWO, LAMPS, score=0.9)
PROFILE = load_profile("default")


class Shown(Says):
    """A model that states both sides, and keeps what it was shown."""

    def generate(self, query, evidence):
        self.shown = [hit.chunk.id for hit in evidence.hits]
        return super().generate(query, evidence)


def stating_both():
    return Shown(Claim(SIX.text, (SIX.id,)), Claim(TWO.text, (TWO.id,)))


def reader_sure_of_the_first():
    return CascadeReader(FakeReader({"six": 0.95, "two": 0.94, "lamps": 0.1}), FakeReader({"": 0.9}))


def only(*chunks):
    return evidence_of(QUESTION, *chunks, score=0.9)


def test_a_right_answer_was_refused_because_the_model_was_shown_one_of_two_sides():
    model = stating_both()
    outcome = answer_from_given_evidence(
        EVIDENCE, model, PROFILE, checks_for(PROFILE), reader=reader_sure_of_the_first()
    )
    assert model.shown == [SIX.id, TWO.id]
    assert isinstance(outcome, Answer)
    assert len(outcome.conflicts) == 1
    assert {hit.via for hit in outcome.evidence.hits} == {"search"}


@pytest.mark.parametrize("policy", ["refuse", "ignore"])
def test_where_a_profile_does_not_state_both_sides_the_model_sees_what_the_gate_selected(policy):
    chosen, model = PROFILE.model_copy(update={"conflicts": Conflicts(on_disagreement=policy)}), stating_both()
    answer_from(EVIDENCE, model, chosen, checks_for(chosen), lambda _: ("", ""), reader=reader_sure_of_the_first())
    assert model.shown == [SIX.id]


def test_a_passage_about_something_else_is_no_other_side():
    assert with_other_sides(only(SIX), EVIDENCE.hits).hits[1:] == with_other_sides(only(SIX), only(TWO).hits).hits[1:]
    assert with_other_sides(only(LAMPS), EVIDENCE.hits).ids == {LAMPS.id}


def test_where_there_is_too_much_to_compare_the_model_sees_what_the_gate_selected(monkeypatch):
    monkeypatch.setattr(aligned_passages, "_MOST_COMPARISONS", 0)
    assert with_other_sides(only(SIX), EVIDENCE.hits).ids == {SIX.id}


def test_an_extractive_draft_is_made_of_what_the_gate_selected():
    drafted = ExtractiveGenerator(PROFILE).generate(EVIDENCE.query, with_other_sides(only(SIX), EVIDENCE.hits))
    assert [claim.cites for claim in drafted.claims] == [(SIX.id,)]


@pytest.mark.parametrize(("version", "sources"), [(2, 1), (3, 2)])
def test_a_recorded_request_of_a_former_version_is_rebuilt_with_the_sources_it_had(version, sources):
    class Keeps:
        name = "keeps"

        def complete(self, messages, schema=None):
            self.prompt = messages[-1].content
            return "Six hours [1]."

    model, shown = Keeps(), with_other_sides(only(SIX), EVIDENCE.hits)
    ChatGenerator(model, PROFILE, request=ModelRequest("0a1b2c3d", False, version)).generate(EVIDENCE.query, shown)
    assert model.prompt.count("\n\nSource ") + model.prompt.startswith("Source ") == sources
