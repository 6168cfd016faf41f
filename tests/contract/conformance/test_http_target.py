"""What a server sends is read whole, in every form in which it may send it: what is not read is not checked."""

import json

import pytest

from footnotary.conform.case import CasePassage, Turn
from footnotary.conform.http_target import HttpTarget
from footnotary.errors import BackendError
from footnotary.testing.chat_server import ChatServer, completion, responds

TURN = Turn("What is the fine?", (CasePassage("A_1", "The fine is 40 rupees."),), streamed=True)


def stream(*pieces, start="data: ", end="\n\n"):
    chunks = [json.dumps({"choices": [{"delta": {"content": piece}}]}, ensure_ascii=False) for piece in pieces]
    return "".join(f"{start}{chunk}{end}" for chunk in (*chunks, "[DONE]")).encode()


@pytest.mark.parametrize(
    "body",
    [
        stream("It is ", "40\u2028rupees."),
        stream("It is ", "40\u2028rupees.", start="data:"),
        stream("It is ", "40\u2028rupees.", end="\r\n\r\n"),
        json.dumps(completion("It is 40\u2028rupees.")).encode(),
    ],
    ids=["plain", "no blank", "carriage returns", "not streamed"],
)
def test_every_piece_of_a_stream_is_read(body):
    with ChatServer(responds(body)) as server:
        assert HttpTarget(server.base_url).ask(TURN, "p").text == "It is 40\u2028rupees."


def test_what_is_neither_a_stream_nor_an_answer_is_no_reply():
    with (
        ChatServer(responds(b"<html>busy</html>")) as server,
        pytest.raises(BackendError, match="not a chat completion"),
    ):
        HttpTarget(server.base_url).ask(TURN, "p")
