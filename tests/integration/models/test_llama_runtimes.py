"""Which build of llama.cpp runs the model, and how each is told."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from footnotary.models import llama_server
from footnotary.models.llama_server import find_runtime, server_command

LLAMA_CPP_PYTHON = ("llama_cpp", "uvicorn", "starlette_context", "pydantic_settings")


@pytest.fixture
def installed(monkeypatch):
    """Only what is named is installed."""

    def only(*names):
        monkeypatch.setattr(llama_server, "find_spec", lambda name: object() if name in names else None)
        monkeypatch.setattr(llama_server.shutil, "which", lambda name: f"/bin/{name}" if name in names else None)

    return only


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("llama-server", "xllamacpp", *LLAMA_CPP_PYTHON), "llama-server"),
        (("xllamacpp", *LLAMA_CPP_PYTHON), "xllamacpp"),
        (LLAMA_CPP_PYTHON, "llama-cpp-python"),
        (("llama_cpp",), None),  # the package without the extra `server` cannot serve
        ((), None),
    ],
)
def test_the_first_runtime_that_is_there_is_used(installed, names, found):
    installed(*names)
    runtime = find_runtime()
    assert (runtime and runtime.name) == found


def test_llama_cpp_python_gets_its_own_option_names(installed):
    installed(*LLAMA_CPP_PYTHON)
    command = server_command(find_runtime(), Path("base.gguf"), Path("lora.gguf"), "reader", 8611)
    assert command[1:3] == ["-m", "llama_cpp.server"]
    options = dict(zip(command[3::2], command[4::2], strict=True))
    assert options == {
        "--model": "base.gguf",
        "--model_alias": "reader",
        "--n_ctx": "8192",
        "--host": "127.0.0.1",
        "--port": "8611",
        "--lora_path": "lora.gguf",
        "--logits_all": "true",
    }


def test_the_others_get_the_option_names_of_llama_cpp(installed):
    installed("llama-server")
    command = server_command(find_runtime(), Path("base.gguf"), None, "reader", 1)
    assert command[0] == "/bin/llama-server"
    assert command[1:] == ["-m", "base.gguf", "--alias", "reader", "-c", "8192", "--host", "127.0.0.1", "--port", "1", "-np", "1"]  # fmt: skip


@pytest.mark.server
@pytest.mark.parametrize(
    ("statuses", "healthy"),
    [
        ({"/health": 200}, True),
        ({"/health": 503, "/v1/models": 200}, False),  # llama.cpp while it loads
        ({"/v1/models": 200}, True),  # llama-cpp-python has no /health
        ({}, False),
    ],
)
def test_a_server_without_a_health_route_is_ready_when_it_lists_its_model(statuses, healthy):
    class Scripted(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(statuses.get(self.path, 404))
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Scripted) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            assert llama_server._is_healthy(server.server_address[1]) is healthy
        finally:
            server.shutdown()
