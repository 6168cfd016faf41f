"""`audit` on the command line, as a user meets it."""

import io
import json
import os
import shutil
import sqlite3
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

import pytest

from footnotary.cli.main import main

RULES = "Rules of the hall\n\nEvery visitor shall sign the book at the gate before entering the hall.\n"
QUESTION = "Who shall sign the book at the gate?"


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


def run(*args, home, **settings):
    """The console script, in this process."""
    out, err = io.StringIO(), io.StringIO()
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("FOOTNOTARY_", "OPENAI_"))}
    environ |= {
        "FOOTNOTARY_HOME": str(home),
        "FOOTNOTARY_EMBEDDER": "fast",
        "FOOTNOTARY_VERIFIER": "lexical",
        **settings,
    }
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
    return Done(code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def asked_home(tmp_path_factory):
    """A home with one document and three outcomes."""
    folder = tmp_path_factory.mktemp("rules")
    (folder / "rules.txt").write_text(RULES, encoding="utf-8")
    home = folder / "home"
    assert run("ingest", folder / "rules.txt", home=home).returncode == 0
    for asked in (QUESTION, "How fast is light?"):
        run("ask", asked, home=home)
    done = run("ask", QUESTION, "--profile", "compliance", "--json", home=home)
    assert json.loads(done.stdout)["answer_id"].startswith("ans_")
    return home


@pytest.fixture
def home(asked_home, tmp_path):
    return shutil.copytree(asked_home, tmp_path / "home")


def listed(home):
    return json.loads(run("audit", "list", "--json", home=home).stdout)["records"]


def exported(home, tmp_path, number=0):
    path = tmp_path / "bundle.json"
    assert run("audit", "export", listed(home)[number]["answer_id"], "--out", path, home=home).returncode == 0
    return path


def test_every_question_is_recorded_and_a_withheld_one_without_its_words(home):
    assert [(one["outcome"], one["question"]) for one in listed(home)] == [
        ("answered", QUESTION),
        ("refused", "How fast is light?"),
        ("answered", None),
    ]
    table = run("audit", "list", home=home).stdout
    assert QUESTION in table
    assert "(question not stored)" in table


def test_a_record_is_shown_by_number_or_by_answer(home):
    first = listed(home)[0]
    for wanted in ("1", first["answer_id"]):
        shown = run("audit", "show", wanted, home=home)
        assert "Every visitor shall sign the book" in shown.stdout
    assert run("audit", "show", "99", home=home).returncode == 2


def test_a_log_that_was_left_alone_is_intact(home):
    done = run("audit", "verify", home=home)
    assert (done.returncode, done.stdout) == (0, "intact: 3 records, 3 of them signed\n")


def test_the_first_bad_record_is_named_and_the_exit_says_so(home):
    with closing(sqlite3.connect(home / "tenants" / "local" / "audit.db", isolation_level=None)) as c:
        c.execute("UPDATE records SET body = replace(body, 'light', 'sound') WHERE seq = 2")
    done = run("audit", "verify", home=home)
    assert done.returncode == 4
    assert done.stdout.startswith("broken at record 2: ")
    assert json.loads(run("audit", "verify", "--json", home=home).stdout)["seq"] == 2


def test_a_log_set_back_with_its_head_is_found_by_an_anchor(home, tmp_path):
    before = shutil.copytree(home, tmp_path / "before")
    run("ask", QUESTION, home=home)
    anchor = run("audit", "head", home=home).stdout.strip()
    proof = exported(home, tmp_path, number=3)
    assert run("audit", "verify", "--anchor", anchor, "--anchor", proof, home=home).returncode == 0
    assert run("audit", "verify", home=before).returncode == 0
    for one in (anchor, proof):
        done = run("audit", "verify", "--anchor", one, home=before)
        assert (done.returncode, done.stdout) == (4, "broken at record 4: the record named by the anchor is missing\n")


@pytest.mark.smoke
def test_a_bundle_is_checked_anywhere_with_the_public_key_alone(home, tmp_path):
    path, key, elsewhere = exported(home, tmp_path), tmp_path / "key.pem", tmp_path / "nowhere"
    key.write_text(run("audit", "key", home=home).stdout)
    for command in ("check", "replay"):
        done = run("audit", command, path, "--key", key, home=elsewhere)
        assert done.returncode == 0, done.stdout + done.stderr
    assert not elsewhere.exists()
    assert run("audit", "check", path, home=elsewhere).returncode == 2
    assert json.loads(run("audit", "replay", path, "--json", home=home).stdout)["same"] is True


def test_a_changed_bundle_fails_and_says_what(home, tmp_path):
    path = exported(home, tmp_path)
    envelope = json.loads(path.read_text())
    envelope["signatures"][0]["sig"] = "AAAA" + envelope["signatures"][0]["sig"][4:]
    path.write_text(json.dumps(envelope))
    done = run("audit", "check", path, home=home)
    assert done.returncode == 4
    assert "✗ signature" in done.stdout
    assert run("audit", "replay", path, home=home).returncode == 4
    path.write_text("no JSON")
    assert run("audit", "check", path, home=home).returncode == 4


def test_an_answer_that_cannot_be_recorded_is_not_printed(home):
    with closing(sqlite3.connect(home / "tenants" / "local" / "audit.db", isolation_level=None)) as c:
        c.execute("CREATE TRIGGER full BEFORE INSERT ON records BEGIN SELECT RAISE(FAIL, 'disk is full'); END")
    done = run("ask", QUESTION, home=home)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "audit.db" in done.stderr
    assert run("audit", "verify", home=home).returncode == 0


def test_recording_can_be_turned_off_where_answers_are_nobody_else_s(home):
    done = run("ask", QUESTION, "--json", home=home, FOOTNOTARY_AUDIT="off")
    assert done.returncode == 0
    assert "answer_id" not in json.loads(done.stdout)
    assert len(listed(home)) == 3
    assert run("ask", QUESTION, home=home, FOOTNOTARY_AUDIT="perhaps").returncode == 2


def test_a_log_that_lost_records_answers_nothing_until_the_loss_is_accepted(home):
    with closing(sqlite3.connect(home / "tenants" / "local" / "audit.db", isolation_level=None)) as c:
        c.execute("DELETE FROM records WHERE seq = 3")
        c.execute("DELETE FROM contents WHERE seq = 3")
    done = run("ask", QUESTION, home=home)
    assert (done.returncode, done.stdout) == (1, "")
    assert "accept-loss" in done.stderr
    assert run("audit", "accept-loss", home=home).returncode == 0
    assert run("ask", QUESTION, home=home).returncode == 0
    done = run("audit", "verify", home=home)
    assert done.returncode == 0
    assert "record 4 documents that records before it were lost" in done.stderr


def test_no_loss_is_recorded_where_none_is(home):
    before = run("audit", "head", home=home).stdout
    done = run("audit", "accept-loss", home=home)
    assert done.returncode == 2
    assert "no record is lost" in done.stderr
    assert run("audit", "head", home=home).stdout == before


def test_accepting_a_loss_makes_no_home(tmp_path):
    done = run("audit", "accept-loss", home=tmp_path / "none")
    assert done.returncode == 2
    assert "no audit log" in done.stderr
    assert not (tmp_path / "none").exists()


def test_a_log_that_is_gone_and_left_its_head_is_a_loss(home):
    for path in (home / "tenants" / "local").glob("audit.db*"):
        path.unlink()
    assert run("audit", "accept-loss", home=home).returncode == 0
    assert run("audit", "verify", home=home).returncode == 0


def test_there_is_no_log_before_the_first_question(tmp_path):
    done = run("audit", "verify", home=tmp_path / "none")
    assert done.returncode == 2
    assert "no audit log" in done.stderr


def test_an_installation_that_has_a_key_never_records_without_it(home):
    assert (home / "signing.key").stat().st_mode & 0o777 == 0o600
    (home / "signing.key").write_text("not a key")
    done = run("ask", QUESTION, home=home)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_signed_log_takes_no_record_of_another_key(home):
    key = (home / "signing.key").read_bytes()
    (home / "signing.key").unlink()
    for command in (("ask", QUESTION), ("audit", "accept-loss")):
        assert run(*command, home=home).returncode != 0
        assert not (home / "signing.key").exists()
    done = run("ask", QUESTION, home=home)
    assert (done.returncode, done.stdout) == (1, "")
    assert "put signing.key back" in done.stderr
    for command in (("key",), ("export", listed(home)[0]["answer_id"])):
        assert run("audit", *command, home=home).returncode == 2
    assert not (home / "signing.key").exists()
    (home / "signing.key").write_bytes(key)
    assert run("ask", QUESTION, home=home).returncode == 0
    assert run("audit", "verify", home=home).returncode == 0


def test_a_signed_log_of_another_tenant_keeps_its_key_too(home):
    (home / "signing.key").unlink()
    (home / "tenants" / "local").rename(home / "tenants" / "other")
    (home / "rules.txt").write_text(RULES, encoding="utf-8")
    assert run("ingest", home / "rules.txt", home=home).returncode == 0
    done = run("ask", QUESTION, home=home)
    assert (done.returncode, done.stdout) == (1, "")
    assert not (home / "signing.key").exists()


def test_where_the_key_is_lost_new_logs_begin_with_a_new_one(home, tmp_path):
    (home / "signing.key").unlink()
    (home / "heads").rename(tmp_path / "heads")
    for path in (home / "tenants" / "local").glob("audit.db*"):
        path.rename(tmp_path / path.name)
    assert run("ask", QUESTION, home=home).returncode == 0
    done = run("audit", "verify", home=home)
    assert (done.returncode, done.stdout) == (0, "intact: 1 record, 1 of them signed\n")


def test_no_key_is_made_to_be_shown(tmp_path):
    assert run("audit", "key", home=tmp_path / "none").returncode == 2
    assert not (tmp_path / "none").exists()


class TestWithoutTheLibraryThatSigns:
    @pytest.fixture(autouse=True)
    def missing(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "cryptography", None)

    @pytest.fixture
    def unsigned(self, home):
        shutil.rmtree(home / "heads")
        (home / "signing.key").unlink()
        (home / "tenants" / "local" / "audit.db").unlink()
        for asked in ((QUESTION,), (QUESTION, "--profile", "compliance")):
            assert run("ask", *asked, home=home).returncode == 0
        return home

    def test_outcomes_are_recorded_unsigned(self, unsigned):
        done = run("audit", "verify", home=unsigned)
        assert (done.returncode, done.stdout) == (0, "intact: 2 records, 0 of them signed\n")
        assert [one["kept"] for one in listed(unsigned)] == ["clear", "nothing"]

    def test_what_needs_it_says_how_to_get_it(self, unsigned):
        for command in (("key",), ("export", listed(unsigned)[0]["answer_id"])):
            done = run("audit", *command, home=unsigned)
            assert done.returncode == 2
            assert "pip install 'footnotary[audit]'" in done.stderr

    def test_an_installation_with_a_key_does_not_record_without_it(self, home):
        done = run("ask", QUESTION, home=home)
        assert (done.returncode, done.stdout) == (2, "")
        assert "pip install 'footnotary[audit]'" in done.stderr

    def test_records_from_before_there_was_a_key_stay_good(self, unsigned, monkeypatch):
        monkeypatch.undo()
        assert run("ask", QUESTION, home=unsigned).returncode == 0
        done = run("audit", "verify", home=unsigned)
        assert (done.returncode, done.stdout) == (0, "intact: 3 records, 1 of them signed\n")
