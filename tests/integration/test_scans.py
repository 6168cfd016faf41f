"""Scans, read with the real Tesseract: words, boxes that cover them, pages turned and askew, pages without text."""

import difflib
import io
import json
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.identity import Span
from footnotary.errors import DocumentError
from footnotary.ingest.ocr.parser import parse_image
from footnotary.ingest.ocr.tesseract import installed_languages
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from tests.support.documents import devanagari_font, picture, scanned_pdf

SHARED = Path(os.environ.get("FOOTNOTARY_SHARED_DATA", Path(__file__).parents[3] / "shared" / "data")) / "corpora"
SCANS = SHARED / "pdf_testset" / "scanned_synthetic"
LINES = [
    "Every shop shall close on one day of the week.",
    "The owner shall choose the day and write it down.",
    "A fine of five hundred rupees may follow.",
    "Nothing in this rule applies to a hospital.",
]
reads = pytest.mark.skipif(
    "eng" not in installed_languages() or find_spec("PIL") is None or find_spec("pypdfium2") is None,
    reason="Tesseract, Pillow or pypdfium2 is not installed",
)


HINDI = [
    "हर दुकान सप्ताह में एक दिन बंद रहेगी।",
    "मालिक वह दिन चुनेगा और उसे लिखकर रखेगा।",
    "नियम तोड़ने पर पाँच सौ रुपये का दंड होगा।",
    "यह नियम अस्पताल पर लागू नहीं होता।",
]
reads_hindi = pytest.mark.skipif(
    not {"hin", "osd"} <= installed_languages() or find_spec("PIL") is None or devanagari_font() is None,
    reason="Tesseract without Hindi, or no Devanagari font (fonts-lohit-deva) that Pillow can set",
)


def likeness(a, b):
    return difflib.SequenceMatcher(None, a.split(), b.split(), autojunk=False).ratio()


@reads
@pytest.mark.parametrize(("turn", "skew"), [(0, 0.0), (90, 0.0), (180, 0.0), (270, 0.0), (0, 1.5), (0, -1.5)])
def test_a_page_is_read_whichever_way_it_lies(turn, skew):
    parsed = parse_image(picture(LINES, turn, skew), "binary")
    assert likeness(" ".join(LINES), parsed.text) >= 0.95
    assert parsed.layout is not None
    assert parsed.layout.pages[0].rotation == turn


@reads
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_the_boxes_cover_the_words_on_the_page_as_it_is_stored(turn):
    from PIL import Image

    data = picture(LINES, turn)
    parsed = parse_image(data, "binary")
    image = Image.open(io.BytesIO(data))
    at = parsed.text.index("hundred")
    (word,) = parsed.layout.words(Span(at, at + len("hundred")))
    assert word.confidence > 0.8
    left, top, right, bottom = (
        round(value * 300 / 72)
        for value in (
            word.box.left,
            parsed.layout.pages[0].height - word.box.top,
            word.box.right,
            parsed.layout.pages[0].height - word.box.bottom,
        )
    )
    cut = image.crop((left - 20, top - 20, right + 20, bottom + 20)).rotate(-turn, expand=True)
    held = io.BytesIO()
    paper = Image.new("L", (cut.width + 400, cut.height + 400), 255)
    paper.paste(cut, (200, 200))
    paper.save(held, "PNG", dpi=(300, 300))
    assert "hundred" in parse_image(held.getvalue(), "binary").text


@reads_hindi
@pytest.mark.parametrize("turn", [0, 90])
def test_a_hindi_page_is_read_in_its_own_letters_and_its_words_have_boxes_of_one_line(turn):
    parsed = parse_image(picture(HINDI, turn, font_file=devanagari_font()), "binary")
    assert likeness(" ".join(HINDI), parsed.text) >= 0.85
    at = parsed.text.index("अस्पताल")
    (word,) = parsed.layout.words(Span(at, at + len("अस्पताल")))
    box = word.box
    across, high = (
        (box.right - box.left, box.top - box.bottom) if turn == 0 else (box.top - box.bottom, box.right - box.left)
    )
    assert 5 < high < 22, "points, of letters 11.5 points high on lines 21.6 points apart"
    assert across > high


@pytest.mark.smoke
@reads_hindi
def test_a_hindi_question_finds_a_hindi_scan(tmp_path):
    (tmp_path / "niyam.pdf").write_bytes(scanned_pdf(picture(HINDI, font_file=devanagari_font())))
    store = DictStore()
    report = Corpus(store, HashEmbedder()).ingest([tmp_path], "p")
    (entry,) = report.added
    assert not entry.pages_without_text
    assert "अस्पताल" in " ".join(chunk.text for chunk in store.chunks("p", [f"Niyam_text_{n}" for n in range(4)]))


@reads
def test_a_page_without_text_is_named_and_the_others_are_ingested(tmp_path):
    (tmp_path / "scan.pdf").write_bytes(scanned_pdf(picture(LINES[:2]), picture([]), picture(LINES[2:])))
    store = DictStore()
    report = Corpus(store, HashEmbedder()).ingest([tmp_path], "p")
    assert [(entry.document_id, entry.pages_without_text) for entry in report.added] == [("scan.pdf", (2,))]


@reads
def test_a_picture_without_text_is_an_error(tmp_path):
    (tmp_path / "blank.png").write_bytes(picture([]))
    (tmp_path / "cut.jpg").write_bytes(picture(LINES, form="JPEG")[:100])
    report = Corpus(DictStore(), HashEmbedder()).ingest([tmp_path], "p")
    assert {Path(left.path).name: left.reason for left in report.failed} == {
        "blank.png": "no_text",
        "cut.jpg": "broken_file",
    }


@pytest.mark.skipif(find_spec("PIL") is None, reason="Pillow is not installed")
def test_without_tesseract_a_scan_fails_with_what_to_install(monkeypatch):
    monkeypatch.setattr("footnotary.ingest.ocr.tesseract.installed_languages", frozenset)
    with pytest.raises(DocumentError) as raised:
        parse_image(picture(LINES), "binary")
    assert (raised.value.reason, "tesseract-ocr" in raised.value.hint) == ("ocr_missing", True)


@reads
@pytest.mark.data
@pytest.mark.skipif(
    not SCANS.is_dir() or "hin" not in installed_languages(), reason=f"no {SCANS}, or Tesseract without Hindi"
)
@pytest.mark.parametrize("name", ["ipc_scan", "cfr160_twocol_scan", "hindi_rti_cow_scan"])
def test_real_scans_are_read_as_their_pages_say(name, tmp_path):
    from collections import Counter

    from footnotary.ingest.pdf.scanned import parse_pdf_or_scan

    rows = (SCANS / f"{name}.gt.jsonl").read_text(encoding="utf-8").splitlines()
    truth = " ".join(json.loads(row)["text"] for row in rows).replace("- \n", "").replace("-\n", "")
    parsed = parse_pdf_or_scan((SCANS / f"{name}.pdf").read_bytes(), "binary")
    wanted, found = Counter(truth.split()), Counter(parsed.text.split())
    shared = sum((wanted & found).values())
    assert 2 * shared / (sum(wanted.values()) + sum(found.values())) >= 0.93, "words, as notes are read after the text"
    assert not parsed.pages_without_text
