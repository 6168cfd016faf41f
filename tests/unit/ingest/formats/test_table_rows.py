"""Rows of tables in every format: values with the headings of their columns, and positions that stay true."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.document import OffsetMap, Segment
from footnotary.domain.identity import Span
from footnotary.index.sqlite.row_serialization import offsets_from_json, offsets_json
from footnotary.ingest.parse.csv_table import parse_csv
from footnotary.ingest.tables.heading_rows import column_names, unit_note
from footnotary.ingest.tables.row_labels import label_table_rows
from tests.support.documents import docx, table
from tests.unit.ingest.reading import document_and_chunks

FEES = [["Member", "Fee", "Deposit"], ["Student", "10", "5"], ["Adult", "30", "15"]]
CELLS = st.text(st.sampled_from("ab é1"), min_size=1, max_size=6).filter(str.strip)


def html_of(rows, cell="td"):
    def line(row, name):
        return f"<tr>{''.join(f'<{name}>{text}</{name}>' for text in row)}</tr>"

    return (
        f"<html><body><table>{line(rows[0], cell)}{''.join(line(row, 'td') for row in rows[1:])}</table></body></html>"
    )


def markdown_of(rows):
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (html_of(FEES), "a.html"), (html_of(FEES, "th"), "b.html"), (markdown_of(FEES), "a.md"), (docx(table(FEES)), "a.docx"),
        ("\n".join(map(",".join, FEES)), "a.csv"),
    ],
)  # fmt: skip
def test_a_row_says_the_headings_of_its_columns(data, name):
    assert "Member: Adult | Fee: 30 | Deposit: 15" in document_and_chunks(data, name)[0].text


def test_rows_of_words_alone_need_a_heading_that_the_format_marks():
    rows = [["Name", "City", "Club"], ["Ann", "Delhi", "Chess"], ["Bob", "Pune", "Rowing"]]
    marked = docx(table(rows).replace("<w:tr>", "<w:tr><w:trPr><w:tblHeader/></w:trPr>", 1))
    assert "Name: Bob | City: Pune | Club: Rowing" in document_and_chunks(marked, "a.docx")[0].text
    assert "Name: Bob | City: Pune | Club: Rowing" in document_and_chunks(html_of(rows, "th"), "a.html")[0].text
    assert "Bob | Pune | Rowing" in document_and_chunks(docx(table(rows)), "a.docx")[0].text


CLUBS = [["Name", "City", "Club"], ["Ann", "Delhi", "Chess"], ["Bob", "Pune", "Rowing"]]
BOLD_CELL = "<w:r><w:rPr><w:b/></w:rPr><w:t"
PLAIN_CELL = "<w:r><w:t"


def test_a_bold_row_at_the_top_of_a_table_is_its_heading():
    page = html_of([[f"<b>{name}</b>" for name in CLUBS[0]], *CLUBS[1:]])
    assert "Name: Bob | City: Pune | Club: Rowing" in document_and_chunks(page, "a.html")[0].text
    written = docx(table(CLUBS).replace(PLAIN_CELL, BOLD_CELL, 3))
    assert "Name: Bob | City: Pune | Club: Rowing" in document_and_chunks(written, "a.docx")[0].text


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        ('w:firstRow="1"', "Name: Bob"),
        ('w:val="04A0"', "Name: Bob"),
        ('w:val="0480"', "Bob | Pune"),
        ("", "Bob | Pune"),
    ],
)
def test_a_word_table_may_set_its_first_row_apart_as_headings(look, expected):
    written = table(CLUBS).replace("<w:tbl>", f"<w:tbl><w:tblPr><w:tblLook {look}/></w:tblPr>", 1)
    assert expected in document_and_chunks(docx(written), "a.docx")[0].text


@pytest.mark.parametrize(
    "rows",
    [
        [["Name", "Ann"], ["City", "Delhi"], ["Club", "Chess"]],
        [["Ann", "Delhi", "Chess"], ["Bob", "Pune", "Rowing"]],
        [["Ann", "Delhi", "Chess"], ["Bob", "Delhi", "Rowing"], ["Eve", "Pune", "Rowing"]],
        [["Name", "", "Club"], ["Ann", "Delhi", "Chess"], ["Bob", "Pune", "Rowing"]],
    ],
)
def test_a_first_row_that_may_be_values_is_no_heading_by_its_look_alone(rows):
    assert column_names(rows, 0, looks_marked=True) == (0, ())


def test_names_without_digits_are_headings_above_values_with_a_number_and_a_unit():
    rows = [
        ["Severity", "Meaning", "Response"],
        ["High", "stopped", "4 hours"],
        ["Medium", "slow", "1 day"],
        ["Low", "ugly", "3 days"],
    ]
    assert (
        "Severity: Medium | Meaning: slow | Response: 1 day" in document_and_chunks(docx(table(rows)), "a.docx")[0].text
    )
    assert column_names(rows[1:], 0) == (0, ())


def test_years_are_headings_and_totals_are_not():
    rows = [["", "2022", "2021"], ["Print", "12", "11"], ["Total revenue", "30", "28"]]
    assert "Total revenue | 2022: 30 | 2021: 28" in document_and_chunks(docx(table(rows)), "a.docx")[0].text


def test_the_unit_in_the_first_heading_goes_with_every_row():
    rows = [["(in thousands)", "2022", "2021"], ["Print", "$ 12", "11"], ["Total revenue", "(30)", "—"]]
    text = document_and_chunks(docx(table(rows)), "a.docx")[0].text
    assert "Total revenue | 2022: (30) | 2021: — (in thousands)" in text


def test_a_row_with_another_number_of_cells_gets_no_heading_that_may_be_wrong():
    text = document_and_chunks("A;B;C\n1;2;3\nlamp | red;2;3\n4;5\n", "a.csv")[0].text
    assert text.split("\n")[1:] == ["A: 1 | B: 2 | C: 3", "lamp | red | 2 | 3", "4 | 5"]


@pytest.mark.parametrize(
    "rows",
    [
        [["Name", "Ann"], ["Age", "30"], ["Height", "180"]],
        [["Rent", "100"], ["Heat", "20"]],
        [["1", "2", "3"], ["4", "5", "6"]],
        [["alpha", "beta", "gamma"], ["delta", "eta", "iota"]],
        [["only"], ["one"]],
    ],
)
def test_rows_that_may_be_values_are_not_taken_for_headings(rows):
    assert column_names(rows, 0) == (0, ())


@pytest.mark.parametrize(
    ("caption", "note"),
    [
        ("Balance sheet (in millions)", "(in millions)"), ("(₹ crore)", "(₹ crore)"), ("(USD million)", "(USD million)"),
        ("(In thousands, except per share data)", "(In thousands, except per share data)"), ("Sales (see note 3)", None), ("Rules (draft)", None),
    ],
)  # fmt: skip
def test_a_unit_is_distinguished_from_other_words_in_brackets(caption, note):
    assert unit_note(caption) == note


@given(rows=st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=4), name=CELLS)
def test_every_value_still_leads_back_after_labels_were_inserted(rows, name):
    headings = [f"{name}x", f"{name}y", f"{name}z"]
    data = "\n".join(",".join(row) for row in [headings, *rows]).encode()
    parsed = label_table_rows(parse_csv(data, "utf-8"))
    original = data.decode()
    covered = 0
    for segment in parsed.offsets.segments:
        run = parsed.text[segment.start : segment.start + segment.length]
        assert original[segment.char : segment.char + segment.length] == run
        assert data[segment.byte : segment.byte + len(run.encode())].decode() == run
        covered += len(run.replace(" ", ""))
    assert covered == sum(len(cell.replace(" ", "")) for row in [headings, *rows] for cell in row)
    assert [line.span.of(parsed.text) for line in parsed.lines] == parsed.text.split("\n")


def test_the_name_of_a_part_survives_the_store():
    offsets = OffsetMap((Segment(0, 3, 1, 0, None, "Sales!B4"), Segment(4, 2, 9, 9), Segment(7, 1, 0, 0, 2)))
    assert offsets_from_json(offsets_json(offsets)) == offsets
    assert offsets.locate("abc de f", Span(0, 3)).place == "Sales!B4"


def test_the_unit_of_a_markdown_table_is_inside_its_frame():
    text = f"Fees (in thousands)\n\n{markdown_of(FEES)}\n"
    document, _ = document_and_chunks(text, "a.md")
    assert "| Member: Adult | Fee: 30 | Deposit: 15 (in thousands) |" in document.text


def test_a_row_of_units_below_the_headings_belongs_to_them():
    rows = [
        ["Site", "Power", "Water"],
        ["", "MWh", "m3"],
        ["Leeds", "412", "5400"],
        ["York", "188", "—"],
        ["Hull", "9", "1"],
        ["All", "609", "5401"],
    ]
    assert "Site: York | Power MWh: 188 | Water m3: —" in document_and_chunks(docx(table(rows)), "a.docx")[0].text
    assert column_names(rows, 1)[0] == 2
    assert column_names([rows[0], ["", "none", "late"], *rows[2:4]], 1)[0] == 1
