"""`footnotary serve` and `footnotary keys` as a new user runs them, and the contract's own curl commands."""

import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from footnotary.cli.operations.serve import bind_sockets, is_loopback, run_serve
from footnotary.errors import BackendError, UsageError

COMMAND = [sys.executable, "-m", "footnotary.cli.main"]
CURL = shutil.which("curl")


def run(*given: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *given], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False),
     ("10.0.0.1", False), ("example.org", False), ("localhost.example.org", False), ("", False)],
)  # fmt: skip
def test_only_this_machine_s_own_addresses_are_local(host, local):
    assert is_loopback(host) is local


def test_a_service_others_can_reach_does_not_start_without_a_key(tmp_path):
    for host in ("0.0.0.0", "::", "example.org"):
        ended = run("serve", "--home", str(tmp_path), "--host", host, "--port", "0", "--embedder", "fast")
        assert ended.returncode == 2
        assert "keys create" in ended.stderr
        assert "Footnotary is listening" not in ended.stderr


def test_a_port_in_use_is_named_and_ends_the_command(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for command in (("serve",), ("mcp", "--http")):
            ended = run(*command, "--home", str(tmp_path), "--embedder", "fast", "--port", str(port))
            assert ended.returncode == 1
            assert f"127.0.0.1:{port} is in use" in ended.stderr
            assert "--port" in ended.stderr
            assert "is listening" not in ended.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_any_free_port_is_one_port_at_every_address(host):
    sockets = bind_sockets(host, 0)
    assert len({one.getsockname()[1] for one in sockets}) == 1
    assert sockets[0].getsockname()[1] > 0
    for one in sockets:
        one.close()


def test_an_address_of_another_machine_cannot_be_listened_on():
    with pytest.raises(BackendError, match="cannot be listened on"):
        bind_sockets("192.0.2.1", 0)


@pytest.mark.server
def test_the_port_that_was_taken_is_the_one_that_is_named(tmp_path):
    command = [*COMMAND, "serve", "--home", str(tmp_path), "--port", "0", "--embedder", "fast"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        said = next(line for line in process.stderr if "is listening" in line)
        address = ("127.0.0.1", int(said.rpartition(":")[2]))
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(address) == 0:
                    break
            assert process.poll() is None
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        assert process.returncode == 0
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_without_the_extra_the_command_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "footnotary.cli.operations.serve.find_spec", lambda name: None if name == "fastapi" else object()
    )
    with pytest.raises(UsageError) as told:
        run_serve(tmp_path, None, None, "fast", None)
    assert told.value.hint == "pip install 'footnotary[service]'"


def test_keys_and_help_need_no_part_of_the_service(tmp_path):
    code = (
        "import sys; from footnotary.cli.operations.api_keys import create_key; from pathlib import Path; "
        f"create_key(Path({str(tmp_path)!r}), 'acme', 'reader', '', None, as_json=True); "
        "print([m for m in ('fastapi', 'uvicorn', 'starlette', 'cryptography', 'numpy') if m in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "[]"


def test_keys_are_made_listed_and_revoked(tmp_path):
    home = ("--home", str(tmp_path))
    made = run("keys", "create", "--tenant", "acme", "--role", "writer", "--name", "loader", *home)
    token = made.stdout.strip()
    assert made.returncode == 0
    assert token.startswith("fn_")
    listed = json.loads(run("keys", "list", "--json", *home).stdout)["keys"]
    assert [(key["tenant"], key["role"], key["name"], key["revoked_at"]) for key in listed] == [
        ("acme", "writer", "loader", None)
    ]
    assert token.split("_")[2] not in json.dumps(listed)
    assert run("keys", "revoke", listed[0]["id"], *home).returncode == 0
    assert "revoked" in run("keys", "list", *home).stdout
    assert run("keys", "revoke", listed[0]["id"], *home).returncode == 2
    assert run("keys", "create", "--role", "owner", *home).returncode == 2
    assert run("keys", "create", "--tenant", "../x", *home).returncode == 2
    assert run("keys", "create", "--days", "36501", *home).returncode == 2


@contextmanager
def serving(home: Path, *given: str):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [*COMMAND, "serve", "--home", str(home), "--port", str(port), "--embedder", "fast", *given]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.1)
        yield port, process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def curl(*given: str) -> str:
    return subprocess.run(
        [CURL, "--silent", "--noproxy", "*", *given], capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.server
@pytest.mark.skipif(CURL is None, reason="curl is not installed")
def test_the_contract_s_own_usage_works_from_the_first_command_to_the_last(tmp_path):
    corpus = Path(sys.modules["footnotary"].__file__).parent / "demo_corpus" / "hipaa_digest.txt"
    home = tmp_path / "home"
    assert run("ingest", str(corpus), "--home", str(home), "-p", "hipaa-docs", "--embedder", "fast").returncode == 0
    with serving(home) as (port, process):

        def asked(query: str, project: str) -> dict:
            return json.loads(
                curl("-X", "POST", f"http://localhost:{port}/rag/query", "-H", "Content-Type: application/json",
                     "-d", json.dumps({"query": query, "project_id": project}))
            )  # fmt: skip

        body = asked("What are PHI identifiers?", "hipaa-docs")
        assert body["refusal_reason"] is None
        assert f"[SOURCE: {body['citations'][0]}]" in body["answer"]
        assert asked("What are PHI identifiers?", "nowhere")["refusal_reason"] == "collection_not_found"
        assert asked("How tall is the Eiffel tower?", "hipaa-docs")["refusal_reason"] == "no_relevant_content"
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert output == ""
    assert "open to this machine only" in errors
    assert "PHI" not in errors
