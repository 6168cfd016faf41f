"""Takes a file in as far as chunks, for the tests of the stages."""

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document, Source
from footnotary.ingest.chunking.chunk_builder import build_chunks
from footnotary.ingest.file_type import sniff
from footnotary.ingest.parser_selection import parse
from footnotary.ingest.structure.recovery import build_document


def document_and_chunks(content: str | bytes, name: str = "file.txt") -> tuple[Document, tuple[Chunk, ...]]:
    data = content.encode() if isinstance(content, str) else content
    sniffed = sniff(data, name)
    source = Source(name, sniffed.media_type, "", name, sniffed.encoding or "")
    document, units = build_document(name, source, parse(data, sniffed))
    return document, build_chunks(document, units)


def chunks(content: str | bytes, name: str = "file.txt") -> tuple[Chunk, ...]:
    return document_and_chunks(content, name)[1]


def ids(content: str | bytes, name: str = "file.txt") -> list[str]:
    return [chunk.id for chunk in chunks(content, name)]
