"""Any system behind an OpenAI-compatible endpoint that accepts the passages with the request, as `documents`."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from footnotary.conform.case import TargetReply, Tenant, Turn
from footnotary.errors import BackendError

Record = dict[str, Any]

_MAX_SHOWN_CHARS = 300


@dataclass(frozen=True, slots=True)
class HttpTarget:
    """Sends `POST base_url/chat/completions`; an answer is `content`, a refusal `refusal`, a citation an annotation.

    The last part of a citation's URL is the passage id: `#HR_7`. `keys` holds an API key for each tenant.
    """

    base_url: str
    model: str = "guard"
    keys: Mapping[Tenant, str] = field(default_factory=dict[Tenant, str])
    timeout_s: float = 120.0
    label: str = ""

    @property
    def name(self) -> str:
        return self.label or self.base_url

    @property
    def streams(self) -> bool:
        return True

    @property
    def has_tenants(self) -> bool:
        return len(self.keys) > 1

    def ask(self, turn: Turn, project: str) -> TargetReply:
        """The request carries the passages, and the project as `user`. Raises `BackendError` for an invalid reply."""
        documents = [{"id": p.id, "text": p.text, "title": p.title or p.id} for p in turn.passages]
        body = {
            "model": self.model,
            "messages": [{"role": "user", "content": turn.question}],
            "documents": documents,
            "stream": turn.streamed,
            "user": project,
        }
        started = time.perf_counter()
        content = self._posted(body, self.keys.get(turn.tenant))
        seconds = time.perf_counter() - started
        try:
            parts = _deltas(content) if turn.streamed else [json.loads(content)["choices"][0]["message"]]
            return _to_reply(parts, seconds)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise BackendError(f"not a chat completion: {content[:_MAX_SHOWN_CHARS]!r}") from error

    def _posted(self, body: Record, key: str | None) -> str:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        address = f"{self.base_url.rstrip('/')}/chat/completions"
        request = urllib.request.Request(address, json.dumps(body).encode(), headers)  # noqa: S310 - http only, see cli
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_s) as response:  # noqa: S310
                return response.read().decode("utf-8")
        except urllib.error.HTTPError as error:
            seen = error.read(_MAX_SHOWN_CHARS).decode("utf-8", "replace")
            raise BackendError(f"{address} returned {error.code}: {seen}") from error
        except OSError as error:
            raise BackendError(f"no response from {address}: {error}") from error


def _deltas(content: str) -> Iterable[Record]:
    """The deltas of a stream; a body that is not a stream is read as a plain completion."""
    # Only a line feed ends a line in server-sent events; the space after the colon is optional.
    lines = [line.rstrip("\r") for line in content.split("\n")]
    events = [line.removeprefix("data:").strip() for line in lines if line.startswith("data:")]
    if not events:
        yield json.loads(content)["choices"][0]["message"]
    for event in events:
        if event != "[DONE]":
            for choice in json.loads(event).get("choices", ()):
                yield choice.get("delta") or {}


def _to_reply(parts: Iterable[Record], seconds: float) -> TargetReply:
    said, refused, annotations = "", "", list[Record]()
    for part in parts:
        said += part.get("content") or ""
        refused += part.get("refusal") or ""
        annotations += cast("list[Record]", part.get("annotations") or [])
    cited = dict.fromkeys(_cited_id(note) for note in annotations)
    return TargetReply(said + refused, tuple(cited), True if refused and not said else None, seconds)


def _cited_id(annotation: Record) -> str:
    url = str(annotation["url_citation"]["url"])
    return urllib.parse.unquote(url.rpartition("#")[2].rpartition("/")[2])
