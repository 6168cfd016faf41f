"""Serialization of passages and texts as Qdrant points, and back without loss."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document, Source
from footnotary.domain.identity import sha256_hex
from footnotary.domain.layout import Layout
from footnotary.errors import StoreCorrupt
from footnotary.index.qdrant.document_records import QdrantDocumentRecord
from footnotary.index.qdrant.point_types import QdrantPoint, point_id
from footnotary.index.qdrant.sparse_terms import passage_term_weights
from footnotary.index.sqlite.row_serialization import (
    READ_COLUMNS,
    chunk_from_row,
    chunk_row,
    labels_from_json,
    layout_blob,
    layout_from_blob,
    offsets_from_json,
    offsets_json,
    to_json,
    validity_from_json,
)
from footnotary.ports import Vector

_CHARS_PER_POINT = 4_000_000  # characters of a text in one point


def passage_point(chunk: Chunk, vector: Vector, version: str) -> QdrantPoint:
    """A searchable passage."""
    payload = chunk_row(chunk) | {
        "document": chunk.document_id,
        "version": version,
        "aliases": sorted(set(chunk.aliases)),
        "opening": chunk.text[:64],
    }
    words = passage_term_weights(chunk)
    said = payload | {"words": list(words.dimensions)}
    return QdrantPoint(point_id("passage", chunk.document_id, version, chunk.id), said, vector, words)


def former_point(project: str, chunk: Chunk, version: str) -> QdrantPoint:
    """A passage of a former version: in the collection of records, which is never searched."""
    row = chunk_row(chunk)
    payload: dict[str, Any] = {name: row[name] for name in READ_COLUMNS}
    payload |= {"of": chunk.kind, "kind": "former", "project": project, "document": chunk.document_id}
    payload |= {"version": version, "aliases": sorted(set(chunk.aliases))}
    return QdrantPoint(point_id("former", project, chunk.document_id, version, chunk.id), payload)


def chunk_from_payload(payload: Mapping[str, Any]) -> Chunk:
    """Raises `StoreCorrupt` if the text does not match its digest: what is cited is what was put."""
    try:
        said = dict(payload) | ({"kind": payload["of"]} if "of" in payload else {})
        row = (*(said[name] for name in READ_COLUMNS[:-1]), said.get("flags"))  # earlier versions wrote none
        chunk = chunk_from_row(row, said["document"], tuple(sorted(said["aliases"])))
        if sha256_hex(chunk.text) == chunk.digest:
            return chunk
    except (KeyError, ValueError, TypeError, AttributeError):
        pass
    raise StoreCorrupt(
        f"passage {payload.get('id')!r} of document {payload.get('document')!r} in Qdrant differs from what was stored",
        hint="run `footnotary doctor --deep`, then ingest the document again",
    )


def body_points(project: str, document: Document, version: str) -> list[QdrantPoint]:
    """The rarely read parts of a document (text, offsets, layout), compressed and split to sizes a server accepts."""
    layout = layout_blob(document.layout)
    whole = to_json(
        {
            "text": document.text,
            "offsets": offsets_json(document.offsets),
            "layout": None if layout is None else base64.b64encode(layout).decode("ascii"),
        }
    )
    packed = base64.b64encode(zlib.compress(whole.encode("utf-8"), 6)).decode("ascii")
    place = {"kind": "body", "project": project, "document": document.id, "version": version}
    return [
        QdrantPoint(
            point_id("body", project, document.id, version, str(at)),
            place | {"at": at, "content": packed[at : at + _CHARS_PER_POINT]},
        )
        for at in range(0, len(packed), _CHARS_PER_POINT)
    ]


@dataclass(frozen=True, slots=True)
class DocumentBody:
    text: str
    offsets: str
    layout: Layout | None

    @staticmethod
    def from_payloads(payloads: Sequence[Mapping[str, Any]]) -> DocumentBody:
        packed = "".join(part["content"] for part in sorted(payloads, key=lambda part: part["at"]))
        try:
            said = json.loads(zlib.decompress(base64.b64decode(packed)))
        except (ValueError, zlib.error) as error:
            raise StoreCorrupt("the text of a document in Qdrant is damaged", hint="ingest it again") from error
        layout = None if said["layout"] is None else layout_from_blob(base64.b64decode(said["layout"]))
        return DocumentBody(said["text"], said["offsets"], layout)

    def document(self, record: QdrantDocumentRecord) -> Document:
        source = Source(record.path, record.media_type, record.sha256, record.title, record.encoding, record.licence)
        offsets, labels = offsets_from_json(self.offsets), labels_from_json(record.labels)
        return Document(
            record.id, source, self.text, (), offsets, labels, self.layout, validity_from_json(record.validity)
        )
