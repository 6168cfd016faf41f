"""The model behind the system under test: an OpenAI-compatible server that replies with the script of the case."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, cast

from footnotary.conform.case import Sentence, Turn

MODEL_NAME = "scripted"
_KEY_CHARS = 120
_PIECE_CHARS = 12


class ScriptedModelServer:
    """Replies with the draft of the turn in `playing`, citing passages by their numbers in the request.

    A context manager on the loopback interface; `base_url` is for the system under test, `asked` counts requests. It
    rejects JSON schemas, so that every system reads the same text. It streams on request.
    """

    def __init__(self, port: int = 0) -> None:
        self.playing = Turn("", ())
        self.asked = 0
        self._http = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> "ScriptedModelServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def _answer(self, request: dict[str, Any]) -> tuple[int, str, Iterator[bytes]]:
        if "response_format" in request:
            error = {"message": "'response_format' of type 'json_schema' is not supported", "type": "invalid_request"}
            return 400, "application/json", iter([json.dumps({"error": error}).encode()])
        self.asked += 1
        said = scripted_reply(self.playing, request_text(request))
        if request.get("stream"):
            return 200, "text/event-stream", _streamed(said)
        return 200, "application/json", iter([json.dumps(_completion(said)).encode()])

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answer = self._answer

        class ScriptedModelHandler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                status, kind, parts = answer(cast("dict[str, Any]", json.loads(self.rfile.read(length) or b"{}")))
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Connection", "close")
                self.end_headers()
                for part in parts:
                    self.wfile.write(part)
                    self.wfile.flush()
                self.close_connection = True

            def do_GET(self) -> None:
                body = json.dumps({"object": "list", "data": [{"id": MODEL_NAME, "object": "model"}]}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as inherited
                """Prints no access log."""

        return ScriptedModelHandler


def request_text(request: dict[str, Any]) -> str:
    """The content of all messages of a request as one text."""
    parts: list[str] = []
    for message in cast("list[dict[str, Any]]", request.get("messages") or []):
        content: object = message.get("content")
        if isinstance(content, str):
            parts.append(content)
        elif isinstance(content, list):
            parts += [str(part.get("text", "")) for part in cast("list[dict[str, Any]]", content)]
    return "\n".join(parts)


def scripted_reply(turn: Turn, prompt: str) -> str:
    """The turn's draft with a marker for each citation: the position of the passage among those in the prompt."""
    if turn.verbatim:
        return turn.verbatim
    flat = _flat(prompt)
    places = {passage.id: flat.find(_flat(passage.text)[:_KEY_CHARS]) for passage in turn.passages}
    shown = sorted((place, name) for name, place in places.items() if place >= 0)
    numbers = {name: str(number) for number, (_, name) in enumerate(shown, start=1)}
    return " ".join(_with_markers(sentence, numbers) for sentence in turn.draft)


def _with_markers(sentence: Sentence, numbers: dict[str, str]) -> str:
    # A passage that is not in the prompt has no number, so a number beyond the last one is cited.
    beyond = str(len(numbers) + 1)
    markers = "".join(f"[{c[1:] if c.startswith('#') else numbers.get(c, beyond)}]" for c in sentence.cites)
    text = sentence.text.rstrip()
    if not markers:
        return text
    end = text[-1] if text[-1] in ".!?।" else ""
    return f"{text[: len(text) - len(end)]} {markers}{end}"


def _flat(text: str) -> str:
    return " ".join(text.replace("\n| ", " ").split()).casefold()


def _completion(said: str) -> dict[str, object]:
    message = {"role": "assistant", "content": said}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return _response_header("chat.completion") | {"choices": [choice], "usage": usage}


def _streamed(said: str) -> Iterator[bytes]:
    for start in range(0, len(said), _PIECE_CHARS):
        yield _chunk({"role": "assistant", "content": said[start : start + _PIECE_CHARS]}, None)
    yield _chunk({}, "stop")
    yield b"data: [DONE]\n\n"


def _chunk(delta: dict[str, str], finish: str | None) -> bytes:
    body = _response_header("chat.completion.chunk") | {
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]
    }
    return f"data: {json.dumps(body)}\n\n".encode()


def _response_header(kind: str) -> dict[str, object]:
    return {"id": "c-1", "object": kind, "created": 0, "model": MODEL_NAME}
