"""Whoever listens learns where a question stands, and not a word of what is drafted."""

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.outcome import Answer, Refusal
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.errors import ModelError
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.profiles.load import load_profile
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.scripted_models import Says
from footnotary.verify.run import checks_for

LEGAL = load_profile("legal")
ACT = """ACT: Indian Penal Code, 1860
CODE: IPC
KIND: act

Section 420. Cheating and dishonestly inducing delivery of property.
Whoever cheats and thereby dishonestly induces the person deceived to deliver any property shall be punished with imprisonment for a term which may extend to seven years, and shall also be liable to fine.
"""
QUESTION = "What is the punishment under section 420 IPC?"


class Listening:
    def __init__(self):
        self.heard = []

    def stage(self, name, **facts):
        self.heard.append((name, facts))

    @property
    def names(self):
        return [name for name, _ in self.heard]


def asked(generator=None, question=QUESTION, project="law"):
    store, embedder, listening = DictStore(), HashEmbedder(), Listening()
    Corpus(store, embedder).ingest_text("ipc.txt", ACT, "law")
    engine = Engine(store, embedder, generator or ExtractiveGenerator(LEGAL), LEGAL, checks_for(LEGAL))
    return engine.ask(question, Scope(project), listening), listening


def test_an_answer_is_reported_stage_by_stage():
    outcome, listening = asked()
    assert isinstance(outcome, Answer)
    assert listening.names == ["understood", "retrieved", "gated", "drafting", "drafted", "verified", "done"]
    facts = dict(listening.heard)
    assert facts["retrieved"]["hits"] == len(outcome.evidence.hits)
    assert facts["gated"] == {"verdict": "pass", "reason": None}
    assert facts["drafted"]["claims"] == len(outcome.claims)
    assert facts["verified"]["passed"] is True
    assert facts["done"] == {"answered": True}


@pytest.mark.parametrize(
    ("case", "last"),
    [
        ({"project": "nowhere"}, ["understood", "done"]),
        ({"question": "What is the speed of light in glass?"}, ["understood", "retrieved", "gated", "done"]),
        (
            {"generator": Says("Up to ten years.", cites=("IPC_420_0",))},
            ["understood", "retrieved", "gated", "drafting", "drafted", "verified", "done"],
        ),
    ],
)
def test_the_stages_of_a_refusal_are_reported(case, last):
    outcome, listening = asked(**case)
    assert isinstance(outcome, Refusal)
    assert listening.names == last


def test_a_failure_is_never_reported_as_done():
    class Failing:
        name = "failing"

        def generate(self, query, evidence):
            raise ModelError("the model server is away")

    store, embedder, listening = DictStore(), HashEmbedder(), Listening()
    Corpus(store, embedder).ingest_text("ipc.txt", ACT, "law")
    engine = Engine(store, embedder, Failing(), LEGAL, checks_for(LEGAL))
    with pytest.raises(ModelError):
        engine.ask(QUESTION, Scope("law"), listening)
    assert listening.names[-1] == "drafting"


def test_no_word_of_a_draft_or_question_is_reported():
    _, listening = asked(Says("A zebra shall be imprisoned for ninety years.", cites=("IPC_420_0",)))
    told = repr(listening.heard).casefold()
    assert not any(word in told for word in ("zebra", "ninety", "section 420", "imprison"))
