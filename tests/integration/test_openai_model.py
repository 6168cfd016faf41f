"""The chat endpoint's client against a real server on loopback that does everything wrong, one thing at a time."""

import asyncio
import gzip
import json
import logging
import sys
import time

import pytest

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Labels, OffsetMap
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.identity import Span, sha256_hex
from footnotary.domain.query import Query, Scope
from footnotary.errors import ModelError, UsageError
from footnotary.generate.chat.generator import ChatGenerator, SchemaUnsupported
from footnotary.generate.chat.openai_model import OpenAIModel
from footnotary.generate.chat.reply_parser import ANY_OBJECT
from footnotary.ports import Message
from footnotary.profiles.load import load_profile
from footnotary.testing.chat_server import (
    Behaviour,
    ChatServer,
    claims,
    completion,
    drips,
    endless,
    fails,
    hangs,
    head,
    rejects_schemas,
    replies,
    resets,
    responds,
    sends,
    unused_url,
)

pytestmark = pytest.mark.server

ASKED = (Message("system", "Rules."), Message("user", "What is cheating?"))
SCHEMA: dict[str, object] = {"type": "object", "properties": {}}
GOOD = json.dumps(completion("Cheating is deceiving [1].")).encode()
KEY = "sk-canary-0123456789"


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def evidence() -> Evidence:
    text = "Whoever deceives any person is said to cheat."
    chunk = Chunk(
        id="IPC_415_0",
        document_id="ipc",
        text=text,
        span=Span(0, len(text)),
        section=("415",),
        page=None,
        digest=sha256_hex(text),
        labels=Labels(act="IPC", section="415"),
        kind="paragraph",
        origin=OffsetMap(()),
    )
    query = Query("What is cheating?", Scope("demo"), "en", facets=(), keywords=("cheating",))
    return Evidence(query, (Hit(chunk, 0.9),))


def model(server: ChatServer, **options: object) -> OpenAIModel:
    return OpenAIModel("scripted", server.base_url, KEY, **{"timeout_s": 20.0} | options)  # type: ignore[arg-type]


def error_of(
    *behaviours: Behaviour, schema: dict[str, object] | None = None, **options: object
) -> tuple[ModelError, int]:
    """The error a call ends in, and how often the server was asked."""
    with ChatServer(*behaviours) as server:
        with pytest.raises(ModelError) as caught:
            model(server, **options).complete(ASKED, schema)
        return caught.value, len(server.seen)


def body(**changes: object) -> bytes:
    return json.dumps(completion("Cheating is deceiving [1].", **changes)).encode()


def test_a_whole_reply_is_returned_as_it_came():
    with ChatServer(replies("  Cheating is deceiving [1].\nधोखा [2]।\n")) as server:
        assert model(server).complete(ASKED) == "  Cheating is deceiving [1].\nधोखा [2]।\n"


def test_the_request_asks_once_at_temperature_zero_and_compresses_nothing():
    with ChatServer(replies("Yes [1].")) as server:
        model(server, max_tokens=77).complete(ASKED)
    (seen,) = server.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.request == {
        "model": "scripted",
        "messages": [{"role": "system", "content": "Rules."}, {"role": "user", "content": "What is cheating?"}],
        "temperature": 0.0,
        "n": 1,
        "max_tokens": 77,
    }
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.headers["accept-encoding"] == "identity"


def test_a_schema_is_sent_as_a_strict_response_format():
    with ChatServer(replies("{}")) as server:
        model(server).complete(ASKED, SCHEMA)
    sent = server.seen[0].request["response_format"]
    assert sent == {"type": "json_schema", "json_schema": {"name": "claims", "strict": True, "schema": SCHEMA}}


def test_any_object_is_asked_for_as_json():
    with ChatServer(replies("{}")) as server:
        model(server).complete(ASKED, ANY_OBJECT)
    assert server.seen[0].request["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize("key", [None, "", "  \n"])
def test_a_local_server_needs_no_key(key: str | None):
    with ChatServer(replies("Yes [1].")) as server:
        OpenAIModel("scripted", server.base_url, key, timeout_s=20).complete(ASKED)
    assert server.seen[0].headers["authorization"] == "Bearer not-needed"


def test_it_can_be_asked_from_inside_an_event_loop():
    async def ask(server: ChatServer) -> str:
        return model(server).complete(ASKED)

    with ChatServer(replies("Yes [1].")) as server:
        assert asyncio.run(ask(server)) == "Yes [1]."


def test_a_body_in_chunks_is_put_together():
    half = len(GOOD) // 2
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (GOOD[:half], GOOD[half:])) + b"0\r\n\r\n"
    with ChatServer(sends(head(transfer_encoding="chunked") + chunks)) as server:
        assert model(server).complete(ASKED) == "Cheating is deceiving [1]."


def test_another_model_than_asked_is_logged(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.INFO, "footnotary"), ChatServer(replies("Yes [1].", model="other")) as server:
        model(server).complete(ASKED)
    assert "requested model 'scripted', the server reports 'other'" in caplog.text


def message(**fields: object) -> bytes:
    return body(message={"role": "assistant", "content": "Yes [1].", **fields})


MALFORMED = {
    "empty": b"",
    "white space": b" \n ",
    "an html page": b"<html><body>Welcome to nginx</body></html>",
    "words": b"Cheating is deceiving [1].",
    "half of a reply": GOOD[: len(GOOD) // 2],
    "a reply and more": GOOD + b"{}",
    "two replies": GOOD + b"\n" + GOOD,
    "server-sent events": b"data: " + GOOD + b"\n\ndata: [DONE]\n\n",
    "null": b"null",
    "a number": b"1",
    "a string": b'"Cheating is deceiving [1]."',
    "a list": b"[" + GOOD + b"]",
    "an empty object": b"{}",
    "an error with status 200": b'{"error": {"message": "overloaded", "code": "busy"}}',
    "utf-16": GOOD.decode().encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf" + GOOD,
    "latin-1": body().replace(b"Cheating", b"Ch\xe9ating"),
    "nul bytes": b"\x00" * 100,
    "half a surrogate pair": body().replace(b"Cheating", b"\\ud800"),
    "NaN": body().replace(b'"created": 0', b'"created": NaN'),
    "infinity": body().replace(b'"created": 0', b'"created": -Infinity'),
    "a number without bounds": body().replace(b'"created": 0', b'"created": 1e999'),
    "an integer of 100,000 digits": body().replace(b'"created": 0', b'"created": ' + b"9" * 100_000),
    "nested 100,000 deep": b"[" * 100_000 + b"]" * 100_000,
    "a key given twice": GOOD[:-1] + b', "model": "scripted"}',
    "gzip that was not asked for": gzip.compress(GOOD),
    "no choices": body(choices=[]),
    "choices are null": body(choices=None),
    "choices are an object": body(choices={"0": {}}),
    "two choices": body(choices=completion("a")["choices"] + completion("b")["choices"]),  # type: ignore[operator]
    "a choice that is null": body(choices=[None]),
    "a choice without message": body(choices=[{"finish_reason": "stop"}]),
    "message is null": body(message=None),
    "message is text": body(message="Yes [1]."),
    "message of another role": message(role="user"),
    "message without role": body(message={"content": "Yes [1]."}),
    "no content": body(message={"role": "assistant"}),
    "content is null": message(content=None),
    "content is empty": message(content=""),
    "content is white space": message(content=" \n\t"),
    "content is a number": message(content=1),
    "content is a list of parts": message(content=[{"type": "text", "text": "Yes [1]."}]),
    "content is an object": message(content={"text": "Yes [1]."}),
    "tool calls": message(tool_calls=[{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]),
    "tool calls without content": message(content=None, tool_calls=[{"id": "1"}]),
    "a function call": message(function_call={"name": "f", "arguments": "{}"}),
    "a refusal by policy": message(content=None, refusal="I can't help with that."),
    "a refusal by policy beside content": message(refusal="I can't help with that."),
    "cut off by length": body(finish_reason="length"),
    "cut off by a filter": body(finish_reason="content_filter"),
    "finished for tool calls": body(finish_reason="tool_calls"),
    "finish_reason is null": body(finish_reason=None),
    "finish_reason is empty": body(finish_reason=""),
    "finish_reason is unknown": body(finish_reason="error"),
    "finish_reason is a list": body(finish_reason=["stop"]),
    "no finish_reason": body(choices=[{"message": {"role": "assistant", "content": "Yes [1]."}}]),
    "a completion of the older kind": b'{"choices": [{"text": "Yes [1].", "finish_reason": "stop"}]}',
    "a streamed part": b'{"choices": [{"delta": {"content": "Yes [1]."}, "finish_reason": "stop"}]}',
    "another vendor's form": b'{"content": [{"type": "text", "text": "Yes [1]."}], "stop_reason": "end_turn"}',
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_reply_is_an_error_asked_for_once_and_not_retryable(name: str):
    error, asked = error_of(responds(MALFORMED[name]), replies("Yes [1]."))
    assert asked == 1
    assert not error.retryable
    assert error.hint
    assert "Yes [1]" not in str(error)
    assert "Cheating" not in str(error)


def test_a_compressed_reply_is_not_unpacked():
    bomb = gzip.compress(b" " * 50_000_000)
    error, asked = error_of(responds(bomb, headers={"Content-Encoding": "gzip"}), max_bytes=1_000_000)
    assert asked == 1
    assert "unexpected response" in error.message


BROKEN_OFF = {
    "fewer bytes than announced": sends(head(content_length=str(len(GOOD) + 10)) + GOOD),
    "a whole object, fewer bytes than announced": sends(head(content_length=str(len(GOOD) + 1)) + GOOD),
    "chunks without an end": sends(head(transfer_encoding="chunked") + b"%x\r\n%s\r\n" % (len(GOOD), GOOD)),
    "a chunk cut in two": sends(head(transfer_encoding="chunked") + b"%x\r\n%s" % (len(GOOD) + 5, GOOD)),
    "a chunk size that is none": sends(head(transfer_encoding="chunked") + b"zz\r\n" + GOOD),
    "reset in the body": resets(after=head(content_length=str(len(GOOD))) + GOOD[:40]),
}


@pytest.mark.parametrize("name", BROKEN_OFF)
def test_a_reply_that_breaks_off_is_an_error_and_is_not_generated_again(name: str):
    error, asked = error_of(BROKEN_OFF[name], replies("Yes [1]."))
    assert asked == 1
    assert error.retryable
    assert "was interrupted" in error.message


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_transport_is_retried_and_then_succeeds(status: int):
    with ChatServer(fails(status), replies("Yes [1].")) as server:
        assert model(server).complete(ASKED) == "Yes [1]."
    assert len(server.seen) == 2
    assert server.seen[0].request == server.seen[1].request


@pytest.mark.parametrize(
    "failure",
    [
        resets(),
        sends(b""),
        sends(b"\x00\x01 not http\r\n\r\n"),
        sends(b"HTTP/1.1 200"),
        sends(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 300_000),
    ],
    ids=["reset", "closed", "no http", "half a head", "a head without end"],
)
def test_a_connection_that_fails_before_a_reply_begins_is_tried_again(failure: Behaviour):
    with ChatServer(failure, replies("Yes [1].")) as server:
        assert model(server).complete(ASKED) == "Yes [1]."
    assert len(server.seen) == 2


@pytest.mark.parametrize("status", [429, 500, 503])
def test_retries_are_bounded_and_the_error_says_that_later_may_work(status: int):
    error, asked = error_of(fails(status, code="busy"), transport_retries=1)
    assert asked == 2
    assert error.retryable
    assert f"returned {status} (busy)" in error.message


def test_without_retries_the_first_failure_is_the_last():
    error, asked = error_of(fails(503), transport_retries=0)
    assert (asked, error.retryable) == (1, True)


@pytest.mark.parametrize("status", [301, 307, 308, 400, 401, 403, 404, 405, 409, 413, 422, 451])
def test_what_asking_again_cannot_fix_is_not_retried(status: int):
    error, asked = error_of(fails(status), replies("Yes [1]."))
    assert asked == 1
    assert not error.retryable
    assert error.hint


def test_a_redirect_does_not_carry_documents_to_another_server():
    with ChatServer(replies("Yes [1].")) as other:
        leads = responds(b"", 307, {"Location": f"{other.base_url}/chat/completions"})
        error, asked = error_of(leads)
        assert (asked, len(other.seen)) == (1, 0)
    assert "redirects are not followed" in error.hint


def test_retry_after_is_waited_for():
    with ChatServer(fails(429, retry_after="2"), replies("Yes [1].")) as server:
        began = time.monotonic()
        model(server).complete(ASKED)
        assert time.monotonic() - began >= 2.0


@pytest.mark.parametrize("wait", ["3600", "1e999", "Fri, 01 Jan 2100 00:00:00 GMT"])
def test_retry_after_beyond_the_deadline_ends_the_call_at_once(wait: str):
    began = time.monotonic()
    error, asked = error_of(fails(503, retry_after=wait), replies("Yes [1]."), timeout_s=60.0)
    assert time.monotonic() - began < 30
    assert (asked, error.retryable) == (1, True)


@pytest.mark.parametrize("wait", ["-5", "nan", "soon", "", "Fri, 01 Jan 1999 00:00:00 GMT"])
def test_a_retry_after_that_says_nothing_is_passed_over(wait: str):
    with ChatServer(fails(503, retry_after=wait), replies("Yes [1].")) as server:
        assert model(server).complete(ASKED) == "Yes [1]."


SLOW = {
    "nothing at all": hangs(),
    "nothing after the head": hangs(head(content_length="100")),
    "nothing after half the body": hangs(head(content_length=str(len(GOOD))) + GOOD[:50]),
    "a head that drips": drips(head(content_length=str(len(GOOD))) + GOOD, every_s=0.1),
    "a body that drips": drips(b" " * 100_000, every_s=0.1, after=head(content_length="100000")),
    "an error that drips": drips(b" " * 100_000, every_s=0.1, after=head(500, content_length="100000")),
}


@pytest.mark.parametrize("name", SLOW)
def test_the_deadline_holds_however_the_server_stalls(name: str):
    began = time.monotonic()
    error, asked = error_of(SLOW[name], timeout_s=1.5)
    assert 1.4 <= time.monotonic() - began < 60
    assert asked <= 1  # on a busy machine the deadline may end before the server has the question
    assert error.retryable
    assert "within 1.5 s" in error.message


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        (endless(head()), "longer than 200000 bytes"),
        (
            endless(head(transfer_encoding="chunked"), b"10000\r\n" + b" " * 65_536 + b"\r\n"),
            "longer than 200000 bytes",
        ),
        (endless(head(), b"a" * 65_536), "longer than 200000 bytes"),
        (responds(GOOD + b" " * 200_000), "longer than 200000 bytes"),
        (endless(head(400)), "returned 400"),
    ],
    ids=["endless", "endless chunks", "one endless line", "too long", "endless error"],
)
def test_no_more_than_the_cap_is_read(behaviour: Behaviour, message: str):
    error, asked = error_of(behaviour, max_bytes=200_000)
    assert asked == 1
    assert message in error.message
    assert not error.retryable


def test_a_server_that_is_down_is_named_with_its_address():
    url = unused_url()
    with pytest.raises(ModelError) as caught:
        OpenAIModel("scripted", url, transport_retries=1, timeout_s=20).complete(ASKED)
    assert caught.value.retryable
    assert url in caught.value.hint


def test_https_to_a_plain_server_is_said_to_be_that_and_not_retried():
    with ChatServer(replies("Yes [1].")) as server:
        with pytest.raises(ModelError, match="no secure connection") as caught:
            OpenAIModel("scripted", server.base_url.replace("http:", "https:"), timeout_s=20).complete(ASKED)
        assert not caught.value.retryable
        assert "http or https" in caught.value.hint


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500])
def test_neither_key_nor_question_appears_in_an_error_that_echoes_them(status: int, caplog: pytest.LogCaptureFixture):
    echo = f"Incorrect API key {KEY} for: What is cheating?"
    with caplog.at_level(logging.INFO):
        error, _ = error_of(fails(status, echo, code=KEY + " "), transport_retries=0)
    told = f"{error} {error!r} {error.hint} {error.__cause__!r} {caplog.text}"
    assert KEY not in told
    assert "cheating?" not in told


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_is_said_to_be_that(status: int):
    error, _ = error_of(fails(status))
    assert "API key" in error.hint


def test_without_an_address_it_is_openai_itself():
    assert "https://api.openai.com/v1" in repr(OpenAIModel("gpt-4o-mini"))


def test_the_key_is_in_no_repr():
    assert KEY not in repr(OpenAIModel("scripted", "http://127.0.0.1:1/v1", KEY))


@pytest.mark.parametrize("url", ["", "127.0.0.1:8000", "ftp://host/v1", "http://", "http://host:x/v1"])
def test_an_address_that_is_none_is_a_usage_error(url: str):
    with pytest.raises(UsageError, match="base URL") as caught:
        OpenAIModel("scripted", url)
    assert "http://" in caught.value.hint


def test_an_address_with_a_password_is_refused_and_not_echoed():
    with pytest.raises(UsageError) as caught:
        OpenAIModel("scripted", "http://user:secret@host/v1")
    assert "secret" not in str(caught.value)


def test_without_the_sdk_the_fix_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(UsageError) as caught:
        OpenAIModel("scripted", "http://127.0.0.1:1/v1")
    assert "pip install 'footnotary[chat]'" in caught.value.hint


@pytest.mark.parametrize("key", ["sk two", "sk-…", "sk-\x00", "पासवर्ड"])
def test_a_key_that_cannot_be_one_is_a_usage_error_that_does_not_echo_it(key: str):
    with pytest.raises(UsageError) as caught:
        OpenAIModel("scripted", "http://127.0.0.1:1/v1", key)
    assert key not in str(caught.value)


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_server_without_schemas_is_distinguished_from_a_server_that_fails(status: int):
    error, asked = error_of(fails(status, "Unknown field response_format"), schema=SCHEMA)
    assert isinstance(error, SchemaUnsupported)
    assert asked == 1
    error, _ = error_of(fails(status, "Unknown field response_format"))
    assert not isinstance(error, SchemaUnsupported)
    error, _ = error_of(fails(status, "no such model"), schema=SCHEMA)
    assert not isinstance(error, SchemaUnsupported)


def test_llama_cpp_python_rejects_a_schema_as_an_error_of_the_server():
    """Its words, from version 0.3.36; an error of the server that says nothing of the request is tried again."""
    said = "1 validation error: {'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text'\"}"
    error, asked = error_of(fails(500, said), schema=SCHEMA)
    assert isinstance(error, SchemaUnsupported)
    assert asked == 1
    error, asked = error_of(fails(500, "response_format: out of memory"), schema=SCHEMA)
    assert not isinstance(error, SchemaUnsupported)
    assert asked > 1


def test_the_generator_finds_out_once_that_a_server_takes_no_schema(evidence: Evidence):
    with ChatServer(rejects_schemas(replies("Cheating is deceiving a person [1]."))) as server:
        generator = ChatGenerator(model(server), load_profile("legal"))
        first, second = generator.generate(evidence.query, evidence), generator.generate(evidence.query, evidence)
    assert [seen.wants_schema for seen in server.seen] == [True, True, False, False]
    assert first.claims == second.claims
    assert first.claims[0].cites == ("IPC_415_0",)


@pytest.mark.smoke
def test_a_server_with_schemas_gives_structured_claims(evidence: Evidence):
    with ChatServer(replies(claims(("Cheating is deceiving a person.", [1])))) as server:
        draft = ChatGenerator(model(server), load_profile("legal")).generate(evidence.query, evidence)
    assert [seen.wants_schema for seen in server.seen] == [True]
    assert draft.claims[0].cites == ("IPC_415_0",)
    assert draft.generator == "chat:scripted"
