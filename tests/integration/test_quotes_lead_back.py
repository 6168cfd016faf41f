"""FAULTS D8: every citation's quote is found again at its offsets in the stored original, in every format that is read.

The places are looked up with nothing of the product: bytes of a file, of a member of an archive, of the XML in a DOCX, and
characters of a page as pdfium counts them.
"""

import html
import io
import json
import os
import re
import zipfile
from pathlib import Path

import pypdfium2
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from footnotary.corpus import Corpus
from footnotary.domain.identity import Span, sha256_hex
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.profiles.load import load_profile
from footnotary.render.outcome_record import location_record, outcome_record
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.verify.run import checks_for
from tests.support import documents
from tests.unit.ingest import pdf_writer

EXAMPLES = int(os.environ.get("FOOTNOTARY_D8_EXAMPLES", "6"))

THINGS = "lantern ladder basket mirror anchor kettle hammer carpet saddle bucket trumpet blanket".split()
PLACES = "Delhi Surat Kochi Patna Jaipur Indore Nagpur Mysuru".split()
# What stands around a sentence, and makes its place in the file another than its place in the text.
AROUND = (
    "Rates & fees <of> the “market” are “fixed”.", "See also 10² metres — naïve é.", "It’s 5 < 6 & 7 > 6.", "Soft\u00adhyphen here.",
    "Two  blanks   and\ttabs.", "Zero\u200bwidth.", "A plain sentence.",
)  # fmt: skip
HINDI = ("धारा 5 लागू होगी।", "राज्य सरकार नियम बनाएगी।", "क्\u200dष और ज्ञ।")

FORMATS = ("txt", "md", "html", "docx", "jsonl", "zip", "pdf")

facts = st.lists(
    st.tuples(st.sampled_from(THINGS), st.sampled_from(PLACES), st.integers(2, 9999)), min_size=2, max_size=5, unique_by=lambda fact: fact[:2]
)  # fmt: skip
before = st.lists(st.sampled_from(AROUND), max_size=3)
hindi = st.lists(st.sampled_from(HINDI), max_size=2)
newlines = st.sampled_from(["\n", "\r\n"])

# An example is a file taken in, and costs as much when it is shrunk: what failed is told as it is.
QUIET = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
)


def fact_of(thing: str, place: str, price: int) -> str:
    return f"The {thing} of {place} costs {price} rupees."


def question_of(thing: str, place: str) -> str:
    return f"What does the {thing} of {place} cost?"


def written(form: str, paragraphs: list[str], newline: str) -> bytes:
    """These paragraphs as a file of the form."""
    if form == "pdf":
        plain = [paragraph.encode("cp1252", "ignore").decode("cp1252") for paragraph in paragraphs]
        half = max(len(plain) // 2, 1)
        return pdf_writer.pdf(
            [pdf_writer.Sheet(pdf_writer.column(part, 60, 760, 460)) for part in (plain[:half], plain[half:]) if part]
        )
    if form == "docx":
        return documents.docx(
            documents.paragraph("Market", "Heading1"), *(documents.paragraph(paragraph) for paragraph in paragraphs)
        )
    if form == "jsonl":
        rows = ({"id": f"R_{n}_0", "title": f"Row {n}", "text": text} for n, text in enumerate(paragraphs))
        # A letter that is written as an escape has no place of its own; tests/properties holds what becomes of those.
        return newline.join(json.dumps(row, ensure_ascii=False) for row in rows).encode()
    if form == "html":
        body = "".join(f"<p>{html.escape(text)} <b>bold</b></p><!-- x -->{newline}" for text in paragraphs)
        return f"<!doctype html><html><head><title>M</title></head><body><nav>skip</nav>{body}</body></html>".encode()
    if form == "md":
        return newline.join(["# Market", "", *(f"{text} **bold**.{newline}" for text in paragraphs)]).encode()
    text = (newline * 2).join(paragraphs).encode()
    return documents.zipped({"inner/market.txt": text, "other.txt": b"Nothing."}) if form == "zip" else text


def at(form: str, data: bytes, span: dict) -> str:
    """What stands at a place of the original, read by means of our own."""
    if form == "pdf":
        parts = [span, *span.get("onward", ())]
        document = pypdfium2.PdfDocument(data)
        try:
            return " ".join(_on_page(document[part["page"] - 1], part["characters"]) for part in parts)
        finally:
            document.close()
    if form == "docx":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = archive.read("word/document.xml")
    if form == "zip":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = archive.read("inner/market.txt")
    there = data[span["bytes"]["start"] : span["bytes"]["end"]].decode()
    assert there == data.decode()[span["characters"]["start"] : span["characters"]["end"]]
    return there


def _on_page(page, characters: dict) -> str:
    layer = page.get_textpage()
    return layer.get_text_range(characters["start"], characters["end"] - characters["start"])


def letters(form: str, text: str) -> str:
    """The letters and figures, without markup: all that a quote and its original must share."""
    if form in ("html", "docx"):
        text = html.unescape(re.sub(r"<[^<>]*>", "", text))
    if form == "jsonl":
        text = json.loads(f'"{text}"')
    text = text.replace("<of>", "")  # a tag to Markdown, and words elsewhere
    return "".join(re.findall(r"\w+", text.replace("\u200b", "").replace("\u00ad", "").replace("\ufffe", "")))


class Library:
    """A real store, files on the disk, and the engine that answers from them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.profile = folder, load_profile("default")
        embedder = HashEmbedder()
        self.store = EmbeddedStore(folder / "store", embedder.name, embedder.dimensions)
        self.corpus = Corpus(self.store, embedder)
        self.engine = Engine(
            self.store, embedder, ExtractiveGenerator(self.profile), self.profile, checks_for(self.profile)
        )
        self.count = 0

    def put(self, form: str, data: bytes) -> tuple[str, Path]:
        self.count += 1
        path = self.folder / f"file{self.count}.{form}"
        path.write_bytes(data)
        project = f"p{self.count}"
        report = self.corpus.ingest([path], project)
        assert not report.failed, report.failed
        return project, path


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("library"))
    yield library
    library.store.close()


@pytest.mark.parametrize("form", FORMATS)
@QUIET
@given(known=facts, more=before, other=hindi, newline=newlines, data=st.data())
def test_d8_every_quote_stands_in_the_stored_original_where_its_citation_says(
    library, form, known, more, other, newline, data
):
    paragraphs = [" ".join((*more, fact_of(*fact), *more[::-1])) for fact in known] + list(other)
    original = written(form, paragraphs, newline)
    project, path = library.put(form, original)
    thing, place, price = data.draw(st.sampled_from(known))
    outcome = library.engine.ask(question_of(thing, place), Scope(project))
    assert isinstance(outcome, Answer), outcome.verdicts
    record = outcome_record(outcome, "number")
    assert str(price) in record["answer"]
    kept = path.read_bytes()
    for cited in record["citation_details"]:
        if form != "zip":
            assert cited["document_sha256"] == sha256_hex(kept)
        assert cited["source_span"], cited
        there = at(form, kept, cited["source_span"])
        assert letters(form, there) == letters("txt", cited["quote"]), (there, cited["quote"])
    # Not only what was asked about: every passage, and any stretch of words in it.
    ids = [i for d in library.store.documents(project) for i in library.store.passage_ids(project, d.id)]
    for chunk in library.store.chunks(project, ids):
        # The title of a row stands in a field of its own.
        text_from = chunk.text.find("\n") + 1 if form == "jsonl" else 0
        words = [
            found.span() for found in re.finditer(r"[^\W_]+(?:[’'][^\W_]+)*", chunk.text) if found.start() >= text_from
        ]
        one, two = sorted((data.draw(st.integers(0, len(words) - 1)), data.draw(st.integers(0, len(words) - 1))))
        assert_leads_back(form, kept, chunk, words[one][0], words[two][1])


def assert_leads_back(form: str, kept: bytes, chunk, start: int, end: int) -> None:
    if form == "zip" and chunk.text == "Nothing.":
        return
    place = chunk.located(Span(start, end))
    assert place is not None
    there = at(form, kept, location_record(place))
    assert letters(form, there) == letters("txt", chunk.text[start:end]), (there, chunk.text[start:end])


def test_d8_a_shifted_place_would_be_seen():
    data = fact_of("lantern", "Delhi", 5).encode()
    span = {"characters": {"start": 1, "end": 12}, "bytes": {"start": 1, "end": 12}}
    assert letters("txt", at("txt", data, span)) != letters("txt", "The lantern")
