"""FAULTS B8: whatever stands in a document, a name, a question or an answer, the terminal is told nothing but text."""

import io
import json
import os
import sys
import unicodedata
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

import pytest

from footnotary.cli import output
from footnotary.cli.main import main
from footnotary.testing.chat_server import ChatServer, claims, replies

# Colours and cursor, a link, the clipboard, the title of the window, the same with C1 controls, a string to the device,
# words turned around, a line overwritten, a letter taken back.
ATTACKS = (
    "\x1b[2J\x1b[31m", "\x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x07", "\x1b]52;c;ZXZpbA==\x07", "\x1b]0;evil\x07", "\x9b2J",
    "\x9d52;c;ZXZpbA==\x9c", "\x90q\x9c", "\u202elive\u202c", "\u2066evil\u2069", "\rover", "\x08\x08", "\x7f", "\x85", "\x0e", "\U000e0041",
)  # fmt: skip
ALL = " ".join(ATTACKS)
FACT = "Every visitor shall sign the book at the gate before entering the hall."
QUESTION = "Who shall sign the book at the gate?"
# A file that is full of controls is no text; one that has some among many words is.
AMPLE = "\n\n".join(f"The bench with number {number} stands in the long corridor." for number in range(200))
SPOILED_FACT = FACT.replace("the book", f"the {ALL} book")


def obeyed(text: str) -> list[str]:
    """What of a text a terminal would take for an order, or show as something else: worked out from Unicode alone."""
    kinds = ((char, unicodedata.category(char)) for char in text)
    return [repr(char) for char, kind in kinds if kind in ("Cc", "Cf", "Cs", "Co") and char not in "\n\t"]


class Printed(io.StringIO):
    """Standard output as a terminal of UTF-8 takes it: what cannot be encoded cannot be printed."""

    def write(self, text: str) -> int:
        text.encode("utf-8")
        return super().write(text)


def run(home, *args, **settings):
    """The console script in this process: its exit code, and all that it printed; nothing in that is obeyed."""
    out, err = Printed(), Printed()
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
    assert not obeyed(out.getvalue()), (args, out.getvalue())
    assert not obeyed(err.getvalue()), (args, err.getvalue())
    return code, out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A folder of documents with orders to the terminal in texts, titles, records and names, and the home that holds them."""
    folder = tmp_path_factory.mktemp("hostile")
    name = "".join(ATTACKS).replace("/", "")[:60]
    documents = {
        "rules.txt": f"Rules of the hall {ALL}\n\n{SPOILED_FACT}\n\n{AMPLE}",
        f"{name}.txt": f"Rules of the yard\n\nEvery driver shall show the {ALL} pass at the yard.\n\n{AMPLE}",
        "act.txt": f"ACT: Hall {ALL} Act, 1999\nKIND: act\n\nSection 7. Keys {ALL}.\nThe keeper shall keep the keys {ALL} of the hall.\n\n{AMPLE}",
        "page.html": f"<title>Page {ALL}</title><h1>Lamps {ALL}</h1><p>Every lamp shall be lit {ALL} at dusk. &#27;[31m &#155;2J</p><p>{AMPLE}</p>",
        "notes.md": f"# Ropes {ALL}\n\nEvery rope shall be dry {ALL} before use.\n\n{AMPLE}",
        "rows.jsonl": json.dumps(
            {"id": "T_1_0", "act": f"Tents {ALL}", "section": "1", "title": f"T {ALL}", "text": f"Every tent {ALL} is blue."}
        ),
    }  # fmt: skip
    papers = folder / "papers"
    papers.mkdir()
    for file, text in documents.items():
        (papers / file).write_text(text, encoding="utf-8")
    (papers / f"bad{name}.pdf").write_bytes(b"%PDF-1.4 broken")
    odd = papers / os.fsdecode(b"latin\xe9\x1b[31m.txt")
    odd.write_text("Rules of the pier\n\nEvery boat shall be tied to the pier.\n", encoding="utf-8")
    home = folder / "home"
    code, _, told = run(home, "ingest", papers)
    assert code == 1
    assert "bad" in told, "the file that failed is named"
    assert run(home, "ingest", papers, "--json")[0] == 1
    return home, folder


def test_b8_documents_and_their_names_are_listed_as_text(hostile):
    home, _ = hostile
    assert run(home, "documents", "list")[0] == 0
    listed = json.loads(run(home, "documents", "list", "--json")[1])["documents"]
    assert len(listed) == 6, "the text whose name cannot be written down is told of, and left out"
    assert any("\x1b" in document["path"] for document in listed), "a program reads the name as it is"
    for document in listed:
        assert run(home, "documents", "show", document["id"])[0] == 0
        shown = json.loads(run(home, "documents", "show", document["id"], "--json")[1])
        for passage in shown["passage_ids"][:3]:
            assert run(home, "show", passage)[0] == 0
            assert run(home, "show", passage, "--json")[0] == 0
    assert run(home, "documents", "delete", next(d["id"] for d in listed if "rope" in str(d).lower()))[0] == 0


@pytest.mark.parametrize("more", [(), ("--json",), ("--verbose",)])
@pytest.mark.parametrize("question", [QUESTION, f"{QUESTION} {ALL}", ALL], ids=range(3))
def test_b8_questions_and_answers_are_printed_as_text(hostile, question, more):
    home, _ = hostile
    assert run(home, "ask", question, *more)[0] in (0, 2, 3)
    assert run(home, "synthesize", question, *more)[0] in (0, 2, 3)
    if more != ("--verbose",):
        assert run(home, "query", question, *more)[0] in (0, 2)


def test_b8_an_answer_is_still_given_from_a_document_with_terminal_escapes(hostile):
    code, said, _ = run(hostile[0], "ask", QUESTION)
    assert code == 0
    assert "Every visitor shall sign" in said


def test_b8_what_a_model_says_to_the_terminal_is_not_passed_on(hostile):
    home, _ = hostile
    for text in (SPOILED_FACT, f"{FACT} {ALL}", ALL):
        with ChatServer(replies(claims((text, [1])))) as server:
            given = {"FOOTNOTARY_BASE_URL": server.base_url, "FOOTNOTARY_API_KEY": "k", "FOOTNOTARY_MODEL": "m"}
            for more in ((), ("--json",), ("--verbose",)):
                code, said, _ = run(home, "ask", QUESTION, *more, **given)
                assert code in (0, 1, 3)  # 0: the sources are quoted in place of what it said
                assert more or code == 0 or "evil" not in said


def test_b8_records_and_verdicts_are_printed_as_text(hostile):
    home, folder = hostile
    run(home, "ask", f"{QUESTION} {ALL}")
    assert run(home, "audit", "list")[0] == 0
    records = json.loads(run(home, "audit", "list", "--json")[1])["records"]
    assert any("\x1b" in (record.get("question") or "") for record in records), "a program reads the question as it was"
    for record in records[-3:]:
        assert run(home, "audit", "show", record["answer_id"])[0] == 0
        assert run(home, "audit", "show", record["answer_id"], "--json")[0] == 0
        assert run(home, "audit", "export", record["answer_id"])[0] == 0
    assert run(home, "audit", "feedback")[0] == 0
    (folder / "answer.txt").write_text(f"{SPOILED_FACT} [{ALL}] [A_1_0]", encoding="utf-8")
    passages = [{"semantic_id": "A_1_0", "text": SPOILED_FACT}, {"semantic_id": "B_1_0", "text": ALL}]
    (folder / "passages.json").write_text(json.dumps(passages), encoding="utf-8")
    given = ("--answer-file", folder / "answer.txt", "--chunks-file", folder / "passages.json")
    for more in ((), ("--json",), ("--verbose",)):
        assert run(home, "verify", *given, *more)[0] == 4


def test_b8_questions_of_files_and_what_is_measured_are_printed_as_text(hostile):
    home, folder = hostile
    (folder / "questions.txt").write_text(f"{QUESTION}\n{QUESTION} {ALL.replace(chr(13), '').replace(chr(0x85), '')}\n")
    for more in ((), ("--json",)):
        assert run(home, "synthesize", "--batch", folder / "questions.txt", *more)[0] in (0, 3)
    row = {"id": ALL, "question": f"{QUESTION} {ALL}", "expected": "answer", "relevant": [ALL], "tags": [ALL]}
    (folder / "questions.jsonl").write_text(json.dumps(row) + "\n")
    claim = {"id": ALL, "task": ALL, "claim": SPOILED_FACT, "passages": [FACT], "label": 1, "group": ALL}
    (folder / "claims.jsonl").write_text(json.dumps(claim) + "\n")
    for more in ((), ("--json",)):
        assert run(home, "eval", "run", folder / "questions.jsonl", *more)[0] in (0, 1, 2, 4)
        assert run(home, "eval", "grounding", folder / "claims.jsonl", *more)[0] in (0, 1, 2, 4)
    assert run(home, "eval", "make", "--out", folder / "made")[0] == 0


@pytest.mark.parametrize(
    "wrong",
    [("ask", "q", "--project", ALL), ("show", ALL), ("documents", "show", ALL), ("documents", "delete", ALL), ("ingest", f"/{ALL}"),
     ("verify", "--answer-file", ALL, "--chunks-file", ALL), ("ask", "q", "--profile", ALL), ("ask", "q", "--as-of", ALL), ("audit", "show", ALL),
     ("audit", "check", ALL), ("eval", "run", ALL), ("profile", "show", ALL), (ALL,), ("ask", f"--{ALL}"), ("ask", "q", "--top-k", ALL)],
    ids=range(15),
)  # fmt: skip
def test_b8_an_error_says_what_was_wrong_as_text(hostile, wrong):
    code, _, told = run(hostile[0], *wrong)
    assert code in (1, 2, 3)
    assert told


def test_b8_json_says_the_same_to_a_program():
    for attack in (*ATTACKS, ALL, "क्\u200dष राज्य", "é🙂", "\udce9", "plain"):
        record = {attack: [attack, {"a": attack}]}
        assert json.loads(output.json_text(record)) == record
        assert json.loads(output.json_text(record, indent=2)) == record
    assert "राज्य" in output.json_text("राज्य")


def test_b8_text_for_people_keeps_its_letters_lines_and_columns():
    kept = "क्\u200dष राज्य\n\tétude 10² “x” — 🙂"
    assert output.printable(kept) == kept
    for attack in ATTACKS:
        assert not obeyed(output.printable(attack))
