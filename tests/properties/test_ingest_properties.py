"""What holds of every file, whatever stands in it: offsets lead back, chunks cover, ids are unique and stay."""

import html
import json
import re

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document, Source
from footnotary.domain.identity import Span, is_semantic_id
from footnotary.errors import DocumentError
from footnotary.ingest.chunking.chunk_builder import build_chunks
from footnotary.ingest.file_type import sniff
from footnotary.ingest.parser_selection import parse
from footnotary.ingest.structure.recovery import build_document

WORDS = st.sampled_from(
    "Whoever cheats shall be punished with imprisonment up to seven years, and fine; (a) धारा राज्य सरकार — “employer” "
    'means any person. Rs. 10,000 10² §5 É naïve \u200bhidden\u200b soft\u00adhyphen क्\u200dष a\u00a0b * _x_ `y` & < > " \\ / 🙂'.split(
        " "
    )
)
LINE = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)
BODY = st.lists(LINE, min_size=1, max_size=6).map("\n".join)
SECTIONS = st.lists(st.tuples(st.integers(1, 600), BODY), min_size=1, max_size=6, unique_by=lambda section: section[0])
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
REFUSALS = ("broken_file", "encrypted", "no_text", "unsupported_type", "wrong_encoding", "bad_record")
NEWLINES = st.sampled_from(["\n", "\r\n", "\r"])


def taken_in(data: bytes, name: str) -> tuple[Document, tuple[Chunk, ...]]:
    sniffed = sniff(data, name)
    source = Source(name, sniffed.media_type, "", name, sniffed.encoding or "")
    document, units = build_document(name, source, parse(data, sniffed))
    return document, build_chunks(document, units)


def taken_in_or_refused(data: bytes, name: str) -> tuple[Document, tuple[Chunk, ...]] | str:
    try:
        return taken_in(data, name)
    except DocumentError as error:
        return error.reason


def assert_sound(data: bytes, document: Document, chunks: tuple[Chunk, ...]) -> None:
    decoded = data.decode(document.source.encoding)
    assert chunks
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    last = 0
    for chunk in chunks:
        assert is_semantic_id(chunk.id)
        assert chunk.span.of(document.text) == chunk.text
        assert chunk.text.strip() == chunk.text != ""
        assert chunk.span.start >= last, "chunks are in order and do not overlap"
        last = chunk.span.end
        for segment in chunk.origin.segments:
            run = chunk.text[segment.start : segment.start + segment.length]
            assert decoded[segment.char : segment.char + segment.length] == run
            assert data[segment.byte :].startswith(run.encode(document.source.encoding))
    covered = {place for chunk in chunks for place in range(chunk.span.start, chunk.span.end)}
    for block in document.blocks:
        if block.kind not in ("heading", "page"):
            missing = [place for place in range(block.span.start, block.span.end) if place not in covered]
            assert all(document.text[place].isspace() for place in missing)


def quoted(data: st.DataObject, chunk: Chunk) -> Span:
    start = data.draw(st.integers(0, len(chunk.text) - 1))
    return Span(start, data.draw(st.integers(start + 1, len(chunk.text))))


def bare(text: str) -> str:
    """Text as far as cleaning leaves it alone: neither white space nor what cannot be seen."""
    return re.sub("[\\s\u200b\u00ad\ufeff]", "", text)


@settings(deadline=None, max_examples=60)
@given(sections=SECTIONS, encoding=ENCODINGS, newline=NEWLINES, data=st.data())
def test_a_quote_of_plain_text_leads_back_to_its_bytes(sections, encoding, newline, data):
    text = "ACT: Test Act, 1999\nKIND: act\n\n" + "\n\n".join(
        f"Section {n}. Title of {n}.\n{body}" for n, body in sections
    )
    original = text.replace("\n", newline).encode(encoding)
    document, chunks = taken_in(original, "act.txt")
    assert_sound(original, document, chunks)
    chunk = data.draw(st.sampled_from(chunks))
    quote = quoted(data, chunk)
    located = chunk.located(quote)
    if located is None:
        assert not quote.of(chunk.text).strip()
        return
    there = original[located.bytes.start : located.bytes.end].decode(document.source.encoding)
    assert there == original.decode(document.source.encoding)[located.chars.start : located.chars.end]
    assert bare(there) == bare(quote.of(chunk.text))


@settings(deadline=None, max_examples=60)
@given(sections=SECTIONS, data=st.data())
def test_a_quote_of_a_record_leads_back_to_its_bytes(sections, data):
    rows = [
        {"id": f"T_{n}_0", "act": "Test Act", "section": str(n), "title": f"T {n}", "text": body}
        for n, body in sections
    ]
    original = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()
    document, chunks = taken_in(original, "act.jsonl")
    assert_sound(original, document, chunks)
    chunk = data.draw(st.sampled_from(chunks))
    quote = quoted(data, chunk)
    located = chunk.located(quote)
    if located is not None:
        there = original[located.bytes.start : located.bytes.end].decode()
        # Escapes at the edges have no place of their own, so what is there is the quote or a little less.
        unescaped = json.loads(f'"{there}"') if '", "' not in there else None
        assert unescaped is None or bare(unescaped) in bare(quote.of(chunk.text))


@settings(deadline=None, max_examples=60)
@given(sections=SECTIONS, data=st.data())
def test_a_quote_of_a_web_page_leads_back_to_its_bytes(sections, data):
    body = "".join(
        f"<h2>Part {n}</h2>\n<p>{html.escape(text)}</p><ul><li>{n} <b>bold</b> end</ul>" for n, text in sections
    )
    original = f"<!doctype html><html><head><title>T</title></head><body><nav>skip</nav>{body}</body></html>".encode()
    document, chunks = taken_in(original, "page.html")
    assert_sound(original, document, chunks)
    assert "skip" not in document.text
    chunk = data.draw(st.sampled_from(chunks))
    quote = quoted(data, chunk)
    located = chunk.located(quote)
    if located is not None:
        there = original[located.bytes.start : located.bytes.end].decode()
        shown = quote.of(chunk.text).replace("•", "")  # a browser shows bullets; the page does not contain them
        assert bare(html.unescape(re.sub(r"<[^<>]*>", "", there))) in bare(shown)


@settings(deadline=None, max_examples=60)
@given(sections=SECTIONS, newline=NEWLINES, data=st.data())
def test_a_quote_of_markdown_leads_back_to_its_bytes(sections, newline, data):
    text = "\n".join(f"<!-- page {n} -->\n## {n} Heading\n\n{body}\n\n- item **bold** of {n}\n" for n, body in sections)
    original = text.replace("\n", newline).encode()
    document, chunks = taken_in(original, "notes.md")
    assert_sound(original, document, chunks)
    chunk = data.draw(st.sampled_from(chunks))
    quote = quoted(data, chunk)
    located = chunk.located(quote)
    if located is not None:
        letters = iter(bare(original[located.bytes.start : located.bytes.end].decode()))
        assert all(letter in letters for letter in bare(quote.of(chunk.text))), "the quote stands there, markup aside"


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=400), st.sampled_from(["a.txt", "a.md", "a.html", "a.jsonl", "a"]))
def test_any_text_is_ingested_soundly_or_refused_with_a_reason(text, name):
    data = text.encode("utf-8", "replace")
    taken = taken_in_or_refused(data, name)
    if isinstance(taken, str):
        assert taken in REFUSALS
    else:
        assert_sound(data, *taken)


@settings(deadline=None, max_examples=150)
@given(st.binary(max_size=400))
def test_any_bytes_are_ingested_soundly_or_refused_with_a_reason(data):
    taken = taken_in_or_refused(data, "a.txt")
    if isinstance(taken, str):
        assert taken in REFUSALS
    else:
        assert_sound(data, *taken)


@settings(deadline=None, max_examples=40)
@given(sections=SECTIONS, later=BODY)
def test_ids_stay_when_a_document_is_read_again_or_a_later_section_is_added(sections, later):
    # A line that opens with a section sign is a heading itself, and may name a section that is there already.
    assume(not any(line.startswith("§") for _, body in (*sections, (0, later)) for line in body.splitlines()))

    def of(parts):
        text = "ACT: Test Act, 1999\nKIND: act\n\n" + "\n\n".join(f"Section {n}. Title.\n{body}" for n, body in parts)
        return {chunk.id: chunk.digest for chunk in taken_in(text.encode(), "act.txt")[1]}

    before = of(sections)
    assert of(sections) == before
    after = of([*sections, (601, later)])
    assert before.items() <= after.items()
