"""`footnotary conform` on ourselves and on others, as a person runs it."""

import json
import socket

import pytest
from typer.testing import CliRunner

from footnotary.cli.main import app
from footnotary.errors import BackendError


def run(*arguments):
    done = CliRunner().invoke(app, ["conform", *arguments])
    return done.exit_code, done.stdout


def test_the_engine_keeps_the_contract_in_lexical_mode():
    code, said = run("engine", "--family", "wrong_id", "--family", "stale_version", "--family", "conflict", "--json")
    (found,) = json.loads(said)["runs"]
    assert [one for one in found["results"] if one["standing"] != "kept"] == []
    assert (code, found["is_full"]) == (0, True)


@pytest.mark.trained
def test_the_engine_passes_the_whole_suite_of_which_only_some_families_were_tested():
    code, said = run("engine", "--json")
    (found,) = json.loads(said)["runs"]
    wrong = [one for one in found["results"] if one["standing"] != "kept" and one["family"] != "streaming_leak"]
    assert (code, wrong) == (0, [])
    assert {one["standing"] for one in found["results"] if one["family"] == "streaming_leak"} == {"not_measured"}


@pytest.mark.server
@pytest.mark.trained
def test_the_service_passes_the_whole_suite_streamed_and_between_tenants(tmp_path):
    pytest.importorskip("uvicorn", reason="the service is not installed")
    code, said = run("service", "--out", str(tmp_path))
    assert code == 0, said
    kept = json.loads((tmp_path / "conformance.json").read_text())["runs"][0]
    assert (kept["target"], kept["is_full"]) == ("Footnotary, service", True)
    assert "| streaming leak | 4/4, 1/1 |" in (tmp_path / "conformance.md").read_text()


def test_a_system_named_as_a_function_that_delivers_anything_ends_with_4():
    code, said = run("tests.contract.conformance.systems:parrot", "--family", "negation")
    assert code == 4
    assert "| negation | 0/4, 1/1 |" in said
    assert "it says 'is liable'" in said


def test_a_port_of_the_scripted_model_that_is_in_use_is_named():
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        done = CliRunner().invoke(app, ["conform", "engine", "--family", "negation", "--generator-port", str(port)])
    assert isinstance(done.exception, BackendError)
    assert done.exception.message == f"127.0.0.1:{port} is in use"
    assert "--generator-port 0" in done.exception.hint


def test_an_address_at_which_nothing_answers_is_a_failure_and_no_scorecard(tmp_path):
    out = tmp_path / "out"
    done = CliRunner().invoke(
        app, ["conform", "http://127.0.0.1:9/v1", "--family", "negation", "--family", "cross_tenant", "--out", str(out)]
    )
    assert isinstance(done.exception, BackendError)
    assert "no response from" in done.exception.message
    assert done.stdout == ""
    assert not out.exists()


def test_next_to_a_system_that_answers_one_that_does_not_fails_every_case():
    code, said = run("tests.contract.conformance.systems:parrot", "http://127.0.0.1:9/v1", "--family", "negation")
    assert code == 4
    assert "no response from" in said


@pytest.mark.parametrize(
    "arguments",
    [["nothing"], ["no.such.module:thing"], ["engine", "--family", "odd"], ["engine", "--cases", "none.toml"]],
)
def test_what_cannot_be_run_is_said_before_anything_is(arguments):
    done = CliRunner().invoke(app, ["conform", *arguments])
    assert done.exception is not None
    assert "UsageError" in type(done.exception).__name__ or done.exit_code == 2
