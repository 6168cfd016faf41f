"""Downloads one page or PDF from an allowed host; an address inside a network is never connected to.

The host of every URL, those of redirects included, must be on the list. Its name is resolved once, every address must
be public, and the connection goes to the address that was checked: a name that resolves differently the second time
gains nothing.
"""

import http.client
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

from footnotary.errors import DocumentError, UsageError

# Resolves a host and port to addresses; opens a connection to one of them within a time.
Resolver = Callable[[str, int], Sequence[str]]
Connector = Callable[[str, int, float], socket.socket]

_MAX_REDIRECTS = 5
_CHUNK_BYTES = 1 << 16
_MAX_NAME_CHARS = 150
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
    "text/markdown": ".md",
}


@dataclass(frozen=True, slots=True)
class DownloadedFile:
    """What a URL returned, and the name to ingest it under: of its host and path."""

    url: str
    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class DownloadPolicy:
    """Which hosts may be asked, and for how much. `*.example.org` allows the hosts below example.org."""

    hosts: tuple[str, ...]
    max_bytes: int
    timeout_s: float = 60.0

    def allows(self, host: str) -> bool:
        return any(
            host == allowed or (allowed.startswith("*.") and host.endswith(allowed[1:])) for allowed in self.hosts
        )


def _resolve(host: str, port: int) -> Sequence[str]:
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _connect(address: str, port: int, timeout_s: float) -> socket.socket:
    return socket.create_connection((address, port), timeout_s)


def is_url(given: str) -> bool:
    """Whether an argument is a URL rather than a path."""
    return given.lower().startswith(("http://", "https://"))


def parse_hosts(given: str) -> tuple[str, ...]:
    """The hosts of the setting `ingest_hosts`, separated by commas. Raises `UsageError` for a URL or a bare `*`."""
    hosts = tuple(part.strip().lower().rstrip(".") for part in given.split(",") if part.strip())
    for host in hosts:
        if not host.removeprefix("*.").replace("-", "").replace(".", "").isalnum() or "." not in host:
            raise UsageError(
                f"ingest_hosts has {host!r}, which is not a host name", hint="for example: example.org, *.example.org"
            )
    return hosts


def download(
    url: str, policy: DownloadPolicy, resolve: Resolver = _resolve, connect: Connector = _connect
) -> DownloadedFile:
    """The page or PDF at a URL, after at most five redirects.

    Raises `UsageError` for a URL that is not allowed, `DocumentError` for one that cannot be fetched or read.
    """
    until = time.monotonic() + policy.timeout_s
    at = url
    for _ in range(_MAX_REDIRECTS + 1):
        parts = _allowed_parts(at, policy)
        address = _public_address(parts, resolve)
        with closing(_open_connection(parts, address, until, connect)) as connection:
            reply = _requested(connection, parts, at, until)
            if reply.status in _REDIRECTS:
                at = urljoin(at, reply.getheader("Location") or "")
                continue
            if reply.status != 200:
                raise _unfetched(at, f"the server answered {reply.status} {reply.reason}")
            suffix = _suffix(reply, at)
            data = b"".join(_pieces(reply, connection, at, policy.max_bytes, until))
        if not data:
            raise _unfetched(at, "the server returned nothing")
        return DownloadedFile(at, _name(urlsplit(url), suffix), data)
    raise _unfetched(url, f"there are more than {_MAX_REDIRECTS} redirects")


def _allowed_parts(url: str, policy: DownloadPolicy) -> SplitResult:
    try:
        parts = urlsplit(url)
        port_is_valid = parts.port is None or parts.port > 0
    except ValueError:
        raise UsageError(f"{url} is not a URL", hint="check it in a browser") from None
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme not in ("http", "https") or not host or not port_is_valid:
        raise UsageError(f"{url} is not an http or https URL", hint="only pages and PDF files are downloaded")
    if parts.username is not None or parts.password is not None:
        raise UsageError(f"the URL at {host} has a user name or password", hint="remove it")
    if not policy.allows(host):
        known = ", ".join(policy.hosts) or "none"
        raise UsageError(
            f"{host} is not an allowed host (allowed: {known})",
            hint=f"set FOOTNOTARY_INGEST_HOSTS={host}, or download the file and ingest it from disk",
        )
    return parts


def _public_address(parts: SplitResult, resolve: Resolver) -> str:
    """An address of the host, all of which must be public."""
    host = parts.hostname or ""
    try:
        found = list(dict.fromkeys(resolve(host, _port(parts))))
    except (OSError, UnicodeError) as error:
        raise _unfetched(host, f"its name does not resolve ({error})") from None
    for address in found:
        if not _is_public(ip_address(address.split("%")[0])):
            raise UsageError(
                f"{host} has the address {address}, which is not public",
                hint="only hosts of the public internet are asked; download the file and ingest it from disk",
            )
    if not found:
        raise _unfetched(host, "its name has no address")
    return found[0]


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the public internet, also where it carries an IPv4 address inside."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        # NAT64: the last four bytes are an IPv4 address.
        if address.packed[:12] == bytes.fromhex("0064ff9b0000000000000000"):
            inner = IPv4Address(address.packed[12:])
        if inner is not None:
            return _is_public(inner)
    return address.is_global and not address.is_multicast and not address.is_reserved


def _open_connection(parts: SplitResult, address: str, until: float, connect: Connector) -> http.client.HTTPConnection:
    """A connection to the address that was checked; the certificate is that of the host's name."""
    host, port = parts.hostname or "", _port(parts)
    connection = http.client.HTTPConnection(host, port)
    try:
        plain = connect(address, port, _remaining_s(until, parts.geturl()))
        if parts.scheme == "https":
            plain = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except (OSError, ssl.SSLError) as error:
        raise _unfetched(parts.geturl(), f"no connection: {error}") from None
    connection.sock = plain
    return connection


def _requested(
    connection: http.client.HTTPConnection, parts: SplitResult, url: str, until: float
) -> http.client.HTTPResponse:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {"Accept": ", ".join(_SUFFIXES), "Accept-Encoding": "identity", "User-Agent": "footnotary"}
    try:
        connection.sock.settimeout(_remaining_s(until, url))
        connection.request("GET", target, headers=headers)
        return connection.getresponse()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _unfetched(url, f"no answer: {error or type(error).__name__}") from None


def _pieces(
    reply: http.client.HTTPResponse, connection: http.client.HTTPConnection, url: str, max_bytes: int, until: float
) -> Iterator[bytes]:
    if reply.getheader("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise _unfetched(url, "it is compressed, although that was not asked for")
    read = 0
    while True:
        left = _remaining_s(until, url)
        try:
            if connection.sock is not None:  # the last piece may have closed it
                connection.sock.settimeout(left)
            piece = reply.read1(_CHUNK_BYTES)
        except (OSError, http.client.HTTPException) as error:
            raise _unfetched(url, f"the download was interrupted: {error or type(error).__name__}") from None
        if not piece:
            break
        read += len(piece)
        if read > max_bytes:
            raise DocumentError(
                f"{url} has more than {max_bytes:,} bytes", reason="too_large", hint="raise max_file_mb in the settings"
            )
        yield piece
    if reply.length:
        raise _unfetched(url, "the download ended early")


def _suffix(reply: http.client.HTTPResponse, url: str) -> str:
    kind = reply.headers.get_content_type()
    if kind not in _SUFFIXES:
        raise DocumentError(
            f"{url} is of type {kind}", reason="unsupported_type", hint="only pages, PDF and text files are downloaded"
        )
    return _SUFFIXES[kind]


def _name(parts: SplitResult, suffix: str) -> str:
    """The same name for the same URL: host and path, with a short hash where there is a query or it is cut."""
    plain = f"{parts.hostname}{unquote(parts.path)}".rstrip("/")
    name = "".join(char if char.isalnum() or char in "-." else "_" for char in plain).strip("._")
    if name.lower().endswith((suffix, ".htm")):
        name = name[: name.rindex(".")]
    if parts.query or len(name) > _MAX_NAME_CHARS:
        name = f"{name[:_MAX_NAME_CHARS]}_{sha256(parts.geturl().encode()).hexdigest()[:8]}"
    return name + suffix


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def _remaining_s(until: float, url: str) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise _unfetched(url, "it took too long")
    return left


def _unfetched(url: str, why: str) -> DocumentError:
    return DocumentError(f"{url} cannot be downloaded: {why}", reason="unreachable", hint="check the URL in a browser")
