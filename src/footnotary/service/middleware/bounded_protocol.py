"""uvicorn's h11 protocol with deadlines for heads, idle connections and slow readers, and a limited number of them."""

import asyncio
import json
import secrets
import sys
from http import HTTPStatus
from typing import ClassVar

import h11
from uvicorn.protocols.http.flow_control import CLOSE_HEADER, FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol

from footnotary.service.middleware.connection_table import ConnectionLimits, ConnectionTable
from footnotary.service.middleware.security_headers import SECURITY_HEADERS
from footnotary.service.middleware.strict_heads import StrictReceiveBuffer
from footnotary.service.problems import MEDIA_TYPE, Problem, problem_content

_LINGER_S = 5.0
DRAIN_IDLE_S = 1.0
_MAX_PIPELINED_BYTES = 65_536
_CAN_RESPOND = frozenset({h11.IDLE, h11.SEND_RESPONSE})


class _PipelineFlow(FlowControl):
    """Stops reading while pipelined requests fill the buffer; the parser sets no limit."""

    def __init__(self, transport: asyncio.Transport, received: StrictReceiveBuffer) -> None:
        super().__init__(transport)
        self._received = received

    def resume_reading(self) -> None:
        if len(self._received) <= _MAX_PIPELINED_BYTES:
            super().resume_reading()


class BoundedProtocol(H11Protocol):
    """No client can hold a connection without using it.

    Every wait for the client has a deadline, and if there are too many connections, those that wait for a request are
    closed.
    """

    limits: ClassVar[ConnectionLimits] = ConnectionLimits()
    table: ClassVar[ConnectionTable] = ConnectionTable(limits.max_connections, limits.per_client)

    _head_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None
    _linger_timer: asyncio.TimerHandle | None = None
    _has_received = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        received = StrictReceiveBuffer()
        self.conn._receive_buffer = received  # pyright: ignore[reportPrivateUsage]
        self.flow = _PipelineFlow(transport, received)
        if self.table.enter(self, self.client[0] if self.client else ""):
            self._head_timer = self.loop.call_later(self.limits.head_timeout_s, self._on_head_timeout)
        else:
            self._close_with("overloaded")

    def connection_lost(self, exc: Exception | None) -> None:
        self.table.leave(self)
        for timer in (self._head_timer, self._write_timer, self._linger_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._has_received = True
        self.handle_data(data)
        if self.transport.is_closing():
            self._linger()
        elif not self._waits_for_head():
            self._cancel_head_timer()
            self.table.work(self)
        elif self.timeout_keep_alive_task is None and self._head_timer is None:
            # A part of a head has come; later parts do not extend its time.
            self._head_timer = self.loop.call_later(self.limits.head_timeout_s, self._on_head_timeout)

    def handle_data(self, data: bytes) -> None:
        super().data_received(data)

    def on_response_complete(self) -> None:
        self._cancel_head_timer()
        super().on_response_complete()
        if self.transport.is_closing():
            self._linger()
        elif self._waits_for_head():
            self._has_received = False
            self.table.wait(self)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_timer = self.loop.call_later(self.limits.write_timeout_s, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._linger()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        if self.conn.our_state in _CAN_RESPOND:
            found = sys.exception()  # uvicorn calls this while it handles the parser's error
            too_long = isinstance(found, h11.RemoteProtocolError) and found.error_status_hint == 431
            self._close_with("header_too_large" if too_long else "bad_request")
        else:  # a response has begun, and what follows cannot be read
            self.transport.abort()

    def shutdown(self) -> None:
        """Stops the service: requests in progress are finished, and a request that is arriving is still served.

        Responses announce that the connection closes; an idle connection is closed after a moment.
        """
        if CLOSE_HEADER not in self.server_state.default_headers:
            self.server_state.default_headers = [*self.server_state.default_headers, CLOSE_HEADER]
        if not self._waits_for_head():
            super().shutdown()
        elif not self.transport.is_closing():
            self.loop.call_later(DRAIN_IDLE_S, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if self._waits_for_head() and not self.transport.is_closing():
            self.transport.close()
            self._linger()

    def evict(self) -> None:
        """Closes the connection to make room."""
        self.transport.abort()

    def _waits_for_head(self) -> bool:
        return self.conn.their_state is h11.IDLE

    def _cancel_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _on_head_timeout(self) -> None:
        self._head_timer = None
        if self._has_received:
            self._close_with("slow_head")
        else:
            self.transport.close()
            self._linger()

    def _close_with(self, code: str) -> None:
        """Sends a problem as the last response of the connection."""
        if not self.transport.is_closing():
            self.transport.write(last_response(code))
            self.transport.close()
        self._linger()

    def _linger(self) -> None:
        """Buffered data gets a moment to be read; then the connection is gone."""
        if self._linger_timer is None:
            self.table.work(self)
            self._linger_timer = self.loop.call_later(_LINGER_S, self.transport.abort)


def last_response(code: str) -> bytes:
    """A problem as a whole response that closes the connection."""
    request_id = "req_" + secrets.token_hex(8)
    problem = Problem(code)
    body = json.dumps(problem_content(problem, request_id)).encode()
    fields = {
        **SECURITY_HEADERS,
        **(problem.headers or {}),
        "Content-Type": MEDIA_TYPE,
        "Content-Length": str(len(body)),
        "X-Request-Id": request_id,
        "Connection": "close",
    }
    lines = "".join(f"{name.lower()}: {value}\r\n" for name, value in fields.items())
    status = HTTPStatus(problem.status_code)
    return f"HTTP/1.1 {status.value} {status.phrase}\r\n{lines}\r\n".encode() + body
