"""Downloads: only allowed hosts, only public addresses, also after a redirect, within limits of size and time."""

import socket
import threading
from contextlib import contextmanager

import pytest

from footnotary.cli.library.web_download import DownloadPolicy, download, parse_hosts
from footnotary.errors import DocumentError, UsageError

POLICY = DownloadPolicy(("example.org", "*.example.net"), 10_000, 5.0)
PUBLIC = "93.184.215.14"
PAGE = b"<html><body><p>Bells ring at noon.</p></body></html>"


def reply(body=PAGE, status="200 OK", kind="text/html; charset=utf-8", **headers):
    head = {"Content-Type": kind, "Content-Length": str(len(body))} | {
        k.replace("_", "-"): v for k, v in headers.items()
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body


class Web:
    """A web of scripted replies without any network: what was resolved, connected to and requested is recorded."""

    def __init__(self, *replies, addresses=(PUBLIC,)):
        self.replies, self.addresses = list(replies), addresses
        self.resolved, self.connected, self.requests = [], [], []

    def resolve(self, host, port):
        self.resolved.append((host, port))
        return self.addresses

    def connect(self, address, port, timeout_s):
        self.connected.append((address, port))
        ours, theirs = socket.socketpair()
        threading.Thread(target=self._serve, args=(theirs, self.replies.pop(0))).start()
        ours.settimeout(timeout_s)
        return ours

    def _serve(self, peer, said):
        with peer:
            self.requests.append(peer.recv(10_000))
            if said is not None:
                peer.sendall(said)
            else:  # silence until the client gives up
                peer.recv(1)

    def get(self, url, policy=POLICY):
        return download(url, policy, self.resolve, self.connect)


@contextmanager
def nothing_is_connected(*replies, **options):
    web = Web(*replies, **options)
    yield web
    assert web.connected == []


def test_a_page_is_fetched_from_the_address_that_was_checked():
    web = Web(reply())
    found = web.get("http://example.org/rules/leave?year=2024")
    assert (found.data, web.connected) == (PAGE, [(PUBLIC, 80)])
    assert b"GET /rules/leave?year=2024 HTTP/1.1\r\nHost: example.org\r\n" in web.requests[0]
    assert web.resolved == [("example.org", 80)]  # once: a second look could find another address


@pytest.mark.parametrize(
    ("url", "kind", "name"),
    [
        ("http://example.org/rules/leave.html", "text/html", "example.org_rules_leave.html"),
        ("http://example.org/rules/leave", "application/pdf", "example.org_rules_leave.pdf"),
        ("http://example.org/", "text/html", "example.org.html"),
        ("http://a.b.example.net/x.md", "text/markdown", "a.b.example.net_x.md"),
    ],
)
def test_the_name_is_that_of_the_host_and_path(url, kind, name):
    assert Web(reply(kind=kind)).get(url).name == name


def test_two_queries_of_one_path_are_two_documents():
    first, second = (Web(reply()).get(f"http://example.org/doc?id={n}").name for n in (1, 2))
    assert first != second


@pytest.mark.parametrize(
    "url",
    [
        "http://other.org/",
        "http://example.org.evil.com/",
        "http://notexample.org/",
        "http://example.net/",
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://user:secret@example.org/",
        "ftp://example.org/x",
        "file:///etc/passwd",
        "http://example.org:0/",
        "http://example.org:99999999/",
        "http:///x",
    ],
)
def test_what_is_not_allowed_is_not_even_resolved(url):
    with nothing_is_connected() as web:
        with pytest.raises(UsageError):
            web.get(url)
        assert web.resolved == []


def test_by_default_no_host_is_allowed():
    with nothing_is_connected() as web, pytest.raises(UsageError) as error:
        web.get("http://example.org/", DownloadPolicy(parse_hosts(""), 100))
    assert "example.org is not an allowed host (allowed: none)" in error.value.message
    assert "FOOTNOTARY_INGEST_HOSTS=example.org" in error.value.hint


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:1:1:0:0:80ff:fffe",
    ],
)
def test_an_address_inside_a_network_is_never_connected_to(address):
    for addresses in ((address,), (PUBLIC, address)):
        with nothing_is_connected(addresses=addresses) as web, pytest.raises(UsageError) as error:
            web.get("http://example.org/")
        assert "is not public" in error.value.message


def test_a_redirect_is_followed_within_the_list():
    web = Web(reply(b"", "302 Found", Location="/new"), reply())
    found = web.get("http://example.org/old")
    assert (found.url, found.name) == ("http://example.org/new", "example.org_old.html")


@pytest.mark.parametrize(
    "target", ["http://other.org/", "http://127.0.0.1:8081/v1/audit", "file:///etc/passwd", "//169.254.169.254/latest"]
)
def test_a_redirect_to_what_is_not_allowed_is_not_followed(target):
    web = Web(reply(b"", "302 Found", Location=target), reply())
    with pytest.raises(UsageError):
        web.get("http://example.org/")
    assert len(web.connected) == 1


def test_a_redirect_that_never_ends_is_an_error():
    web = Web(*(reply(b"", "302 Found", Location="/again") for _ in range(10)))
    with pytest.raises(DocumentError, match="redirects"):
        web.get("http://example.org/")
    assert len(web.connected) == 6


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (reply(b"x" * 10_001), "more than 10,000 bytes"),
        (reply(b"x" * 20_000, Content_Length="5000000000"), "more than 10,000 bytes"),
        (reply(kind="application/zip"), "is of type application/zip"),
        (reply(status="404 Not Found"), "404 Not Found"),
        (reply(Content_Encoding="gzip"), "compressed"),
        (reply(Content_Length="999"), "ended early"),
        (reply(b""), "returned nothing"),
        (b"nonsense\r\n\r\n", "no answer"),
        (b"", "no answer"),
    ],
)
def test_what_cannot_be_used_is_an_error_that_says_why(said, why):
    with pytest.raises(DocumentError, match=why):
        Web(said).get("http://example.org/x")


def test_a_server_that_says_nothing_is_given_up():
    with pytest.raises(DocumentError, match=r"timed out|too long"):
        Web(None).get("http://example.org/", DownloadPolicy(("example.org",), 100, 0.2))


@pytest.mark.parametrize("given", ["*", "https://example.org", "example.org/x", "localhost", "a b.org"])
def test_a_list_of_hosts_that_is_none_is_named(given):
    with pytest.raises(UsageError, match="not a host name"):
        parse_hosts(given)
