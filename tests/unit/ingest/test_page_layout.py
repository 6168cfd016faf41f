"""How the words of a page make lines, tables and notes, told on pages of our own."""

import pytest

from footnotary.domain.identity import Span
from footnotary.domain.layout import Box
from footnotary.ingest.page_layout.ruled_tables import find_grids, find_ruled_rows
from footnotary.ingest.page_layout.words import PageWord
from tests.unit.ingest.pdf_writer import Sheet, Text, column, pdf, ruled, width_of
from tests.unit.ingest.reading import document_and_chunks
from tests.unit.ingest.test_pdf import assert_leads_back, prose, taken_in

BOATS = [
    [["Boat"], ["What it may carry"], ["Fee"]],
    [["Gull"], ["Fish, nets and up to", "six sailors by day"], ["40"]],
    [["Tern"], ["Mail"], ["30"]],
    [["Skua"], ["Nothing after sunset or", "before sunrise, unless the", "harbour master agrees"], ["55"]],
]


def lines(document):
    return [line for line in document.text.split("\n") if line]


def test_a_ruled_table_is_read_cell_by_cell_and_a_cell_of_several_lines_is_one():
    runs, rules = ruled(BOATS, 72, 600, 140)
    data = pdf([Sheet([*column([prose(1)], 72, 780, 440), *runs], rules=rules)])
    document, chunks = taken_in(data)
    assert lines(document)[1:] == [
        "Boat | What it may carry | Fee",
        "Gull | Fish, nets and up to six sailors by day | 40",
        "Tern | Mail | 30",
        "Skua | Nothing after sunset or before sunrise, unless the harbour master agrees | 55",
    ]
    assert_leads_back(data, document, chunks, 1)


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_a_ruled_table_is_found_on_a_turned_page(turned):
    runs, rules = ruled(BOATS[:3], 72, 500, 140)
    width, height = 595.0, 842.0
    places = {
        90: lambda x, y: (width - y, x),
        180: lambda x, y: (width - x, height - y),
        270: lambda x, y: (y, height - x),
    }
    there = [(*places[turned](a, b), *places[turned](c, d)) for a, b, c, d in rules]
    document, _ = taken_in(pdf([Sheet(runs, turned=turned, rules=there)]))
    assert lines(document)[1] == "Gull | Fish, nets and up to six sailors by day | 40"


def test_lines_around_head_and_body_only_leave_the_rows_of_the_body_apart():
    head, body = ["Boat", "Fee", "Berth"], [["Gull", "40", "7"], ["Tern", "30", "8"], ["Skua", "55", "9"]]
    runs = [Text(75 + 100 * at, 590, cell) for at, cell in enumerate(head)]
    runs += [Text(75 + 100 * at, 570 - 14 * n, cell) for n, row in enumerate(body) for at, cell in enumerate(row)]
    rules = [(72, y, 372, y) for y in (605, 585, 530)] + [(x, 605, x, 530) for x in (72, 172, 272, 372)]
    document, _ = taken_in(pdf([Sheet(runs, rules=rules)]))
    assert lines(document) == ["Boat | Fee | Berth", "Gull | 40 | 7", "Tern | 30 | 8", "Skua | 55 | 9"]


def test_a_box_around_columns_of_text_makes_no_table():
    left, right = [prose(n) for n in (1, 2, 3, 4)], [prose(n) for n in (5, 6, 7, 8)]
    rules = [(50, 790, 545, 790), (50, 760, 545, 760), (50, 400, 545, 400)]
    rules += [(x, 790, x, 400) for x in (50, 297, 545)]
    runs = [Text(60, 770, "Harbour News"), *column(left, 60, 740, 220), *column(right, 310, 740, 220)]
    document, _ = taken_in(pdf([Sheet(runs, rules=rules)]))
    assert lines(document)[1:] == [*left, *right]


def test_a_cell_that_continues_below_in_an_unruled_table_stays_in_its_row():
    rows = [
        ("Boat", "Carries", "Fee"),
        ("Gull", "Fish and nets and", "40"),
        ("", "six sailors", ""),
        ("Tern", "Mail", "30"),
    ]
    places = [600, 580, 569, 549]
    runs = [
        Text(72 + 120 * at, y, cell) for y, row in zip(places, rows, strict=True) for at, cell in enumerate(row) if cell
    ]
    document, _ = taken_in(pdf([Sheet([*column([prose(1)], 72, 780, 440), *runs])]))
    assert lines(document)[1:] == [
        "Boat | Carries | Fee",
        "Gull | Fish and nets and six sailors | 40",
        "Tern | Mail | 30",
    ]


def test_a_heading_among_the_rows_of_a_table_does_not_end_it():
    rows = [
        ("Boat", "Length", "Fee"),
        ("Gull", "12 m", "40"),
        ("By night",),
        ("Gull", "12 m", "80"),
        ("Tern", "9 m", "60"),
    ]
    runs = [Text(72 + 120 * at, 600 - 14 * n, cell) for n, row in enumerate(rows) for at, cell in enumerate(row)]
    document, _ = taken_in(pdf([Sheet([*column([prose(1)], 72, 780, 440), *runs])]))
    assert lines(document)[1:] == [" | ".join(row) for row in rows]


def figures(rows, edges, top=600):
    """Rows with their names at the left and every figure set to the right edge of its column."""
    runs = []
    for n, row in enumerate(rows):
        for cell, edge in zip(row, edges, strict=True):
            if cell:
                left = edge if edge == edges[0] else edge - width_of(cell, 10)
                runs.append(Text(left, top - 14 * n, cell))
    return runs


def table_lines(runs):
    """The lines of a page after its first paragraph as they are stored, with the document and its chunks."""
    document, chunks = document_and_chunks(pdf([Sheet([*column([prose(1)], 72, 780, 440), *runs])]), "a.pdf")
    return lines(document)[1:], document, chunks


def test_columns_that_are_only_aligned_have_their_headings_also_above_an_empty_corner():
    rows = [
        ("", "2021", "2022"),
        ("Revenue", "1,204", "1,587"),
        ("Cost of revenue", "845", "790"),
        ("Income", "3", "7"),
    ]
    read, document, chunks = table_lines(figures(rows, (72, 300, 400)))
    assert read == [
        "| 2021 | 2022",
        "Revenue | 2021: 1,204 | 2022: 1,587",
        "Cost of revenue | 2021: 845 | 2022: 790",
        "Income | 2021: 3 | 2022: 7",
    ]
    chunk = next(chunk for chunk in chunks if "790" in chunk.text)
    start = chunk.text.index("790")
    place = chunk.located(Span(start, start + 3))
    assert place is not None
    assert place.page == 1
    ((page, box),) = document.layout.boxes(Span(chunk.span.start + start, chunk.span.start + start + 3))
    assert page == 1
    assert abs(box.right - 400) < 3


def test_a_row_without_a_value_for_one_column_keeps_the_others_in_theirs():
    rows = [("Boat", "2021", "2022"), ("Gull", "12", "15"), ("Tern", "", "40"), ("Skua", "7", "9"), ("Auk", "3", "")]
    read, *_ = table_lines(figures(rows, (72, 300, 400)))
    assert read[2] == "Boat: Tern | | 2022: 40"
    assert read[4] == "Boat: Auk | 2021: 3 |"


def test_short_names_before_numbers_are_rows_and_the_marks_of_a_list_are_not():
    rows = [("Office", "Staff"), ("Pune", "140"), ("Mysuru", "95"), ("Delhi", "12"), ("Goa", "7")]
    assert table_lines(figures(rows, (72, 300)))[0][1] == "Office: Pune | Staff: 140"
    items = [("(a)", "the gull"), ("(b)", "the tern"), ("(c)", "the skua")]
    runs = [Text(72 + 40 * at, 600 - 14 * n, cell) for n, row in enumerate(items) for at, cell in enumerate(row)]
    assert not any("|" in line for line in table_lines(runs)[0])


def test_headings_of_groups_are_joined_with_those_of_their_columns():
    rows = [("Boat", "2021", "2022", "2021", "2022"), ("Gull", "12", "15", "3", "4"), ("Tern", "9", "40", "5", "6")]
    rows.append(("Skua", "7", "9", "1", "2"))
    edges = (72, 250, 310, 400, 460)
    groups = [Text(270 - width_of("Trips", 10) / 2, 614, "Trips"), Text(420 - width_of("Days", 10) / 2, 614, "Days")]
    read, *_ = table_lines([*groups, *figures(rows, edges)])
    assert read[2] == "Boat: Gull | Trips 2021: 12 | Trips 2022: 15 | Days 2021: 3 | Days 2022: 4"


def test_a_line_above_a_table_that_is_not_over_its_columns_is_no_heading_of_them():
    rows = [("Boat", "2021", "2022"), ("Gull", "12", "15"), ("Tern", "9", "40"), ("Skua", "7", "9")]
    read, *_ = table_lines([Text(72, 614, "Trips of the boats in the harbour"), *figures(rows, (72, 300, 400))])
    assert read[:3] == ["Trips of the boats in the harbour", "Boat | 2021 | 2022", "Boat: Gull | 2021: 12 | 2022: 15"]


def test_text_in_a_box_stays_text():
    box = [(72, 690, 520, 690), (72, 690, 72, 640), (520, 690, 520, 640), (72, 640, 520, 640)]
    runs = [Text(80, 676, "The fee for a lost badge is 40 rupees and"), Text(80, 662, "must be paid at the desk.")]
    document, _ = taken_in(pdf([Sheet([*column([prose(1)], 72, 780, 440), *runs], rules=box)]))
    assert " ".join(lines(document)[1:]) == "The fee for a lost badge is 40 rupees and must be paid at the desk."


def test_a_typewritten_page_with_wide_blanks_is_no_table():
    text = "the boats lie in the bay and wait for wind all day long".split()
    runs = []
    for row in range(6):
        x = 72.0
        for word in text[row : row + 6]:
            runs.append(Text(x, 700 - 14 * row, word))
            x += 6.0 * len(word) + 13
    document, _ = taken_in(pdf([Sheet(runs)]))
    assert "|" not in document.text


def test_an_initial_as_high_as_three_lines_begins_the_first_of_them():
    body = [
        "ver the water the lamps are lit and the keeper",
        "writes in the book what he sees of the ships and",
        "of the weather.",
    ]
    runs = [Text(72, 676, "O", 36), *(Text(102, 700 - 12 * at, line) for at, line in enumerate(body))]
    document, _ = taken_in(pdf([Sheet([*runs, *column([prose(2)], 72, 640, 300)])]))
    assert document.text.startswith("Over the water the lamps are lit")


def test_the_notes_of_each_column_leave_its_text_in_one_piece():
    def half(x: float, words: str, note: str) -> list[Text]:
        text = column([words], x, 740, 220, indent=0)
        mark = Text(x, 500, "So they say at the pier.", 10)
        raised = Text(x + 112, 504, note, 6)
        return [*text, mark, raised, Text(x, 90, f"{note} A remark on the pier, number {note}.", 7)]

    left, right = half(60, prose(1, 120), "1"), half(310, prose(2, 120), "2")
    document, _ = taken_in(pdf([Sheet([*left, *right])]))
    body, notes = document.text.split("Footnotes")
    assert "remark" not in body
    assert [line for line in notes.split("\n") if line] == [f"{n} A remark on the pier, number {n}." for n in (1, 2)]


@pytest.mark.parametrize(
    ("edge", "is_kept"),
    [
        ([Text(290, 30, "62")], False),
        ([Text(72, 815, "The harbour today"), Text(500, 815, "447")], False),
        ([Text(72, 815, "Downloaded from www.harbour-news.com on a Monday", 8)], False),
        ([Text(72, 815, "The harbour today")], True),
        ([Text(72, 810, "Chapter 9", 16)], True),
        ([Text(72, 30, "Signed by 40 sailors of the harbour")], True),
    ],
)
def test_on_a_single_page_only_what_can_be_nothing_else_is_a_running_header(edge, is_kept):
    document, _ = taken_in(pdf([Sheet([*edge, *column([prose(n) for n in range(4)], 72, 740, 440)])]))
    assert all(run.text in document.text for run in edge) is is_kept


def test_lines_that_do_not_cross_make_no_grid():
    across = [Box(50, y, 500, y) for y in (100.0, 200.0, 300.0)]
    assert find_grids(across) == []
    assert find_grids([*across, Box(700, 50, 700, 400)]) == []
    (grid,) = find_grids([*across, Box(50, 100, 50, 300), Box(250, 100, 250, 300)])
    assert grid.heights == (300.0, 200.0, 100.0)
    assert grid.edges == (50.0, 250.0, 500.0)


def test_a_cell_without_a_line_to_its_right_is_one_with_the_next():
    rules = [Box(0, y, 200, y) for y in (0.0, 20.0, 40.0)] + [Box(x, 0, x, 40) for x in (0.0, 200.0)]
    rules.append(Box(100, 0, 100, 20))  # the upper row is not cut
    words = [_word("Fees", 120, 25, 0), _word("Gull", 10, 5, 5), _word("40", 110, 5, 10)]
    assert [[cell[0][0].text for cell in row.cells] for row in find_ruled_rows(words, rules)] == [
        ["Fees"],
        ["Gull", "40"],
    ]


def _word(text: str, x: float, y: float, char: int) -> PageWord:
    box = Box(x, y, x + 6 * len(text), y + 10)
    return PageWord(text, char, box, box, 10)
