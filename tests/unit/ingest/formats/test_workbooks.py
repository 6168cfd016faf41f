"""XLSX: what is taken over from a workbook, as what, and which cell a quote leads to."""

import io
import re
import zipfile
from datetime import date, datetime

import openpyxl
import pytest
from openpyxl.styles import Font
from openpyxl.worksheet.table import Table

from footnotary.domain.identity import Span
from footnotary.errors import DocumentError, UsageError
from footnotary.ingest.file_type import XLSX, sniff
from footnotary.ingest.parse.office import package
from footnotary.ingest.parse.office.number_format import displayed
from footnotary.ingest.parse.office.openpyxl_workbook import parse_xlsx
from tests.support.documents import zipped
from tests.unit.ingest.reading import document_and_chunks


def saved(book) -> bytes:
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


def workbook(**sheets) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return saved(book)


def with_part(data: bytes, name: str, change) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    return zipped({**parts, name: change(parts.get(name, b""))})


STAFF = [["Name", "Role", "City"], ["Ann", "clerk", "Delhi"], ["Bob", "driver", "Pune"]]


def test_sheets_are_sections_and_rows_say_the_headings_of_their_columns():
    document, chunks = document_and_chunks(
        workbook(Staff=STAFF, Rates=[["Item", "Fee", "Unit"], ["Locker", 5, "month"], ["Key", 2, "piece"]]), "b.xlsx"
    )
    assert "Name: Bob | Role: driver | City: Pune" in document.text
    assert "Item: Locker | Fee: 5 | Unit: month" in document.text
    assert [chunk.section for chunk in chunks] == [("Staff",), ("Rates",)]
    assert [chunk.id for chunk in chunks] == ["B_Staff_0", "B_Rates_0"]


def test_a_quote_leads_to_its_sheet_and_cell():
    _, chunks = document_and_chunks(workbook(**{"Staff list": STAFF}), "b.xlsx")
    start = chunks[0].text.index("Pune")
    place = chunks[0].located(Span(start, start + 4))
    assert (place.place, place.chars, place.bytes, place.page) == ("'Staff list'!C3", Span(0, 4), None, None)
    start = chunks[0].text.index("Name: Bob")
    row = chunks[0].located(Span(start, start + len("Name: Bob | Role: driver")))
    assert [row.place, *(part.place for part in row.onward)] == ["'Staff list'!A3", "'Staff list'!B3"]


def test_two_heading_rows_name_a_column_together():
    book = openpyxl.Workbook()
    sheet = book.active
    for row in [
        ["Segment", "2022", None, "2021", None],
        [None, "Revenue", "Costs", "Revenue", "Costs"],
        ["Print", 12, 8, 11, 7],
        ["Total", 30, 20, 28, 19],
    ]:
        sheet.append(row)
    sheet.merge_cells("B1:C1")
    sheet.merge_cells("D1:E1")
    text = document_and_chunks(saved(book), "b.xlsx")[0].text
    assert "Segment: Total | 2022 Revenue: 30 | 2022 Costs: 20 | 2021 Revenue: 28 | 2021 Costs: 19" in text


def test_names_merged_over_two_heading_rows_stand_next_to_a_group_of_ranges():
    book = openpyxl.Workbook()
    sheet = book.active
    for row in [
        ["Article", "Price (EUR)", None, "Delivery (days)"],
        [None, "1-9", "10+", None],
        ["Plank", 4.2, 3.8, 3],
        ["Beam", 11, 10, 5],
    ]:
        sheet.append(row)
    for area in ("A1:A2", "B1:C1", "D1:D2"):
        sheet.merge_cells(area)
    text = document_and_chunks(saved(book), "b.xlsx")[0].text
    assert "Article: Beam | Price (EUR) 1-9: 11 | Price (EUR) 10+: 10 | Delivery (days): 5" in text


def test_the_unit_in_the_caption_goes_with_every_row():
    rows = [
        ["Revenue by segment"],
        ["(in millions)"],
        ["Segment", "2022", "2021"],
        ["Print", 12, 11],
        ["Total", 30, 28],
    ]
    assert (
        "Segment: Total | 2022: 30 | 2021: 28 (in millions)" in document_and_chunks(workbook(S=rows), "b.xlsx")[0].text
    )


def test_a_form_of_two_columns_is_not_a_table_with_headings():
    rows = [["Company", "Acme"], ["Year", 2022], ["Employees", 140], ["Seat", "Pune"]]
    text = document_and_chunks(workbook(Form=rows), "b.xlsx")[0].text
    assert "Company | Acme\nYear | 2022" in text


def test_bold_rows_and_tables_are_headings_of_two_columns_too():
    book = openpyxl.Workbook()
    for row in [["Item", "Shelf"], ["Hammer", "B4"]]:
        book.active.append(row)
    for cell in book.active[1]:
        cell.font = Font(bold=True)
    other = book.create_sheet("Other")
    for row in [["Tool", "Room"], ["Saw", "12"]]:
        other.append(row)
    other.add_table(Table(displayName="Tools", ref="A1:B2"))
    text = document_and_chunks(saved(book), "b.xlsx")[0].text
    assert "Item: Hammer | Shelf: B4" in text
    assert "Tool: Saw | Room: 12" in text


def test_a_label_merged_over_rows_is_read_in_each_of_them():
    book = openpyxl.Workbook()
    for row in [["Region", "City", "Sales"], ["North", "Delhi", 4], [None, "Agra", 5], ["South", "Kochi", 6]]:
        book.active.append(row)
    book.active.merge_cells("A2:A3")
    _, (chunk,) = document_and_chunks(saved(book), "b.xlsx")
    assert "Region: North | City: Agra | Sales: 5" in chunk.text
    start = chunk.text.rindex("North")
    assert chunk.located(Span(start, start + 5)).place == "Sheet!A2"


def test_hidden_sheets_rows_and_columns_are_left_out_and_reported():
    book = openpyxl.Workbook()
    for row in [["Name", "Role", "Pay"], ["Ann", "clerk", 10], ["Bob", "driver", 20], ["Cy", "cook", 30]]:
        book.active.append(row)
    book.active.row_dimensions[3].hidden = True
    book.active.column_dimensions["C"].hidden = True
    secret = book.create_sheet("Secret")
    secret["A1"] = "hidden words"
    secret.sheet_state = "hidden"
    parsed = parse_xlsx(saved(book), "binary")
    assert not re.search("Bob|Pay|30|hidden words", parsed.text)
    assert parsed.left_out == ("6 cells in hidden rows or columns of sheet 'Sheet'", "the hidden sheet 'Secret'")


def test_a_formula_gives_its_stored_value_and_is_reported_without_one():
    data = workbook(S=[["Item", "Price", "Tax"], ["Lamp", 10, "=B2*0.2"], ["Desk", 20, "=B3*0.2"]])
    stored = with_part(
        data,
        "xl/worksheets/sheet1.xml",
        lambda xml: re.sub(rb"<f>B2\*0.2</f><v ?/?>(?:</v>)?", b"<f>B2*0.2</f><v>2</v>", xml),
    )
    parsed = parse_xlsx(stored, "binary")
    assert "Lamp | 10 | 2" in parsed.text
    assert parsed.left_out == ("1 formulas without a stored value; open it in a spreadsheet program and save it again",)


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (0.25, "0%", "25%"), (0.1234, "0.0%", "12.3%"), (1234.5, "#,##0.00", "1,234.50"), (1234567, "#,##0", "1,234,567"),
        (-5, '"$"#,##0.00', "-$5.00"), (-5, "#,##0;(#,##0)", "(5)"), (12, '0.0" kg"', "12.0 kg"), (12, "[$€-407] #,##0", "€ 12"),
        (1250000, '0.0,,"M"', "1.3M"), (7, "000", "007"), (1.005, "0.00", "1.01"), (0, "0;-0;nil", "0"), (5, "[Red]0.0", "5.0"),
        (0.1 + 0.2, "General", "0.3"), (3.0, "General", "3"), (12, "0.00E+00", "12"), (True, "General", "TRUE"),
        (datetime.fromisoformat("2022-05-01"), "mm/dd", "2022-05-01"), (datetime.fromisoformat("2022-05-01 09:30"), "General", "2022-05-01 09:30"),
        (date(2022, 5, 1), "", "2022-05-01"),
    ],
)  # fmt: skip
def test_a_value_is_read_as_its_cell_shows_it(value, number_format, shown):
    assert displayed(value, number_format) == shown


def test_a_cell_in_the_last_corner_costs_no_time():
    book = openpyxl.Workbook()
    book.active["XFD1048576"] = "far away"
    assert "far away" in parse_xlsx(saved(book), "binary").text


def test_a_workbook_is_recognised_by_its_bytes():
    assert sniff(workbook(S=STAFF), "report.bin").media_type == XLSX


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (with_part(workbook(S=STAFF), "xl/workbook.xml", lambda xml: xml[: len(xml) // 2]), "broken_file"),
        (with_part(workbook(S=STAFF), "xl/worksheets/sheet1.xml", lambda xml: b'<!DOCTYPE x [<!ENTITY a "b">]>' + xml), "unsafe_xml"),
        (with_part(workbook(S=STAFF), "xl/worksheets/sheet1.xml", lambda xml: ('<!DOCTYPE x>' + xml.decode()).encode("utf-16")), "unsafe_xml"),
        (with_part(workbook(S=STAFF), "xl/media/image1.png", lambda _: bytes(30_000_000)), "parse_limit"),
        (workbook(S=STAFF)[:-200], "broken_file"),
    ],
)  # fmt: skip
def test_a_workbook_that_is_broken_or_unsafe_is_refused(data, reason):
    with pytest.raises(DocumentError) as refused:
        parse_xlsx(data, "binary")
    assert refused.value.reason == reason


def test_a_missing_library_is_named_with_the_extra(monkeypatch):
    monkeypatch.setattr(package, "import_module", lambda name: (_ for _ in ()).throw(ImportError(name)))
    with pytest.raises(UsageError, match="openpyxl") as missing:
        parse_xlsx(workbook(S=STAFF), "binary")
    assert "footnotary[office]" in missing.value.hint
