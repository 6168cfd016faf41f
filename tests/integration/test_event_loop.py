"""Calls to model servers share one event loop, whoever makes them."""

import asyncio
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from footnotary.generate.chat.openai_model import OpenAIModel
from footnotary.model_server.event_loop import run
from footnotary.ports import Message


async def _own_loop() -> int:
    return id(asyncio.get_running_loop())


def test_callers_of_several_threads_share_a_loop():
    with ThreadPoolExecutor(4) as threads:
        assert len({run(_own_loop()), *threads.map(lambda _: run(_own_loop()), range(8))}) == 1


def test_what_the_work_raises_reaches_the_caller():
    async def fails() -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        run(fails())


def test_a_forked_process_has_a_loop_of_its_own():
    run(_own_loop())
    child = os.fork()
    if child == 0:
        os._exit(0 if run(_own_loop()) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@contextmanager
def _counting_connections() -> Iterator[tuple[str, list[int]]]:
    connections: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            connections.append(1)
            super().setup()

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Yes [1]."}}
            body = json.dumps({"id": "1", "object": "chat.completion", "model": "m", "choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name it has above
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", connections
    finally:
        server.shutdown()
        server.server_close()


def test_a_connection_outlives_the_call_that_made_it():
    with _counting_connections() as (address, connections):
        model = OpenAIModel("m", address, timeout_s=20)
        for _ in range(3):
            assert model.complete([Message("user", "Is it?")]) == "Yes [1]."
    assert len(connections) == 1
