"""The official client over both transports: a process on standard input and output, and HTTP under keys."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from contextlib import contextmanager

import httpx2
import pytest
import uvicorn
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from footnotary.mcp_server.mount import create_app_with_mcp
from tests.integration.mcp_server.conftest import filled

pytestmark = pytest.mark.server
QUESTION = "What is the punishment for cheating under section 420 IPC?"


@contextmanager
def serving(state):
    """The service on a port of loopback."""
    server = uvicorn.Server(uvicorn.Config(create_app_with_mcp(state), port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            threading.Event().wait(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def listening(tmp_path_factory):
    with serving(filled(tmp_path_factory.mktemp("listening") / "home", "local")) as url:
        yield url


async def asked_over_http(url, token=None, question=QUESTION):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        tools = await client.list_tools()
        result = await client.call_tool("answer_grounded", {"question": question})
    return [tool.name for tool in tools.tools], result.structured_content


@pytest.mark.smoke
def test_a_client_starts_the_command_and_asks_over_stdio(tmp_path):
    home = tmp_path / "home"
    filled(home, "local").close()
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "footnotary.cli.main", "mcp", "--home", str(home), "--embedder", "fast", "-p", "law"],
        env={**os.environ, "FOOTNOTARY_PROFILE": "legal"},
    )

    async def converse():
        async with Client(server) as client:
            assert client.server_info.name == "footnotary"
            return (await client.call_tool("answer_grounded", {"question": QUESTION})).structured_content

    given = asyncio.run(converse())
    assert given["answered"]
    assert given["claims"][0]["citations"][0]["id"] == "IPC_420_0"
    assert given["profile"] == "legal"


def test_a_line_on_standard_input_that_is_no_message_got_no_reply(tmp_path):
    home = tmp_path / "home"
    filled(home, "local").close()
    command = [sys.executable, "-m", "footnotary.cli.main", "mcp", "--home", str(home), "--embedder", "fast"]
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    first = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": start})
    lines = ["CANARY", '{"CANARY": 1}', first, "CANARY {"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for line in lines:
            process.stdin.write(line + "\n")
        process.stdin.flush()
        replies = [json.loads(process.stdout.readline()) for _ in lines]
        process.stdin.close()
    assert sorted((reply["error"]["code"], reply["id"]) for reply in replies if "error" in reply) == [
        (-32700, None),
        (-32700, None),
        (-32600, None),
    ]
    assert [reply["id"] for reply in replies if "result" in reply] == [1]
    assert "CANARY" not in str(replies)


def test_a_client_asks_over_http_on_this_machine(tmp_path):
    with serving(filled(tmp_path / "home", "local")) as url:
        names, given = asyncio.run(asked_over_http(url))
    assert len(names) == 7
    assert given["answered"]


def test_over_http_the_key_decides_whose_documents_are_read(tmp_path):
    state = filled(tmp_path / "home", "acme")
    _, acme = state.keys.create("acme", "reader")
    _, other = state.keys.create("other", "reader")
    with serving(state) as url:
        _, given = asyncio.run(asked_over_http(url, acme))
        assert given["answered"]
        _, given = asyncio.run(asked_over_http(url, other))
        assert given["refusal_reason"] == "collection_not_found"


@pytest.mark.parametrize("token", [None, "fn_none_such", "x"])
def test_over_http_nobody_gets_in_without_a_key(tmp_path, token):
    state = filled(tmp_path / "home", "acme")
    state.keys.create("acme", "reader")
    with serving(state) as url:
        answered = httpx2.post(url, json={}, headers={"Authorization": f"Bearer {token}"} if token else {})
        assert answered.status_code == 401
        assert answered.headers["www-authenticate"] == "Bearer"
        with pytest.raises((MCPError, ExceptionGroup)):
            asyncio.run(asked_over_http(url, token))


@pytest.mark.parametrize("version", [None, "2025-06-18", "2026-07-28"])
@pytest.mark.parametrize(
    "body",
    [
        {"method": {"secret": "CANARY"}},
        {"jsonrpc": "2.0", "id": 1, "method": {"secret": "CANARY"}},
        {"jsonrpc": "CANARY", "id": 1, "method": "tools/list"},
        [{"CANARY": "CANARY"}],
        "CANARY",
        b'{"CANARY": CANARY',
    ],
)
def test_what_cannot_be_understood_is_reported_and_not_repeated(listening, version, body):
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    if version is not None:
        headers["MCP-Protocol-Version"] = version
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    refused = httpx2.post(listening, content=sent, headers=headers)
    assert refused.status_code == 400
    assert refused.json()["error"]["message"] == "The request cannot be understood."
    assert refused.json()["error"]["code"] == (-32700 if sent is body else -32600)
    assert "CANARY" not in refused.text + str(refused.headers)


def test_a_page_of_another_site_cannot_use_an_open_service(tmp_path):
    with serving(filled(tmp_path / "home", "local")) as url:
        assert httpx2.post(url, json={}, headers={"Origin": "https://evil.example"}).status_code == 403
        assert httpx2.post(url, json={}, headers={"Host": "evil.example"}).status_code == 421
