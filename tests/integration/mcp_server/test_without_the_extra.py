"""Without the SDK the service runs as ever, and the command says what to install."""

import subprocess
import sys

import pytest
from starlette.testclient import TestClient

from footnotary.cli.operations.mcp import run_mcp
from footnotary.errors import UsageError
from footnotary.mcp_server.mount import create_app_with_mcp


def test_the_command_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("footnotary.cli.operations.mcp.find_spec", lambda name: None)
    with pytest.raises(UsageError) as error:
        run_mcp({"home": tmp_path}, http=False)
    assert "pip install 'footnotary[mcp]'" in str(error.value)


def test_the_service_has_no_such_address_then(state, monkeypatch):
    monkeypatch.setattr("footnotary.mcp_server.mount.find_spec", lambda name: None)
    with TestClient(create_app_with_mcp(state), base_url="http://localhost") as client:
        assert client.post("/mcp", json={}).status_code == 404
        assert client.get("/healthz").status_code == 200


def test_the_command_line_needs_none_of_the_extras_until_they_are_used():
    code = "import sys, footnotary.cli.main; print(sorted({'mcp', 'fastapi', 'uvicorn', 'openai'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
