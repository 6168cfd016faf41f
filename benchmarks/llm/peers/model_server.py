"""An OpenAI-compatible server on loopback that keeps every request and answers with a recorded reply.

Only the standard library is imported here. Without a reply for a request it gives a placeholder while requests are
collected, and an error at replay: a system is never scored by an invented reply.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

MODEL = "recorded"
PLACEHOLDER = "I do not know."


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """What a model said to one request; `finish` is "stop", or "length" where it was cut off."""

    text: str
    finish: str
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A request as it is sent to a model: messages in plain text, the JSON schema asked for, and the most tokens."""

    messages: tuple[tuple[str, str], ...]
    schema: dict[str, Any] | None
    max_tokens: int | None

    @property
    def id(self) -> str:
        held = json.dumps([self.messages, self.schema, self.max_tokens], ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(held.encode()).hexdigest()[:24]

    def row(self) -> dict[str, Any]:
        messages = [{"role": role, "content": content} for role, content in self.messages]
        return {"id": self.id, "messages": messages, "schema": self.schema, "max_tokens": self.max_tokens}

    @staticmethod
    def of(body: Mapping[str, Any]) -> ModelCall:
        messages = tuple((str(one["role"]), _plain(one.get("content"))) for one in body["messages"])
        form = (body.get("response_format") or {}).get("json_schema") or {}
        return ModelCall(messages, form.get("schema"), body.get("max_tokens") or body.get("max_completion_tokens"))


def _plain(content: object) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return str(content or "")


@dataclass
class RecordingServer:
    """Serves while it is entered. `calls` are the requests since it was cleared, `missing` those without a reply."""

    replies: Mapping[str, RecordedReply] | None = None
    calls: list[ModelCall] = field(default_factory=list[ModelCall])
    missing: int = 0

    def __post_init__(self) -> None:
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> RecordingServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def reply_to(self, call: ModelCall) -> RecordedReply | None:
        """The reply, or None where there should be one and is not."""
        self.calls.append(call)
        if self.replies is not None:
            found = self.replies.get(call.id)
            self.missing += found is None
            return found
        return RecordedReply(PLACEHOLDER if call.schema is None else placeholder_for(call.schema), "stop")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class RecordingHandler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
                reply = server.reply_to(ModelCall.of(body))
                if reply is None:
                    self._send(404, {"error": {"message": "no reply was recorded for this request", "type": "missing"}})
                else:
                    self._send(200, completion(reply))

            def _send(self, status: int, body: dict[str, Any]) -> None:
                content = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as inherited
                """Quiet."""

        return RecordingHandler


def completion(reply: RecordedReply) -> dict[str, Any]:
    """The body of a chat completion."""
    return {
        "id": "recorded",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [
            {"index": 0, "finish_reason": reply.finish, "message": {"role": "assistant", "content": reply.text}}
        ],
        "usage": {
            "prompt_tokens": reply.tokens_in,
            "completion_tokens": reply.tokens_out,
            "total_tokens": reply.tokens_in + reply.tokens_out,
        },
    }


def placeholder_for(schema: Mapping[str, Any]) -> str:
    """The smallest JSON that has the properties of an object schema."""
    empty = {"boolean": False, "array": [], "integer": 0, "number": 0, "object": {}, "string": PLACEHOLDER}
    properties: dict[str, dict[str, Any]] = schema.get("properties", {})
    return json.dumps({name: empty.get(str(held.get("type")), "") for name, held in properties.items()})
