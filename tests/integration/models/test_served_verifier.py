"""`verifier = "endpoint"` and `"xl"` from the command line: calibrated, asked, recorded and replayed without the server."""

import io
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from footnotary.cli.main import main
from footnotary.testing.chat_server import Behaviour, ChatServer, replies, responds, unused_url
from footnotary.testing.logprob_server import reads, says, shared_words, user_messages

pytestmark = [pytest.mark.server, pytest.mark.trained]

RULES = """Rules of the hall

Every visitor shall sign the book at the gate before entering the hall.

The caretaker opens the hall at eight in the morning and closes it at six in the evening.
"""
QUESTION = "Who shall sign the book at the gate?"
THINGS = ("hall", "room", "gate", "yard", "tower", "cellar", "stable", "kitchen", "chapel", "garden", "bridge", "mill")


@dataclass
class Ran:
    code: int
    out: str
    err: str


def run(*args: object, home: Path, **settings: str) -> Ran:
    out, err = io.StringIO(), io.StringIO()
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("FOOTNOTARY_", "OPENAI_"))}
    environ |= {"FOOTNOTARY_HOME": str(home), "FOOTNOTARY_EMBEDDER": "fast", "NO_PROXY": "127.0.0.1"}
    environ |= {f"FOOTNOTARY_{name.upper()}": value for name, value in settings.items()}
    with (
        patch.dict(os.environ, environ, clear=True),
        patch.object(sys, "argv", ["footnotary", *map(str, args)]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
            code = 0
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "rules.txt").write_text(RULES)
    home = tmp_path / "home"
    assert run("ingest", tmp_path / "rules.txt", home=home, verifier="lexical").code == 0
    return home


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(reads(shared_words)) as running:
        yield running


def rows(folder: Path, kinds: tuple[str, ...] = ("claim", "question"), count: int = 60) -> Path:
    """Claims and questions about things, of which every other one is about another thing than the passage."""
    path = folder / "rows.jsonl"
    lines = []
    for kind in kinds:
        for n in range(count):
            thing, other = THINGS[n % 12], THINGS[(n + 5) % 12]
            said = f"{thing if n % 2 else other} {n}"
            passage = f"The {thing} {n} is opened by the keeper on day {n}."
            asked = {"claim": f"The {said} is opened by the keeper.", "label": n % 2}
            if kind == "question":
                asked = {"question": f"Who opens the {said}?", "answerable": bool(n % 2)}
            lines.append(json.dumps(asked | {"passages": [passage], "id": f"{kind}{n}"}))
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def calibrated(server: ChatServer, home: Path, tmp_path: Path) -> dict[str, str]:
    """The settings of a calibrated endpoint."""
    settings = {"verifier_url": server.base_url, "verifier_model": "scripted"}
    ran = run("calibrate", rows(tmp_path), "--endpoint", tmp_path / "c.json", home=home, **settings)
    assert (ran.code, ran.err.count("calibration:")) == (0, 1), ran.err
    return settings | {"verifier": "endpoint", "verifier_calibration": str(tmp_path / "c.json")}


def test_calibration_says_both_errors_on_the_other_half(calibrated: dict[str, str], home: Path, tmp_path: Path):
    content = json.loads((tmp_path / "c.json").read_text())
    assert (content["model"], content["languages"]) == ("scripted", ["en"])
    for task in ("claims", "questions"):
        measured = content["measured"][task]
        assert measured["fitted_rows"] + measured["measured_rows"] == 60
        assert 0 <= measured["calibration_error"] <= 0.5
        assert {"wrongly_accepted", "wrongly_refused", "threshold"} <= measured.keys()
    assert set(content["calibration"]) == {"support", "answers", "answers_together"}


def test_an_interrupted_calibration_continues(home: Path, tmp_path: Path):
    found = rows(tmp_path)
    ran = []
    for behaviours in ([*[reads(shared_words)] * 70, replies("Yes")], [reads(shared_words)]):
        with ChatServer(*behaviours) as server:
            settings = {"verifier_url": server.base_url, "verifier_model": "scripted"}
            given = (found, "--endpoint", tmp_path / "c.json", "--report", tmp_path / "report")
            ran.append((run("calibrate", *given, home=home, **settings).code, len(server.seen)))
    assert ran == [(1, 71), (0, 50)]


@pytest.mark.parametrize("kind", ["claim", "question"])
def test_both_kinds_of_rows_are_needed(kind: str, server: ChatServer, tmp_path: Path):
    settings = {"verifier_url": server.base_url, "verifier_model": "scripted"}
    ran = run("calibrate", rows(tmp_path, (kind,)), "--endpoint", tmp_path / "c.json", home=tmp_path, **settings)
    assert ran.code == 2
    assert "give rows with claims" in ran.err
    assert not (tmp_path / "c.json").exists()


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        (reads(lambda request: 1 - shared_words(request)), "does not distinguish claims"),
        (replies("Yes"), "no log-probabilities"),
    ],
)
def test_what_cannot_be_calibrated_is_not_written(behaviour: Behaviour, message: str, tmp_path: Path):
    with ChatServer(behaviour) as server:
        settings = {"verifier_url": server.base_url, "verifier_model": "scripted"}
        ran = run("calibrate", rows(tmp_path), "--endpoint", tmp_path / "c.json", home=tmp_path, **settings)
    assert ran.code in (1, 2)
    assert message in ran.err
    assert not (tmp_path / "c.json").exists()


def test_too_few_rows_are_said_before_the_model_is_asked(server: ChatServer, tmp_path: Path):
    settings = {"verifier_url": server.base_url, "verifier_model": "scripted"}
    ran = run("calibrate", rows(tmp_path, count=20), "--endpoint", tmp_path / "c.json", home=tmp_path, **settings)
    assert (ran.code, server.seen) == (2, [])
    assert "too few claims" in ran.err


def test_without_a_calibration_a_question_is_not_answered(server: ChatServer, home: Path):
    settings = {"verifier": "endpoint", "verifier_url": server.base_url, "verifier_model": "scripted"}
    ran = run("ask", QUESTION, home=home, **settings)
    assert ran.code == 2
    assert "footnotary calibrate --endpoint" in ran.err
    assert server.seen == []


def test_an_answer_is_read_by_the_server_recorded_and_replayed_without_it(
    calibrated: dict[str, str], server: ChatServer, home: Path, tmp_path: Path
):
    before = len(server.seen)
    ran = run("ask", QUESTION, "--json", home=home, **calibrated)
    assert ran.code == 0, ran.err
    assert len(server.seen) > before
    assert any("Is the question answered by the evidence?" in asked for asked in user_messages(server.seen[before:]))
    answer = json.loads(ran.out)["answer_id"]
    record = json.loads(run("audit", "show", answer, "--json", home=home, **calibrated).out)
    content = record["content"]
    assert content["models"]["verifier_model"] == "scripted"
    assert content["models"]["verifier"].startswith("scripted@")
    assert len(content["readings"]) == len(set(user_messages(server.seen[before:])))
    bundle = tmp_path / "bundle.json"
    assert run("audit", "export", answer, "--out", bundle, home=home, **calibrated).code == 0
    elsewhere = calibrated | {"verifier_url": unused_url()}
    assert run("audit", "check", bundle, home=home, **elsewhere).code == 0
    replayed = run("audit", "replay", bundle, home=home, **elsewhere)
    assert (replayed.code, replayed.out.split(":")[0]) == (0, "same"), replayed.err


def test_the_same_question_asked_again_is_recorded_with_its_readings(calibrated: dict[str, str], home: Path):
    readings = []
    for _ in range(2):
        answer = json.loads(run("ask", QUESTION, "--json", home=home, **calibrated | {"answer_cache": "off"}).out)
        shown = run("audit", "show", answer["answer_id"], "--json", home=home, **calibrated).out
        readings.append(json.loads(shown)["content"]["readings"])
    assert readings[0] == readings[1] != {}


def test_a_record_whose_readings_were_changed_is_not_replayed(
    calibrated: dict[str, str], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from footnotary.replay import ReplayMismatch, replay
    from footnotary.settings import load_settings
    from footnotary.wiring import open_replay

    answer = json.loads(run("ask", QUESTION, "--json", home=home, **calibrated).out)["answer_id"]
    content = json.loads(run("audit", "show", answer, "--json", home=home, **calibrated).out)["content"]
    environ = {f"FOOTNOTARY_{name.upper()}": value for name, value in calibrated.items()} | {
        "FOOTNOTARY_HOME": str(home)
    }
    verifiers = open_replay(load_settings(environ=environ))
    assert not isinstance(replay(content, verifiers), ReplayMismatch)
    for spoilt in ({}, dict.fromkeys(content["readings"], 0.01)):
        assert isinstance(replay(content | {"readings": spoilt}, verifiers), ReplayMismatch)


def test_a_model_that_says_no_refuses(calibrated: dict[str, str], home: Path):
    with ChatServer(reads(lambda _: 0.01)) as server:
        ran = run("ask", QUESTION, home=home, **calibrated | {"verifier_url": server.base_url})
    assert ran.code == 3


def test_a_server_without_log_probabilities_is_a_failure_and_not_a_refusal(calibrated: dict[str, str], home: Path):
    with ChatServer(replies("Yes")) as server:
        ran = run("ask", QUESTION, home=home, **calibrated | {"verifier_url": server.base_url})
    assert ran.code == 1
    assert "no log-probabilities" in ran.err


def test_doctor_asks_two_pairs(calibrated: dict[str, str], home: Path):
    with ChatServer(reads(lambda request: 1.0 if "in the morning.\nIs" in request else 0.01)) as server:
        right = run("doctor", "--json", home=home, **calibrated | {"verifier_url": server.base_url})
    with ChatServer(reads(lambda _: 1.0)) as server:
        wrong = run("doctor", "--json", home=home, **calibrated | {"verifier_url": server.base_url})
    found = [{one["check"]: one for one in json.loads(ran.out)}["verifier"] for ran in (right, wrong)]
    assert [one["ok"] for one in found] == [True, False]
    assert "for an unsupported one" in found[1]["detail"]


def test_xl_is_asked_by_its_name_and_no_other_model_answers_for_it(home: Path, tmp_path: Path):
    with ChatServer(reads(shared_words, model="footnotary-reader-xl")) as server:
        answered = run("ask", QUESTION, "--verifier", "xl", home=home, verifier_url=server.base_url)
        assert {seen.request["model"] for seen in server.seen} == {"footnotary-reader-xl"}
    with ChatServer(responds(json.dumps(says(0.99, model="q.gguf")).encode())) as server:
        other = run("ask", QUESTION, "--verifier", "xl", "--json", home=tmp_path / "none", verifier_url=server.base_url)
        failed = run("ask", QUESTION, "--verifier", "xl", home=home, verifier_url=server.base_url, answer_cache="off")
    assert answered.code == 0, answered.err
    assert other.code == 2  # there is no such project: nothing was read
    assert failed.code == 1
    assert "runs the model 'q.gguf', not 'footnotary-reader-xl'" in failed.err


def test_xl_without_a_server_says_where_it_was_looked_for(home: Path):
    url = unused_url()
    ran = run("ask", QUESTION, "--verifier", "xl", home=home, verifier_url=url)
    assert ran.code == 1
    assert url in ran.err


def test_models_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr("footnotary.models.llama_server.find_spec", lambda _: None)
    listed = run("models", "list", home=tmp_path)
    assert listed.code == 0
    assert "none: footnotary models add PATH" in listed.out
    assert "pip install 'footnotary[xl]'" in listed.out
    started = run("models", "start", home=tmp_path)
    assert (started.code, "there is no base model yet" in started.err) == (2, True)
    assert not (tmp_path / "models").exists()
