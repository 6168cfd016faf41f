"""E-mail: what is read of a message, where a quote leads, and its attachments as documents of their own."""

from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.identity import Span, sha256_hex
from footnotary.errors import DocumentError
from footnotary.ingest.file_type import EML, MSG, sniff
from footnotary.ingest.original import read_original
from footnotary.ingest.parse.mail.eml import eml_attachments, parse_eml
from footnotary.ingest.parse.mail.oxmsg_message import parse_msg
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from harness.office.outlook import OutlookMessage, msg
from tests.support.documents import zipped
from tests.unit.ingest.reading import document_and_chunks


def message(text="The budget is 5000 rupees.\n", html=None, subject="Budget für 2027", **headers) -> EmailMessage:
    made = EmailMessage()
    for name, value in {
        "From": "Ann Rao <ann@example.org>",
        "To": "bob@example.org",
        "Date": "Fri, 1 May 2026 09:30:00 +0000",
        **headers,
    }.items():
        made[name] = value
    made["Subject"] = subject
    if text is not None:
        made.set_content(text)
    if html is not None:
        made.add_alternative(html, subtype="html") if text is not None else made.set_content(html, subtype="html")
    return made


def with_files(*files: tuple[str, bytes]) -> EmailMessage:
    made = message()
    for name, data in files:
        made.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return made


def test_a_message_is_read_with_its_subject_sender_recipients_and_date():
    document, (chunk,) = document_and_chunks(message(Cc="cy@example.org").as_bytes(), "m.eml")
    assert document.source.title == "Budget für 2027"
    assert chunk.section == ("Budget für 2027",)
    assert chunk.text.split("\n") == [
        "Budget für 2027", "From: Ann Rao <ann@example.org>", "To: bob@example.org", "Cc: cy@example.org",
        "Date: Fri, 01 May 2026 09:30:00 +0000", "", "The budget is 5000 rupees.",
    ]  # fmt: skip


@pytest.mark.parametrize("encoding", ["7bit", "quoted-printable", "base64"])
def test_a_quote_leads_to_the_header_or_to_the_characters_of_the_decoded_body(encoding):
    made = message(None)
    made.set_content("Hello,\n\nThe budget is 5000 rupees.\n", cte=encoding)
    _, (chunk,) = document_and_chunks(made.as_bytes(), "m.eml")
    start = chunk.text.index("5000")
    place = chunk.located(Span(start, start + 4))
    assert place.place == "body"
    assert made.get_content()[place.chars.start : place.chars.end] == "5000"
    start = chunk.text.index("ann@")
    assert chunk.located(Span(start, start + 4)).place == "header From"


def test_plain_text_is_preferred_and_html_is_read_where_it_is_all_there_is():
    html = "<p>The <b>budget</b> is 7000.</p><h2>More</h2><p style='display:none'>hidden words</p><p>End.</p>"
    assert "7000" not in parse_eml(message(html=html).as_bytes(), "").text
    assert "The budget is 7000." in parse_eml(message(None, html).as_bytes(), "").text


def test_an_unknown_encoding_or_a_senseless_header_does_not_lose_the_text():
    data = (
        message().as_bytes().replace(b'charset="utf-8"', b'charset="x-unknown"').replace(b"To: bob", b"To: <<@@>>, bob")
    )
    assert "The budget is 5000 rupees." in parse_eml(data, "").text


def test_attachments_have_safe_names_and_pictures_of_the_body_are_none():
    made = with_files(("../../etc/rates.csv", b"a"), ("RATES.csv", b"b"), ("", b"c"))
    made.add_attachment(
        b"\x89PNG", maintype="image", subtype="png", cid="<logo>", disposition="inline", filename="logo.png"
    )
    assert [(held.name, held.data) for held in eml_attachments(made.as_bytes())] == [
        ("rates.csv", b"a"), ("RATES (2).csv", b"b"), ("attachment 3", b"c"),
    ]  # fmt: skip


def test_an_outlook_message_is_read_like_any_other():
    sent = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
    data = msg(OutlookMessage("Budget", body="It is 5000.\r\n", sent=sent, attachments=[("a.csv", b"A,B\n1,2\n")]))
    assert sniff(data, "x.bin").media_type == MSG
    parsed = parse_msg(data, "")
    assert parsed.text.split("\n") == [
        "Budget", 'From: "Ann Rao" <ann@example.org>', "To: Bob Das <bob@example.org>", "Date: 2026-05-01 09:30 UTC", "", "It is 5000.",
    ]  # fmt: skip
    assert [(held.name, held.data) for held in parsed.attachments] == [("a.csv", b"A,B\n1,2\n")]
    assert "It is 7000." in parse_msg(msg(OutlookMessage("Budget", html="<p>It is 7000.</p>")), "").text


def test_a_message_is_recognised_by_its_headers_or_its_name():
    assert sniff(b"Received: by x\r\nFrom: a@b\r\nMessage-ID: <1>\r\n\r\nHi\r\n", "download").media_type == EML
    assert sniff(b"From: a@b\r\nTo: c@d\r\n\r\nHi\r\n", "x.eml").media_type == EML
    assert sniff(b"From: Delhi\nTo: Agra\n\nThe train leaves at 9.\n", "x.txt").media_type == "text/plain"
    assert sniff(b"TITLE: Lease\nDATE: 2022\n\nText.\n", "x.txt").media_type == "text/plain"


@pytest.mark.parametrize(
    ("data", "parse"),
    [(b"Subject: x\n\nno sender\n", parse_eml), (msg(OutlookMessage("Budget", body="x"))[:1000], parse_msg)],
)
def test_what_is_no_message_is_refused(data, parse):
    with pytest.raises(DocumentError) as refused:
        parse(data, "")
    assert refused.value.reason == "broken_file"


class TestIngest:
    def ingested(self, path: Path):
        corpus = Corpus(DictStore(), HashEmbedder())
        report = corpus.ingest([path], "p")
        return corpus, report

    def test_attachments_are_documents_of_their_own(self, tmp_path):
        path = tmp_path / "mail.eml"
        path.write_bytes(
            with_files(
                ("rates.csv", b"Item,Price\nLamp,12\n"), ("setup.exe", b"MZ\x00"), ("bad.xlsx", b"PK\x03\x04")
            ).as_bytes()
        )
        corpus, report = self.ingested(path)
        assert [entry.document_id for entry in report.added] == ["mail.eml", "mail.eml/rates.csv"]
        assert [Path(entry.path).name for entry in report.skipped] == ["setup.exe"]
        assert [Path(entry.path).name for entry in report.failed] == ["bad.xlsx"]
        held = next(d for d in corpus.documents("p") if d.id.endswith("rates.csv"))
        assert read_original(held.path, held.sha256, 10_000) == b"Item,Price\nLamp,12\n"
        assert [entry.document_id for entry in corpus.ingest([path], "p").unchanged] == [
            "mail.eml",
            "mail.eml/rates.csv",
        ]

    def test_a_message_in_an_archive_and_a_forwarded_one_bring_their_attachments(self, tmp_path):
        inner, outer = with_files(("notes.txt", b"The gate opens at nine.")), message()
        inner.replace_header("Subject", "Inner")
        outer.add_attachment(inner)
        path = tmp_path / "mails.zip"
        path.write_bytes(zipped({"2026/outer.eml": outer.as_bytes()}))
        corpus, report = self.ingested(path)
        ids = [entry.document_id for entry in report.added]
        assert ids == [
            "mails.zip/2026/outer.eml", "mails.zip/2026/outer.eml/Inner.eml", "mails.zip/2026/outer.eml/Inner.eml/notes.txt",
        ]  # fmt: skip
        held = next(d for d in corpus.documents("p") if d.id.endswith("notes.txt"))
        assert sha256_hex(read_original(held.path, held.sha256, 10_000)) == held.sha256

    def test_an_archive_attached_to_a_message_is_reported(self, tmp_path):
        path = tmp_path / "mail.eml"
        path.write_bytes(with_files(("all.zip", zipped({"a.txt": b"Hello."}))).as_bytes())
        assert [entry.reason for entry in self.ingested(path)[1].failed] == ["nested_archive"]
