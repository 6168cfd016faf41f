"""Request heads that two servers could read in two ways are rejected: what a proxy lets through is what is answered.

h11 is lenient where older clients were: it accepts bare line feeds, folded lines, equal repeated lengths, a length next
to chunks, and control characters. Each of them has been used to smuggle a request past a proxy.
"""

import re

import h11
from h11._receivebuffer import ReceiveBuffer

MAX_HEAD_BYTES = 32_768
_MAX_CHUNK_HEADER_BYTES = 256
_BARE_LINE_BREAK = re.compile(rb"(?<!\r)\n|\r(?!\n)")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_REQUEST_LINE = re.compile(rb"[^ ]+ [^ ]+ HTTP/1\.[01]\r\n")
_FIELD_NAME = re.compile(rb"\n([^:\r\n]*):")


class StrictReceiveBuffer(ReceiveBuffer):
    """What h11 has received; raises h11's own error for a head or chunk header that is ambiguous."""

    _extracted = bytearray()

    def maybe_extract_lines(self) -> list[bytearray] | None:
        lines = super().maybe_extract_lines()
        if lines:
            require_unambiguous_head(bytes(self._extracted))
        return lines

    def maybe_extract_next_line(self) -> bytearray | None:
        line = super().maybe_extract_next_line()
        if line is None and len(self._data) > _MAX_CHUNK_HEADER_BYTES:
            raise h11.LocalProtocolError("chunk header too long")
        if line is not None and (len(line) > _MAX_CHUNK_HEADER_BYTES or _is_broken(bytes(line))):
            raise h11.LocalProtocolError("ambiguous chunk header")
        return line

    def _extract(self, count: int) -> bytearray:
        # The parser changes the lines it gets, but not the list of bytes they were split from.
        self._extracted = super()._extract(count)
        return self._extracted


def require_unambiguous_head(head: bytes) -> None:
    """Raises `h11.LocalProtocolError` unless every server reads this head, or these trailers, in the same way."""
    if len(head) > MAX_HEAD_BYTES:  # h11 limits only a head that does not arrive at once
        raise h11.LocalProtocolError("head too long", error_status_hint=431)
    if _is_broken(head):
        raise h11.LocalProtocolError("bare line break or control character")
    if b"\n " in head or b"\n\t" in head:
        raise h11.LocalProtocolError("folded line")
    first = _REQUEST_LINE.match(head)
    if b" HTTP/" in head.partition(b"\n")[0] and not first:
        raise h11.LocalProtocolError("not a request line of HTTP/1.0 or HTTP/1.1")
    names = [name.lower() for name in _FIELD_NAME.findall(head)]
    lengths, encodings = names.count(b"content-length"), names.count(b"transfer-encoding")
    if lengths + encodings > 1:
        raise h11.LocalProtocolError("more than one length")
    if encodings and first and first[0].endswith(b"1.0\r\n"):
        raise h11.LocalProtocolError("chunks in HTTP/1.0")


def _is_broken(text: bytes) -> bool:
    return _BARE_LINE_BREAK.search(text) is not None or _CONTROL.search(text) is not None
