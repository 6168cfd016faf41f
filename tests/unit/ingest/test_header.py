"""The `KEY: value` lines at the top of a file."""

import pytest

from footnotary.ingest.metadata_header import labels_from_header, last_year_in, read_header, split_chapter


def test_the_header_ends_at_the_first_line_that_is_none():
    text = "ACT: Indian Penal Code, 1860\nCODE: IPC\n\nSection 1. Title."
    fields, end = read_header(text)
    assert fields == {"ACT": "Indian Penal Code, 1860", "CODE": "IPC"}
    assert text[end:].lstrip() == "Section 1. Title."


def test_unknown_keys_in_capitals_belong_to_a_header_that_begins_with_a_known_one():
    assert read_header("ACT: A\nGAZETTE NUMBER: 7\n\nx")[0] == {"ACT": "A", "GAZETTE NUMBER": "7"}


@pytest.mark.parametrize(
    "text",
    [
        "WARNING: hot\n\nText.",
        "Note: this is a text.\n\nText.",
        "CHAPTER I: PRELIMINARY\n\nSection 1.",
        "NOTE: All visitors sign in at the desk.\n\nText.",
        "NOTE: All visitors sign in at the desk.\nWARNING: hot\nText.",
        "No header",
        "",
    ],
)
def test_a_text_that_only_looks_like_a_header_is_kept(text):
    assert read_header(text) == ({}, 0)


def test_a_sentence_below_the_header_is_text_whatever_it_opens_with():
    text = "TITLE: Leave\nNOTE: Written for the staff of the port.\nIMPORTANT: There is no leave in March.\nREF NO: 7.\n\nText."
    fields, end = read_header(text)
    assert fields == {"TITLE": "Leave", "NOTE": "Written for the staff of the port."}
    assert text[end:].startswith("IMPORTANT: There is no leave")


def test_the_seed_style_of_keys_counts_when_two_are_known():
    assert read_header("Act: IPC\nSection: 420\n\nWhoever")[0] == {"ACT": "IPC", "SECTION": "420"}


def test_labels_come_from_the_header():
    labels = labels_from_header(
        {"BOOK": "B", "CLASS": "Class 10", "SUBJECT": "mathematics", "CHAPTER": "5", "LANGUAGE": "Hindi"}
    )
    assert (labels.kind, labels.class_number, labels.chapter, labels.language) == ("textbook", 10, "5", "hi")
    assert labels_from_header({"ACT": "Minimum Wages Act, 1948"}).year == "1948"
    assert labels_from_header({"COURT": "Supreme Court"}).kind == "judgment"


def test_a_year_is_a_year_only_by_itself():
    assert last_year_in("Act 12020 of 1860") == "1860"
    assert last_year_in("Section 420") is None


def test_a_chapter_is_split_from_its_title():
    assert split_chapter("I General provisions") == ("I", "General provisions")
    assert split_chapter("17") == ("17", None)
    assert split_chapter("Recitals") == (None, "Recitals")
    assert split_chapter("") == (None, None)
