"""`Idempotency-Key` on JSON requests: a repeated request gets the first response, per API key."""

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol, TypeAlias, cast

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from footnotary.service.auth.authentication import Credential
from footnotary.service.middleware.load_shedding import EXPENSIVE_PATHS
from footnotary.service.middleware.security_headers import is_upload_path
from footnotary.service.mount_paths import MCP_PATH
from footnotary.service.problems import Problem, invalid_request
from footnotary.service.rate_limits import RateLimiter
from footnotary.service.state import DocumentsVersion

IDEMPOTENCY_HEADER = "Idempotency-Key"
REPLAYED_HEADER = "Idempotent-Replayed"
_MAX_KEY_CHARS = 255
_MAX_CACHE_BYTES = 64_000_000
MAX_RESPONSE_BYTES = 4_000_000
RETENTION_S = 24 * 3600.0

# Tenant, key id, idempotency key: a response is replayed only to the API key that made the request.
IdempotencyKey: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A response as it was sent, for the request with that fingerprint.

    `mark` identifies the state of the documents it was answered from, if any; see `TenantState.mark`.
    """

    fingerprint: bytes
    start: Message
    body: bytes
    at: float
    mark: DocumentsVersion | None


class ResponseCache:
    """The latest replies, limited by age (one day) and total size. In memory only: they contain questions."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, max_bytes: int = _MAX_CACHE_BYTES) -> None:
        self._clock = clock
        self._max_bytes = max_bytes
        self._kept: OrderedDict[IdempotencyKey, CachedResponse] = OrderedDict()
        self._under_way: dict[IdempotencyKey, bytes] = {}
        self._bytes = 0

    def begin(self, name: IdempotencyKey, fingerprint: bytes) -> CachedResponse | None:
        """The reply to replay, or None if the request must be answered now; `end` must follow then.

        Raises `Problem` if the key was used with another request, or the same request is still in progress.
        """
        while self._kept and next(iter(self._kept.values())).at < self._clock() - RETENTION_S:
            self._drop()
        kept = self._kept.get(name)
        known = kept.fingerprint if kept else self._under_way.get(name)
        if known is not None and known != fingerprint:
            raise Problem("key_reused")
        if kept is None and known is not None:
            raise Problem("in_progress")
        if kept is None:
            self._under_way[name] = fingerprint
        return kept

    def forget(self, name: IdempotencyKey, reply: CachedResponse) -> None:
        """Drops this reply; a newer reply under the same name stays."""
        if self._kept.get(name) is reply:
            del self._kept[name]
            self._bytes -= len(reply.body)

    def end(
        self, name: IdempotencyKey, start: Message | None, body: bytes, mark: DocumentsVersion | None = None
    ) -> None:
        """Keeps a successful reply; after any other the key can be used again."""
        fingerprint = self._under_way.pop(name)
        if start is None or not 200 <= start["status"] < 300 or len(body) > MAX_RESPONSE_BYTES:
            return
        self._kept[name] = CachedResponse(fingerprint, start, body, self._clock(), mark)
        self._bytes += len(body)
        while self._bytes > self._max_bytes:
            self._drop()

    def _drop(self) -> None:
        _, dropped = self._kept.popitem(last=False)
        self._bytes -= len(dropped.body)


class ReplyStore(Protocol):
    """Where replies are kept: in the memory of one process (`ResponseCache`), or in a file that workers share."""

    def begin(self, name: IdempotencyKey, fingerprint: bytes) -> CachedResponse | None: ...

    def forget(self, name: IdempotencyKey, reply: CachedResponse) -> None: ...

    def end(
        self, name: IdempotencyKey, start: Message | None, body: bytes, mark: DocumentsVersion | None = None
    ) -> None: ...


class IdempotencyMiddleware:
    """Replays the response to a repeated POST. Streams are not kept, uploads are identified by their content, and only
    an MCP tool knows what its call reads: these three pass through. An answer is replayed only while the tenant's
    documents are unchanged, because it may cite a deleted one; `mark` returns their current state. Every request counts
    against the tenant's rate limit, replayed or not."""

    def __init__(
        self,
        app: ASGIApp,
        replies: ReplyStore,
        mark: Callable[[str], Awaitable[DocumentsVersion]],
        rates: RateLimiter,
    ) -> None:
        self._app = app
        self._replies = replies
        self._mark = mark
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = _idempotency_key(scope)
        if name is None:
            await self._app(scope, receive, send)
            return
        self._rates.take_once_per_request(name[0], scope["state"])
        body = await _read_body(receive)
        fingerprint, tenant, asks = _fingerprint(scope, body), name[0], scope["path"] in EXPENSIVE_PATHS
        reply = self._replies.begin(name, fingerprint)
        if reply is not None and asks and await self._mark(tenant) != reply.mark:
            self._replies.forget(name, reply)
            reply = self._replies.begin(name, fingerprint)
        if reply is not None:
            headers = [*reply.start["headers"], (REPLAYED_HEADER.lower().encode(), b"true")]
            await send({**reply.start, "headers": headers})
            await send({"type": "http.response.body", "body": reply.body})
            return
        start: Message | None = None
        parts: list[bytes] = []
        whole = False
        mark: DocumentsVersion | None = None

        async def sending(message: Message) -> None:
            nonlocal start, whole
            if message["type"] == "http.response.start":
                start = {**message, "headers": list(message["headers"])}
            elif not _is_stream(start):
                parts.append(cast(bytes, message.get("body", b"")))
                whole = not message.get("more_body", False)
            await send(message)

        try:
            mark = await self._mark(tenant) if asks else None
            await self._app(scope, _replay_body(body, receive), sending)
        finally:
            self._replies.end(name, start if whole else None, b"".join(parts), mark)


def _idempotency_key(scope: Scope) -> IdempotencyKey | None:
    if scope["type"] != "http" or scope["method"] != "POST":
        return None
    if scope["path"] == MCP_PATH or is_upload_path(scope["path"]):
        return None
    headers = Headers(scope=scope)
    key = headers.get(IDEMPOTENCY_HEADER)
    who = cast("Credential | None", scope["state"].get("credential"))
    if key is None or who is None or not headers.get("content-type", "").startswith("application/json"):
        return None
    if not (0 < len(key) <= _MAX_KEY_CHARS and key.isascii() and key.isprintable()):
        raise invalid_request([{"loc": ("header", IDEMPOTENCY_HEADER), "type": "key_invalid"}])
    return who.tenant, who.key_id, key


def _fingerprint(scope: Scope, body: bytes) -> bytes:
    asked = f"{scope['path']}?{scope['query_string'].decode('latin-1')}\n".encode()
    return sha256(asked + body).digest()


async def _read_body(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Problem("bad_request")  # the client disconnected; nobody reads this
        parts.append(cast(bytes, message.get("body", b"")))
        if not message.get("more_body", False):
            return b"".join(parts)


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Yields the buffered body first, then the messages that follow."""
    given = False

    async def receiving() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receiving


def _is_stream(start: Message | None) -> bool:
    return start is not None and Headers(raw=start["headers"]).get("content-type", "").startswith("text/event-stream")
