"""Marks on a page that are not what they look like: shadows of letters, powers, centred lines."""

from footnotary.domain.identity import Span
from tests.unit.ingest.pdf_writer import Sheet, Text, column, pdf, width_of
from tests.unit.ingest.reading import document_and_chunks

PROSE = "The keeper lights the lamp before night and puts it out after dawn, as was said of old. "


def text_of(*runs: Text) -> str:
    return document_and_chunks(pdf([Sheet(runs)]), "page.pdf")[0].text


def raised(line: str) -> list[Text]:
    """A line with a small 2 hanging at its end."""
    return [Text(72, 500, line, 11), Text(72 + width_of(line, 11), 505, "2", 7)]


def test_letters_drawn_three_times_for_a_shadow_are_read_once():
    shadow = [Text(72 + at, 780 - at, "Activity 1.1", 14) for at in (0.0, 0.8, 1.6)]
    text = text_of(*shadow, *column([PROSE * 4], 72, 740, 440, 11))
    assert text.count("Activity") == text.count("1.1") == 1


def test_a_word_that_stands_twice_on_a_line_is_read_twice():
    assert "again and again and again" in text_of(
        *column([f"{PROSE * 2}It burns again and again and again. {PROSE}"], 72, 740, 440, 11)
    )


def test_a_power_calls_no_note():
    power = raised("What is said of the lamp is said of its side x")
    below = [Text(72, 90, "2 A lamp has four sides, and each of them is of glass.", 9)]
    text = text_of(*column([PROSE * 6], 72, 740, 440, 11), *power, *below)
    assert "Footnotes" not in text


def test_a_number_behind_a_word_calls_one():
    call = raised("So said the keeper of the old lamp at the end of the pier")
    below = [Text(72, 90, "2 He said it in the year 1961 and never again.", 9)]
    text = text_of(*column([PROSE * 6], 72, 740, 440, 11), *call, *below)
    assert text.partition("Footnotes")[2].strip() == "2 He said it in the year 1961 and never again."


def test_centred_lines_above_a_list_of_short_titles_stay_apart():
    lines = ("CHAPTER ONE", "OF LAMPS AND LIGHTS")
    centred = [Text(297 - width_of(line, 11) / 2, 780 - 20 * at, line, 11) for at, line in enumerate(lines)]
    entries = [Text(72, 730 - 18 * at, f"{at + 1}. Lamps.", 11) for at in range(6)]
    assert text_of(*centred, *entries).splitlines()[0] == "CHAPTER ONE"


def test_what_stands_in_the_margin_does_not_cut_a_sentence():
    beside = [Text(430, 740, "Of lamps.", 8), Text(430, 640, "Of oil.", 8)]
    document, chunks = document_and_chunks(
        pdf([Sheet([*column([f"1. {PROSE * 3}", f"2. {PROSE * 3}"], 72, 740, 330, 11), *beside])]), "page.pdf"
    )
    assert "lamps. The keeper" not in document.text
    assert all(PROSE.strip() in " ".join(chunk.text.split()) for chunk in chunks)
    note = document.text.index("Of oil.")
    assert document.offsets.locate(document.text, Span(note, note + 7)) is not None


def test_titles_and_sentences_that_differ_in_their_figures_are_no_running_heads():
    def sheet(at: int) -> Sheet:
        head = [Text(72, 800, f"Harbour Handbook 2026, part {1 + at // 4}", 9), Text(72, 770, f"Room {101 + at}", 16)]
        fee = [Text(72, 750, f"Room {101 + at} costs {250 + 7 * at} coins a day.", 11)]
        foot = [Text(290, 40, str(at + 1), 9)]
        return Sheet([*head, *fee, *column([PROSE * (2 + at % 3)], 72, 720, 440, 11), *foot])

    text = " ".join(document_and_chunks(pdf([sheet(at) for at in range(8)]), "page.pdf")[0].text.split())
    assert "Handbook" not in text
    for at in range(8):
        assert f"Room {101 + at} Room {101 + at} costs {250 + 7 * at} coins a day." in text
