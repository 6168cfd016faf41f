"""The document registry of a project: its documents, and which one a file corresponds to."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath

from footnotary.domain.document import Document
from footnotary.domain.validity import Validity
from footnotary.ingest.uploads import UPLOAD_ORIGIN_PREFIX
from footnotary.ports import StoredDocument

TEXT_ORIGIN_PREFIX = "text:"  # origin prefix of texts that did not come from a file


class DocumentRegistry:
    """The documents of one project by id, origin and content."""

    def __init__(self, documents: Sequence[StoredDocument]) -> None:
        self._by_id: dict[str, StoredDocument] = {}
        self._by_key: dict[str, str] = {}
        self._by_path: dict[str, str] = {}
        self._by_content: dict[str, str] = {}
        for document in documents:
            self.add(document)

    def add(self, document: StoredDocument) -> None:
        self.forget(document.id)
        self._by_id[document.id] = document
        self._by_key.setdefault(_normalized_id(document.id), document.id)
        self._by_path[document.path] = document.id
        self._by_content.setdefault(document.sha256, document.id)

    def forget(self, document_id: str) -> None:
        if old := self._by_id.pop(document_id, None):
            for index, key in (
                (self._by_path, old.path),
                (self._by_content, old.sha256),
                (self._by_key, _normalized_id(document_id)),
            ):
                if index.get(key) == document_id:
                    del index[key]

    def get(self, document_id: str) -> StoredDocument | None:
        return self._by_id.get(document_id)

    @property
    def validities(self) -> Mapping[str, Validity]:
        """The validity of every document."""
        return {id_: document.validity for id_, document in self._by_id.items()}

    def with_content(self, sha256: str) -> StoredDocument | None:
        return self._by_id.get(self._by_content.get(sha256, ""))

    def has_content(self, sha256: str) -> bool:
        return sha256 in self._by_content

    def id_for(self, origin: str, name: str) -> str:
        """The id of the document that comes from `origin`: its existing id, or its name.

        If another document has the name and its file still exists, parent folders are added to the name; if that file
        is gone, the document has moved and keeps its id. A name that differs from another only in case, blanks or
        Unicode form is qualified too: stores look up documents by the normalised name.
        """
        if origin in self._by_path:
            return self._by_path[origin]
        for candidate in _candidate_ids(origin, name):
            holder = self._by_id.get(candidate)
            is_free = not _origin_exists(holder.path) if holder else _normalized_id(candidate) not in self._by_key
            if is_free:
                return candidate
        return origin


def _normalized_id(document_id: str) -> str:
    return unicodedata.normalize("NFC", " ".join(document_id.casefold().split()))


def _candidate_ids(origin: str, name: str) -> Iterator[str]:
    yield name
    for kind, folder in ((TEXT_ORIGIN_PREFIX, "text"), (UPLOAD_ORIGIN_PREFIX, "upload")):
        if origin.startswith(kind):
            yield f"{folder}/{name}"
            return
    parts = PurePath(origin).parts
    for taken in range(len(PurePath(name).parts) + 1, len(parts)):
        yield "/".join(parts[-taken:])


def _origin_exists(origin: str) -> bool:
    path = Path(origin)
    # A member of an archive exists as long as the archive does.
    return (
        origin.startswith((TEXT_ORIGIN_PREFIX, UPLOAD_ORIGIN_PREFIX))
        or path.exists()
        or any(above.is_file() for above in path.parents)
    )


def stored_document(document: Document, code: str, chunks: int) -> StoredDocument:
    """The entry that a store will have for a document that is put into it."""
    source = document.source
    return StoredDocument(
        document.id, source.sha256, source.path, source.title, code, chunks, source.media_type, document.validity
    )
