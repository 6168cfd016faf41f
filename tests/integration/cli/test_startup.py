"""Starting the service: it says that it listens when it answers, opens the page, and completes in a shell."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

import pytest

pytestmark = pytest.mark.server


@pytest.fixture
def serving(tmp_path):
    """Starts `serve --port 0` with options; ends it."""
    started = []

    def start(*options, **environ):
        process = subprocess.Popen(
            [sys.executable, "-m", "footnotary", "serve", "--port", "0", "--embedder", "fast", *options],
            env=os.environ | {"FOOTNOTARY_HOME": str(tmp_path / "home"), "FOOTNOTARY_VERIFIER": "lexical"} | environ,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        for line in process.stderr:
            if found := re.search(r"listening on (http://\S+)", line):
                return found[1]
        raise AssertionError("it never said that it listens")

    yield start
    for process in started:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        assert process.returncode == 0


@pytest.mark.smoke
def test_when_it_says_that_it_listens_it_answers_and_the_page_opens(serving, tmp_path):
    """It used to say so seconds before: the first request of a script was refused."""
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new && mv {opened}.new {opened}\n')
    browser.chmod(0o755)
    url = serving("--open", BROWSER=f"{browser} %s")
    with urllib.request.urlopen(f"{url}/healthz", timeout=10) as reply:
        assert reply.status == 200
    until = time.monotonic() + 30
    while not opened.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert opened.read_text().strip() == f"{url}/"


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:80/"),
        ("0.0.0.0", "http://127.0.0.1:80/"),
        ("::", "http://[::1]:80/"),
        ("h.example", "http://h.example:80/"),
    ],
)
def test_the_page_is_opened_where_this_machine_reaches_it(host, url):
    from footnotary.cli.operations.browser import open_page

    opened = []
    open_page(host, 80, lambda found: bool(opened.append(found))).join(5)
    assert opened == [url]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_completion_is_installed_and_completes_commands_and_options(tmp_path):
    environ = os.environ | {
        "HOME": str(tmp_path),
        "SHELL": "/bin/bash",
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
    }
    run = [sys.executable, "-c", "import sys; sys.argv[0] = 'footnotary'; from footnotary.cli.main import main; main()"]
    done = subprocess.run(
        [*run, "--install-completion", "bash"], env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (script,) = (tmp_path / ".bash_completions").iterdir()
    assert script.name == "footnotary.sh"
    assert str(script) in (tmp_path / ".bashrc").read_text()

    def completed(words):
        asked = {"_FOOTNOTARY_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        return subprocess.run(run, env=environ | asked, capture_output=True, text=True, check=False).stdout.split()

    assert "watch" in completed("footnotary wa")
    assert "--open" in completed("footnotary serve --o")
