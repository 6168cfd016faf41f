"""What is read from a PDF: the words in reading order, and for each of them the way back to its place."""

import random
import re

import pytest

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document, Source
from footnotary.domain.identity import Span
from footnotary.errors import DocumentError
from footnotary.ingest.chunking.chunk_builder import build_chunks
from footnotary.ingest.page_layout.words import text_layer_is_sound
from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.structure.recovery import build_document
from tests.unit.ingest.pdf_writer import Sheet, Text, column, pdf, ruled

pdfium = pytest.importorskip("pypdfium2")

from footnotary.ingest.pdf.scanned import parse_pdf_or_scan  # noqa: E402

WORDS = (
    "The keeper of the lighthouse shall write down every ship that passes between sunset and sunrise and keep the book "
    "in a dry place where the harbour master may read it on any working day without asking for leave beforehand"
).split()


OLD_FONT = (
    "cUnjxkg ds fu;e gj ukfod ds fy, gSa vkSj mUgsa rksM+us ij n.M gS fd dksbZ u vk;s"  # our own Hindi, as Kruti Dev
)


def prose(seed: int, words: int = 60) -> str:
    chosen = random.Random(seed)
    return " ".join(chosen.choice(WORDS) for _ in range(words)).capitalize() + "."


def pages_of(data: bytes) -> list:
    document = pdfium.PdfDocument(data)
    return [document[number].get_textpage() for number in range(len(document))]


def taken_in(data: bytes, name: str = "made.pdf") -> tuple[Document, tuple[Chunk, ...]]:
    document, units = build_document(
        name, Source(name, "application/pdf", "", name, "binary"), parse_pdf_or_scan(data, "")
    )
    return document, build_chunks(document, units)


def assert_leads_back(data: bytes, document: Document, chunks: tuple[Chunk, ...], seed: int) -> None:
    """Chunks and random quotes lead back, character by character and by boxes that hold those characters."""
    chosen, layers = random.Random(seed), pages_of(data)
    assert document.layout is not None
    for chunk in chunks:
        assert chunk.span.of(document.text) == chunk.text
        start = chosen.randrange(len(chunk.text))
        quote = Span(start, chosen.randrange(start, len(chunk.text)) + 1)
        for span in (Span(0, len(chunk.text)), quote):
            places = document.layout.boxes(span.shifted(chunk.span.start))
            segments = chunk.origin.cut(chunk.text, span).segments
            for segment in segments:
                text = span.of(chunk.text)[segment.start : segment.start + segment.length]
                layer = layers[segment.page - 1]
                assert layer.get_text_range(segment.char, segment.length) == text
                for at in range(segment.char, segment.char + segment.length):
                    left, bottom, right, top = layer.get_charbox(at)
                    if layer.get_text_range(at, 1).strip() and left < right:
                        assert any(
                            page == segment.page
                            and box.left - 0.1 <= (left + right) / 2 <= box.right + 0.1
                            and box.bottom - 0.1 <= (bottom + top) / 2 <= box.top + 0.1
                            for page, box in places
                        ), f"no box covers {layer.get_text_range(at, 1)!r}"
            unlocated = len(span.of(chunk.text)) - sum(segment.length for segment in segments)
            assert unlocated <= span.of(chunk.text).count(" ") + span.of(chunk.text).count("\n") + 2
            if segments:
                located = chunk.located(span)
                assert located is not None
                assert located.bytes is None
                assert located.page == segments[0].page


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_a_page_reads_the_same_however_it_is_turned(turned: int):
    text = [prose(1), prose(2)]
    sheet = Sheet(column(text, 72, 780 if turned % 180 == 0 else 500, 400), turned=turned)
    data = pdf([sheet])
    document, chunks = taken_in(data)
    assert re.sub(r"\s+", " ", document.text) == " ".join(text)
    assert document.layout is not None
    assert document.layout.pages[0].rotation == turned
    assert_leads_back(data, document, chunks, turned)


LIBRARY = "The library opens at nine in the morning and closes at six in the evening, except on Friday."
POOL = "The pool opens at seven and closes at nine at night; children under ten come with an adult."


def test_nested_items_are_indented_below_the_item_that_they_belong_to():
    items = ((0, "1. guards"), (20, "• lock the gate"), (20, "• write the names"), (2, "2. cleaners"))
    runs = [Text(72 + x, 700 - 13 * n, text) for n, (x, text) in enumerate(items)]
    text = taken_in(pdf([Sheet([*column([prose(1)], 72, 780, 440, indent=0), *runs])]))[0].text
    assert text.endswith("\n\n1. guards\n  • lock the gate\n  • write the names\n2. cleaners")


def test_numbered_lines_above_sentences_are_headings_in_the_size_of_the_text_too():
    lines = ("1. Term", "The tenancy lasts a year.", "2. Rent", "The rent is due on the first day.")
    runs = [Text(72, 760 - 13 * n - 10 * (n // 2), line) for n, line in enumerate(lines)]
    _, chunks = taken_in(pdf([Sheet(runs)]))
    assert [chunk.section for chunk in chunks] == [("1. Term",), ("2. Rent",)]


@pytest.mark.parametrize("below", [(), (prose(1),)])
def test_columns_of_few_lines_are_read_one_after_the_other_where_a_sentence_wraps(below):
    runs = [*column([LIBRARY], 60, 740, 220, indent=0), *column([POOL], 310, 740, 220, indent=0)]
    document, _ = taken_in(pdf([Sheet([*runs, *column(below, 60, 690, 470, indent=0)])]))
    assert [line for line in document.text.split("\n") if line] == [LIBRARY, POOL, *below]


def test_cells_of_few_rows_are_not_taken_for_columns_of_text():
    left, right = ("Rent of the large hall", "Rent of the small hall"), ("Ninety euros a day", "Forty euros a day")
    runs = [Text(x, 740 - 13 * n, cell) for x, cells in ((60, left), (310, right)) for n, cell in enumerate(cells)]
    text = taken_in(pdf([Sheet([*runs, *column([prose(1)], 60, 690, 470, indent=0)])]))[0].text
    assert text.index(right[0]) < text.index(left[1])


@pytest.mark.parametrize("interleaved", [False, True])
def test_columns_are_read_one_after_the_other_whatever_order_they_are_drawn_in(interleaved: bool):
    left, right = [prose(n) for n in (1, 2, 3, 4)], [prose(n) for n in (5, 6, 7, 8)]
    runs = [*column(left, 60, 740, 220), *column(right, 310, 736, 220)]
    if interleaved:
        runs.sort(key=lambda run: -run.y)
    data = pdf([Sheet([Text(200, 780, "A title across both columns", 16), *runs])])
    document, chunks = taken_in(data)
    assert [line for line in document.text.split("\n") if line] == ["A title across both columns", *left, *right]
    assert_leads_back(data, document, chunks, 3)


def test_running_heads_and_page_numbers_are_left_out_and_the_printed_number_is_kept():
    bodies = [[prose(10 * n + k) for k in range(5)] for n in range(4)]
    sheets = [
        Sheet(
            [
                Text(72, 800, f"Rules of the harbour, part {n + 3}"),
                *column(body, 72, 760, 440),
                Text(290, 40, str(n + 17)),
            ]
        )
        for n, body in enumerate(bodies)
    ]
    data = pdf(sheets)
    document, chunks = taken_in(data)
    assert "Rules of the harbour" not in document.text
    assert not re.search(r"\d", document.text)
    assert document.layout is not None
    assert [document.layout.label(page) for page in (1, 2, 3, 4)] == ["17", "18", "19", "20"]
    assert {chunk.page for chunk in chunks} == {1, 2, 3, 4}
    assert_leads_back(data, document, chunks, 4)


def test_the_name_and_number_at_the_foot_of_a_short_document_are_left_out():
    sheets = [
        Sheet(
            [
                *column([prose(n), prose(n + 5)], 72, 760, 440),
                Text(72, 40, "Harbour rules", 8),
                Text(500, 40, f"Page {n}", 8),
            ]
        )
        for n in (1, 2)
    ]
    document, _ = taken_in(pdf(sheets))
    assert "Harbour rules" not in document.text
    assert "Page" not in document.text


def headed(*sections: tuple[str, float, str], size: float = 10.0) -> bytes:
    """A page of headings, each of a size, with a paragraph below it."""
    runs, y = [], 780.0
    for heading, height, text in sections:
        runs.append(Text(72, y, heading, height))
        runs += (below := column([text], 72, y - 30, 440, size, indent=0))
        y = below[-1].y - 40
    return pdf([Sheet(runs)])


def test_lines_in_larger_print_are_the_headings_of_a_document_and_the_largest_is_its_title():
    data = headed(("Rules of the harbour", 18, prose(1)), ("Lights", 14, prose(2)), ("Fees", 14, prose(3)))
    document, chunks = taken_in(data, "rules.pdf")
    title = "Rules of the harbour"
    assert [chunk.section for chunk in chunks] == [(title,), (title, "Lights"), (title, "Fees")]
    assert [chunk.id for chunk in chunks][1:] == ["Rules_Lights_0", "Rules_Fees_0"]
    assert document.source.title == title
    assert_leads_back(data, document, chunks, 8)


def test_the_title_of_a_page_of_one_table_is_its_heading():
    cells = [[["Post"], ["Name"], ["Phone"]], *([[f"Office {n}"], ["Ann Bell"], [f"0{n}7"]] for n in range(9))]
    rows, rules = ruled(cells, 72, 720, 120)
    document, chunks = taken_in(pdf([Sheet([Text(72, 780, "Phone directory", 16), *rows], rules=rules)]), "list.pdf")
    assert {chunk.section for chunk in chunks} == {("Phone directory",)}
    assert document.source.title == "Phone directory"


@pytest.mark.parametrize(
    "data",
    [
        headed(("Lights", 10, prose(1)), ("Fees", 10, prose(2))),  # no larger than the text
        headed(("The keeper lights the lamp at sunset;", 14, prose(1)), ("and puts it out,", 14, prose(2))),
        headed(*((name, 14, "It is open.") for name in ("North", "South", "East"))),  # a poster
    ],
)
def test_print_that_may_be_no_heading_divides_nothing(data: bytes):
    assert {chunk.section for chunk in taken_in(data)[1]} == {()}


def test_a_word_cut_at_the_end_of_a_line_is_whole_again_and_a_meant_hyphen_stays():
    lines = ["The harbour master keeps the light-", "house book, and the well-known sail-", "ors may read it."]
    runs = [Text(72, 700 - 12.5 * at, line) for at, line in enumerate(lines)]
    data = pdf([Sheet([*runs, Text(72, 600, "The sailors know the lighthouse.")])])
    document, chunks = taken_in(data)
    assert "The harbour master keeps the lighthouse book, and the well-known sailors may read it." in document.text
    assert_leads_back(data, document, chunks, 5)


def test_a_paragraph_continues_over_the_page_and_says_on_which_pages_it_stands():
    long = column([prose(3, 300)], 72, 780, 440)
    half = len(long) // 2
    second = [Text(run.x, run.y + long[0].y - long[half].y, run.text) for run in long[half:]]
    data = pdf([Sheet(long[:half]), Sheet(second)])
    document, chunks = taken_in(data)
    assert "\n" not in document.text
    crossing = next(chunk for chunk in chunks if len({segment.page for segment in chunk.origin.segments}) == 2)
    located = crossing.located(Span(0, len(crossing.text)))
    assert located is not None
    assert (located.page, [further.page for further in located.onward]) == (1, [2])
    assert_leads_back(data, document, chunks, 6)


def test_notes_at_the_foot_stand_apart_and_their_numbers_leave_the_text():
    body = [
        Text(72, 700, "1. Short title.—These are the Rules of the Pier"),
        Text(72 + 230, 704, "1", 6),
        Text(72, 660, "2. Fees.—Every boat pays ten coins a day and no boat pays more than that."),
        Text(72, 620, "3. Hours.—The pier opens at dawn."),
        Text(72, 80, "1. The pier was rebuilt after the storm.", 7),
    ]
    document, chunks = taken_in(pdf([Sheet(body)]))
    assert document.text.index("Footnotes") > document.text.index("3. Hours")
    assert "Rules of the Pier1" not in document.text
    assert "rebuilt after the storm" not in next(chunk.text for chunk in chunks if chunk.labels.section == "3")
    assert [chunk.id for chunk in chunks if "rebuilt after the storm" in chunk.text] == ["Made_notes_0"]


def test_a_table_is_kept_row_by_row():
    rows = [("Boat", "Length", "Fee"), ("Gull", "12 m", "40"), ("Tern", "9 m", "30"), ("Skua", "15 m", "55")]
    runs = [Text(72 + 120 * at, 600 - 16 * n, cell) for n, row in enumerate(rows) for at, cell in enumerate(row)]
    data = pdf([Sheet([*column([prose(1)], 72, 780, 440), *runs])])
    document, chunks = taken_in(data)
    assert "Boat | Length | Fee\nGull | 12 m | 40\nTern | 9 m | 30\nSkua | 15 m | 55" in document.text
    assert_leads_back(data, document, chunks, 7)


def test_an_arrangement_of_sections_makes_no_sections():
    front = [
        "THE HARBOUR ACT, 1901",
        "ARRANGEMENT OF SECTIONS",
        "1. Short title.",
        "2. Fees.",
        "3. Hours.",
        "4. Repeal.",
    ]
    body = [
        "THE HARBOUR ACT, 1901",
        "1. Short title.—This Act may be called the Harbour Act.",
        "2. Fees.—Every boat pays ten coins.",
        "Of hours",
        "3. Hours.—The pier opens at dawn.",
        "[4. Repeal.—The old rules are repealed.]",
    ]
    sheets = [Sheet([Text(72, 780 - 30 * at, line) for at, line in enumerate(lines)]) for lines in (front, body)]
    document, chunks = taken_in(pdf(sheets))
    assert (document.labels.kind, document.labels.act) == ("act", "Harbour Act, 1901")
    assert [chunk.id for chunk in chunks] == [f"HarbourAct_{n}_0" for n in (1, 2, 3, 4)]
    assert "Of hours" not in chunks[1].text
    assert chunks[2].section[0] == "Of hours"
    assert [chunk.labels.title for chunk in chunks] == ["Short title", "Fees", "Hours", "Repeal"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (pdf([Sheet([Text(72, 700, "secret")])], password="open sesame"), "encrypted"),
        (b"%PDF-1.7\nnothing more", "broken_file"),
        (b"%PDF-", "broken_file"),
        (pdf([Sheet([Text(72, 700, "half of it")])])[:200], "broken_file"),
        (pdf([Sheet([])]), "no_text"),
    ],
)
def test_a_file_that_gives_no_text_says_why(data: bytes, reason: str):
    with pytest.raises(DocumentError) as caught:
        parse_pdf_or_scan(data, "")
    assert caught.value.reason == reason


def test_a_page_that_is_only_a_picture_is_named_and_an_empty_one_is_not():
    parsed: ParsedFile = parse_pdf_or_scan(
        pdf([Sheet([Text(72, 700, prose(1))]), Sheet([], picture=True), Sheet([])]), ""
    )
    assert parsed.pages_without_text == (2,)


@pytest.mark.parametrize(
    ("text", "is_sound"),
    [
        (prose(1), True),
        ("धारा 420. छल करना और बेईमानी से सम्पत्ति परिदत्त करने के लिए उत्प्रेरित करना", True),
        ("Les élèves français étudient à l'école où l'été fut très chaud", True),
        ("\ue012\ue034\ue055 \ue013\ue022", False),
        ("वैध अनुǒापũािशवाय वाहन चालिवणे, िवना वैध िवमा Ůमाणपũ (चालक) Without valid Insurance, 2,000", False),
        ("वैध अनुज्ञा के बिना वाहन, DL के बिना, café में 2,000", True),
        ("Èʴɪʫʃʊ Êʱʪʬ Ëʲʳɨ ˢʮʙ˓ ʎʯʁ", False),
        ("12 — 34 .", False),
        (f"{OLD_FONT} {OLD_FONT}", False),
        (f"{prose(1)} {prose(2)} {OLD_FONT}", True),
        ("ls -l ; cd src ; ls ; ls bl ; make test", True),
        ("", False),
    ],
)
def test_letters_of_the_wrong_kind_are_distinguished_from_text(text: str, is_sound: bool):
    assert text_layer_is_sound(text) is is_sound
