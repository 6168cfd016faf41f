"""The chat generator: one request, one reply, read back as a draft."""

from collections.abc import Callable

import pytest

from footnotary.domain.draft import Claim
from footnotary.domain.evidence import Evidence
from footnotary.errors import ModelError
from footnotary.generate.chat.generator import ChatGenerator, SchemaUnsupported
from footnotary.generate.chat.prompt import constant_messages, messages_sha256
from footnotary.generate.chat.reply_parser import ANY_OBJECT
from footnotary.ports import ChatModel, Generator
from footnotary.profiles.load import load_profile
from footnotary.testing.chat_server import claims
from footnotary.testing.scripted_models import Says, ScriptedChatModel

LEGAL = load_profile("legal")


@pytest.fixture
def evidence(make_evidence: Callable[..., Evidence]) -> Evidence:
    return make_evidence("Whoever cheats shall be punished.", "Whoever steals shall be punished.")


def test_text_is_read_by_slots(evidence: Evidence):
    model = ScriptedChatModel("Whoever cheats shall be punished [1].")
    draft = ChatGenerator(model, LEGAL, structured=False).generate(evidence.query, evidence)
    assert draft.claims == (Claim("Whoever cheats shall be punished.", ("IPC_1_0",)),)
    assert draft.raw == "Whoever cheats shall be punished [1]."
    assert draft.generator == "chat:scripted"
    assert [schema for _, schema in model.asked] == [None]


def test_structured_claims_are_asked_for_by_schema(evidence: Evidence):
    model = ScriptedChatModel(claims(("Whoever steals shall be punished.", [2])))
    draft = ChatGenerator(model, LEGAL, structured=True).generate(evidence.query, evidence)
    assert draft.claims == (Claim("Whoever steals shall be punished.", ("IPC_2_0",)),)
    ((_, schema),) = model.asked
    assert schema["properties"]["claims"]["maxItems"] == LEGAL.generation.max_claims
    assert schema["properties"]["claims"]["items"]["properties"]["sources"]["items"]["enum"] == [1, 2]


def test_a_server_without_schemas_is_asked_in_text_from_then_on(evidence: Evidence):
    no = SchemaUnsupported("no")
    model = ScriptedChatModel(no, no, "Whoever cheats shall be punished [1].")
    generator = ChatGenerator(model, LEGAL)
    drafts = [generator.generate(evidence.query, evidence) for _ in range(3)]
    assert [schema is not None for _, schema in model.asked] == [True, True, False, False, False]
    assert all(draft.claims[0].cites == ("IPC_1_0",) for draft in drafts)


def test_a_server_with_json_but_without_schemas_is_asked_for_an_object_from_then_on(evidence: Evidence):
    model = ScriptedChatModel(SchemaUnsupported("no"), claims(("Whoever cheats shall be punished.", [1])))
    generator = ChatGenerator(model, LEGAL)
    drafts = [generator.generate(evidence.query, evidence) for _ in range(2)]
    assert [schema for _, schema in model.asked][1:] == [ANY_OBJECT, ANY_OBJECT]
    assert all(draft.request.structured and draft.claims[0].cites == ("IPC_1_0",) for draft in drafts)


def test_a_claim_that_the_schema_may_have_cut_off_is_an_error(evidence: Evidence):
    model = ScriptedChatModel(claims(("Whoever cheats " * 100, [1])))
    with pytest.raises(ModelError, match="characters or more"):
        ChatGenerator(model, LEGAL).generate(evidence.query, evidence)


def test_a_server_with_schemas_is_asked_by_schema_every_time(evidence: Evidence):
    model = ScriptedChatModel(claims(("Whoever cheats shall be punished.", [1])))
    generator = ChatGenerator(model, LEGAL)
    for _ in range(3):
        generator.generate(evidence.query, evidence)
    assert [schema is not None for _, schema in model.asked] == [True, True, True]


def test_once_schemas_have_worked_their_rejection_is_an_error(evidence: Evidence):
    model = ScriptedChatModel(claims(("Whoever cheats shall be punished.", [1])), SchemaUnsupported("no"))
    generator = ChatGenerator(model, LEGAL)
    generator.generate(evidence.query, evidence)
    with pytest.raises(ModelError):
        generator.generate(evidence.query, evidence)
    assert len(model.asked) == 2


@pytest.mark.parametrize("structured", [None, True])
def test_a_reply_out_of_form_is_an_error_and_not_asked_for_again(structured: bool | None, evidence: Evidence):
    model = ScriptedChatModel("Sure! Whoever cheats shall be punished [1].")
    with pytest.raises(ModelError, match="not in the requested format"):
        ChatGenerator(model, LEGAL, structured).generate(evidence.query, evidence)
    assert len(model.asked) == 1


@pytest.mark.parametrize("structured", [None, True, False])
def test_a_failing_model_is_asked_once(structured: bool | None, evidence: Evidence):
    model = ScriptedChatModel(ModelError("down", retryable=True))
    with pytest.raises(ModelError, match="down"):
        ChatGenerator(model, LEGAL, structured).generate(evidence.query, evidence)
    assert len(model.asked) == 1


def test_the_exact_refusal_declines(evidence: Evidence):
    for structured, reply in ((False, LEGAL.refusal.en), (False, LEGAL.refusal.hi), (True, claims())):
        draft = ChatGenerator(ScriptedChatModel(reply), LEGAL, structured).generate(evidence.query, evidence)
        assert draft.declined
        assert draft.claims == ()


def test_the_fence_is_new_for_every_request(evidence: Evidence):
    model = ScriptedChatModel("Whoever cheats shall be punished [1].")
    generator = ChatGenerator(model, LEGAL, structured=False)
    for _ in range(5):
        generator.generate(evidence.query, evidence)
    assert len({messages for messages, _ in model.asked}) == 5


@pytest.mark.parametrize("structured", [True, False])
def test_the_draft_keeps_the_rules_and_no_source_for_the_leakage_check(structured: bool, evidence: Evidence):
    reply = claims(("Whoever cheats shall be punished.", [1])) if structured else "Whoever cheats [1]."
    draft = ChatGenerator(ScriptedChatModel(reply), LEGAL, structured).generate(evidence.query, evidence)
    constant = constant_messages(LEGAL, "en", structured=structured)
    assert draft.prompt == "\n\n".join(message.content for message in constant)
    assert "Whoever cheats" not in draft.prompt
    assert draft.prompt not in repr(draft)


def test_the_fakes_are_what_they_stand_for(evidence: Evidence):
    generator: Generator = Says("Up to 7 years.", Claim("And a fine.", ("IPC_2_0",)), cites=("IPC_1_0",))
    model: ChatModel = ScriptedChatModel("a", "b")
    assert generator.generate(evidence.query, evidence).claims == (
        Claim("Up to 7 years.", ("IPC_1_0",)),
        Claim("And a fine.", ("IPC_2_0",)),
    )
    assert [model.complete(()) for _ in range(3)] == ["a", "b", "b"]


def test_a_draft_names_the_request_it_replies_to(evidence: Evidence):
    model = ScriptedChatModel('{"answerable": false, "claims": []}')
    draft = ChatGenerator(model, LEGAL).generate(evidence.query, evidence)
    assert draft.request is not None
    assert draft.request.fence in model.asked[0][0][-1].content
    assert draft.request.structured
    assert draft.prompt_sha256 == messages_sha256(model.asked[0][0])


def test_a_request_can_be_written_again_from_its_fence(evidence: Evidence):
    model = ScriptedChatModel('{"answerable": false, "claims": []}')
    first = ChatGenerator(model, LEGAL).generate(evidence.query, evidence)
    again = ChatGenerator(model, LEGAL, request=first.request).generate(evidence.query, evidence)
    assert again == first
    assert ChatGenerator(model, LEGAL).generate(evidence.query, evidence).prompt_sha256 != first.prompt_sha256
