"""CSV and TSV: which values a file has, and where each of them stands in it."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.identity import Span
from footnotary.errors import DocumentError
from footnotary.ingest.file_discovery import has_document_suffix
from footnotary.ingest.file_type import CSV, TSV, sniff
from footnotary.ingest.parse.csv_table import parse_csv, parse_tsv
from tests.unit.ingest.reading import document_and_chunks

PRICES = "Item,Price,Note\nLamp,12,new\nDesk,40,used\n"
VALUES = st.text(st.sampled_from('ab ,;"\n\r धé1'), max_size=8)


def text_of(content: str, name: str = "prices.csv") -> str:
    return document_and_chunks(content, name)[0].text


def test_rows_say_the_headings_of_their_columns():
    assert (
        text_of(PRICES)
        == "Item | Price | Note\nItem: Lamp | Price: 12 | Note: new\nItem: Desk | Price: 40 | Note: used"
    )


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_another_delimiter_is_recognised(delimiter):
    assert "Item: Desk | Price: 40 | Note: used" in text_of(PRICES.replace(",", delimiter))


def test_decimal_commas_do_not_make_columns():
    assert "Item: Lamp | Price: 1,50" in text_of("Item;Price\nLamp;1,50\nDesk;4,00\n")


def test_a_table_without_headings_stays_as_it_is():
    assert text_of("Lamp,12\nDesk,40\nSofa,99\n") == "Lamp | 12\nDesk | 40\nSofa | 99"


def test_quoted_values_hold_delimiters_breaks_and_quotation_marks():
    assert 'Note: a "b", c d' in text_of('Item,Note\nLamp,"a ""b"", c\r\nd"\n')


def test_what_follows_a_closing_quotation_mark_or_an_unclosed_one_is_not_lost():
    assert "Note: ab" in text_of('Item,Note\nLamp,"a"b\n')
    assert 'Note: "never closed' in text_of('Item,Note\nLamp,"never closed\n')


def test_a_value_leads_back_to_its_characters_and_bytes():
    data = "Stadt;Straße\nKöln;Domkloster 4\n".encode()
    _, (chunk,) = document_and_chunks(data, "a.csv")
    start = chunk.text.index("Domkloster 4")
    place = chunk.located(Span(start, start + 12))
    assert data[place.bytes.start : place.bytes.end] == b"Domkloster 4"
    assert data.decode()[place.chars.start : place.chars.end] == "Domkloster 4"


@given(rows=st.lists(st.lists(VALUES, min_size=2, max_size=4), min_size=1, max_size=5), delimiter=st.sampled_from(",;"))
def test_every_value_that_was_written_is_read(rows, delimiter):
    held = io.StringIO(newline="")
    csv.writer(held, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(rows)
    parsed = parse_csv(held.getvalue().encode(), "utf-8")
    kept = [row for row in rows if any(value.strip() for value in row)]
    read = [line.span.of(parsed.text).replace("|", " ").split() for line in parsed.lines]
    assert read == [[word for value in row for word in value.split()] for row in kept]


def test_a_named_suffix_makes_a_table_and_folders_take_it_in():
    assert sniff(b"a,b\n1,2\n", "x.csv").media_type == CSV
    assert sniff(b"a\tb\n1\t2\n", "x.TSV").media_type == TSV
    assert sniff(b"a,b\n1,2\n", "x.txt").media_type == "text/plain"
    assert has_document_suffix("folder/x.csv")
    assert "A: 1 | B: 2" in document_and_chunks("A\tB\n1\t2\n", "x.tsv")[0].text
    assert parse_tsv(b"a,b\tc\n", "utf-8").text == "a,b | c"


def test_a_row_without_end_is_refused():
    with pytest.raises(DocumentError, match="3,001 values"):
        parse_csv(b"a" + b",a" * 3000, "utf-8")


def test_the_title_of_an_export_is_above_its_table():
    data = "Attendance,,\nAutumn term,,\n\nClass,Pupils,Rate (%)\n1A,24,96.2\n1B,25,94.8\n"
    text = document_and_chunks(data, "a.csv")[0].text
    assert text.startswith("Attendance\nAutumn term\n\nClass | Pupils | Rate (%)\n")
    assert text.endswith("Class: 1B | Pupils: 25 | Rate (%): 94.8")
