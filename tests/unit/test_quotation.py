"""A rejected draft of a model gives way to a quotation where the profile asks for it, and only there."""

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.outcome import Answer, Refusal
from footnotary.domain.query import Scope
from footnotary.domain.verdict import Reason
from footnotary.engine import Engine
from footnotary.errors import ModelError
from footnotary.generate.chat.completion_body import UnreadableReply
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.profiles.load import load_profile
from footnotary.testing.chat_server import claims
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.scripted_models import Says, ScriptedChatModel
from footnotary.verify.run import checks_for

DEFAULT = load_profile("default")
RULES = "# Fees\n\nThe annual fee for a stall is 400 rupees. The fee is paid at the ward office within ten days.\n"
QUESTION = "What is the annual fee for a stall?"
TRUE, FALSE = "The annual fee for a stall is 400 rupees.", "The annual fee for a stall is 900 rupees."
QUOTER = ExtractiveGenerator(DEFAULT)


class Listening:
    def __init__(self):
        self.heard = {}

    def stage(self, name, **facts):
        assert name not in self.heard
        self.heard[name] = facts


def asked(*replies, quoter=QUOTER):
    store, embedder, listening = DictStore(), HashEmbedder(), Listening()
    Corpus(store, embedder).ingest_text("fees.md", RULES, "town")
    model = ScriptedChatModel(*replies)
    engine = Engine(
        store,
        embedder,
        ChatGenerator(model, DEFAULT),
        DEFAULT,
        checks_for(DEFAULT),
        quoter=quoter,
    )
    try:
        return engine.ask(QUESTION, Scope("town"), listening), listening, model
    finally:
        assert len(model.asked) <= 1, "a second prompt"


def test_a_draft_that_passes_is_delivered_and_nothing_is_quoted():
    outcome, listening, _ = asked(claims((TRUE, [1])))
    assert isinstance(outcome, Answer)
    assert (outcome.generator, outcome.quoted) == ("chat:scripted", False)
    assert "quoted" not in listening.heard


def test_a_rejected_draft_gives_way_to_a_quotation_that_passed_the_same_checks():
    outcome, listening, _ = asked(claims((FALSE, [1])))
    assert isinstance(outcome, Answer)
    assert (outcome.text, outcome.generator, outcome.quoted) == (TRUE, "extractive", True)
    assert {verdict.check for verdict in outcome.verdicts} >= set(DEFAULT.verification.checks)
    assert outcome.rejected.draft.claims[0].text == FALSE
    assert outcome.rejected.reason is Reason.NUMBER_UNSUPPORTED
    assert listening.heard["quoted"] == {"passed": True, "rejected": Reason.NUMBER_UNSUPPORTED}
    assert listening.heard["done"] == {"answered": True}


def test_nothing_of_a_partly_true_draft_is_kept():
    outcome, _, _ = asked(claims((TRUE, [1]), ("It is paid within ninety days.", [1])))
    assert outcome.quoted
    assert outcome.draft.extractive
    assert all(claim.text in RULES for claim in outcome.claims)


def test_without_a_quoter_a_rejected_draft_is_a_refusal():
    outcome, _, _ = asked(claims((FALSE, [1])), quoter=None)
    assert isinstance(outcome, Refusal)
    assert outcome.reason is Reason.NUMBER_UNSUPPORTED


@pytest.mark.parametrize(
    "reply", [claims(), '{"answerable": false, "claims": [{"sources": [1], "text": "It is 900."}]}']
)
def test_a_model_that_declines_is_respected(reply):
    outcome, listening, _ = asked(reply)
    assert isinstance(outcome, Refusal)
    assert outcome.reason is Reason.GENERATOR_DECLINED
    assert "quoted" not in listening.heard


def test_a_reply_without_a_claim_is_a_refusal():
    outcome, _, _ = asked('{"answerable": true, "claims": []}')
    assert isinstance(outcome, Refusal)


@pytest.mark.parametrize(
    "reply",
    ["Sure! It is 900 rupees.", UnreadableReply("the model's reply did not finish (length)", hint="", text='{"answ')],
)
def test_a_reply_that_cannot_be_read_gives_way_to_a_quotation(reply):
    outcome, _, _ = asked(reply)
    assert isinstance(outcome, Answer)
    assert (outcome.text, outcome.rejected.reason) == (TRUE, Reason.GENERATION_ERROR)
    assert outcome.rejected.draft.raw == (reply if isinstance(reply, str) else reply.text)
    assert outcome.rejected.draft.prompt_sha256
    assert [verdict.check for verdict in outcome.rejected.failed] == ["reply_is_readable"]


def test_without_a_quoter_a_reply_that_cannot_be_read_is_an_error():
    with pytest.raises(ModelError, match="not in the requested format"):
        asked("Sure! It is 900 rupees.", quoter=None)


def test_a_server_that_fails_is_an_error_and_nothing_is_quoted():
    with pytest.raises(ModelError, match="down"):
        asked(ModelError("down", retryable=True))


def test_where_the_quotation_fails_too_the_refusal_is_that_of_the_draft():
    draft = "The annual fee for a stall is 700 rupees."
    outcome, listening, _ = asked(claims((draft, [1])), quoter=Says(FALSE, cites=("Fees_1_0",)))
    assert isinstance(outcome, Refusal)
    assert outcome.draft.claims[0].text == draft
    assert listening.heard["quoted"]["passed"] is False


@pytest.mark.parametrize(
    ("name", "rule"), [("default", "quote"), ("compliance", "quote"), ("tutor", "quote"), ("legal", "refuse")]
)
def test_the_shipped_profiles_say_what_happens(name, rule):
    assert load_profile(name).generation.on_rejected == rule


def test_a_profile_that_refuses_has_the_digest_it_had_before_there_was_a_choice():
    assert "on_rejected" not in load_profile("legal").stored()["generation"]
