"""PPTX: slides with their titles, text, tables and notes, and the shape a quote leads to."""

import io
import zipfile

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from footnotary.domain.identity import Span
from footnotary.errors import DocumentError
from footnotary.ingest.file_type import PPTX, sniff
from footnotary.ingest.parse.office.pptx_presentation import parse_pptx
from tests.support.documents import zipped
from tests.unit.ingest.reading import document_and_chunks

TABLE = [["Member", "Fee", "Deposit"], ["Student", "10", "5"], ["Adult", "30", "15"]]


def saved(deck) -> bytes:
    held = io.BytesIO()
    deck.save(held)
    return held.getvalue()


def slide(deck, title: str, body: str = "", notes: str = ""):
    made = deck.slides.add_slide(deck.slide_layouts[1 if body else 5])
    made.shapes.title.text = title
    if body:
        made.placeholders[1].text = body
    if notes:
        made.notes_slide.notes_text_frame.text = notes
    return made


def with_table(made, rows=TABLE):
    table = made.shapes.add_table(len(rows), len(rows[0]), Inches(1), Inches(4), Inches(6), Inches(2)).table
    for at, row in enumerate(rows):
        for column, text in enumerate(row):
            table.cell(at, column).text = text
    return table


def deck() -> bytes:
    made = Presentation()
    slide(made, "Growth plan", "Open a shop in Pune\nHire 12 people", "Mention the rent.\nIt is 400 rupees.")
    with_table(slide(made, "Fees"))
    return saved(made)


def test_a_slide_is_a_section_with_its_number_title_text_and_notes():
    document, chunks = document_and_chunks(deck(), "plan.pptx")
    assert [chunk.section for chunk in chunks] == [("Slide 1: Growth plan",), ("Slide 2: Fees",)]
    assert chunks[0].text.split("\n") == [
        "Slide 1: Growth plan", "", "Open a shop in Pune", "Hire 12 people", "", "Notes: Mention the rent.", "It is 400 rupees.",
    ]  # fmt: skip
    assert "Member: Adult | Fee: 30 | Deposit: 15" in document.text


@pytest.mark.parametrize(
    ("quote", "place"),
    [
        ("Growth plan", "slide 1, Title 1"), ("12 people", "slide 1, Content Placeholder 2"), ("400 rupees", "slide 1, notes"),
        ("30", "slide 2, Table 2, row 3, column 2"),
    ],
)  # fmt: skip
def test_a_quote_leads_to_its_shape(quote, place):
    _, chunks = document_and_chunks(deck(), "plan.pptx")
    chunk = next(chunk for chunk in chunks if quote in chunk.text)
    start = chunk.text.index(quote)
    assert chunk.located(Span(start, start + len(quote))).place == place


def test_shapes_are_read_from_top_to_bottom_also_within_groups():
    made = Presentation()
    page = slide(made, "Order")
    for text, top in (("third", 5), ("first", 2)):
        page.shapes.add_textbox(Inches(1), Inches(top), Inches(3), Inches(1)).text_frame.text = text
    group = page.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(3), Inches(3), Inches(1)).text_frame.text = "second"
    assert parse_pptx(saved(made), "").text.split() == ["Slide", "1:", "Order", "first", "second", "third"]


def test_hidden_slides_and_charts_are_left_out_and_reported():
    made = Presentation()
    slide(made, "Secret", "hidden words")._element.set("show", "0")
    data = CategoryChartData()
    data.categories = ["a", "b"]
    data.add_series("s", (1, 2))
    chart = slide(made, "Shown").shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, Inches(2), Inches(2), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Sales by city"
    parsed = parse_pptx(saved(made), "")
    assert parsed.text.split("\n") == ["Slide 2: Shown", "", "Sales by city"]
    assert parsed.left_out == ("1 hidden slide", "1 chart, except for the text next to them")


def test_a_cell_merged_over_columns_keeps_the_columns():
    made = Presentation()
    table = with_table(
        slide(made, "Fees"), [["Club", "Fees", ""], ["", "Year", "Month"], ["Chess", "10", "1"], ["Rowing", "30", "3"]]
    )
    table.cell(0, 1).merge(table.cell(0, 2))
    assert "Chess | 10 | 1" in parse_pptx(saved(made), "").text


def test_a_presentation_is_recognised_by_its_bytes():
    assert sniff(deck(), "x").media_type == PPTX


def test_a_presentation_that_is_broken_or_unsafe_is_refused():
    with zipfile.ZipFile(io.BytesIO(deck())) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    name = "ppt/slides/slide1.xml"
    for content, reason in ((parts[name][:300], "broken_file"), (b"<!DOCTYPE a []>" + parts[name], "unsafe_xml")):
        with pytest.raises(DocumentError) as refused:
            parse_pptx(zipped({**parts, name: content}), "")
        assert refused.value.reason == reason


def test_a_presentation_without_a_title_has_that_of_its_title_slide():
    made = Presentation()
    made.slides.add_slide(made.slide_layouts[0]).shapes.title.text = "Safety for\nnew starters"
    slide(made, "Shoes", "They are worn everywhere.")
    document, chunks = document_and_chunks(saved(made), "p.pptx")
    assert document.source.title == "Safety for new starters"
    assert chunks[-1].section == ("Safety for new starters", "Slide 2: Shoes")
