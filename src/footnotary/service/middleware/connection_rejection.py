"""Load shedding at protocol level: at capacity, a complete and unambiguous request is rejected without parsing it."""

import re
from http import HTTPStatus
from typing import ClassVar

import h11

from footnotary.service.middleware.bounded_protocol import BoundedProtocol
from footnotary.service.middleware.connection_table import ConnectionLimits, ConnectionTable
from footnotary.service.middleware.load_shedding import EXPENSIVE_PATHS, REJECTION_STATUS, rejection_response
from footnotary.service.state import ServiceState

_REQUEST_LINES = tuple(f"POST {path} HTTP/1.1\r\n".encode() for path in sorted(EXPENSIVE_PATHS))
_STATUS_LINE = f"HTTP/1.1 {REJECTION_STATUS} {HTTPStatus(REJECTION_STATUS).phrase}\r\n".encode()
_MAX_REQUEST_BYTES = 16_384
_HEADER_FIELD = re.compile(rb"([a-z0-9!#$%&'*+.^_`|~-]+):[\t\x20-\x7e]*")
# Headers that set the message length or change what happens to the connection.
_FRAMING_HEADERS = frozenset(
    {b"transfer-encoding", b"connection", b"keep-alive", b"expect", b"upgrade", b"te", b"trailer"}
)
_IDLE_STATES = {h11.CLIENT: h11.IDLE, h11.SERVER: h11.IDLE}


class LoadSheddingProtocol(BoundedProtocol):
    """The bounded protocol, which rejects at once what `LoadSheddingMiddleware` would reject after parsing.

    Only one complete, unambiguous request that comes first on an idle connection is rejected here. Everything else is
    parsed as usual, and so is every request while the service has capacity.
    """

    service: ClassVar[ServiceState]

    def handle_data(self, data: bytes) -> None:
        if not (self.service.limiter.is_full and self._is_idle() and is_unambiguous_request(data)):
            super().handle_data(data)
            return
        self.service.telemetry.count_shed()
        headers, body = rejection_response()
        lines = (b"%b: %b\r\n" % field for field in (*self.server_state.default_headers, *headers))
        self.transport.write(b"".join((_STATUS_LINE, *lines, b"\r\n", body)))
        self.on_response_complete()

    def _is_idle(self) -> bool:
        is_free = self.conn.states == _IDLE_STATES and not self.conn.trailing_data[0]
        return is_free and not self.flow.write_paused and not self.transport.is_closing()


def load_shedding_protocol(state: ServiceState, limits: ConnectionLimits | None = None) -> type[LoadSheddingProtocol]:
    """The protocol class for one service, for `uvicorn.Config(http=...)`; it counts the connections of this process."""
    allowed = limits or ConnectionLimits()

    class ServiceProtocol(LoadSheddingProtocol):
        service = state
        limits = allowed
        table = ConnectionTable(allowed.max_connections, allowed.per_client)

    return ServiceProtocol


def is_unambiguous_request(data: bytes) -> bool:
    """Whether these bytes are one complete request to an expensive route that every server reads the same way.

    It has one Host header, one Content-Length that matches the body exactly, and no header about the connection.
    """
    if len(data) > _MAX_REQUEST_BYTES or not data.startswith(_REQUEST_LINES):
        return False
    head, _, body = data.partition(b"\r\n\r\n")
    names: list[bytes] = []
    length = b""
    for line in head.lower().split(b"\r\n")[1:]:
        field = _HEADER_FIELD.fullmatch(line)
        if field is None or field[1] in _FRAMING_HEADERS:
            return False
        names.append(field[1])
        if field[1] == b"content-length":
            length = line[len(b"content-length:") :].strip(b" \t")
    is_one = names.count(b"content-length") == names.count(b"host") == 1
    return is_one and length.isdigit() and length == b"%d" % len(body)
