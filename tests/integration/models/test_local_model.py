"""From nothing to a verified answer with a language model on this machine, by the command line.

With a scripted server always; with a real one, llama.cpp and the smallest model, where both are in the cache.
"""

import json
import socket

import pytest
from typer.testing import CliRunner

from benchmarks.llm.server import RUNTIME, serving
from benchmarks.llm.weights import CACHE, WEIGHTS
from footnotary.cli.main import app
from footnotary.errors import ModelError
from footnotary.testing.chat_server import ChatServer, claims, replies

QUESTION = "How many days after a journey are receipts handed in?"
TRUE = "Receipts are handed in within 30 days after the journey."
HANDBOOK = f"# Expenses\n\n{TRUE} Meals are refunded up to 28 euros a day.\n"
SMALLEST = CACHE / f"{WEIGHTS['smallest'].sha256[:16]}.gguf"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("FOOTNOTARY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("FOOTNOTARY_EMBEDDER", "fast")
    (tmp_path / "handbook.md").write_text(HANDBOOK, encoding="utf-8")

    def command(*args):
        done = CliRunner().invoke(app, [str(arg) for arg in args])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done

    assert command("ingest", tmp_path / "handbook.md").exit_code == 0
    return command


def test_two_commands_give_a_verified_answer(run):
    with ChatServer(replies(claims((TRUE, [1])))) as server:
        done = run("ask", QUESTION, "--model", "any", "--base-url", server.base_url, "--json")
    outcome = json.loads(done.stdout)
    assert (done.exit_code, outcome["generator"], outcome["quoted"]) == (0, "chat:any", False)


def test_a_false_draft_is_replaced_by_a_quotation_and_verbose_shows_it(run):
    with ChatServer(replies(claims((TRUE.replace("30", "90"), [1])))) as server:
        done = run("ask", QUESTION, "--model", "any", "--base-url", server.base_url, "--verbose")
    assert done.exit_code == 0
    assert TRUE[:-1] in done.output
    assert "quoted from the sources" in done.output
    assert "rejected draft of chat:any: Receipts are handed in within 90 days" in done.output
    assert "✗ numbers_are_supported (number_unsupported)" in done.output


def test_a_server_that_is_not_there_is_named_with_what_to_do(run):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        with pytest.raises(ModelError, match=f"cannot reach a model server at {url}") as caught:
            run("ask", QUESTION, "--model", "any", "--base-url", url)
    assert "start the server" in caught.value.hint


def test_doctor_makes_a_round_trip(run):
    with ChatServer(replies(claims(("Lorries are weighed at the north gate.", [1])))) as server:
        done = run("doctor", "--model", "any", "--base-url", server.base_url)
    assert "chat model: any replied by JSON schema" in done.output
    assert "1 of 1 sentences cited" in done.output


@pytest.mark.slow
@pytest.mark.skipif(
    not (SMALLEST.is_file() and (CACHE / RUNTIME.replace("==", "-") / "ready").is_file()),
    reason=f"needs {WEIGHTS['smallest'].name} and {RUNTIME} in {CACHE}: python -m benchmarks.llm.replies fetches both",
)
def test_a_real_model_on_llama_cpp_gets_through_the_whole_line(run, monkeypatch):
    monkeypatch.setenv("FOOTNOTARY_TIMEOUT_S", "600")
    with serving(SMALLEST, 4096, 2) as url:
        found = run("doctor", "--model", "smallest", "--base-url", url)
        assert "chat model: smallest replied by JSON schema" in found.output
        done = run("ask", QUESTION, "--model", "smallest", "--base-url", url, "--json")
    # What so small a model drafts is open; that nothing false of it gets out, and that the line ends well, is not.
    outcome = json.loads(done.stdout)
    assert done.exit_code in (0, 3)
    assert all(claim["text"] in HANDBOOK for claim in outcome["claims"]) or not outcome["quoted"]
    assert outcome["is_grounded"]
