"""The unmodified `openai` client on the Responses API: whole and streamed, refused, structured, and in conversation."""

import openai
import pytest
from openai.types.responses import Response
from pydantic import BaseModel

from harness.streaming.live_service import BAD, GOOD, QUESTION, REFUSAL, says, served
from tests.integration.openai_api.test_chat import THEFT

pytestmark = pytest.mark.server


class Stated(BaseModel):
    text: str


class Claims(BaseModel):
    claims: list[Stated]


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


def create(live, given=QUESTION, model="law", **more):
    return live.client().responses.create(model=model, input=given, **more)


@pytest.mark.smoke
def test_a_response_is_the_answer_with_annotations_at_its_claims(home):
    with served(home, says(*GOOD)) as live:
        response = create(live, metadata={"ticket": "7"})
        Response.model_validate(response.model_dump(), strict=False)
        (message,) = response.output
        (text,) = message.content
        assert response.output_text == text.text
        found = [text.text[a.start_index : a.end_index].replace(" [IPC_420_0]", "") for a in text.annotations]
        assert found == list(GOOD)
        assert (response.status, response.metadata) == ("completed", {"ticket": "7"})
        assert response.usage.total_tokens == len(QUESTION.split()) + len(text.text.split())
        assert live.client()._client.get(f"{live.url}{text.annotations[0].url}").json()["id"] == "IPC_420_0"
        record, _ = live.state.tenant("local").notary.found(response.footnotary["answer_id"])
        assert record.says["outcome"] == "answered"


@pytest.mark.parametrize(("setting", "shown"), [({}, REFUSAL), ({"refusal_content": "off"}, "")])
def test_a_refusal_is_a_part_of_its_own_and_shown_as_text(home, setting, shown):
    with served(home, says(*GOOD, BAD), **setting) as live:
        for response in (create(live), streamed(live)[1]):
            assert response.output_text == shown
            assert response.output[0].content[-1].refusal == REFUSAL
            assert response.footnotary["refusal_reason"]
        assert live.leaked() == []


def streamed(live, **more):
    with live.client().responses.stream(model="law", input=QUESTION, **more) as stream:
        events = list(stream)
        return events, stream.get_final_response()


def test_a_stream_adds_up_to_the_same_response(home):
    with served(home, says(*GOOD)) as live:
        events, final = streamed(live)
        whole = create(live)
        assert final.output_text == whole.output_text
        assert "".join(e.delta for e in events if e.type == "response.output_text.delta") == whole.output_text
        assert final.output[0].content[0].annotations == whole.output[0].content[0].annotations
        assert [e.sequence_number for e in events] == list(range(len(events)))
        assert (events[0].type, events[-1].type) == ("response.created", "response.completed")
        assert final.footnotary["citation_details"] == whole.footnotary["citation_details"]


def test_a_rest_that_is_withheld_makes_the_response_incomplete(home):
    with served(home, says(*GOOD, BAD)) as live:
        *_, last = create(live, model="law@byclaim", stream=True)
        assert last.type == "response.incomplete"
        assert last.response.incomplete_details.reason == "content_filter"
        assert last.response.output_text.count("[IPC_420_0]") == 2
        assert last.response.footnotary["withheld"]["index"] == 2
        assert create(live, model="law@byclaim").output_text == REFUSAL
        assert live.leaked() == []


def test_a_class_of_the_client_is_filled(home):
    with served(home, says(*GOOD)) as live:
        done = live.client().responses.parse(model="law", input=QUESTION, text_format=Claims)
        assert [claim.text for claim in done.output_parsed.claims] == list(GOOD)
        assert [c.text for c in streamed(live, text_format=Claims)[1].output_parsed.claims] == list(GOOD)


def test_a_conversation_may_be_sent_whole_or_by_the_id_of_the_last_response(home):
    with served(home, says(*GOOD), model=None) as live:
        live.state.tenant("local").corpus.ingest_text("ipc.txt", THEFT, "law")
        first = create(live, "What is the punishment for cheating?")
        turns = [
            {"role": "user", "content": [{"type": "input_text", "text": "What is the punishment for cheating?"}]},
            *(item.model_dump() for item in first.output),
            {"role": "user", "content": "And for theft?"},
        ]
        whole = create(live, turns)
        linked = create(live, "And for theft?", previous_response_id=first.id)
        for response in (whole, linked):
            assert response.footnotary["question"] == "What is the punishment for theft?"
            assert "three years" in response.output_text
        assert linked.previous_response_id == first.id


def test_a_previous_response_of_another_tenant_does_not_exist(home):
    with served(home, says(*GOOD)) as live:
        first = create(live)
        _, other = live.state.keys.create("other", "reader")
        live.state.tenant("other").corpus.ingest_text("ipc.txt", THEFT, "law")
        for unknown in (first.id, "resp_x", "resp_ans_" + "a" * 26):
            with pytest.raises(openai.NotFoundError):
                live.client(other).responses.create(model="law", input=QUESTION, previous_response_id=unknown)


def test_guard_models_answer_from_the_output_of_tools(home):
    with served(home, says("Every worker has eighteen days of paid leave.")) as live:
        turns = [
            {"role": "user", "content": "How many days of paid leave does every worker have?"},
            {"type": "function_call", "call_id": "c1", "name": "search", "arguments": "{}"},
            {
                "type": "function_call_output",
                "call_id": "c1",
                "output": "Every worker has eighteen days of paid leave.",
            },
        ]
        assert "eighteen days" in create(live, turns, model="guard@default").output_text


@pytest.mark.parametrize(
    "given",
    [
        "  ",
        "x" * 5000,
        [{"role": "system", "content": "x"}],
        [{"role": "wizard", "content": QUESTION}],
        [{"role": "user", "content": [{"type": "input_image", "image_url": "data:,"}]}],
        [{"type": "reasoning", "id": "r", "summary": []}],
    ],
)
def test_an_input_without_a_question_that_can_be_read_is_an_error(home, given):
    with served(home, says(*GOOD)) as live, pytest.raises(openai.UnprocessableEntityError):
        create(live, given)


def test_a_model_that_fails_is_an_error_in_either_form(home):
    from footnotary.testing.chat_server import fails

    with served(home, fails(400)) as live:
        with pytest.raises(openai.APIStatusError):
            create(live)
        events = []
        with pytest.raises(openai.APIError):
            events.extend(create(live, stream=True))
        assert all(event.type != "response.completed" for event in events)
