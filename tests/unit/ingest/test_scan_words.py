"""Words seen on scans, without the program that sees them: boxes, tables, and what a text layer knows better."""

import numpy as np
import pytest

from footnotary.domain.layout import Box, Page
from footnotary.ingest.ocr import parser
from footnotary.ingest.ocr.parser import recognize_page
from footnotary.ingest.ocr.table_line_removal import erase_table_rules
from footnotary.ingest.ocr.tesseract import OcrWord
from footnotary.ingest.ocr.text_layer_repair import correct_with_text_layer
from footnotary.ingest.ocr.word_placement import ScannedPage
from footnotary.ingest.page_layout.words import ExtractedPage, PageWord

DPI = 300


def seen(text: str, left: int, top: int, height: int = 40, confidence: float = 0.95, line: int = 1) -> OcrWord:
    return OcrWord(text, left, top, 20 * len(text), height, confidence, (1, 1, line))


def stored(text: str, left: int, top: int, char: int, page_height: int = 1000) -> PageWord:
    points = 72 / DPI
    box = Box(
        left * points, (page_height - top - 40) * points, (left + 20 * len(text)) * points, (page_height - top) * points
    )
    return PageWord(text, char, box, box, 40 * points)


@pytest.fixture
def page(monkeypatch):
    """A page on which Tesseract sees these words."""

    def read(*words: OcrWord) -> ExtractedPage:
        monkeypatch.setattr(parser, "recognize_words", lambda *_, **__: words)
        monkeypatch.setattr(parser, "detect_orientation", lambda *_: None)
        return recognize_page(ScannedPage(np.full((1000, 1000), 255, np.uint8), Page(240, 240)), "eng")

    return read


def test_a_box_around_more_than_its_line_is_cut_to_the_line(page):
    read = page(seen("The", 100, 500), seen("tall", 200, 430, 180, 0.5), seen("boat", 320, 500))
    heights = {round(word.box.top - word.box.bottom, 1) for word in read.words}
    assert heights == {9.6}
    assert len({round(word.box.bottom, 1) for word in read.words}) == 1


def test_a_line_without_tails_is_of_the_same_print_as_the_others(page):
    words = [seen("trees", 100, 500, 32), seen("play", 300, 500, 40), seen("stand", 100, 560, 33, line=2)]
    assert len({round(word.size, 1) for word in page(*words).words}) == 1


def test_a_page_of_which_most_is_guessed_has_no_words(page):
    assert not page(seen("ffby", 100, 500, confidence=0.2), seen("SteMeer", 300, 500, confidence=0.3)).words
    assert page(seen("Gull", 100, 500, confidence=0.6), seen("Tern", 300, 500, confidence=0.5)).words


def grid(left: int, top: int, cell: tuple[int, int], columns: int, rows: int) -> np.ndarray:
    grey = np.full((1400, 1800), 255, np.uint8)
    right, bottom = left + cell[0] * columns, top + cell[1] * rows
    for row in range(rows + 1):
        grey[top + cell[1] * row : top + cell[1] * row + 4, left : right + 4] = 0
    for column in range(columns + 1):
        grey[top : bottom + 4, left + cell[0] * column : left + cell[0] * column + 4] = 0
    return grey


def test_the_lines_of_a_table_are_wiped_out_and_kept_as_places():
    grey = grid(200, 300, (300, 120), 4, 5)
    grey[350:380, 250:400] = 0  # a word in a cell
    bare, rules = erase_table_rules(grey, DPI)
    assert (bare < 128).sum() == 30 * 150
    upright = [rule for rule in rules if rule.top - rule.bottom > rule.right - rule.left]
    assert (len(rules) - len(upright), len(upright)) == (6, 5)
    assert upright[0].bottom == pytest.approx((1400 - 904) * 72 / DPI, abs=1)


def test_head_lines_of_words_and_single_rules_stay():
    grey = np.full((1400, 1800), 255, np.uint8)
    for row in range(6):
        grey[200 + 90 * row : 206 + 90 * row, 150:1650] = 0
    bare, rules = erase_table_rules(grey, DPI)
    assert rules == ()
    assert (bare == grey).all()


ROW = ["Sec", "146/196", "MVA", "Without", "valid", "Insurance", "(Driver)", "2,000", "4,000", "Same"]


def rows_of_words(texts: list[str]) -> list[tuple[str, int, int]]:
    return [(text, 100 + 220 * (at % 4), 100 + 80 * (at // 4)) for at, text in enumerate(texts)]


def test_plain_words_are_taken_from_a_layer_that_agrees_with_what_is_seen():
    read = [text.replace("Sec", "5९८०").replace("2,000", "2.00O") for text in ROW]
    words = [seen(text, x, y) for text, x, y in rows_of_words([*read, "विना"])]
    layer = [stored(text, x, y, 10 * at) for at, (text, x, y) in enumerate(rows_of_words([*ROW, "िवना"]))]
    assert [word.text for word in correct_with_text_layer(words, layer, 1000, DPI)] == [*ROW, "विना"]


def test_a_layer_that_says_something_else_is_not_believed():
    words = [seen(text, x, y) for text, x, y in rows_of_words(["नियम"] * 12)]
    layer = [stored("fu;e", x, y, 10 * at) for at, (_, x, y) in enumerate(rows_of_words(["fu;e"] * 12))]
    assert [word.text for word in correct_with_text_layer(words, layer, 1000, DPI)] == ["नियम"] * 12
