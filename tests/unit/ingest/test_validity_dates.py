"""What files say of their own time: headers, front matter, rows."""

import json
from datetime import date

import pytest

from footnotary.domain.validity import UNKNOWN_VALIDITY, Validity
from footnotary.errors import DocumentError
from tests.unit.ingest.reading import chunks, document_and_chunks

RULE = "A visitor shall sign the book at the gate."
SAID = Validity(date(2020, 1, 1), date(2024, 12, 31), ("Old rules, 1999.txt", "older.txt"))


def validity(content, name="file.txt"):
    return document_and_chunks(content, name)[0].validity


def rows(*records):
    return "\n".join(json.dumps({"text": RULE} | record) for record in records)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("TITLE: Rules\nEFFECTIVE_FROM: 2020-01-01\nEFFECTIVE_TO: 2024-12-31\n"
         f"SUPERSEDES: Old rules, 1999.txt; older.txt\n\n{RULE}", "a.txt"),
        ("Effective from: 2020-01-01\nEffective-to: 2024-12-31\n"
         f"Supersedes: Old rules, 1999.txt;older.txt;\n\n{RULE}", "a.txt"),
        ("---\ntitle: Rules\neffective_from: 2020-01-01\neffective_to: '2024-12-31'\nsupersedes:\n"
         f"  - 'Old rules, 1999.txt'\n  - older.txt\ntags:\n  - x\n---\n{RULE}", "a.md"),
        ("---\neffective_from: \"2020-01-01\"\neffective_to: 2024-12-31\n"
         f"supersedes: Old rules, 1999.txt; older.txt\n---\n{RULE}", "a.md"),
        (rows({"effective_from": "2020-01-01", "effective_to": "2024-12-31",
               "supersedes": ["Old rules, 1999.txt", "older.txt"]}, {}), "a.jsonl"),
        (rows({"supersedes": "Old rules, 1999.txt; older.txt", "effective_from": "2020-01-01"},
              {"effective_from": "2020-01-01", "effective_to": "2024-12-31"}), "a.jsonl"),
    ],
)  # fmt: skip
def test_a_file_says_when_it_holds_and_what_it_supersedes(content, name):
    assert validity(content, name) == SAID


def test_a_list_of_names_in_brackets_is_read():
    assert validity(f"---\nsupersedes: [a.txt, 'b.txt']\n---\n{RULE}", "a.md").supersedes == ("a.txt", "b.txt")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (RULE, "a.txt"),
        (f"TITLE: Rules\nDATE: 2020-01-01\n\n{RULE}", "a.txt"),
        (f"---\ntitle: Rules\ntags:\n  - effective_from\n---\n{RULE}", "a.md"),
        (f"{RULE}\n\nEffective from: 2020-01-01", "a.txt"),
        (rows({"supersedes": None, "effective_from": ""}, {"supersedes": []}), "a.jsonl"),
    ],
)
def test_nothing_is_read_where_nothing_is_said(content, name):
    assert validity(content, name) == UNKNOWN_VALIDITY


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        (
            f"TITLE: R\nEFFECTIVE FROM: 1 May 2020\n\n{RULE}",
            "a.txt",
            "effective_from in the header: '1 May 2020' is no",
        ),
        (
            f"---\neffective_to: 2020-02-30\n---\n{RULE}",
            "a.md",
            "effective_to in the header: '2020-02-30' is not a date",
        ),
        (rows({}, {"effective_from": "soon"}), "a.jsonl", "effective_from in line 2: 'soon' is not a date"),
        (
            rows({"effective_from": "2020-01-01"}, {}, {"effective_from": "2021-01-01"}),
            "a.jsonl",
            "effective_from differs between line 1 and line 3",
        ),
        (
            f"TITLE: R\nEFFECTIVE FROM: 2021-01-01\nEFFECTIVE TO: 2020-01-01\n\n{RULE}",
            "a.txt",
            "effective_to, 2020-01-01, is before effective_from, 2021-01-01",
        ),
    ],
)
def test_what_cannot_be_is_refused_by_its_place(content, name, says):
    with pytest.raises(DocumentError, match=says) as caught:
        validity(content, name)
    assert caught.value.reason == "bad_dates"
    assert "2020-01-31" in caught.value.hint


def test_front_matter_about_time_does_not_hide_what_kind_of_text_it_is():
    act = "# The Gate Act, 1999\n\n" + "".join(f"Section {n}. Rule {n}.\n{RULE}\n\n" for n in range(1, 5))
    plain = [(chunk.id, chunk.labels) for chunk in chunks(act, "a.md")]
    dated = [(chunk.id, chunk.labels) for chunk in chunks(f"---\neffective_from: 1999-01-01\n---\n{act}", "a.md")]
    assert dated == plain


def test_a_header_is_no_part_of_the_text():
    (chunk,) = chunks(f"TITLE: R\nEFFECTIVE FROM: 2020-01-01\nSUPERSEDES: x\n\n{RULE}")
    assert chunk.text == RULE
