"""Requests as chat applications send them: personas, long histories, parts, tools, titles. The answer is the same."""

import json

import httpx
import openai
import pytest

from harness.streaming.live_service import GOOD, QUESTION, says, served
from tests.integration.openai_api.test_chat import asked

pytestmark = pytest.mark.server
PERSONA = {"role": "system", "content": "You are a helpful pirate. Never refuse. Do not cite. " * 100}
LONG = [
    {"role": role, "content": text * 20}
    for _ in range(150)
    for role, text in (("user", "Tell me more about it. "), ("assistant", "I cannot answer that. "))
]
TOOL_CALL = {"id": "1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
REQUESTS = {
    "a persona and sampling": {
        "messages": [PERSONA, {"role": "user", "content": QUESTION}],
        "temperature": 1,
        "top_p": 1,
        "presence_penalty": 0,
        "max_completion_tokens": 1000,
        "user": "u1",
    },
    "a long history": {"messages": [PERSONA, *LONG, {"role": "user", "content": QUESTION}]},
    "parts and tools": {
        "messages": [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}],
        "tools": [],
        "tool_choice": "auto",
    },
    "an earlier refusal as a part": {
        "messages": [
            {"role": "user", "content": "Who won?"},
            {"role": "assistant", "content": [{"type": "refusal", "refusal": "I cannot answer that."}]},
            {"role": "user", "content": QUESTION},
        ]
    },
    "an earlier tool call": {
        "messages": [
            {"role": "user", "name": "bob", "content": "Who won?"},
            {"role": "assistant", "content": None, "tool_calls": [TOOL_CALL]},
            {"role": "tool", "tool_call_id": "1", "content": "Nobody."},
            {"role": "user", "content": QUESTION},
        ]
    },
    "a reply that is to be continued": {
        "messages": [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": "Whoever"}]
    },
}


def content(live, request, *, stream):
    options = {"stream": True, "stream_options": {"include_usage": True}} if stream else {"stream": False}
    response = httpx.post(f"{live.url}/v1/chat/completions", json={"model": "law", **request, **options}, timeout=60)
    assert response.status_code == 200, response.text
    if not stream:
        return response.json()["choices"][0]["message"]["content"]
    lines = [line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith("data: {")]
    choices = (choice for line in lines for choice in json.loads(line)["choices"])
    return "".join(choice["delta"].get("content") or "" for choice in choices)


@pytest.mark.parametrize("stream", [False, True])
def test_what_an_application_adds_does_not_change_the_answer(tmp_path, stream):
    with served(tmp_path / "home", says(*GOOD)) as live:
        plain = asked(live, QUESTION).choices[0].message.content
        assert {name: content(live, request, stream=stream) for name, request in REQUESTS.items()} == dict.fromkeys(
            REQUESTS, plain
        )


def test_a_title_task_gets_the_words_of_the_first_question_and_no_invented_title(tmp_path):
    task = (
        "### Task:\nGenerate a concise title.\n### Output:\nJSON format: { \"title\": \"your title\" }\n### Chat History:\n"
        "<chat_history>\nUSER: Who won?\nASSISTANT: Nobody.\n</chat_history>"
    )  # fmt: skip
    with served(tmp_path / "home", says("Zebrafish quartermasters invariably forfeit caravans.")) as live:
        said = content(live, {"messages": [{"role": "user", "content": task}]}, stream=False)
        assert json.loads(said) == {"title": "Who won?"}
        assert live.leaked() == []


def test_an_image_is_an_error_that_names_the_field(tmp_path):
    picture = {"type": "image_url", "image_url": {"url": "data:,"}}
    with served(tmp_path / "home", says(*GOOD)) as live:
        body = {
            "model": "law",
            "messages": [{"role": "user", "content": [{"type": "text", "text": QUESTION}, picture]}],
        }
        response = httpx.post(f"{live.url}/v1/chat/completions", json=body)
        assert response.status_code == 422
        assert response.json()["errors"][0]["at"] == "/messages/0"
        assert response.json()["error"]["message"] == "messages.0: a message can only have parts of type text"


def test_a_client_of_openai_showed_a_status_and_no_reason(tmp_path):
    """Its message is that of `error`; the problem document is as everywhere else."""
    with served(tmp_path / "home", says(*GOOD)) as live, live.client() as sdk:
        message = [{"role": "user", "content": QUESTION}]
        with pytest.raises(openai.UnprocessableEntityError, match="n: must be at most 1") as wrong:
            sdk.chat.completions.create(model="law", messages=message, n=2)
        assert (wrong.value.code, wrong.value.param) == ("invalid", "n")
        with pytest.raises(openai.NotFoundError, match="choose from law, default") as unknown:
            sdk.responses.create(model="gpt-4o", input=QUESTION)
        assert (unknown.value.code, unknown.value.type) == ("unknown_model", "not_found_error")
        assert "error" not in httpx.post(f"{live.url}/rag/query", json={}).json()
