"""EPUB: chapters in reading order, and the file and characters a quote leads to."""

import io
import zipfile

import pytest

from footnotary.domain.identity import Span
from footnotary.errors import DocumentError
from footnotary.ingest.file_type import EPUB, sniff
from footnotary.ingest.parse.epub import CONTAINER, parse_epub
from harness.office.books import epub
from tests.unit.ingest.reading import document_and_chunks

CHAPTERS = [
    ("two.xhtml", "<h1>The harbour</h1><p>Ships of Kochi carry pepper &amp; tea.</p>"),
    ("text/one%20a.xhtml".replace("%20", "-"), "<h1>The hill</h1><p>The fort has <b>12</b> towers.</p>"),
]


def test_chapters_are_read_in_the_order_of_the_book():
    document, chunks = document_and_chunks(epub(CHAPTERS, "Two walks", order=(1, 0)), "walks.epub")
    assert [chunk.section for chunk in chunks] == [("Two walks", "The hill"), ("Two walks", "The harbour")]
    assert document.text.split("\n\n") == [
        "The hill",
        "The fort has 12 towers.",
        "The harbour",
        "Ships of Kochi carry pepper & tea.",
    ]
    assert document.source.title == "Two walks"
    assert document.labels.language == "en"


def test_a_quote_leads_to_the_characters_of_its_chapter():
    data = epub(CHAPTERS)
    _, chunks = document_and_chunks(data, "walks.epub")
    chunk = next(chunk for chunk in chunks if "Kochi" in chunk.text)
    start = chunk.text.index("Ships of Kochi")
    place = chunk.located(Span(start, start + 14))
    assert place.place == "OEBPS/two.xhtml"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.read(place.place).decode()[place.chars.start : place.chars.end] == "Ships of Kochi"


def test_a_package_may_be_in_any_folder():
    assert "12 towers" in parse_epub(epub(CHAPTERS, folder=""), "").text


def test_an_encrypted_chapter_is_refused_and_obfuscated_fonts_are_not():
    def encrypted(name: str) -> bytes:
        held = f'<encryption><enc:CipherReference xmlns:enc="x" URI="{name}"/></encryption>'.encode()
        return epub(CHAPTERS, extra={"META-INF/encryption.xml": held})

    with pytest.raises(DocumentError) as refused:
        parse_epub(encrypted("OEBPS/two.xhtml"), "")
    assert refused.value.reason == "encrypted"
    assert "12 towers" in parse_epub(encrypted("OEBPS/font.otf"), "").text


def test_entities_are_not_expanded():
    bomb = '<!DOCTYPE html [<!ENTITY a "aaaa"><!ENTITY x SYSTEM "file:///etc/passwd">]><html><body><p>Text &a;&x; end.</p></body></html>'
    text = parse_epub(epub(CHAPTERS, extra={"OEBPS/two.xhtml": bomb.encode()}), "").text
    assert "Text &a;&x; end." in text


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        (CONTAINER, b"<container/>", "broken_file"), ("OEBPS/content.opf", b"<package/>", "broken_file"),
        ("OEBPS/two.xhtml", b"\xff\xfe\x00", "broken_file"), ("OEBPS/two.xhtml", b"a" * 20_000_000, "parse_limit"),
    ],
)  # fmt: skip
def test_a_book_that_is_broken_or_a_bomb_is_refused(name, content, reason):
    with pytest.raises(DocumentError) as refused:
        parse_epub(epub(CHAPTERS, extra={name: content}), "")
    assert refused.value.reason == reason


def test_a_book_is_recognised_by_its_bytes():
    assert sniff(epub(CHAPTERS), "x").media_type == EPUB
