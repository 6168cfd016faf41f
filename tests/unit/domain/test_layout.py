"""What is highlighted for a span: one box for each printed line, and no more than the words."""

import pytest

from footnotary.domain.identity import Span
from footnotary.domain.layout import Box, Page, PlacedWord, layout_of

WIDE, HIGH = 40.0, 12.0


def lines_of_words(lines, per_line, leading, fall=0.0):
    """Words in lines that each fall by `fall` points a word: a page that lies askew."""
    words = []
    for line in range(lines):
        for at in range(per_line):
            left, bottom = 50 + at * (WIDE + 4), 700 - line * leading - at * fall
            start = (line * per_line + at) * 5
            words.append(PlacedWord(Span(start, start + 4), 1, Box(left, bottom, left + WIDE, bottom + HIGH)))
    return layout_of(words, [Page(595, 842)])


@pytest.mark.parametrize("fall", [0.0, 0.5, 1.0])
def test_each_line_has_a_box_of_its_own_however_askew_the_page_lies(fall):
    layout = lines_of_words(lines=3, per_line=10, leading=13.0, fall=fall)
    boxes = [box for _, box in layout.boxes(Span(0, 3 * 10 * 5))]
    assert len(boxes) == 3
    assert all(box.top - box.bottom <= HIGH + 10 * fall for box in boxes)


def test_the_last_line_is_marked_only_as_far_as_the_words_go():
    layout = lines_of_words(lines=2, per_line=10, leading=13.0, fall=1.0)
    *_, (page, last) = layout.boxes(Span(0, 10 * 5 + 4))
    assert (page, last.left, last.right) == (1, 50.0, 50.0 + WIDE)
