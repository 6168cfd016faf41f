"""Hostile bytes on a real socket: each gets the outcome that is demanded, and the next client is served."""

import json
import socket
from contextlib import suppress

import pytest

from footnotary.mcp_server.mount import create_app_with_mcp
from footnotary.service.auth.api_keys import ApiKeyStore
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from harness.service.listening import listening
from harness.service.raw_requests import (
    ANSWERED,
    BODY,
    BROKEN_HEADS,
    FORWARDED,
    HOSTS,
    OVERSIZED,
    SMUGGLED_PATH,
    SMUGGLING,
    get,
    post,
)

pytestmark = pytest.mark.server


def exchange(address, sent, wait_s=30.0):
    """What comes back for these bytes until the service ends the connection; a reset ends it too."""
    received = b""
    with socket.create_connection(address, timeout=wait_s) as connection:
        with suppress(ConnectionError):
            connection.sendall(sent)
        with suppress(ConnectionError):
            while piece := connection.recv(65_536):
                received += piece
    return received


def responses(received):
    """(status, headers, body) of each response; every one of ours has a length."""
    found = []
    while received:
        head, _, rest = received.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        assert first.startswith("HTTP/1.1 "), first
        length = int(headers["content-length"])
        found.append((int(first.split()[1]), headers, rest[:length]))
        received = rest[length:]
    return found


def statuses(received):
    return tuple(status for status, _, _ in responses(received))


class Recorder:
    """An application that remembers the paths it was asked for, in front of the real one."""

    def __init__(self, app):
        self._app = app
        self.state = app.state
        self.paths = []

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            self.paths.append(scope["path"])
        await self._app(scope, receive, send)


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    home = tmp_path_factory.mktemp("raw") / "home"
    settings = load_settings({"verifier": "lexical", "home": home, "rate_per_minute": 0}, environ={})
    app = Recorder(create_app_with_mcp(ServiceState(settings, HashEmbedder())))
    with listening(app) as address:
        yield address, app


def is_served(address):
    return statuses(exchange(address, get())) == (200,)


@pytest.mark.parametrize("case", [*SMUGGLING, *BROKEN_HEADS, *OVERSIZED], ids=lambda case: case.name)
def test_what_can_be_read_in_two_ways_is_rejected_and_the_connection_closed(service, case):
    address, app = service
    received = exchange(address, case.sent)
    # A client that is still sending when it is rejected may see a reset in place of the response.
    assert statuses(received) in (case.statuses, ()), received[:200]
    assert received or len(case.sent) > 32_768
    assert SMUGGLED_PATH not in app.paths
    assert is_served(address)


@pytest.mark.parametrize("case", [*HOSTS, *ANSWERED], ids=lambda case: case.name)
def test_what_can_be_read_in_one_way_gets_its_response(service, case):
    address, app = service
    received = exchange(address, case.sent)
    assert statuses(received) == case.statuses, received[:200]
    assert b"canary" not in received
    assert SMUGGLED_PATH not in app.paths


def test_a_rejection_is_a_problem_document_with_the_security_headers(service):
    ((status, headers, body),) = responses(exchange(service[0], BROKEN_HEADS[0].sent))
    assert (status, headers["content-type"]) == (400, "application/problem+json")
    assert json.loads(body)["code"] == "bad_request"
    assert json.loads(body)["request_id"] == headers["x-request-id"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["connection"] == "close"


@pytest.mark.parametrize("field", FORWARDED, ids=lambda field: field[:40])
def test_no_header_of_a_proxy_changes_who_asks_or_what(service, field):
    plain = responses(exchange(service[0], get()))
    ((status, headers, body),) = responses(exchange(service[0], get(field)))
    assert (status, body) == (plain[0][0], plain[0][2])
    assert headers["x-request-id"].startswith("req_")
    assert headers["x-request-id"] != field.partition(": ")[2]
    assert set(headers) == set(plain[0][1])


@pytest.mark.parametrize("field", [field for field in FORWARDED if not field.startswith("Content-Type")])
def test_no_header_of_a_proxy_replaces_a_key(tmp_path, field):
    ring = ApiKeyStore(tmp_path)
    ring.create("acme", "reader")
    ring.close()
    settings = load_settings({"verifier": "lexical", "home": tmp_path, "rate_per_minute": 0}, environ={})
    with listening(create_app_with_mcp(ServiceState(settings, HashEmbedder()))) as address:
        assert statuses(exchange(address, get(field))) == (401,)


INJECTED = '%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0a{"level":"error","message":"forged"}'


@pytest.mark.parametrize(
    "sent",
    [
        get(path=f"/v1/whoami?x={INJECTED}"),
        get(path=f"/{INJECTED}"),
        get(path=f"/v1/projects/{INJECTED}/sources/{INJECTED}"),
        get(path=f"/v1/profiles/{INJECTED}"),
        get(path=f"/v1/jobs/{INJECTED}"),
        get('User-Agent: "}{"message":"forged"', 'Referer: \\"forged\\n'),
        get('X-Request-Id: {"message":"forged"}', "Idempotency-Key: forged"),
        post(f"Content-Length: {len(BODY)}", "Connection: close", "Idempotency-Key: \\nforged", body=BODY),
        get("Authorization: Bearer forged\\n", "Origin: http://forged"),
    ],
    ids=range(9),
)
def test_nothing_in_a_request_forges_a_header_or_a_line_of_the_log(service, logs, sent):
    received = exchange(service[0], sent)
    assert len(responses(received)) == 1
    for status, headers, _ in responses(received):
        assert status < 500
        assert "set-cookie" not in headers
    lines = [line for line in logs.getvalue().splitlines() if line.strip()]
    for line in lines:
        assert isinstance(json.loads(line), dict)
        assert "forged" not in line
