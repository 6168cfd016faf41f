"""How documents and passages are written down as points of Qdrant, and read back as they were."""

from __future__ import annotations

import base64
import json
import uuid
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any
from zlib import crc32

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document, Source
from footnotary.domain.identity import sha256_hex
from footnotary.domain.layout import Layout
from footnotary.domain.validity import Validity
from footnotary.errors import StoreCorrupt
from footnotary.index.qdrant_server import Point, Sparse
from footnotary.index.records import (
    READ_COLUMNS,
    chunk_from_row,
    chunk_row,
    labels_from_json,
    labels_json,
    layout_blob,
    layout_from_blob,
    offsets_from_json,
    offsets_json,
    to_json,
    validity_from_json,
    validity_json,
)
from footnotary.index.searched import searched_terms
from footnotary.ports import FormerVersion, StoredDocument, Vector
from footnotary.text.tokens import content_terms

_NAMES = uuid.UUID("5b0f6f0e-6a0f-5a55-9d0c-3c6f1f6a7b10")
_K1, _B = 1.2, 0.75
# A passage's weights are written once, so what is long for one is settled beforehand: terms of a usual section.
USUAL_TERMS = 120
WORK_BOOST = 0.5
_PART = 4_000_000


@dataclass(frozen=True, slots=True)
class Past:
    """A former version in its document's record; `version` is what its passages are kept under."""

    version: str
    sha256: str
    path: str
    title: str
    code: str
    chunks: int
    media_type: str
    validity: str | None
    stored_at: str
    retired_at: str
    successor: str | None
    retired: int


@dataclass(frozen=True, slots=True)
class Head:
    """The record of a document: writing it is what commits a change.

    Passages count only if their `version` is that of their document's record, and it is `live`. `revision` tells one
    commit from the next, `change` counts the project's.
    """

    project: str
    id: str
    version: str
    revision: str
    change: int
    live: bool
    sha256: str = ""
    path: str = ""
    title: str = ""
    code: str = ""
    chunks: int = 0
    media_type: str = ""
    encoding: str = "utf-8"
    licence: str | None = None
    digest: str = ""
    labels: str = "{}"
    validity: str | None = None
    stored_at: str = ""
    past: tuple[Past, ...] = field(default=())

    def point(self) -> Point:
        says = validity_from_json(self.validity).says_something
        payload = asdict(self) | {"kind": "document", "live": _word(self.live), "says": _word(says)}
        return Point(head_id(self.project, self.id), payload)

    def tombstone(self) -> Point:
        """The same place without a word of what was there: that a document went is a change like any other."""
        kept = {"kind": "document", "live": "no", "says": "no", "project": self.project}
        return Point(
            head_id(self.project, self.id), kept | {"revision": self.revision, "change": self.change, "version": ""}
        )

    @staticmethod
    def from_payload(payload: Mapping[str, Any], document_id: str = "") -> Head:
        said: dict[str, Any] = {"id": document_id}
        said |= {name: value for name, value in payload.items() if name not in ("kind", "says")}
        said |= {"live": payload["live"] == "yes", "past": tuple(Past(**one) for one in payload.get("past", ()))}
        return Head(**said)

    @property
    def listed(self) -> StoredDocument:
        return StoredDocument(
            self.id, self.sha256, self.path, self.title, self.code, self.chunks, self.media_type,
            validity_from_json(self.validity), _moment(self.stored_at),
        )  # fmt: skip

    def retired(self, now: datetime, chunks: int, successor: str | None, change: int) -> Head:
        """The same with its present version among the former ones."""
        past = Past(
            self.version, self.sha256, self.path, self.title, self.code, chunks, self.media_type, self.validity,
            self.stored_at, written(now), successor, change,
        )  # fmt: skip
        return replace(self, past=(past, *self.past))

    def former(self, past: Past) -> FormerVersion:
        document = StoredDocument(
            self.id, past.sha256, past.path, past.title, past.code, past.chunks, past.media_type,
            validity_from_json(past.validity), _moment(past.stored_at),
        )  # fmt: skip
        return FormerVersion(document, datetime.fromisoformat(past.retired_at), past.successor)


def head_of(project: str, document: Document, code: str, digest: str, chunks: int, now: datetime) -> Head:
    """The record of a document that comes in; version, revision and change are still to be given."""
    source = document.source
    return Head(
        project=project, id=document.id, version="", revision="", change=0, live=True, sha256=source.sha256,
        path=source.path, title=source.title, code=code, chunks=chunks, media_type=source.media_type,
        encoding=source.encoding, licence=source.licence, digest=digest, labels=labels_json(document.labels),
        validity=validity_json(document.validity), stored_at=written(now),
    )  # fmt: skip


def passage_point(chunk: Chunk, vector: Vector, version: str) -> Point:
    """A passage that can be found."""
    payload = chunk_row(chunk) | {
        "document": chunk.document_id,
        "version": version,
        "aliases": sorted(set(chunk.aliases)),
        "opening": chunk.text[:64],
    }
    return Point(_id("passage", chunk.document_id, version, chunk.id), payload, vector, weights(chunk))


def former_point(project: str, chunk: Chunk, version: str) -> Point:
    """A passage of a former version: in the catalogue, where no search looks."""
    row = chunk_row(chunk)
    payload: dict[str, Any] = {name: row[name] for name in READ_COLUMNS}
    payload |= {"of": chunk.kind, "kind": "former", "project": project, "document": chunk.document_id}
    payload |= {"version": version, "aliases": sorted(set(chunk.aliases))}
    return Point(_id("former", project, chunk.document_id, version, chunk.id), payload)


def chunk_from_payload(payload: Mapping[str, Any]) -> Chunk:
    """Raises `StoreCorrupt` where the text does not have its digest: what is cited is what was put."""
    try:
        said = dict(payload) | ({"kind": payload["of"]} if "of" in payload else {})
        row = tuple(said[name] for name in READ_COLUMNS)
        chunk = chunk_from_row(row, said["document"], tuple(sorted(said["aliases"])))
        if sha256_hex(chunk.text) == chunk.digest:
            return chunk
    except (KeyError, ValueError, TypeError, AttributeError):
        pass
    raise StoreCorrupt(
        f"passage {payload.get('id')!r} of document {payload.get('document')!r} in Qdrant is not what was stored",
        hint="run `footnotary doctor --deep`, and ingest the document again",
    )


def body_points(project: str, document: Document, version: str) -> list[Point]:
    """What is read of a document only when somebody asks for it, packed and in parts a server takes."""
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
        Point(
            _id("body", project, document.id, version, str(at)), place | {"at": at, "content": packed[at : at + _PART]}
        )
        for at in range(0, len(packed), _PART)
    ]


@dataclass(frozen=True, slots=True)
class Body:
    text: str
    offsets: str
    layout: Layout | None

    @staticmethod
    def from_payloads(payloads: Sequence[Mapping[str, Any]]) -> Body:
        packed = "".join(part["content"] for part in sorted(payloads, key=lambda part: part["at"]))
        try:
            said = json.loads(zlib.decompress(base64.b64decode(packed)))
        except (ValueError, zlib.error) as error:
            raise StoreCorrupt("the text of a document in Qdrant is damaged", hint="ingest it again") from error
        layout = None if said["layout"] is None else layout_from_blob(base64.b64decode(said["layout"]))
        return Body(said["text"], said["offsets"], layout)

    def document(self, head: Head) -> Document:
        source = Source(head.path, head.media_type, head.sha256, head.title, head.encoding, head.licence)
        offsets, labels = offsets_from_json(self.offsets), labels_from_json(head.labels)
        return Document(head.id, source, self.text, (), offsets, labels, self.layout, validity_from_json(head.validity))


def weights(chunk: Chunk) -> Sparse:
    """What BM25 makes of a passage's terms but for their rarity, which the server knows."""
    title = chunk.labels.title or (chunk.section[-1] if chunk.section else "")
    section = str(chunk_row(chunk)["f_section"])
    total: dict[int, float] = {}
    for field_name, boost, terms in (
        ("", 1.0, searched_terms(chunk.text, title, section)),
        ("work", WORK_BOOST, content_terms(" ".join(filter(None, (chunk.labels.act, chunk.labels.code))))),
    ):
        usual = USUAL_TERMS if not field_name else 8
        for term, times in Counter(terms).items():
            length = 1 - _B + _B * len(terms) / usual
            at = dimension(field_name, term)
            total[at] = total.get(at, 0.0) + boost * times * (_K1 + 1) / (times + _K1 * length)
    return Sparse(sorted(total), [total[at] for at in sorted(total)])


def asked_weights(terms: Sequence[str]) -> Sparse:
    """A question's terms; one given twice counts twice."""
    counted = Counter(dimension(name, term) for term in terms for name in ("", "work"))
    return Sparse(sorted(counted), [float(counted[at]) for at in sorted(counted)])


def dimension(field_name: str, term: str) -> int:
    """A term's dimension: two of a million terms that fall into one are rarer than one in four thousand."""
    return crc32(f"{field_name}\0{term}".encode("utf-8", "surrogatepass"))


def head_id(project: str, document_id: str) -> str:
    return _id("document", project, document_id)


def written(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _word(yes: bool) -> str:
    return "yes" if yes else "no"


def _id(*parts: str) -> str:
    return str(uuid.uuid5(_NAMES, "\0".join(parts)))


def said_validity(head: Head) -> Validity:
    return validity_from_json(head.validity)
