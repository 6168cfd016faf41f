"""The transport of chat completions: one deadline, one byte limit, complete bodies or an error."""

import asyncio
import secrets
import ssl
import weakref
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from importlib import import_module
from typing import Any, cast

from footnotary.errors import ModelError, UsageError
from footnotary.model_server.endpoint_url import DEFAULT_BASE_URL, retry_after_s, validate_api_key, validate_base_url
from footnotary.model_server.event_loop import run, start
from footnotary.model_server.json_body import error_code

_random = secrets.SystemRandom()
# The SDK returns the response as a stream; an uncompressed body cannot expand beyond the limit.
_HEADERS = {"X-Stainless-Raw-Response": "stream", "Accept-Encoding": "identity"}
_FIRST_PAUSE_S = 0.5
_MAX_ERROR_BYTES = 64_000
# llama-cpp-python reports what it finds wrong with a request as an error of its own, which no retry cures.
_INVALID_REQUEST = "validation error"


class RequestRejected(ModelError):
    """The server refused the request itself; `body` is what it said, which may quote the request and is never shown."""

    def __init__(self, message: str, *, hint: str, status: int, body: str) -> None:
        super().__init__(message, hint=hint)
        self.status = status
        self.body = body


class _ErrorReply(Exception):
    """An HTTP error response; at most `_MAX_ERROR_BYTES` of its body were read."""

    def __init__(self, status: int, retry_after: str, body: str) -> None:
        super().__init__(status)
        self.status = status
        self.retry_after = retry_after
        self.body = body


class _TransportError(Exception):
    """No reply has begun, so a retry is not a second generation. `pause_s` is the server's Retry-After."""

    def __init__(self, error: ModelError, pause_s: float = 0.0) -> None:
        super().__init__(error.message)
        self.error = error
        self.pause_s = pause_s


class ChatEndpoint:
    """One model on an OpenAI-compatible server, shared by any number of callers.

    `timeout_s` bounds a call from end to end: connecting, waiting, retries and slow replies together. Only transport is
    retried (no connection, 408, 429, 5xx), at most `transport_retries` times; once a successful reply has begun,
    nothing is sent again. Redirects are not followed. The key appears in no message, log or repr. `hint` says what to
    do if the server or the model is missing.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout_s: float = 60.0,
        max_bytes: int = 1_000_000,
        transport_retries: int = 2,
        hint: str = "",
    ) -> None:
        try:
            import openai
        except ImportError:
            raise UsageError(
                "a chat model needs the package `openai`, which is not installed",
                hint="run `pip install 'footnotary[chat]'`, or use the extractive generator",
            ) from None
        self._openai = openai
        self.model = model
        self.base_url = validate_base_url(DEFAULT_BASE_URL if base_url is None else base_url)
        self._key = validate_api_key(api_key)
        self._timeout_s = timeout_s
        self._max_bytes = max_bytes
        self._transport_retries = transport_retries
        self._hint = hint
        self._certificates: ssl.SSLContext | None = None
        self._client: tuple[asyncio.AbstractEventLoop, Any] | None = None

    def __repr__(self) -> str:
        return f"ChatEndpoint(model={self.model!r}, base_url={self.base_url!r})"

    def complete(self, body: Mapping[str, object]) -> bytes:
        """The whole body of the reply to a chat completion; the model's name is added to the request.

        Raises `RequestRejected` where the server refuses the request, another `ModelError` for any other failure.
        """
        return run(self._within_deadline(body))

    def complete_groups(self, groups: Sequence[Sequence[Mapping[str, object]]], at_once: int = 1) -> list[list[bytes]]:
        """The replies to several requests, in their order.

        Those of a group follow one another, so that a server can reuse what they begin with; at most `at_once` groups
        run at once. The first failure ends the others.
        """
        return run(self._groups(groups, at_once))

    async def _groups(self, groups: Sequence[Sequence[Mapping[str, object]]], at_once: int) -> list[list[bytes]]:
        replies: list[list[bytes]] = [[] for _ in groups]
        waiting = iter(zip(groups, replies, strict=True))  # shared, so that groups start in their order

        async def next_groups() -> None:
            for group, into in waiting:
                for body in group:
                    into.append(await self._within_deadline(body))

        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(min(at_once, len(groups))):
                    tasks.create_task(next_groups())
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        return replies

    async def _within_deadline(self, body: Mapping[str, object]) -> bytes:
        # Socket timeouts restart with every byte, so a slow peer could block us forever. Cancelling the whole task
        # ends it wherever it is: connecting, in the headers, in an error's body, in a pause.
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._with_retries(body)
        except TimeoutError:
            raise ModelError(
                f"no complete reply from {self.base_url} within {self._timeout_s:g} s",
                hint="check the load of the model server, or set FOOTNOTARY_TIMEOUT_S to more seconds",
                retryable=True,
            ) from None

    async def _with_retries(self, body: Mapping[str, object]) -> bytes:
        deadline = asyncio.get_running_loop().time() + self._timeout_s
        for attempt in range(self._transport_retries + 1):
            try:
                return await self._ask(body)
            except _TransportError as failed:
                pause_s = max(failed.pause_s, _FIRST_PAUSE_S * 2**attempt) * _random.uniform(1.0, 1.25)
                out_of_time = asyncio.get_running_loop().time() + pause_s >= deadline
                if attempt == self._transport_retries or out_of_time:
                    raise failed.error from None
            await asyncio.sleep(pause_s)
        raise ModelError("the model was not called", hint="transport_retries must not be negative")

    async def _ask(self, body: Mapping[str, object]) -> bytes:
        try:
            # `chat.completions.create` validates the whole request against its types, which takes a good part of the
            # time of our checks; this is the call it then makes. The header makes it return the raw response.
            response = await self._open_client().post(
                "/chat/completions",
                cast_to=object,
                body={"model": self.model, **body},
                options={"headers": _HEADERS},
            )
            try:
                return await self._whole(response.http_response.aiter_raw())
            finally:
                await response.close()
        except _ErrorReply as reply:
            raise self._rejected(reply) from None
        except self._openai.APIConnectionError as error:
            if isinstance(error.__cause__, _ErrorReply):  # older versions of the SDK pass it on like this
                raise self._rejected(error.__cause__) from None
            raise self._unreachable(error) from None

    def _open_client(self) -> Any:
        """The client; its connections are reused while its event loop runs."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._client[0] is not loop:
            http = self._openai.DefaultAsyncHttpxClient(
                timeout=None,
                verify=self._trusted(),
                follow_redirects=False,  # documents are sent to the configured server only
                event_hooks={"response": [_raise_error_replies]},
            )
            client = self._openai.AsyncOpenAI(
                api_key=self._key, base_url=self.base_url, max_retries=0, timeout=None, http_client=http
            )
            self._client = loop, client
            weakref.finalize(self, start, loop, client.close)
        return self._client[1]

    def _trusted(self) -> ssl.SSLContext:
        """The certificates that the SDK's own HTTP library trusts, loaded once: that takes longer than a question."""
        if self._certificates is None:
            library = import_module(self._openai.DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0])
            self._certificates = cast(ssl.SSLContext, library.create_ssl_context())
        return self._certificates

    async def _whole(self, parts: AsyncGenerator[bytes, None]) -> bytes:
        try:
            body, whole = await _read_at_most(parts, self._max_bytes)
        except Exception:  # any exception of the HTTP library here means an incomplete reply
            raise ModelError(
                f"the reply from {self.base_url} was interrupted",
                hint="try again; see the model server's log",
                retryable=True,
            ) from None
        if not whole:
            raise ModelError(
                f"the reply from {self.base_url} is longer than {self._max_bytes} bytes",
                hint="check that the base URL is a chat endpoint; lower generation.max_tokens in the profile",
            )
        return body

    def _rejected(self, reply: _ErrorReply) -> ModelError | _TransportError:
        status, code = reply.status, error_code(reply.body)
        seen = f"{self.base_url} returned {status}" + (f" ({code})" if code else "")
        if status in (408, 429) or (status >= 500 and _INVALID_REQUEST not in reply.body):
            hint = "wait and try again; check the server's load and your quota"
            return _TransportError(ModelError(seen, hint=hint, retryable=True), retry_after_s(reply.retry_after))
        if status in (401, 403):
            hint = "check the API key for this endpoint, and that it may use this model"
        elif status == 404:
            hint = self._hint or (
                f"check that the server has a model {self.model!r} and that the base URL is right (often .../v1)"
            )
        elif status < 400:
            hint = "redirects are not followed: set the base URL to their target"
        else:
            hint = "see the model server's log; the sources may be longer than the model's context"
        return RequestRejected(seen, hint=hint, status=status, body=reply.body)

    def _unreachable(self, error: BaseException) -> ModelError | _TransportError:
        if any(isinstance(cause, ssl.SSLError) for cause in _causes(error)):
            return ModelError(
                f"no secure connection to {self.base_url}",
                hint="check http or https in the base URL, and that the server's certificate is trusted here",
            )
        return _TransportError(
            ModelError(
                f"cannot reach a model server at {self.base_url}",
                hint=self._hint or f"start the server, or correct the base URL {self.base_url}",
                retryable=True,
            )
        )


async def _raise_error_replies(response: Any) -> None:
    """Reads at most `_MAX_ERROR_BYTES` of an error body, before the SDK reads all of it."""
    if not 200 <= response.status_code < 300:
        body, _ = await _read_at_most(response.aiter_raw(), _MAX_ERROR_BYTES)
        raise _ErrorReply(response.status_code, response.headers.get("retry-after", ""), body.decode(errors="replace"))


async def _read_at_most(parts: AsyncGenerator[bytes, None], limit: int) -> tuple[bytes, bool]:
    """At most `limit` bytes of `parts`, and whether that is everything."""
    body = bytearray()
    async with aclosing(
        parts
    ):  # an unfinished generator would be closed at any later time, in the middle of something else
        async for part in parts:
            body += part
            if len(body) > limit:
                return bytes(body[:limit]), False
    return bytes(body), True


def _causes(error: BaseException | None) -> list[BaseException]:
    causes: list[BaseException] = []
    while error is not None and error not in causes:
        causes.append(error)
        error = error.__cause__ or error.__context__
    return causes
