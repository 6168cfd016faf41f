"""Middleware for request ids, security headers, body size limits, and exceptions turned into problem responses."""

import asyncio
import logging
import secrets
import time
from typing import cast

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from footnotary.service.problems import Problem, problem_of, problem_response

log = logging.getLogger("footnotary.service")

BODY_STALL_TIMEOUT_S = 20.0
BODY_MIN_BYTES_PER_S = 5_000

SECURITY_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class SecurityHeadersMiddleware:
    """Adds a request id, adds the security headers a route did not set itself, and turns exceptions into problems.

    An exception is logged by type and source line only: its message may quote a document or a question.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = "req_" + secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            problem = problem_of(error)
            if problem.status_code >= 500:
                log_exception(error, request_id)
            if started:  # a response that has begun cannot be replaced; the connection is closed
                raise ConnectionError("the response was interrupted") from None
            await problem_response(problem, request_id, scope["path"])(scope, receive, sending)


class BodyLimitMiddleware:
    """Limits the size of a body: `max_json_bytes` for JSON, `max_bytes` for anything else.

    A body that stalls, or that arrives slower than `BODY_MIN_BYTES_PER_S` after its first seconds, is rejected, so that
    a slow sender cannot hold a connection.
    """

    def __init__(self, app: ASGIApp, max_bytes: int, max_json_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._max_json_bytes = min(max_json_bytes, max_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        is_json = "json" in headers.get("content-type", "json").lower() and not is_upload_path(scope["path"])
        limit = self._max_json_bytes if is_json else self._max_bytes
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            raise Problem("bad_request")
        if len(length) > 18 or int(length) > limit:
            raise Problem("too_large", headers={"Connection": "close"})
        read, is_whole, began = 0, False, time.monotonic()

        async def receiving() -> Message:
            nonlocal read, is_whole
            if is_whole:  # only the end of the connection can still come
                return await receive()
            try:
                async with asyncio.timeout(BODY_STALL_TIMEOUT_S):
                    message = await receive()
            except TimeoutError:
                raise Problem("slow_body", headers={"Connection": "close"}) from None
            read += len(cast(bytes, message.get("body", b"")))
            if time.monotonic() - began > BODY_STALL_TIMEOUT_S + read / BODY_MIN_BYTES_PER_S:
                raise Problem("slow_body", headers={"Connection": "close"})
            is_whole = not message.get("more_body", False)
            if read > limit:
                raise Problem("too_large", headers={"Connection": "close"})
            return message

        await self._app(scope, receiving, send)


def is_upload_path(path: str) -> bool:
    """Whether the route accepts documents, which may be large JSON files."""
    return path.startswith("/v1/projects/") and path.endswith("/documents")


def log_exception(error: BaseException, request_id: str) -> None:
    """Logs the innermost line of our own code in the traceback, and the type of the error."""
    place, trace = "", error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if "footnotary" in code.co_filename:
            place = f"{code.co_filename.rsplit('footnotary/', 1)[-1]}:{trace.tb_lineno}"
        trace = trace.tb_next
    log.error("fault", extra={"request_id": request_id, "kind": type(error).__name__, "place": place})
