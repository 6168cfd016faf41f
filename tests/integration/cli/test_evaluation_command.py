"""`eval grounding` and `calibrate` as a user meets them: files in, tables, reports, profiles and exit codes out."""

import json
import os
import subprocess
import sys
import tomllib

import pytest

from footnotary import wiring
from footnotary.cli.evaluation.grounding import run_grounding
from footnotary.cli.exit_codes import ExitCode
from footnotary.evaluate.grounding.scoring import RowScorers
from footnotary.profiles.load import load_profile

SOURCE = "The holder of licence {n} shall renew it within {n} days of the notice, and shall pay a fee of {n} rupees."


def run(*args, folder):
    environ = {k: v for k, v in os.environ.items() if not k.startswith("FOOTNOTARY_")}
    environ["FOOTNOTARY_VERIFIER"] = "lexical"
    return subprocess.run(
        [sys.executable, "-m", "footnotary.cli.main", *map(str, args)],
        capture_output=True, text=True, env=environ, cwd=folder, timeout=300, check=False,
    )  # fmt: skip


def claims(count, wrong=lambda i: i % 4 == 0):
    """Copies of a source, of which the wrong ones carry another figure; each with its label."""
    for i in range(count):
        source = SOURCE.format(n=100 + i)
        claim = source.replace(f"{100 + i} days", f"{200 + i} days") if wrong(i) else source
        yield {"claim": claim, "passages": [source], "label": int(not wrong(i))}


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    return write(tmp_path_factory.mktemp("rows") / "fees.jsonl", claims(40))


def test_an_evaluation_prints_a_table_and_writes_three_reports(rows, tmp_path):
    done = run("eval", "grounding", rows, "--profile", "legal", "--out", "out", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    head, columns, line = done.stdout.splitlines()
    assert "profile legal, threshold 0.5" in head
    assert columns.split()[:3] == ["dataset", "rows", "supported"]
    assert line.split()[:4] == ["fees", "40", "30", "100.0"]
    assert done.stderr == "report: out/report.html\n"
    record = json.loads((tmp_path / "out" / "report.json").read_text())
    assert record["datasets"]["fees"]["measures"]["balanced_accuracy"]["value"] == 1.0
    assert record["profile_digest"] == load_profile("legal").digest
    assert "| fees | 40 | 30 | 100.0" in (tmp_path / "out" / "report.md").read_text()
    assert (tmp_path / "out" / "report.html").read_text().startswith("<!doctype html>")
    assert len((tmp_path / "out" / "scores.jsonl").read_text().splitlines()) == 41


def test_json_is_all_of_standard_output_and_questions_are_listed_as_skipped(rows, tmp_path):
    question = {
        "claim": "What is the fee?",
        "premise": "The fee is 3.",
        "label": 1,
        "level": "question",
        "task": "gate",
    }
    done = run("eval", "grounding", rows, write(tmp_path / "q.jsonl", [question]), "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert list(record["datasets"]) == ["fees"]
    assert record["skipped"] == [
        {"dataset": "q", "task": "gate", "rows": 1, "reason": "no answerability model is installed"}
    ]


def test_only_questions_and_no_model_for_them_is_a_failure(tmp_path):
    question = {"claim": "What is the fee?", "premise": "The fee is 3.", "label": 1, "level": "question"}
    done = run("eval", "grounding", write(tmp_path / "q.jsonl", [question]), folder=tmp_path)
    assert done.returncode == 1
    assert "no answerability model is installed" in done.stderr
    assert "no row was scored" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--fail-under", "balanced_accuracy=0.9", "--fail-under", "fees:auroc=1"], 0, ""),
        (["--fail-under", "balanced_accuracy=0.9", "--threshold", "0"], 4, "gate missed: balanced_accuracy of fees"),
        (["--fail-under", "brier=0.9"], 2, "invalid gate"),
        (["--fail-under", "other:auroc=0.9"], 2, "gate on dataset 'other', which is not part of this run"),
        (["--profile", "nobody"], 2, "unknown profile 'nobody'"),
        (["--threshold", "2"], 2, "--threshold"),
    ],
)
def test_the_exit_code_says_how_it_went(rows, tmp_path, arguments, code, says):
    done = run("eval", "grounding", rows, *arguments, folder=tmp_path)
    assert (done.returncode, says in done.stderr) == (code, True), done.stderr


def test_a_bad_row_is_named_by_its_line_and_nothing_is_scored(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"claim": "a", "passages": ["b"], "label": 1}\n{"claim": "a", "passages": ["b"], "label": 5}\n')
    for command in (["eval", "grounding"], ["calibrate"]):
        done = run(*command, path, folder=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "bad.jsonl, line 2: label must be 1 (supported) or 0" in done.stderr


def test_an_interrupted_evaluation_keeps_its_scores_and_continues(rows, tmp_path, monkeypatch, capsys):
    asked = []

    class CountingScorer:
        name = "counting"

        def __init__(self, most):
            self.most = most

        def scores(self, claims):
            if len(asked) >= self.most:
                raise KeyboardInterrupt
            asked.extend(claims)
            return [0.9 for _ in claims]

    def evaluate(most):
        monkeypatch.setattr(wiring, "open_row_scorers", lambda profile, settings: RowScorers(CountingScorer(most)))
        return run_grounding(
            [rows], profile=None, threshold=None, out=tmp_path, limit=None, jobs=1, fail_under=(), as_json=False
        )

    assert evaluate(most=20) is ExitCode.FAILURE
    said = capsys.readouterr()
    assert said.err == "interrupted: 32 of 40 rows are scored; run the same command to continue\n"
    assert not (tmp_path / "report.json").exists()
    assert evaluate(most=1000) is ExitCode.OK
    assert len(asked) == 40
    assert evaluate(most=0) is ExitCode.OK


def test_a_calibrated_profile_says_what_was_established_and_is_in_force(tmp_path):
    rows = write(tmp_path / "answers.jsonl", claims(400))
    done = run(
        "calibrate", rows, "--profile", "legal", "--risk", "0.02", "--confidence", "0.95", "--out", "mine.toml",
        "--report", "report", folder=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = (
        "at most 2 % unsupported claims delivered, confidence 95 %, on data like the calibration set: 400 rows, sha256 "
    )
    assert done.stdout.startswith(said)
    profile, legal = load_profile(tmp_path / "mine.toml"), load_profile("legal")
    assert profile.risk.statement.startswith(said)
    assert (profile.risk.max_unsupported, profile.risk.confidence, profile.risk.rows) == (0.02, 0.95, 400)
    assert (
        profile.verification.entailment_threshold == profile.risk.threshold >= legal.verification.entailment_threshold
    )
    assert profile.refusal == legal.refusal
    assert "<svg" in (tmp_path / "report" / "calibration.html").read_text()
    assert said in (tmp_path / "report" / "calibration.md").read_text()
    shown = run("profile", "show", "mine.toml", folder=tmp_path)
    assert "[risk]" in shown.stdout
    assert said in shown.stdout
    again = run("eval", "grounding", rows, "--profile", "mine.toml", "--limit", "20", folder=tmp_path)
    assert "profile legal-calibrated" in again.stdout


def test_where_no_threshold_keeps_the_risk_it_is_said_and_no_profile_is_written(tmp_path):
    rows = write(tmp_path / "few.jsonl", claims(30))
    done = run("calibrate", rows, "--out", "mine.toml", "--json", folder=tmp_path)
    assert done.returncode == 3, done.stderr
    record = json.loads(done.stdout)
    assert (record["holds"], record["overlay"], record["chosen"]) == (False, None, None)
    assert record["more_rows"] > 100
    assert f"about {record['more_rows']:,} more labelled rows would be needed" in record["statement"]
    assert not (tmp_path / "mine.toml").exists()


def test_without_a_file_to_write_the_profile_is_printed_and_extends_a_profile_of_the_users_own(tmp_path):
    own = tmp_path / "own.toml"
    own.write_text('name = "own"\nextends = "legal"\n[risk]\nmax_unsupported = 0.2\nconfidence = 0.8\n')
    done = run("calibrate", write(tmp_path / "some.jsonl", claims(40)), "--profile", own, "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    content = tomllib.loads(json.loads(done.stdout)["overlay"])
    assert (content["name"], content["extends"]) == ("own-calibrated", "own.toml")
    assert (content["risk"]["max_unsupported"], content["risk"]["confidence"]) == (0.2, 0.8)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--risk", "2"], "risk = 2.0 is not between 0 and 1"),
        (["--confidence", "1"], "confidence = 1.0 is not between 0 and 1"),
        (["--out", "mine.json"], "is not a profile file name"),
        (["--out", "nowhere/mine.toml"], "nowhere does not exist"),
    ],
)
def test_a_mistake_in_the_command_is_named_before_anything_is_scored(rows, tmp_path, arguments, says):
    done = run("calibrate", rows, *arguments, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
