"""`eval make`, `eval run` and `eval compare` as a user meets them: documents in, reports and exit codes out."""

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from footnotary.cli.main import main
from footnotary.testing.chat_server import ChatServer, claims, fails, replies

ACT = """CODE: Leave
KIND: act

Section 2. Annual leave.
Every worker shall be given eighteen days of paid leave in each year.

Section 3. Penalty for refusing leave.
Whoever refuses annual leave shall be punished with a fine of five thousand rupees.

Section 4. Meaning of worker.
“Worker” means any person employed in a factory for wages.
"""
QUESTIONS = [
    {"id": "days", "question": "How many days of annual leave does a worker get?", "answer": "eighteen days", "relevant": ["Leave_2_0"], "tags": ["leave"]},
    {"id": "fine", "question": "What is the penalty for refusing leave?", "answer": "five thousand rupees", "relevant": ["Leave_3"], "tags": ["penalty"]},
    {"id": "moon", "question": "How far away is the moon?", "expected": "refusal", "tags": ["off"]},
    {"id": "gone", "question": "How many days of annual leave does a worker get?", "expected": "refusal", "without": ["Leave_2"], "tags": ["off"]},
]  # fmt: skip


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


def run(*args, folder):
    """The console script in this process, in a folder and without settings from outside."""
    out, err, before = io.StringIO(), io.StringIO(), Path.cwd()
    environ = {k: v for k, v in os.environ.items() if not k.startswith("FOOTNOTARY_")} | {
        "FOOTNOTARY_VERIFIER": "lexical"
    }
    argv = ["footnotary", *map(str, args)]
    os.chdir(folder)
    try:
        with (
            patch.dict(os.environ, environ, clear=True),
            patch.object(sys, "argv", argv),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            main()
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        os.chdir(before)
    return Done(code, out.getvalue(), err.getvalue())


def evaluate(folder, *args):
    return run("eval", "run", *args, "--embedder", "fast", "--profile", "legal", folder=folder)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("eval")
    (folder / "leave.txt").write_text(ACT, encoding="utf-8")
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUESTIONS), encoding="utf-8")
    done = run("ingest", "leave.txt", "--home", "home", "-p", "law", "--embedder", "fast", folder=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def first(corpus):
    done = evaluate(corpus, "questions.jsonl", "--home", "home", "-p", "law", "--out", "first", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    return done


def test_a_run_measures_answers_refusals_citations_and_time_and_writes_its_reports(first, corpus):
    assert first.stderr == "report: first/report.html\n"
    record = json.loads((corpus / "first" / "report.json").read_text())
    measures = {name: found["value"] for name, found in record["all"]["measures"].items()}
    assert record["all"]["questions"] == 4
    assert measures["recall@5"] == measures["source_recall"] == measures["answer_contained"] == 1.0
    assert measures["refusal_f1"] == measures["answer_f1"] == measures["citation_recall"] == 1.0
    assert measures["false_answer_rate"] == measures["contract_escapes"] == measures["failures"] == 0.0
    assert set(record["datasets"]["questions"]["tags"]) == {"leave", "off", "penalty"}
    assert record["stages_ms"]["total"]["p95"] > 0
    page = (corpus / "first" / "report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert page.count("<svg") >= 5
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "| questions | 4 |" in (corpus / "first" / "report.md").read_text()


def test_the_same_command_again_asks_nothing(first, corpus):
    kept = (corpus / "first" / "outcomes-questions.jsonl").read_bytes()
    assert evaluate(corpus, "questions.jsonl", "--home", "home", "-p", "law", "--out", "first").returncode == 0
    assert (corpus / "first" / "outcomes-questions.jsonl").read_bytes() == kept


@pytest.mark.parametrize(
    ("gate", "code", "says"),
    [
        (["--fail-under", "citation_recall=0.99", "--fail-over", "questions:contract_escapes=0"], 0, ""),
        (["--fail-over", "mean_ms=0"], 4, "gate missed: mean_ms of all questions"),
        (["--fail-under", "contract_escapes=0"], 2, "for --fail-under"),
        (["--fail-under", "other:token_f1=0"], 2, "gate on dataset 'other', which is not part of this run"),
        (["--measure", "RR@10"], 2, "needs ir-measures"),
        (["-p", "nowhere"], 2, "there is no project 'nowhere'"),
        (["--form", "csv"], 2, "unrecognized dataset format 'csv'"),
    ],
)
def test_gates_and_mistakes_decide_the_exit_code(first, corpus, gate, code, says):
    if gate[0] == "--measure":
        from footnotary.evaluate.answers.ir_measures_ranking import is_available

        if is_available():
            pytest.skip("ir-measures is installed")
    done = evaluate(corpus, "questions.jsonl", "--home", "home", "-p", "law", "--out", "first", *gate)
    assert (done.returncode, says in done.stderr) == (code, True), done.stderr


def test_a_gate_on_a_dataset_that_is_not_asked_is_said_before_anything_is_asked(corpus):
    gate = ("--fail-under", "question:token_f1=0.5")
    done = evaluate(corpus, "questions.jsonl", "--home", "home", "-p", "law", "--out", "unasked", *gate)
    assert done.returncode == 2
    assert "gate on dataset 'question', which is not part of this run" in done.stderr
    assert not (corpus / "unasked").exists()


def drafting(fine):
    """A model that knows the days of leave, and behaves as told where it is asked for the penalty."""
    days = replies(claims(("Every worker shall be given eighteen days of paid leave in each year.", [1])))

    def behave(exchange):
        asked = exchange.request["messages"][-1]["content"]
        (fine if "What is the penalty" in asked else days)(exchange)

    return behave


def test_a_run_with_a_model_asks_again_only_what_failed_and_counts_what_it_would_cost(corpus):
    penalty = "Whoever refuses annual leave shall be punished with a fine of {} thousand rupees."
    server = ChatServer(
        drafting(replies(claims((penalty.format("five"), [1])))),
        drafting(fails(400)),
        drafting(replies(claims((penalty.format("fifty"), [1])))),
    )
    command = ["questions.jsonl", "--home", "home", "-p", "law", "--out", "modelled", "--price-in", "1", "--json"]
    with server:
        with_model = [*command, "--model", "small", "--base-url", server.base_url]
        broken = evaluate(corpus, *with_model)
        assert broken.returncode == 1
        assert "failed: 1 questions; first error: " in broken.stderr
        assert len(server.seen) == 2  # what the gate refuses costs no call

        resumed = evaluate(corpus, *with_model)
        assert (resumed.returncode, resumed.stderr) == (0, "report: modelled/report.html\n")
        assert len(server.seen) == 3

        again = evaluate(corpus, *with_model)
        assert again.returncode == 0
        assert len(server.seen) == 3

        assert evaluate(corpus, *command, "--model", "large", "--base-url", server.base_url).returncode == 0
        assert len(server.seen) == 5  # another model is another run
    assert all(exchange.request["temperature"] == 0.0 for exchange in server.seen)
    record = json.loads(resumed.stdout)
    assert record["all"] == json.loads(again.stdout)["all"]
    assert "small" in record["generator"]
    measures = {name: found["value"] for name, found in record["all"]["measures"].items()}
    # The right draft is delivered; the one that says fifty thousand for five is refused, and counts as that.
    assert (measures["answer_recall"], measures["unsupported_claim_rate"], measures["contract_escapes"]) == (0.5, 0, 0)
    assert measures["failures"] == 0
    assert measures["cost"] > 0


def test_a_dataset_that_brings_its_passages_is_asked_from_them_alone(corpus, tmp_path):
    rows = [
        {"question": "How deep is the harbour?", "passage": "The harbour of Elm is eleven metres deep.", "answers": ["eleven metres"]},
        {"question": "How many days of annual leave does a worker get?", "passage": "The tower of Elm is old.", "answerable": False},
    ]  # fmt: skip
    (tmp_path / "elm.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = evaluate(tmp_path, "elm.jsonl", "--home", corpus / "home", "--json")
    assert done.returncode == 0, done.stderr
    measures = json.loads(done.stdout)["all"]["measures"]
    assert measures["recall@1"]["value"] == measures["answer_contained"]["value"] == 1.0
    assert measures["refusal_recall"]["value"] == 1.0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elm.jsonl"]


def test_two_runs_are_compared_in_pairs_and_a_clear_loss_can_fail(first, corpus):
    values = [json.loads(line) for line in (corpus / "first" / "values.jsonl").read_text().splitlines()]
    (corpus / "worse").mkdir(exist_ok=True)
    for row in values:
        row["values"] = {
            name: [top + (5000 if name == "mean_ms" else 0), bottom] for name, (top, bottom) in row["values"].items()
        }
    (corpus / "worse" / "values.jsonl").write_text("".join(json.dumps(row) + "\n" for row in values[:3]))
    done = run("eval", "compare", "first", "worse", "--out", "both", "--fail-worse", "mean_ms", folder=corpus)
    assert done.returncode == 4, done.stderr
    assert "worse: mean_ms" in done.stderr
    record = json.loads((corpus / "both" / "comparison.json").read_text())
    assert (record["questions"], record["left_out"]) == (3, 1)
    assert record["measures"]["mean_ms"]["change"] == 5000
    assert record["measures"]["answer_f1"]["verdict"] == "same"
    assert run("eval", "compare", "first", "first", "--fail-worse", "mean_ms", folder=corpus).returncode == 0
    assert run("eval", "compare", "first", "home", folder=corpus).returncode == 2
    for name, says in (("answer_recal", "is not measured"), ("words_per_answer", "has no better or worse direction")):
        done = run("eval", "compare", "first", "worse", "--fail-worse", name, folder=corpus)
        assert (done.returncode, says in done.stderr) == (2, True), done.stderr


def test_a_set_is_made_from_the_documents_and_can_be_run(corpus):
    done = run("eval", "make", "--home", "home", "-p", "law", "--out", "made", folder=corpus)
    assert done.returncode == 0, done.stderr
    assert "known-item 3, definition 1, penalty 1, unanswerable 2" in done.stdout
    ran = evaluate(corpus, "made/questions.jsonl", "--home", "home", "-p", "law")
    assert ran.returncode == 0, ran.stderr
    assert "7 of 7 questions were made by `eval make` and are not reviewed yet" in ran.stderr
    assert run("eval", "grounding", "made/claims.jsonl", folder=corpus).returncode == 0
    assert run("eval", "make", "--home", "home", "-p", "nobody", "--out", "made", folder=corpus).returncode == 2
