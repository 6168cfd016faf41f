"""A peer behind the form the conformance suite speaks: chat completions that bring their passages along.

Only the standard library is imported here, so that a peer's environment needs nothing of ours.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

Document = dict[str, str]


class Peer(Protocol):
    """`answer` gives the text and the ids of what it cites; `stream` the pieces as a user would see them."""

    def answer(self, question: str, documents: list[Document]) -> tuple[str, list[str]]: ...

    def stream(self, question: str, documents: list[Document]) -> Iterator[str]: ...


def numbered(text: str, documents: list[Document]) -> list[str]:
    """The ids behind `[1]`, `[2]` or `Source 3` in a text, as a reader would look them up; others name none."""
    places = [
        int(number) - 1 for found in re.findall(r"\[(\d{1,4})\]|\bSource (\d{1,4})", text) for number in found if number
    ]
    return [documents[place]["id"] for place in places if 0 <= place < len(documents)]


def serve(peer: Peer, port: int) -> None:
    """Answers until it is killed."""
    ThreadingHTTPServer(("127.0.0.1", port), handler_for(peer)).serve_forever()


def handler_for(peer: Peer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            question, documents = request["messages"][-1]["content"], request.get("documents") or []
            if request.get("stream"):
                return self._streamed(question, documents)
            started = time.perf_counter()
            try:
                text, cited = peer.answer(question, documents)
            except Exception as error:
                return self._sent(500, {"error": f"{type(error).__name__}: {error}"})
            took = time.perf_counter() - started
            message = {"role": "assistant", "content": text, "annotations": [_annotation(one) for one in cited]}
            return self._sent(200, {"choices": [{"index": 0, "message": message}]}, took)

        def _sent(self, status: int, body: dict[str, Any], took: float = 0.0) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Server-Timing", f"answer;dur={took * 1000:.3f}")
            self.end_headers()
            self.wfile.write(content)

        def _streamed(self, question: str, documents: list[Document]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            said = ""
            for piece in peer.stream(question, documents):
                said += piece
                self._chunk({"content": piece})
            self._chunk({"annotations": [_annotation(one) for one in numbered(said, documents)]})
            self.wfile.write(b"data: [DONE]\n\n")
            self.close_connection = True

        def _chunk(self, delta: dict[str, Any]) -> None:
            self.wfile.write(f"data: {json.dumps({'choices': [{'index': 0, 'delta': delta}]})}\n\n".encode())
            self.wfile.flush()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as inherited
            """Quiet."""

    return Handler


def _annotation(cited: str) -> dict[str, Any]:
    return {
        "type": "url_citation",
        "url_citation": {"start_index": 0, "end_index": 0, "title": cited, "url": f"#{cited}"},
    }
