"""Versions as a user meets them: old citations, dates given on the command line, questions as of a day."""

import json

import pytest

from tests.integration.cli.test_command_line import REFUSED_LEGAL, run

LEAVE = "# Leave policy\n\n## 1. Annual leave\nEvery worker shall be given {} days of paid leave in each year.\n"
SICK = "\n## 2. Sick leave\nA worker who is ill shall be given ten days of sick leave in each year.\n"
OLD = "TITLE: Travel rules\nEFFECTIVE FROM: 2015-01-01\n\nA traveller shall be paid forty rupees for each day of travel.\n"
NEW = "TITLE: Revised rules\n\nA traveller shall be paid ninety rupees for each day of travel.\n"
QUESTION = "How much shall a traveller be paid for each day of travel?"


def ok(*args, home):
    done = run(*args, home=home)
    assert done.returncode == 0, done.stderr
    return done


def record(*args, home):
    return json.loads(ok(*args, "--json", home=home).stdout)


def ingest(path, home, *options):
    return ok("ingest", path, "-p", "x", "--embedder", "fast", *options, home=home)


@pytest.fixture(scope="module")
def replaced(tmp_path_factory):
    """A policy that was taken in twice, and the hashes it had."""
    folder = tmp_path_factory.mktemp("replaced")
    home, path = folder / "home", folder / "leave.md"
    hashes = []
    for text in (LEAVE.format("eighteen") + SICK, LEAVE.format("twenty")):
        path.write_text(text, encoding="utf-8")
        ingest(path, home)
        hashes.append(record("documents", "show", "leave.md", "-p", "x", home=home)["sha256"])
    return home, *hashes


def test_a_passage_that_is_gone_is_shown_as_superseded_with_its_old_text(replaced):
    home, old, new = replaced
    said = ok("show", "Leave_2_0", "-p", "x", home=home).stdout
    assert said.startswith("[Leave_2_0] Leave policy, 2. Sick leave\nsuperseded: this version was replaced on ")
    assert f"by the one with sha256 {new}\n" in said
    assert "ten days of sick leave" in said
    assert f"sha256: {old}\n" in said
    shown = record("show", "Leave_2_0", "-p", "x", home=home)
    assert shown["superseded"]["by"] == new
    assert (shown["document_sha256"], shown["text"]) == (old, SICK.replace("## ", "").strip())
    at = shown["source_span"]["bytes"]
    assert (LEAVE.format("eighteen") + SICK).encode()[at["start"] : at["end"]].decode() == SICK.strip()[3:]


def test_a_passage_that_was_changed_says_so_and_names_the_way_to_its_old_text(replaced):
    home, old, new = replaced
    said = ok("show", "Leave_1_0", "-p", "x", home=home).stdout
    assert "twenty days" in said
    assert "superseded" not in said
    (way,) = [line for line in said.splitlines() if line.startswith("different text until ")]
    assert way.endswith(f"footnotary show Leave_1_0 -p x --version {old[:12]}")
    former = ok("show", "Leave_1_0", "-p", "x", "--version", old[:12], home=home).stdout
    assert "eighteen days" in former
    assert f"different text now: footnotary show Leave_1_0 -p x --version {new[:12]}" in former
    shown = record("show", "Leave_1_0", "-p", "x", "--version", new.upper(), home=home)
    assert (shown["superseded"], shown["document_sha256"]) == (None, new)
    assert [other["document_sha256"] for other in shown["other_versions"]] == [old]


def test_words_that_only_a_former_version_had_are_found_there(replaced):
    home, old, _ = replaced
    shown = record("show", "Leave_1_0", "-p", "x", "--quote", "eighteen days", home=home)
    assert (shown["quote"], shown["document_sha256"]) == ("eighteen days", old)
    assert shown["superseded"]


@pytest.mark.parametrize("version", ["0000000000", "", "zz"])
def test_a_version_that_is_none_or_several_is_an_error_that_names_those_there_are(replaced, version):
    home, old, new = replaced
    done = run("show", "Leave_1_0", "-p", "x", "--version", version, home=home)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"choose from {new[:12]}, {old[:12]}" in done.stderr


def test_a_document_is_shown_with_its_versions(replaced):
    home, old, new = replaced
    said = ok("documents", "show", "leave.md", "-p", "x", home=home).stdout
    assert f"former versions:\n  {old[:12]}  replaced by {new[:12]} on " in said
    (former,) = record("documents", "show", "leave.md", "-p", "x", home=home)["former_versions"]
    assert (former["sha256"], former["superseded_by"], former["passages"]) == (old, new, 2)


def test_what_was_replaced_is_found_by_no_question(replaced):
    home, *_ = replaced
    question = "How many days of sick leave shall an ill worker be given?"
    found = record("query", question, "-p", "x", "--embedder", "fast", home=home)
    assert found["retrieved_semantic_ids"] == ["Leave_1_0"]


def test_a_deletion_erases_the_past_unless_it_is_to_be_kept(tmp_path):
    home, path = tmp_path / "home", tmp_path / "leave.md"
    for days in ("eighteen", "twenty"):
        path.write_text(LEAVE.format(days), encoding="utf-8")
        ingest(path, home)
    done = ok("documents", "delete", "leave.md", "-p", "x", "--keep-history", home=home)
    assert done.stdout == "deleted 'leave.md' with 1 passage from project 'x'\n"
    said = ok("show", "Leave_1_0", "-p", "x", home=home).stdout
    assert "superseded: the document was deleted on " in said
    assert "twenty days" in said
    assert "deleted: " in ok("documents", "show", "leave.md", "-p", "x", home=home).stdout
    assert len(record("documents", "show", "leave.md", "-p", "x", home=home)["former_versions"]) == 2
    done = ok("documents", "delete", "leave.md", "-p", "x", home=home)
    assert done.stdout == "deleted 'leave.md' with 2 former versions from project 'x'\n"
    for command in (("show", "Leave_1_0"), ("documents", "show", "leave.md"), ("documents", "delete", "leave.md")):
        gone = run(*command, "-p", "x", home=home)
        assert (gone.returncode, gone.stdout) == (2, "")


@pytest.fixture(scope="module")
def dated(tmp_path_factory):
    """Two rules, the newer of which was said on the command line to supersede the older."""
    folder = tmp_path_factory.mktemp("dated")
    home = folder / "home"
    for name, text in (("old.txt", OLD), ("new.txt", NEW)):
        (folder / name).write_text(text, encoding="utf-8")
    ingest(folder / "old.txt", home)
    ingest(folder / "new.txt", home, "--effective-from", "2022-04-01", "--supersedes", "old.txt")
    return home


def test_the_list_says_from_when_documents_hold_and_how_they_stand(dated):
    header, new, old = ok("documents", "list", "-p", "x", home=dated).stdout.splitlines()
    assert header.split()[-4:] == ["effective", "status", "trust", "title"]
    assert "from 2022-04-01  in force " in new
    assert "from 2015-01-01  superseded by new.txt" in old
    assert old.endswith("Travel rules")
    listed = record("documents", "list", "-p", "x", home=dated)["documents"]
    assert [document["validity"]["in_force"] for document in listed] == [True, False]
    assert listed[1]["validity"]["superseded_by"] == ["new.txt"]


def test_what_was_given_is_shown_with_the_document(dated):
    said = ok("documents", "show", "new.txt", "-p", "x", home=dated).stdout
    assert "effective:  from 2022-04-01\nsupersedes: old.txt\nstatus:     in force\n" in said


@pytest.mark.parametrize(("day", "says"), [("2018-01-01", "forty"), ("2023-01-01", "ninety")])
def test_a_legal_question_is_answered_by_what_is_in_force_on_its_day(dated, day, says):
    asked = ("ask", QUESTION, "-p", "x", "--embedder", "fast", "--profile", "legal", "--as-of", day)
    done = ok(*asked, home=dated)
    assert says in done.stdout
    assert "is not in force" not in done.stderr
    assert record(*asked, home=dated)["as_of"] == day


def test_an_answer_from_what_is_not_in_force_says_so(dated):
    done = ok("ask", QUESTION, "-p", "x", "--embedder", "fast", "--document", "old.txt", home=dated)
    assert "forty rupees" in done.stdout
    assert "[Old_text_0] is not in force on " in done.stderr
    assert "superseded by new.txt" in done.stderr


def test_a_profile_that_requires_what_is_in_force_refuses_exactly(dated, tmp_path):
    strict = tmp_path / "strict.toml"
    strict.write_text('name = "strict"\nextends = "legal"\n[versions]\nin_force = "require"\n', encoding="utf-8")
    asked = ("ask", QUESTION, "-p", "x", "--embedder", "fast", "--profile", strict, "--as-of")
    done = run(*asked, "2010-01-01", home=dated)
    assert (done.returncode, done.stdout) == (3, REFUSED_LEGAL + "\n")
    assert "documents in force on 2010-01-01" in done.stderr
    assert "ninety" in ok(*asked, "2023-01-01", home=dated).stdout


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("ask", QUESTION, "--as-of", "yesterday"), "--as-of: 'yesterday' is not a date such as 2020-01-31"),
        (("query", QUESTION, "--as-of", "2021-02-29"), "--as-of: '2021-02-29' is not a date"),
        (("ingest", ".", "--effective-from", "2020"), "--effective-from: '2020' is not a date"),
        (
            ("ingest", ".", "--effective-from", "2020-01-02", "--effective-to", "2020-01-01"),
            "effective_to, 2020-01-01, is before effective_from, 2020-01-02",
        ),
        (
            ("ingest", __file__, "--supersedes", "nope.txt"),
            "there is no document 'nope.txt' in project 'x' to supersede",
        ),
    ],
)
def test_a_wrong_day_or_document_exits_2_and_is_named(dated, args, says):
    done = run(*args, "-p", "x", "--embedder", "fast", home=dated)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


def test_a_file_with_an_impossible_day_fails_and_others_continue(tmp_path):
    bad, good = tmp_path / "bad.md", tmp_path / "good.txt"
    bad.write_text("---\neffective_from: soon\n---\n# Rules\n\nSign the book.\n", encoding="utf-8")
    good.write_text("TITLE: Rules\nSUPERSEDES: gone.txt\n\nSign the book.\n", encoding="utf-8")
    done = run("ingest", bad, good, "-p", "x", "--embedder", "fast", home=tmp_path / "home")
    assert done.returncode == 1
    assert "1 added, 0 replaced, 0 unchanged, 0 skipped, 1 failed" in done.stdout
    assert "bad_dates: effective_from in the header: 'soon' is not a date" in done.stderr
    assert "good.txt supersedes 'gone.txt', which is not in the project" in done.stderr
