"""The record of a document on Qdrant: writing it commits a change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from footnotary.domain.document import Document
from footnotary.domain.validity import Validity
from footnotary.index.qdrant.point_types import QdrantPoint, point_id
from footnotary.index.sqlite.row_serialization import labels_json, validity_from_json, validity_json
from footnotary.ports import FormerVersion, StoredDocument

# The fields that the record of a deleted document has, with the values for one that never existed.
NO_RECORD: dict[str, Any] = {
    "kind": "document", "live": "no", "says": "no", "project": "", "revision": "", "change": 0, "version": ""
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RetiredVersion:
    """A former version in its document's record; its passages are stored under `version`."""

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
class QdrantDocumentRecord:
    """The record of a document: writing it commits a change.

    Passages are visible only if their `version` is that of their document's record, and it is `live`. `revision`
    identifies the commit and begins with the number of the writer lease, `change` counts the project's changes.
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
    past: tuple[RetiredVersion, ...] = field(default=())

    def point(self) -> QdrantPoint:
        says = validity_from_json(self.validity).is_specified
        payload = asdict(self) | {"kind": "document", "live": _yes_no(self.live), "says": _yes_no(says)}
        return QdrantPoint(record_point_id(self.project, self.id), payload)

    def tombstone(self) -> QdrantPoint:
        """The record of a deleted document, without its content: a deletion is a change like any other."""
        kept = {"project": self.project, "revision": self.revision, "change": self.change}
        return QdrantPoint(record_point_id(self.project, self.id), NO_RECORD | kept)

    @staticmethod
    def from_payload(payload: Mapping[str, Any], document_id: str = "") -> QdrantDocumentRecord:
        said: dict[str, Any] = {"id": document_id}
        said |= {name: value for name, value in payload.items() if name not in ("kind", "says")}
        said |= {
            "live": payload["live"] == "yes",
            "past": tuple(RetiredVersion(**one) for one in payload.get("past", ())),
        }
        return QdrantDocumentRecord(**said)

    @property
    def listed(self) -> StoredDocument:
        return StoredDocument(
            self.id, self.sha256, self.path, self.title, self.code, self.chunks, self.media_type,
            validity_from_json(self.validity), _parse_time(self.stored_at),
        )  # fmt: skip

    def retired(self, now: datetime, chunks: int, successor: str | None, change: int) -> QdrantDocumentRecord:
        """The same record with its current version added to the former ones."""
        past = RetiredVersion(
            self.version, self.sha256, self.path, self.title, self.code, chunks, self.media_type, self.validity,
            self.stored_at, format_time(now), successor, change,
        )  # fmt: skip
        return replace(self, past=(past, *self.past))

    def former(self, past: RetiredVersion) -> FormerVersion:
        document = StoredDocument(
            self.id, past.sha256, past.path, past.title, past.code, past.chunks, past.media_type,
            validity_from_json(past.validity), _parse_time(past.stored_at),
        )  # fmt: skip
        return FormerVersion(document, datetime.fromisoformat(past.retired_at), past.successor)


def new_document_record(
    project: str, document: Document, code: str, digest: str, chunks: int, now: datetime
) -> QdrantDocumentRecord:
    """The record of a new document; version, revision and change are set later."""
    source = document.source
    return QdrantDocumentRecord(
        project=project, id=document.id, version="", revision="", change=0, live=True, sha256=source.sha256,
        path=source.path, title=source.title, code=code, chunks=chunks, media_type=source.media_type,
        encoding=source.encoding, licence=source.licence, digest=digest, labels=labels_json(document.labels),
        validity=validity_json(document.validity), stored_at=format_time(now),
    )  # fmt: skip


def record_point_id(project: str, document_id: str) -> str:
    return point_id("document", project, document_id)


def record_validity(record: QdrantDocumentRecord) -> Validity:
    return validity_from_json(record.validity)


def format_time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _parse_time(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _yes_no(yes: bool) -> str:
    return "yes" if yes else "no"
