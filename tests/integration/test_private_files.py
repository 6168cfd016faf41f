"""Everything that is made in a data directory is private to its owner, whatever the umask."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from importlib import resources
from pathlib import Path

import pytest

from footnotary.durable import make_private_folder

CORPUS = Path(str(resources.files("footnotary"))) / "demo_corpus"
COMMAND = [sys.executable, "-m", "footnotary.cli.main"]
OPEN_UMASK = 0


def run(home, *given, umask=OPEN_UMASK):
    environ = {**os.environ, "FOOTNOTARY_HOME": str(home), "FOOTNOTARY_VERIFIER": "lexical"}
    return subprocess.run(
        [*COMMAND, *map(str, given)], capture_output=True, text=True, timeout=120, check=False, env=environ, umask=umask
    )


def modes(folder):
    """Relative path → mode of every folder and file, the folder itself included."""
    found = {".": stat.S_IMODE(folder.stat().st_mode)}
    for path in folder.rglob("*"):
        found[str(path.relative_to(folder))] = stat.S_IMODE(path.lstat().st_mode)
    return found


def exposed(folder):
    return {name: oct(mode) for name, mode in modes(folder).items() if mode & 0o077}


@pytest.fixture(scope="module")
def ingested(tmp_path_factory):
    home = tmp_path_factory.mktemp("private") / "above" / "home"
    done = run(home, "ingest", CORPUS / "ipc_digest.txt", "-p", "demo", "--embedder", "fast")
    assert done.returncode == 0, done.stderr
    asked = run(home, "ask", "-p", "demo", "--embedder", "fast", "What is the punishment for theft?")
    assert asked.returncode == 0, asked.stderr
    assert run(home, "keys", "create", "--tenant", "local", "--role", "admin").returncode == 0
    return home


@pytest.mark.smoke
def test_a_data_directory_of_the_command_line_is_private(ingested):
    names = set(modes(ingested))
    assert {"keys.db", "signing.key", "heads/local.db", "tenants/local/truth.db", "tenants/local/audit.db"} <= names
    assert any("lexicon-" in name for name in names)
    assert any(name.endswith(".f32") for name in names)
    assert exposed(ingested) == {}
    assert stat.S_IMODE(ingested.parent.stat().st_mode) == 0o700


def test_a_backup_and_what_is_restored_from_it_are_private(ingested, tmp_path):
    backup, restored = tmp_path / "backup", tmp_path / "restored"
    assert run(ingested, "backup", backup).returncode == 0
    assert exposed(backup) == {}
    done = run(restored, "restore", backup)
    assert done.returncode == 0, done.stderr
    assert exposed(restored) == {}


@pytest.mark.server
def test_what_a_running_service_writes_is_private_too(tmp_path):
    home = tmp_path / "home"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environ = {**os.environ, "FOOTNOTARY_VERIFIER": "lexical"}
    command = [*COMMAND, "serve", "--home", str(home), "--port", str(port), "--embedder", "fast"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, umask=OPEN_UMASK, env=environ)
    base = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.1)

        def said(path, body=None, media="application/json"):
            request = urllib.request.Request(base + path, data=body, headers={"Content-Type": media})
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.loads(response.read())

        sent = said("/v1/projects/rules/documents?name=rule.txt", b"Rule 1. Nobody may whistle indoors.", "text/plain")
        job = sent["jobs"][0]["id"] if "jobs" in sent else sent["id"]
        for _ in range(300):
            if said(f"/v1/jobs/{job}")["state"] not in ("queued", "running"):
                break
            time.sleep(0.1)
        said("/v1/ask", json.dumps({"question": "May anybody whistle?", "project": "rules"}).encode())
        names = set(modes(home))
        assert {"tenants/local/jobs.db", "tenants/local/truth.db-wal", "tenants/local/truth.db-shm"} <= names
        assert any(name.startswith("tenants/local/uploads/") for name in names)
        assert exposed(home) == {}
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert exposed(home) == {}


def test_an_exposed_data_directory_is_warned_about_and_tightened(ingested, tmp_path):
    home = tmp_path / "home"
    subprocess.run(["cp", "-a", str(ingested), str(home)], check=True)
    (home / "notes").mkdir(mode=0o755)  # of the user's own
    for name in modes(home):
        path = home / name
        path.chmod(0o755 if path.is_dir() else 0o644)
    seen = run(home, "doctor", "--embedder", "fast", "--json")
    found = {one["check"]: one for one in json.loads(seen.stdout)}["permissions"]
    assert found["ok"] is None
    assert "doctor --fix" in found["detail"]
    assert str(home) in found["detail"]
    fixed = run(home, "doctor", "--embedder", "fast", "--fix")
    assert "were made private" in fixed.stdout
    assert set(exposed(home)) == {"notes"}
    again = run(home, "doctor", "--embedder", "fast")
    assert "✓ permissions" in again.stdout
    assert run(home, "ask", "-p", "demo", "--embedder", "fast", "What is the punishment for theft?").returncode == 0


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(OSError, match="taken"):
        make_private_folder(tmp_path / "taken")
