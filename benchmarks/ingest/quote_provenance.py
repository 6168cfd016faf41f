"""Whether quotes lead back: to the very characters of a page's text, and to boxes that hold those words."""

from __future__ import annotations

import ctypes
import random
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
from PIL import Image

from benchmarks.ingest.text_similarity import plain, similarity
from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document
from footnotary.domain.identity import Span
from footnotary.domain.layout import Box, Page

QUOTES = 5
REREAD = 6
LIKE = 0.8
DPI = 300


@dataclass(slots=True)
class Tally:
    """How many there were and how many held, by what was looked at; `wrong` shows some that did not."""

    seen: Counter[str] = field(default_factory=Counter[str])
    held: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])

    def note(self, what: str, is_held: bool, about: str = "") -> None:
        self.seen[what] += 1
        self.held[what] += is_held
        if not is_held and len(self.wrong) < 20:
            self.wrong.append(f"{what}: {about[:100]}")


def follow(name: str, data: bytes, document: Document, chunks: tuple[Chunk, ...]) -> Tally:
    """Every chunk and some quotes of each, random but the same each time."""
    chosen, tally = random.Random(name), Tally()
    assert document.layout is not None
    pdf = pypdfium2.PdfDocument(data) if data.startswith(b"%PDF") else None
    layers: dict[int, Any] = {}
    scanned: list[Span] = []
    for chunk in chunks:
        tally.note("chunks", chunk.span.of(document.text) == chunk.text, chunk.id)
        spans = [Span(0, len(chunk.text))]
        for _ in range(QUOTES):
            start = chosen.randrange(len(chunk.text))
            spans.append(Span(start, min(start + chosen.randrange(1, 200), len(chunk.text))))
        for span in spans:
            whole = span.shifted(chunk.span.start)
            if any(word.confidence is not None for word in document.layout.words(whole)):
                tally.note("quotes of scans", _is_boxed(document, whole), whole.of(document.text))
                scanned.append(whole)
            elif pdf:
                _characters(pdf, layers, document, chunk, span, tally)
    for whole in chosen.sample(scanned, min(REREAD, len(scanned))):
        start = document.text.rfind(" ", 0, whole.start + 1) + 1
        words = list(document.layout.words(Span(start, min(start + 60, len(document.text)))))
        if words:
            span = Span(words[0].span.start, words[-1].span.end)
            tally.note("quotes of scans read again", *_reread(data, pdf, document, span))
    return tally


def _characters(pdf: Any, layers: dict[int, Any], document: Document, chunk: Chunk, span: Span, tally: Tally) -> None:
    """Whether each run of a quote is what the page's text layer has at its place, within the boxes of the quote."""
    raw: Any = pypdfium2.raw
    quote = span.of(chunk.text)
    assert document.layout is not None
    places = document.layout.boxes(span.shifted(chunk.span.start))
    same = boxed = True
    for segment in chunk.origin.cut(chunk.text, span).segments:
        number = segment.page or 0
        if number not in layers:
            layers[number] = pdf[number - 1].get_textpage()
        layer = layers[number]
        for at in range(segment.length):
            char = quote[segment.start + at]
            same &= raw.FPDFText_GetUnicode(layer, segment.char + at) == ord(char)
            if not char.isspace():
                boxed &= _is_within(_box(raw, layer, segment.char + at), [b for page, b in places if page == number])
    located = sum(segment.length for segment in chunk.origin.cut(chunk.text, span).segments)
    bare = sum(not char.isspace() and char != "|" for char in quote)
    tally.note("quotes", same and located >= 0.9 * bare, quote)
    tally.note("boxes of quotes", boxed, quote)


def _box(raw: Any, layer: Any, at: int) -> Box | None:
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    if not raw.FPDFText_GetCharBox(layer, at, *(ctypes.byref(edge) for edge in (left, right, bottom, top))):
        return None
    box = Box(left.value, bottom.value, right.value, top.value)
    return box if box.left < box.right and box.bottom < box.top else None


def _is_within(box: Box | None, places: list[Box]) -> bool:
    if box is None:
        return True
    x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
    return any(p.left - 0.5 <= x <= p.right + 0.5 and p.bottom - 0.5 <= y <= p.top + 0.5 for p in places)


def _is_boxed(document: Document, span: Span) -> bool:
    """Whether every letter of a quote belongs to a word that has a box on its page."""
    assert document.layout is not None
    covered = set[int]()
    for word in document.layout.words(span):
        page = document.layout.pages[word.page - 1]
        if (
            0 <= word.box.left < word.box.right <= page.width + 1
            and 0 <= word.box.bottom < word.box.top <= page.height + 1
        ):
            covered.update(range(word.span.start, word.span.end))
    text = document.text
    return all(
        at in covered for at in range(span.start, span.end) if text[at].isalnum() and text[at] not in "⁰¹²³⁴⁵⁶⁷⁸⁹"
    )


def _reread(data: bytes, pdf: Any, document: Document, span: Span) -> tuple[bool, str]:
    """Whether Tesseract reads the quote again from nothing but what boxes cut out of the page.

    The boxes are those of its words, next to each other, or, as letters touch their surroundings on small scans,
    those of its lines.
    """
    assert document.layout is not None
    quote, again = plain(span.of(document.text)).replace(" | ", " "), ""
    words = [(word.page, word.box) for word in document.layout.words(span)]
    for rows in ([words], [[line] for line in document.layout.boxes(span)]):
        again = plain(" ".join(_seen(data, pdf, document, row) for row in rows))
        if similarity(quote, again) >= LIKE:
            return True, ""
    return False, f"{quote!r} was read as {again!r}"


def _seen(data: bytes, pdf: Any, document: Document, places: list[tuple[int, Box]]) -> str:
    """What Tesseract sees in these boxes, set side by side on white paper."""
    assert document.layout is not None
    pages = document.layout.pages
    pictures = {number: _picture(data, pdf, number, pages[number - 1]) for number in {number for number, _ in places}}
    cuts = [_cut(pictures[number], pages[number - 1], box) for number, box in places]
    line = Image.new("L", (sum(cut.width + 24 for cut in cuts) + 80, max(cut.height for cut in cuts) + 80), 255)
    x = 40
    for cut in cuts:
        line.paste(cut, (x, line.height - 40 - cut.height))
        x += cut.width + 24
    held = BytesIO()
    line.save(held, "PNG", dpi=(DPI, DPI))
    command = ["tesseract", "stdin", "stdout", "-l", "eng+hin", "--psm", "7"]
    return subprocess.run(command, input=held.getvalue(), capture_output=True, check=True).stdout.decode("utf-8")


def _picture(data: bytes, pdf: Any, number: int, page: Page) -> Image.Image:
    """The page as it is stored, before it is turned."""
    if pdf:
        shown = pdf[number - 1]
        turned = shown.get_rotation()
        return shown.render(scale=DPI / 72, grayscale=True).to_pil().rotate(turned, expand=True)
    image = Image.open(BytesIO(data)).convert("L")
    return image.resize((round(page.width * DPI / 72), round(page.height * DPI / 72)))


def _cut(picture: Image.Image, page: Page, box: Box) -> Image.Image:
    """What a box holds, turned to be read."""
    scale = DPI / 72
    left, right = box.left * scale - 3, box.right * scale + 3
    top, bottom = picture.height - box.top * scale - 3, picture.height - box.bottom * scale + 3
    return picture.crop((round(left), round(top), round(right), round(bottom))).rotate(-page.rotation, expand=True)
