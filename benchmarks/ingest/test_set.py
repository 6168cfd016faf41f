"""The files of the ingestion test set, and what is known of their text: truths, and a second reader of text layers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pypdfium2  # pyright: ignore[reportMissingTypeStubs]

from footnotary.ingest.parsed_document import ParsedFile

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))
FOLDER = DATA / "corpora" / "pdf_testset"
RESULTS = ROOT / "benchmarks" / "results" / "ingest"
BORN_DIGITAL = ("legal_born_digital/", "multicolumn/", "tables/", "math/")

_OUTERMOST = 3
_THROUGHOUT = 0.3
_NUMBER = re.compile(r"[-–— ]*(?:page )?(?:\d{1,4}|[ivxlc]{1,7})[-–— ]*(?:of \d{1,4})?", re.I)
# docling's reference files are readings of its own with several programs; where they differ, this one is right.
_SENTENCE = "Docling bundles PDF document conversion to JSON and Markdown in an easy self contained package"
_TRUTHS = {
    f"scanned_real/ocr_test{turn}.pdf": [_SENTENCE] for turn in ("", "_rotated_90", "_rotated_180", "_rotated_270")
}
_TRUTHS["scanned_real/nemotron_multipage.pdf"] = [_SENTENCE] * 4


@dataclass(frozen=True, slots=True)
class TestFile:
    """One file: its path in the set, and the true text of its pages where it is known."""

    name: str
    truth: tuple[str, ...] = ()

    @property
    def data(self) -> bytes:
        return (FOLDER / self.name).read_bytes()

    @property
    def is_born_digital(self) -> bool:
        return self.name.startswith(BORN_DIGITAL)


def test_files() -> list[TestFile]:
    """All files of the set, in the order of its index."""
    rows = [json.loads(line) for line in (FOLDER / "index.jsonl").read_text("utf-8").splitlines()]
    return [TestFile(row["file"], tuple(_truth(row["file"]))) for row in rows]


def _truth(name: str) -> list[str]:
    if name == "hindi/rti_cow_hindi_rendered.pdf":  # the same pages, rendered instead of scanned
        name = "scanned_synthetic/hindi_rti_cow_scan.pdf"
    pages = (FOLDER / name).with_suffix(".gt.jsonl")
    if pages.is_file():
        return [json.loads(line)["text"] for line in pages.read_text("utf-8").splitlines()]
    return _TRUTHS.get(name, [])


def stored_text(data: bytes) -> list[str]:
    """The text layer of each page, in the order in which the file stores it."""
    document = pypdfium2.PdfDocument(data)
    try:
        return [document[number].get_textpage().get_text_range() for number in range(len(document))]
    finally:
        document.close()


def second_reader(data: bytes, *options: str) -> list[str] | None:
    """The text of each page as poppler's `pdftotext` orders it; None where that program is not installed."""
    if shutil.which("pdftotext") is None:
        return None
    command = ["pdftotext", "-enc", "UTF-8", *options, "-", "-"]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout.decode("utf-8").split("\f")[:-1]


def without_running_lines(pages: list[str]) -> list[str]:
    """Pages less bare numbers, and lines many pages repeat, among the outermost three: the product leaves them out."""
    lines = [[line for line in page.splitlines() if line.strip()] for page in pages]
    if all(len(page) <= 2 * _OUTERMOST for page in lines):
        return pages
    keys = [Counter({_key(line) for line in (*page[:_OUTERMOST], *page[-_OUTERMOST:])}) for page in lines]
    seen = sum(keys, Counter[str]())
    often = {key for key, times in seen.items() if times >= 3 and times >= _THROUGHOUT * len(pages)}
    bare: list[str] = []
    for page in lines:
        edge = {*range(_OUTERMOST), *range(len(page) - _OUTERMOST, len(page))}
        kept = [
            line
            for at, line in enumerate(page)
            if at not in edge or not (_key(line) in often or _NUMBER.fullmatch(line.strip()))
        ]
        bare.append("\n".join(kept))
    return bare


def _key(line: str) -> str:
    return re.sub(r"\d+", "#", " ".join(line.split()))


def pages_of(parsed: ParsedFile, count: int) -> list[str]:
    """The product's text by page, through its own offsets; what it puts between cells and above notes is left out."""
    pages = [list[str]() for _ in range(count)]
    done, page = 0, 1
    for segment in parsed.offsets.segments:
        between = parsed.text[done : segment.start].replace(" | ", " ").replace("Footnotes\n", "\n")
        pages[page - 1].append(between)
        page = segment.page or page
        done = segment.start + segment.length
        pages[page - 1].append(parsed.text[segment.start : done])
    pages[page - 1].append(parsed.text[done:])
    return ["".join(parts) for parts in pages]
