"""Exports of a conversation: what documents and people wrote stays text, in every format."""

import io
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.draft import Claim
from footnotary.domain.identity import Span
from footnotary.domain.outcome import Answer, Citation
from footnotary.domain.verdict import Verdict
from footnotary.render.export.conversation import (
    ExportedConversation,
    ExportedNote,
    ExportedSentence,
    ExportedTurn,
    RecordedTurn,
    exported_conversation,
)
from footnotary.render.export.markdown import markdown
from footnotary.render.export.web_page import html
from footnotary.render.export.word import word
from footnotary.testing.builders import chunk_of, evidence_of

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
HOSTILE = [
    "<script>alert(1)</script>",
    "![x](http://evil.example/x.png)",
    "[x](javascript:alert(1))",
    "# heading\n- item\n1. one\n> quote",
    "</w:t><w:br/>",
    "&lt;b&gt; *bold* _it_ `code` $x$",
    "\x00\x0b\ufffe control",
]


def talk(text: str) -> ExportedConversation:
    note = ExportedNote(1, text, text, text, text, False)
    turn = ExportedTurn(text, text, "en", (ExportedSentence(text, (note,)),), None, text, ((text, text),), text)
    refused = ExportedTurn(text, None, "en", (), text, None, (), text)
    return ExportedConversation(text, (turn, refused))


def opened(conversation: ExportedConversation) -> dict[str, ElementTree.Element]:
    with zipfile.ZipFile(io.BytesIO(word(conversation))) as archive:
        return {name: ElementTree.fromstring(archive.read(name)) for name in archive.namelist()}


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_document_says_is_no_markup_in_a_markdown_export(text):
    parser = pytest.importorskip("markdown_it").MarkdownIt("commonmark")
    shown = parser.render(markdown(talk(text)))
    for tag in ("<script", "<img", "<a ", "<ul", "<ol", "<code", "<em>bold", "<strong"):
        assert tag not in shown


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_document_says_is_no_markup_in_an_html_export(text):
    shown = html(talk(text))
    for tag in ("<script", "<img", "<b>", "<w:br"):
        assert tag not in shown
    assert "default-src 'none'" in shown


@given(st.text(min_size=1, max_size=80))
def test_a_word_export_is_xml_whatever_is_in_it_and_keeps_the_words(text):
    parts = opened(talk(text))
    printable = "".join(text.split())
    said = "".join("".join(parts["word/document.xml"].itertext()).split())
    if text.isprintable():  # what XML cannot hold is replaced, and some of it counts as a blank
        assert printable in said


def test_a_word_export_refers_to_each_footnote_by_the_id_it_has():
    parts = opened(talk("Up to seven years."))
    referred = {found.get(f"{W}id") for found in parts["word/document.xml"].iter(f"{W}footnoteReference")}
    written = {note.get(f"{W}id") for note in parts["word/footnotes.xml"] if note.get(f"{W}type") is None}
    assert referred == written == {"2"}
    styled = {style.get(f"{W}styleId") for style in parts["word/styles.xml"]}
    used = {
        p.get(f"{W}val") for name in ("document", "footnotes") for p in parts[f"word/{name}.xml"].iter(f"{W}pStyle")
    }
    assert used <= styled


def test_the_same_conversation_gives_the_same_file():
    assert word(talk("Up to seven years.")) == word(talk("Up to seven years."))


def recorded(document: str, handbook: str, heading: str = "Notice") -> RecordedTurn:
    """A turn whose answer cites page 2 of a document."""
    plain = {"kind": "text", "code": None, "act": None, "section": None, "title": heading}
    text = f"The {heading.lower()} is given a month ahead."
    chunk = replace(
        chunk_of(f"{document}_1_0", text, **plain), document_id=f"{document}.md", section=(handbook, heading)
    )
    evidence = evidence_of("What notice is given?", chunk)
    cited = Citation(
        chunk.id, 0, chunk.text, Span(0, 5), None, Span(0, 5), 2, chunk.document_id, "0" * 64, "x", 0.9,
        chunk.labels, None,
    )  # fmt: skip
    passed = (Verdict.passed("all"),)
    answer = Answer(evidence.query, (Claim(text, (chunk.id,)),), (cited,), evidence, passed, 0.9, "test", "t", "d")
    return RecordedTurn("ans_a", datetime(2026, 1, 2, tzinfo=UTC), None, answer)


def written(conversation: ExportedConversation) -> tuple[str, str, str]:
    footnotes = "".join(opened(conversation)["word/footnotes.xml"].itertext())
    return markdown(conversation).replace("\\", ""), html(conversation), footnotes


def test_a_footnote_named_the_section_and_not_the_document():
    talk = exported_conversation("p", [recorded("lease", "Flat Lease"), recorded("club", "Club Handbook")])
    for text in written(talk):
        assert "Flat Lease, Notice, page 2 [lease_1_0]" in text
        assert "Club Handbook, Notice, page 2 [club_1_0]" in text


def test_documents_of_one_title_are_told_apart_over_all_turns():
    talk = exported_conversation("p", [recorded("north", "Flat Lease"), recorded("south", "Flat Lease")])
    for text in written(talk):
        assert "Flat Lease, Notice, page 2, north.md [north_1_0]" in text
        assert "Flat Lease, Notice, page 2, south.md [south_1_0]" in text
