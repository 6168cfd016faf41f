"""The places of a workbook's passage, as `show` prints them."""

from footnotary.cli.questions.cell_ranges import with_cell_ranges


def test_a_table_was_shown_with_one_line_for_every_cell():
    cells = [f"'Budget 2026'!{column}{row}" for row in (1, 2, 10) for column in ("A", "B", "AA")]
    places = [("sheet Budget 2026", "characters 0-11"), *((cell, "characters 0-4") for cell in cells)]
    assert list(with_cell_ranges(places)) == ["sheet Budget 2026, characters 0-11", "'Budget 2026'!A1:AA10"]


def test_a_part_of_one_cell_keeps_its_characters():
    assert list(with_cell_ranges([("Fleet!B4", "characters 2-9")])) == ["Fleet!B4, characters 2-9"]


def test_cells_of_two_sheets_are_two_ranges_and_slides_stay():
    places = [(place, "characters 0-4") for place in ("One!A1", "One!A2", "Two!C3", "Two!D3", "slide 1", "slide 2")]
    assert list(with_cell_ranges(places)) == [
        "One!A1:A2",
        "Two!C3:D3",
        "slide 1, characters 0-4",
        "slide 2, characters 0-4",
    ]
