"""What a file is, told from its bytes."""

import pytest

from footnotary.errors import DocumentError
from footnotary.ingest.file_discovery import find_files
from footnotary.ingest.file_type import HTML, JSONL, MARKDOWN, TEXT, sniff
from footnotary.ingest.original import original_from_file
from footnotary.ingest.parser_selection import parse


@pytest.mark.parametrize(
    ("data", "name", "media_type", "encoding"),
    [
        (b"Plain words.", "a.txt", TEXT, "utf-8"),
        (b"\xef\xbb\xbfWith a mark.", "a.txt", TEXT, "utf-8"),
        ("धारा 420".encode("utf-16"), "a.txt", TEXT, "utf-16-le"),
        ("Words without a mark".encode("utf-16-be"), "a.txt", TEXT, "utf-16-be"),
        ("naïve “quotes” and £5".encode("cp1252"), "a.txt", TEXT, "cp1252"),
        (b"# Heading\n\nText", "a.md", MARKDOWN, "utf-8"),
        (b"# Heading\n\nText", "noname", MARKDOWN, "utf-8"),
        (b"# no heading in a text file", "a.txt", TEXT, "utf-8"),
        (b"<!DOCTYPE html><p>x</p>", "a.txt", HTML, "utf-8"),
        (b"<p>a</p><p>b</p>", "fragment", HTML, "utf-8"),
        (b'<h1 align="center">Port</h1>\n<p align="center">Rules</p>\n\n## Fees\n\nTen.', "a.md", MARKDOWN, "utf-8"),
        (b"<html><h1>Port</h1><p>Rules</p></html>", "a.md", HTML, "utf-8"),
        ("<html><meta charset=windows-1251><p>Статья".encode("cp1251"), "a.html", HTML, "cp1251"),
        ("<html><meta charset=iso-8859-1><p>Ages 20–30".encode("cp1252"), "a.html", HTML, "cp1252"),
        (b"<html><meta charset=latin1><p>caf\xe9 \x81", "a.html", HTML, "iso8859-1"),
        (b"<html><meta charset=rot13><p>caf\xe9, an ordinary page", "a.html", HTML, "cp1252"),
        (b'\n{"text": "x"}\n', "a.txt", JSONL, "utf-8"),
        (b"%PDF-1.7 ...", "a.txt", "application/pdf", None),
        (b"PK\x03\x04....", "a.md", "application/zip", None),
        (bytes(range(256)), "a.txt", "application/octet-stream", None),
    ],
)
def test_the_type_is_detected_from_the_bytes(data, name, media_type, encoding):
    sniffed = sniff(data, name)
    assert (sniffed.media_type, sniffed.encoding) == (media_type, encoding)


@pytest.mark.parametrize(
    "data",
    [
        "धारा 420 के अधीन दंड".encode() + b"\xe0\xa4",  # cut off within a letter
        "Статья закона о наказании".encode("cp1251"),
        "刑法第四百二十条".encode("shift-jis", "ignore"),
        b"\xff\xfea\x00b",  # a mark of UTF-16, and half a letter
    ],
)
def test_an_encoding_that_cannot_be_detected_is_an_error_that_says_what_was_seen(data):
    with pytest.raises(DocumentError) as caught:
        sniff(data, "a.txt")
    assert caught.value.reason == "wrong_encoding"
    assert "byte" in caught.value.message
    assert "UTF-8" in caught.value.hint


@pytest.mark.parametrize(
    ("stream", "reason"), [("EncryptedPackage", "encrypted"), ("WordDocument", "unsupported_type")]
)
def test_an_office_file_locked_with_a_password_is_distinguished_from_one_of_the_old_format(stream, reason):
    name = stream.encode("utf-16-le")
    entry = name.ljust(64, b"\x00") + (len(name) + 2).to_bytes(2, "little") + bytes(62)
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".ljust(512, b"\x00") + entry + "on EncryptedPackage".encode("utf-16-le")
    with pytest.raises(DocumentError) as caught:
        parse(data, sniff(data, "a.docx"))
    assert caught.value.reason == reason
    assert ("password" in caught.value.hint) == (reason == "encrypted")


def test_the_source_of_an_rtf_file_is_not_taken_for_its_text():
    with pytest.raises(DocumentError) as caught:
        parse(data := b"{\\rtf1\\ansi The fee is ten.}", sniff(data, "note.rtf"))
    assert (caught.value.reason, caught.value.hint) == ("unsupported_type", "save it as DOCX or PDF")


@pytest.mark.parametrize(
    ("data", "advice"),
    [(b"FN: Ann", "name the file itself"), (b"{\\rtf1 Ann}", "convert it"), (bytes(99), "convert it")],
)
def test_only_a_file_of_text_is_said_to_be_ingested_if_it_is_named(tmp_path, data, advice):
    (tmp_path / "ann.xyz").write_bytes(data)
    with pytest.raises(DocumentError) as caught:
        original_from_file(find_files([tmp_path])[0], 1000)
    assert caught.value.hint.startswith(advice)
