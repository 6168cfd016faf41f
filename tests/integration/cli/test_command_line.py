"""The command line as a user meets it: real files, real store, real weights, exit codes."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from footnotary.cli.main import app
from footnotary.profiles.load import load_profile
from footnotary.testing.chat_server import ChatServer, claims, replies, unused_url

REFUSED_LEGAL = "I cannot answer based on the provided documents."


def run(*args, home=None, stdin=None, encoding=None):
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("FOOTNOTARY_", "OPENAI_"))}
    environ["FOOTNOTARY_VERIFIER"] = "lexical"
    if encoding is not None:
        environ["PYTHONIOENCODING"] = encoding
    if home is not None:
        environ["FOOTNOTARY_HOME"] = str(home)
    return subprocess.run(
        [sys.executable, "-m", "footnotary.cli.main", *map(str, args)],
        capture_output=True, text=True, encoding=encoding, env=environ, input=stdin, timeout=300, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """The demo corpus, indexed once by the demo itself."""
    home = tmp_path_factory.mktemp("home")
    demo = run("demo", "--home", home)
    assert demo.returncode == 0, demo.stderr
    assert "[IPC_420_0]" in demo.stdout
    assert REFUSED_LEGAL in demo.stdout
    return home


def test_an_answer_exits_0_and_prints_its_source(home):
    done = run("ask", "-p", "demo", "--profile", "legal", "What is the punishment for theft?", home=home)
    assert done.returncode == 0
    assert "[IPC_379_0]" in done.stdout
    assert "three years" in done.stdout


def test_a_refusal_exits_3_with_nothing_but_the_exact_text_on_standard_output(home):
    done = run("ask", "-p", "demo", "--profile", "legal", "What is the speed of light?", home=home)
    assert (done.returncode, done.stdout) == (3, REFUSED_LEGAL + "\n")
    assert "refused: " in done.stderr
    assert "No passage of your documents answers “What is the speed of light?”" in done.stderr
    assert not re.search(r"\b0\.\d", done.stderr), "scores are for --verbose"


@pytest.mark.parametrize(
    ("profile", "question", "text"),
    [
        (
            "compliance",
            "What is the speed of light?",
            "I don't have enough information from the indexed documents to answer.",
        ),
        ("tutor", "Explain photosynthesis in plants", "I don't know based on NCERT textbooks."),
        ("tutor", "प्रकाश संश्लेषण क्या है?", "मुझे NCERT पाठ्यपुस्तकों के आधार पर नहीं पता।"),
    ],
)
def test_each_profile_refuses_in_its_own_words(home, profile, question, text):
    done = run("ask", "-p", "demo", "--profile", profile, question, home=home)
    assert (done.returncode, done.stdout.strip()) == (3, text)


def test_legacy_exit_codes_are_0_and_1(home):
    assert run("ask", "-p", "demo", "--profile", "legal", "What is theft?", "--legacy-exit", home=home).returncode == 0
    assert (
        run("ask", "-p", "demo", "--profile", "legal", "What is gravity?", "--legacy-exit", home=home).returncode == 1
    )


@pytest.mark.smoke
def test_query_ask_and_verify_are_one_pipeline(home, tmp_path):
    question = "What is Section 420 IPC?"
    retrieved, answer = tmp_path / "retrieved.json", tmp_path / "answer.json"
    retrieved.write_text(run("query", "-p", "demo", "--profile", "legal", question, "--json", home=home).stdout)
    answer.write_text(run("ask", "-p", "demo", "--profile", "legal", question, "--json", home=home).stdout)
    assert json.loads(answer.read_text())["cited_sources"] == ["IPC_420_0"]
    done = run("verify", "--answer-file", answer, "--chunks-file", retrieved)
    assert done.returncode == 0, done.stdout

    record = json.loads(answer.read_text())
    record["answer"] = record["answer"].replace("seven years", "seventy years")
    answer.write_text(json.dumps(record))
    done = run("verify", "--answer-file", answer, "--chunks-file", retrieved, "--json")
    assert done.returncode == 4
    assert json.loads(done.stdout)["reason"] == "number_unsupported"


@pytest.mark.parametrize("profile", ["default", "compliance", "tutor", "legal"])
def test_the_pipeline_reads_back_every_profiles_style(home, tmp_path, profile):
    question = "What is protected health information?"
    for name, command in (("chunks.json", "query"), ("answer.json", "ask")):
        (tmp_path / name).write_text(
            run(command, "-p", "demo", "--profile", profile, question, "--json", home=home).stdout
        )
    done = run("verify", "--answer-file", tmp_path / "answer.json", "--chunks-file", tmp_path / "chunks.json")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("The fine is unlimited [FAKE_1_0].", 4),
        ("Section 420 deals with cheating.", 4),
        (REFUSED_LEGAL, 0),
        (REFUSED_LEGAL + " However, it is seven years.", 4),
        ("Cheating is punished with up to seven years of imprisonment [IPC_420_0].", 0),
    ],
)
def test_verify_takes_plain_text_and_a_bare_list(tmp_path, answer, code):
    chunk = {
        "semantic_id": "IPC_420_0",
        "text": "Whoever cheats shall be punished with imprisonment which may extend to seven years, and with fine.",
    }
    (tmp_path / "a.txt").write_text(answer)
    (tmp_path / "c.json").write_text(json.dumps([chunk]))
    done = run(
        "verify", "--answer-file", tmp_path / "a.txt", "--chunks-file", tmp_path / "c.json", "--profile", "legal"
    )
    assert done.returncode == code, done.stdout


def test_verify_names_the_words_that_the_source_does_not_bear_out(tmp_path):
    chunks = [{"semantic_id": "FEE_1_0", "text": "The fee for a licence is ten rupees a year."}]
    (tmp_path / "a.txt").write_text("The fee for a licence is twelve rupees a year [FEE_1_0].")
    (tmp_path / "c.json").write_text(json.dumps(chunks))
    given = ("verify", "--answer-file", tmp_path / "a.txt", "--chunks-file", tmp_path / "c.json")
    assert "claim 1: not borne out by its source: “twelve rupees”" in run(*given).stdout
    (words,) = json.loads(run(*given, "--json").stdout)["unsupported_words"]
    assert words == {"claim": 0, "start": 25, "end": 38, "text": "twelve rupees"}


def test_verify_takes_no_id_that_stands_for_two_texts(tmp_path):
    chunks = [{"semantic_id": "A", "text": "The fee is ten rupees."}, {"semantic_id": "A", "text": "Tea is free."}]
    (tmp_path / "a.txt").write_text("Tea is free [A].")
    (tmp_path / "c.json").write_text(json.dumps(chunks))
    done = run("verify", "--answer-file", tmp_path / "a.txt", "--chunks-file", tmp_path / "c.json")
    assert done.returncode == 2
    assert "chunks 1 and 2 have the same id 'A' but different texts" in done.stderr


def test_an_answer_to_be_verified_against_no_passages_is_told_so(tmp_path):
    (tmp_path / "a.txt").write_text("The fine is 40 rupees [1].")
    (tmp_path / "c.json").write_text("[]")
    done = run("verify", "--answer-file", tmp_path / "a.txt", "--chunks-file", tmp_path / "c.json")
    assert done.returncode == 4
    assert f"{tmp_path / 'c.json'} contains no passages: nothing can support the answer" in done.stderr


def test_json_is_all_there_is_on_standard_output(home):
    for command in ("query", "ask", "synthesize"):
        record = json.loads(
            run(command, "-p", "demo", "--profile", "legal", "What is theft?", "--json", home=home).stdout
        )
        assert record["query"] == "What is theft?"
        assert record["retrieved_semantic_ids"]


def test_the_json_of_an_answer_has_the_fields_of_all_interfaces(home):
    record = json.loads(run("ask", "-p", "demo", "--profile", "legal", "What is theft?", "--json", home=home).stdout)
    assert {
        "query", "answer", "is_grounded", "cited_sources", "invalid_citations", "retrieved_semantic_ids", "refusal_reason",
        "is_sufficient", "query_type", "uncovered_claims", "sources", "citations", "confidence", "status",
        "hallucination_detected", "claims", "verdicts", "profile_digest",
    } <= set(record)  # fmt: skip
    details = record["citation_details"][0]
    original = Path(details["path"]).read_bytes()
    span = details["source_span"]["bytes"]
    assert original[span["start"] : span["end"]].decode() == details["quote"]


def test_a_batch_answers_each_question_on_a_line(home, tmp_path):
    batch = tmp_path / "questions.txt"
    batch.write_text('What is theft?\n{"question": "What is the speed of light?"}\n')
    done = run("synthesize", "--batch", batch, "-p", "demo", "--profile", "legal", "--json", home=home)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["is_safe"] for record in records] == [True, False]
    assert done.returncode == 3


def test_a_conversation_continues_after_a_refusal(home):
    lines = "What is the speed of light?\n/more\n/wider\nWhat is theft?\n/sources\n/quit\n"
    done = run("ask", "-i", "-p", "demo", "--profile", "legal", "--act", "Minimum Wages Act", home=home, stdin=lines)
    assert done.returncode == 0
    assert REFUSED_LEGAL in done.stdout
    assert "IPC_378_0" in done.stdout


def test_in_a_conversation_an_unknown_command_shows_the_commands_and_asks_nothing(home):
    lines = "What is theft?\n/help\n/mroe\n/quit\n"
    done = run("ask", "-i", "-p", "demo", "--profile", "legal", home=home, stdin=lines)
    once = run("ask", "-p", "demo", "--profile", "legal", "What is theft?", home=home)
    assert done.stdout.count("[IPC_378_0]") == once.stdout.count("[IPC_378_0]") > 0
    assert done.stderr.count("commands: /more") == 3


@pytest.mark.parametrize("word", ["quit", "EXIT"])
def test_a_conversation_ends_without_a_slash_and_an_empty_line_asks_nothing(home, word):
    lines = f"What is theft?\n\n{word}\nWhat is cheating?\n"
    done = run("ask", "-i", "-p", "demo", "--profile", "legal", home=home, stdin=lines)
    once = run("ask", "-p", "demo", "--profile", "legal", "What is theft?", home=home)
    assert (done.returncode, done.stdout.count("IPC_378_0")) == (0, once.stdout.count("IPC_378_0"))


def test_in_a_conversation_a_follow_up_is_asked_as_what_it_means(home):
    lines = "What is the punishment for cheating?\nAnd for theft?\n/quit\n"
    done = run("ask", "-i", "-p", "demo", "--profile", "legal", home=home, stdin=lines)
    assert "asked as: What is the punishment for theft?" in done.stderr
    assert "theft" in done.stdout


def test_another_encoding_of_the_output_is_no_failure(tmp_path):
    (tmp_path / "d.txt").write_text(
        "हर कर्मचारी को अठारह दिन की छुट्टी दी जाएगी। The leave is “paid” – naïve 😀.", "utf-8"
    )
    assert run("ingest", tmp_path / "d.txt", "-p", "x", home=tmp_path / "home").returncode == 0
    asked = ("query", "-p", "x", "Is the leave paid?")
    whole = json.loads(run(*asked, "--json", home=tmp_path / "home").stdout)
    for encoding in ("cp1252", "ascii"):
        done = run(*asked, home=tmp_path / "home", encoding=encoding)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False)
        assert json.loads(run(*asked, "--json", home=tmp_path / "home", encoding=encoding).stdout) == whole


def test_verbose_shows_the_parts_of_a_question_and_the_document_it_names(home):
    question = "According to ipc_digest.txt, what is the punishment for theft and who commits criminal breach of trust?"
    for command in ("ask", "query"):
        done = run(command, "-p", "demo", "--profile", "legal", "-v", question, home=home)
        assert "named document: According to ipc_digest.txt (ipc_digest.txt)" in done.stderr
        assert "part 1: What is the punishment for theft?" in done.stderr
        assert "part 2: Who commits criminal breach of trust?" in done.stderr


def test_verbose_shows_every_check_and_quote(home):
    done = run("ask", "-p", "demo", "--profile", "legal", "-v", "What is theft?", home=home)
    assert "✓ numbers_are_supported" in done.stdout
    assert "claim 1: " in done.stdout


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("ask", "x", "--profile", "nope"), 2, "unknown profile 'nope'"),
        (("ask", "x", "--profile", "/no/such.toml"), 2, "there is no file '/no/such.toml'"),
        (("query", "x", "-p", "nope"), 2, "there is no project 'nope'"),
        (("ingest", "/no/such/file.txt"), 1, "not"),
        (("ask",), 2, "no question"),
        (("verify", "--answer-file", "/no/such", "--chunks-file", "/no/such"), 2, "does not exist"),
        (("synthesize", "--batch", "/no/such"), 2, "does not exist"),
        (("ask", "x", "-p", "demo", "--style", "loud"), 2, "unknown citation style"),
        (("ask", "x", "--embedder", "nope"), 2, "there is no embedder"),
        (("nonsense",), 2, "nonsense"),
    ],
)
def test_bad_input_gets_a_clear_message_and_its_code(home, args, code, says):
    done = run(*args, home=home)
    assert done.returncode == code, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("backup", "FILE"),
        ("conform", "engine", "--family", "wrong_id", "--out", "FILE"),
        ("keys", "create", "--home", "FILE"),
        ("profile", "check", "FOLDER"),
    ],
)
def test_a_file_or_folder_that_is_the_other_is_said_in_one_line(home, tmp_path, args):
    (tmp_path / "file").write_text("words")
    places = {"FILE": tmp_path / "file", "FOLDER": tmp_path}
    done = run(*(places.get(arg, arg) for arg in args), home=home)
    assert done.returncode in (1, 2), done.stderr
    assert done.stderr.startswith("error: ") or "\nerror: " in done.stderr
    assert "Traceback" not in done.stderr


def test_an_index_of_another_embedder_is_not_mixed(home):
    done = run("ask", "-p", "demo", "--embedder", "fast", "What is theft?", home=home)
    assert done.returncode == 2
    assert "embedder" in done.stderr
    assert "hint: " in done.stderr


def test_documents_that_cannot_be_read_are_reported_and_the_others_go_in(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.txt").write_text("Every worker shall be given eighteen days of leave.")
    (folder / "empty.txt").write_text("  \n")
    (folder / "bad.jsonl").write_text('{"text": "x"}\nnot json\n')
    done = run("ingest", folder, "-p", "x", "--json", home=tmp_path / "home")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert [entry["document_id"] for entry in report["added"]] == ["good.txt"]
    assert {entry["reason"] for entry in report["failed"]} >= {"no_text"}
    again = json.loads(run("ingest", folder / "good.txt", "-p", "x", "--json", home=tmp_path / "home").stdout)
    assert [entry["document_id"] for entry in again["unchanged"]] == ["good.txt"]


def test_a_report_names_what_is_kept_as_another_and_counts_all_the_project_holds(tmp_path):
    (tmp_path / "a.txt").write_text("Every worker shall be given eighteen days of leave.")
    (tmp_path / "b.txt").write_text("Every worker shall be given eighteen days of leave.")
    (tmp_path / "c.txt").write_text("Every visitor shall sign the book at the gate.")
    home = tmp_path / "home"
    assert "1 added" in run("ingest", tmp_path / "a.txt", "-p", "x", home=home).stdout
    done = run("ingest", tmp_path / "b.txt", "-p", "x", home=home)
    assert "1 unchanged" in done.stdout
    assert "b.txt is stored as a.txt; ingest it again if a.txt changes" in done.stderr
    assert "; 2 passages in project 'x'" in run("ingest", tmp_path / "c.txt", "-p", "x", home=home).stdout
    assert "same content" not in run("ingest", tmp_path / "a.txt", "-p", "x", home=home).stderr


def test_a_named_file_that_may_not_be_read_stops_no_other(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("Every worker shall be given eighteen days of leave.")
    (tmp_path / "b.txt").write_text("Every visitor shall sign the book at the gate.")
    (tmp_path / "b.txt").chmod(0)
    monkeypatch.setattr(os, "access", lambda *_args, **_more: False)  # the superuser may read what nobody may
    done = CliRunner().invoke(
        app, ["ingest", str(tmp_path / "b.txt"), str(tmp_path / "a.txt"), "--json", "--home", str(tmp_path / "home")]
    )
    assert "a.txt" in [entry["document_id"] for entry in json.loads(done.stdout)["added"]]


def test_terminal_sequences_of_a_document_do_not_reach_the_terminal(tmp_path):
    (tmp_path / "d.txt").write_text("The \x1b[31mred\x1b[0m rule says that every worker shall be given leave.")
    run("ingest", tmp_path / "d.txt", "-p", "x", home=tmp_path / "home")
    done = run("query", "-p", "x", "What does the red rule say about leave?", home=tmp_path / "home")
    assert "worker" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.server
def test_a_model_server_drafts_and_the_checks_decide(home):
    good = claims(("Theft is punished with imprisonment of up to three years, or a fine, or both.", [1]))
    with ChatServer(replies(good)) as server:
        done = run("ask", "-p", "demo", "--profile", "legal", "What is the punishment for theft?", "--model", "m",
                   "--base-url", server.base_url, "-k", "1", home=home)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "[IPC_379_0]" in done.stdout
    bad = claims(("Theft is punished with imprisonment of up to thirty years.", [1]))
    with ChatServer(replies(bad)) as server:
        done = run("ask", "-p", "demo", "--profile", "legal", "What is the punishment for theft?", "--model", "m",
                   "--base-url", server.base_url, "-k", "1", home=home)  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (3, REFUSED_LEGAL)


@pytest.mark.server
def test_a_model_server_that_is_down_is_a_failure_and_not_a_refusal(home):
    done = run(
        "ask",
        "-p",
        "demo",
        "--profile",
        "legal",
        "What is theft?",
        "--model",
        "m",
        "--base-url",
        unused_url(),
        home=home,
    )
    assert done.returncode == 1
    assert "hint: " in done.stderr
    assert done.stdout == ""


def test_doctor_finds_everything_in_its_place(home):
    done = run("doctor", "--home", home)
    assert done.returncode == 0, done.stdout


def test_profiles_are_listed_shown_and_checked(tmp_path):
    assert "compliance" in run("profile", "list").stdout
    assert json.loads(run("profile", "show", "tutor", "--json").stdout)["name"] == "tutor"
    sections = run("profile", "show", "legal").stdout.partition("\n\n")[2]
    whole = json.loads(run("profile", "show", "legal", "--json").stdout)
    profile = load_profile("legal").model_dump(mode="json", exclude_none=True)
    applied = {part: content for part, content in profile.items() if isinstance(content, dict)}
    assert tomllib.loads(sections) == applied
    # The JSON has deprecated names as well.
    assert all(whole[part][name] == value for part, content in applied.items() for name, value in content.items())
    loose = tmp_path / "loose.toml"
    loose.write_text('name = "loose"\nextends = "legal"\n[verification]\nchecks = ["words_overlap"]\n')
    done = run("profile", "check", loose)
    assert done.returncode == 2
    assert "verification.checks must contain" in done.stderr
