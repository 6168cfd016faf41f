"""A store on a Qdrant server or cluster, for what outgrows one machine.

Each tenant has a *catalogue*, a collection of records without vectors, and for each project a collection of passages
with a dense and a sparse vector. The server knows no transactions over several points, so one point commits: the record
of a document (`Head`). Passages go in under a new version first, and count from the moment the record names that
version; what a search finds is held against the records before anybody sees it. So a change cut off anywhere leaves
passages that nothing finds, and that the next change of the document sweeps out.

One process writes to a tenant at a time on one machine, by a lock in the tenant's folder. Between machines the record
of a document is written only over the one that was read, so that two writers of one document cannot both succeed;
that two documents do not claim one id at the same moment is then up to whoever runs several writers.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document
from footnotary.domain.identity import SemanticId, sha256_hex
from footnotary.domain.layout import Layout
from footnotary.domain.query import Filters, Reference
from footnotary.domain.validity import Validity
from footnotary.errors import BackendError, StoreLocked, UnknownProject, UsageError
from footnotary.index.admission import require_storable, unit, unit_rows
from footnotary.index.file_lock import FileLock
from footnotary.index.manifest import Manifest, require_fit
from footnotary.index.matching import clause_first, provision, unwanted, wanted
from footnotary.index.qdrant_records import (
    Body,
    Head,
    asked_weights,
    body_points,
    chunk_from_payload,
    former_point,
    head_id,
    head_of,
    passage_point,
    said_validity,
)
from footnotary.index.qdrant_server import Found, NoCollection, Point, QdrantServer, Sparse, Where
from footnotary.index.records import FACET_COLUMNS, READ_COLUMNS, validity_json
from footnotary.index.sqlite_changes import content_digest
from footnotary.ports import FormerChunk, FormerVersion, PutResult, Scored, StoredDocument, Vector, Vectors

_CATALOGUE_KEYS = ("kind", "project", "id", "aliases", "document", "version", "revision", "live", "says")
_PASSAGE_KEYS = ("id", "aliases", "document", "version", *FACET_COLUMNS)
_PASSAGE = (*READ_COLUMNS, "document", "version", "aliases")
_PLACE = ("id", "document", "version")
_MANIFEST = "00000000-0000-5000-8000-000000000001"
_IDS_AT_ONCE = 500
_MOST = 65_536  # equal scores beyond these are cut where the server cuts them
_ATTEMPTS = 6
_TIE = 1e-6
_DIGITS = 5
_SAME = 1 - 10.0 ** (1 - _DIGITS)

_log = logging.getLogger(__name__)


def _now() -> datetime:
    return datetime.now(UTC)


class QdrantStore:
    """A `Store` on a server; threads may share it, and so may processes.

    `folder` is the tenant's own on this machine, for the writers' lock. Nothing that is stored is kept there.
    """

    def __init__(
        self,
        server: QdrantServer,
        tenant: str,
        folder: Path,
        manifest: Manifest | None,
        *,
        read_only: bool = False,
        lock_wait_s: float = 2.0,
        now: Callable[[], datetime] = _now,
    ) -> None:
        """`manifest` is what it is opened for; None opens it as it was built. Raises where the two do not fit."""
        self.folder = folder
        self._server = server
        self._tenant = tenant
        self._catalogue = f"footnotary-{sha256_hex(tenant)[:20]}"
        self._read_only = read_only
        self._lock_wait_s = lock_wait_s
        self._lock = FileLock(folder / "write.lock")
        self._now = now
        self._said: dict[str, tuple[int, Mapping[str, Validity]]] = {}
        self.manifest = self._opened(manifest)

    def close(self) -> None:
        self._server.close()

    # -- what is there -------------------------------------------------------------------------------------------

    def projects(self) -> Sequence[str]:
        return self._server.distinct(self._catalogue, "project", Where({"kind": ("document",), "live": ("yes",)}))

    def documents(self, project: str) -> Sequence[StoredDocument]:
        return sorted((head.listed for head in self._heads(project)), key=lambda document: document.id)

    def owners(self, project: str, ids: Sequence[SemanticId]) -> dict[SemanticId, str]:
        found = self._live(project, self._named(project, "id", ids, _PLACE))
        return {one.payload["id"]: one.payload["document"] for one in found}

    def chunks(self, project: str, ids: Sequence[SemanticId]) -> Sequence[Chunk]:
        named = {one.payload["id"]: one for one in self._live(project, self._named(project, "id", ids, _PASSAGE))}
        unnamed = [asked for asked in ids if asked not in named]
        aliased = self._live(project, self._named(project, "aliases", unnamed, _PASSAGE)) if unnamed else []
        # Of several chunks with one alias the first in order of id is meant: the last to come here.
        for one in sorted(aliased, key=lambda one: one.payload["id"], reverse=True):
            named |= {alias: one for alias in one.payload["aliases"] if alias in unnamed}
        return [chunk_from_payload(named[asked].payload) for asked in ids if asked in named]

    def passage_ids(self, project: str, document_id: str) -> Sequence[SemanticId]:
        """The ids of a document's chunks in reading order; empty where there is no such document."""
        found = self._passages(project, document_id, (*_PLACE, "start"))
        return [one["id"] for one in sorted(found, key=lambda one: (one["start"], one["id"]))]

    def validities(self, project: str) -> Mapping[str, Validity]:
        change = self.generation(project)
        held = self._said.get(project)
        if held is None or held[0] != change:
            heads = self._heads(project, says=("yes",))
            held = self._said[project] = change, {head.id: said_validity(head) for head in heads}
        return held[1]

    def former_versions(self, project: str, document_id: str) -> Sequence[FormerVersion]:
        head = self._head(project, document_id)
        return () if head is None else [head.former(past) for past in head.past]

    def former_chunks(self, project: str, cited: SemanticId) -> Sequence[FormerChunk]:
        found: list[tuple[int, SemanticId, FormerChunk]] = []
        for name in ("id", "aliases"):
            where = Where({"kind": ("former",), "project": (project,), name: (cited,)})
            for one in self._server.scan(self._catalogue, where):
                head = self._head(project, one.payload["document"])
                past = {} if head is None else {past.version: past for past in head.past}
                if head is not None and (kept := past.get(one.payload["version"])) is not None:
                    former = FormerChunk(chunk_from_payload(one.payload), head.former(kept))
                    found.append((-kept.retired, former.chunk.id, former))
            if found:
                break
        return [former for *_, former in sorted(found, key=lambda one: one[:2])]

    def document_sha256(self, project: str, document_id: str) -> tuple[str, str]:
        head = self._required(project, document_id)
        return head.sha256, head.path

    def document_text(self, project: str, document_id: str) -> str:
        """The cleaned text that the chunks' spans point into."""
        return self._body(self._required(project, document_id)).text

    def layout(self, project: str, document_id: str) -> Layout | None:
        return self._body(self._required(project, document_id)).layout

    def stored(self, project: str, document_id: str) -> tuple[Document, Sequence[Chunk], Vectors, str]:
        """A document as it can be put again elsewhere: itself, its chunks in reading order, vectors and code."""
        head = self._required(project, document_id)
        where = Where({"document": (document_id,), "version": (head.version,)})
        found = list(self._server.scan(self._collection(project), where, _PASSAGE, vectors=True))
        found.sort(key=lambda one: (one.payload["start"], one.payload["id"]))
        vectors = [one.dense for one in found if one.dense is not None]
        stacked = np.stack(vectors) if vectors else np.zeros((0, self.manifest.dimensions), np.float32)
        chunks = [chunk_from_payload(one.payload) for one in found]
        return self._body(head).document(head), chunks, stacked, head.code

    def generation(self, project: str) -> int:
        """How many changes the project has seen; 0 if it never was there."""
        where = Where({"kind": ("document",), "project": (project,)})
        return self._server.highest(self._catalogue, "change", where)

    def index_digest(self, project: str) -> str:
        """A digest of all that can be found and cited, and of when it holds: the same documents have the same."""
        heads = sorted(self._heads(project), key=lambda head: (head.id, head.sha256, head.digest))
        lines = [f"{head.id}\t{head.sha256}\t{head.digest}\n" for head in heads]
        said = [(head.id, validity_json(said_validity(head))) for head in heads if said_validity(head).says_something]
        return sha256_hex("".join((*lines, *(f"{id_}\t{validity}\n" for id_, validity in sorted(said)))))

    # -- changes -------------------------------------------------------------------------------------------------

    def put(self, project: str, document: Document, chunks: Sequence[Chunk], vectors: Vectors, code: str) -> PutResult:
        require_storable(project, document, chunks, vectors, self.manifest.dimensions)
        with self._writing():
            now, change = self._now(), self.generation(project) + 1
            earlier = self._head(project, document.id)
            self._refuse_foreign_ids(project, document.id, chunks)
            new = head_of(project, document, code, content_digest(chunks), len(chunks), now)
            replaced = earlier is not None and earlier.live
            if earlier is not None:
                kept = self._kept(earlier, new, chunks, now, change) if replaced else earlier
                new = replace(new, past=kept.past)
            new = replace(new, version=secrets.token_hex(8))
            self._server.create(self._collection(project), _PASSAGE_KEYS, dimensions=self.manifest.dimensions)
            self._server.put(self._catalogue, body_points(project, document, new.version))
            rows = zip(chunks, unit_rows(vectors), strict=True)
            self._server.put(self._collection(project), [passage_point(c, row, new.version) for c, row in rows])
            self._commit(earlier, replace(new, change=change))
            self._sweep(project, document.id, new.version)
        return "replaced" if replaced else "added"

    def delete(self, project: str, document_id: str, *, keep_history: bool = False) -> bool:
        with self._writing():
            head = self._head(project, document_id)
            if head is None or not (head.live or (head.past and not keep_history)):
                return False
            change = self.generation(project) + 1
            if keep_history:
                passages = self._chunks_of(head)
                self._server.put(self._catalogue, [former_point(project, c, head.version) for c in passages])
                gone = head.retired(self._now(), len(passages), None, change)
                self._commit(head, replace(gone, change=change, live=False, version="", validity=None))
            else:
                self._commit(head, replace(head, change=change), erased=True)
            self._sweep(project, document_id, "", history=not keep_history)
        return True

    def delete_project(self, project: str) -> int:
        """Deletes everything in a project, with all history; how many documents that were, former ones too."""
        where = Where({"kind": ("document",), "project": (project,)})
        ids = [one.payload["id"] for one in self._server.scan(self._catalogue, where, ["id"]) if "id" in one.payload]
        deleted = sum(self.delete(project, id_) for id_ in ids)
        if deleted:
            self._server.drop(self._collection(project))
        return deleted

    def set_validity(self, project: str, document_id: str, validity: Validity) -> bool:
        with self._writing():
            head = self._head(project, document_id)
            if head is None or not head.live:
                return False
            change = self.generation(project) + 1
            self._commit(head, replace(head, change=change, validity=validity_json(validity)))
        return True

    # -- searches ------------------------------------------------------------------------------------------------

    def lexical(self, project: str, terms: Sequence[str], k: int, filters: Filters) -> Sequence[Scored]:
        if not terms:
            return ()
        hits = self._search(project, asked_weights(terms), k, filters, lambda score: score * _SAME)
        return _ranked([Scored(id_, float(f"{score:.{_DIGITS}g}")) for id_, score in hits], k)

    def dense(self, project: str, vector: Vector, k: int, filters: Filters) -> Sequence[Scored]:
        question = unit(vector, self.manifest.dimensions)
        hits = self._search(project, question, k, filters, lambda score: score - _TIE)
        return _ranked([Scored(id_, round(score, 6)) for id_, score in hits], k)

    def lookup(self, project: str, reference: Reference, filters: Filters) -> Sequence[SemanticId]:
        named = provision(reference, filters, self._works(project))
        asked = None if named is None else _left(named, filters)
        if asked is None or not all(asked.values()):
            return ()
        fields = (*_PLACE, "f_document", "start", "opening")
        rows = [one.payload for one in self._live(project, self._scan(project, _where(asked, filters), fields))]
        rows.sort(
            key=lambda one: (
                clause_first(reference.clause, one["opening"]), one["f_document"], one["start"], one["id"]
            )
        )  # fmt: skip
        return [one["id"] for one in rows]

    # -- checks --------------------------------------------------------------------------------------------------

    def check(self, deep: bool = False) -> list[str]:
        """What is wrong, in words; empty if nothing is. `deep` reads every passage."""
        problems: list[str] = []
        for project in self.projects():
            for head in self._heads(project):
                place = f"project {project!r}, document {head.id!r}"
                where = Where({"document": (head.id,), "version": (head.version,)})
                held = self._server.count(self._collection(project), where)
                if held != head.chunks:
                    problems.append(f"{place}: {held} passages are there instead of {head.chunks}; ingest it again")
                left = self._server.count(
                    self._collection(project), Where({"document": (head.id,)}, {"version": (head.version,)})
                )
                if left:
                    problems.append(f"{place}: {left} passages of a change that was cut off wait to be swept out")
                if deep and held == head.chunks:
                    problems += self._text_problems(place, head)
        return problems

    # -- inside --------------------------------------------------------------------------------------------------

    def _opened(self, wanted_: Manifest | None) -> Manifest:
        try:
            found = self._server.read(self._catalogue, [_MANIFEST])
        except NoCollection:
            found = []
        path = Path(f"{self._server.url}/{self._catalogue}")
        if found:
            built = Manifest.from_entries(found[0].payload, path)
            require_fit(path, built, wanted_ or Manifest(built.embedder, built.dimensions))
            return built
        if self._read_only or wanted_ is None:
            raise UsageError(
                f"tenant {self._tenant!r} has no store at {self._server.url}", hint="ingest documents first"
            )
        self._server.create(self._catalogue, _CATALOGUE_KEYS, ("change",))
        self._server.put(self._catalogue, [Point(_MANIFEST, {"kind": "manifest", **wanted_.entries()})])
        return wanted_

    @contextmanager
    def _writing(self) -> Generator[None]:
        if self._read_only:
            raise UsageError("the store is open for reading only", hint="open it for writing")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._lock.held(self._lock_wait_s) as got:
                if not got:
                    raise StoreLocked(
                        f"another process ({self._lock.holder()}) is writing for tenant {self._tenant!r}, and did not "
                        f"finish within {self._lock_wait_s:g} s",
                        hint="wait until it is done and try again; reading works meanwhile",
                        retryable=True,
                    )
                yield
        except OSError as error:
            raise BackendError(f"{self.folder} cannot be written to: {error}", hint="check its permissions") from error

    def _commit(self, earlier: Head | None, new: Head, *, erased: bool = False) -> None:
        """Writes a document's record over the one that was read, and makes sure that this is what happened."""
        new = replace(new, revision=secrets.token_hex(8))
        where = Where({"revision": ("" if earlier is None else earlier.revision,)})
        lost: BackendError | None = None
        try:
            self._server.put_if(self._catalogue, new.tombstone() if erased else new.point(), where)
        except BackendError as error:  # it may have been applied all the same
            lost = error
        now = self._server.read(self._catalogue, [head_id(new.project, new.id)], ["revision"])
        if now and now[0].payload["revision"] == new.revision:
            return
        raise lost or StoreLocked(
            f"document {new.id!r} was changed by another writer meanwhile", hint="try again", retryable=True
        )

    def _sweep(self, project: str, document_id: str, version: str, *, history: bool = False) -> None:
        """Takes out what no record names any more; what cannot be now is by the next change, and is found by nobody."""
        kinds = ("body", "former") if history else ("body",)
        among = {"kind": kinds, "project": (project,), "document": (document_id,)}
        but = {"version": (version,)}
        try:
            self._server.take_out(self._catalogue, Where(among, but))
            with suppress(NoCollection):
                self._server.take_out(self._collection(project), Where({"document": (document_id,)}, but))
        except BackendError as error:
            _log.warning("what document %s had before could not be swept out yet: %s", document_id, error)

    def _kept(self, earlier: Head, new: Head, chunks: Sequence[Chunk], now: datetime, change: int) -> Head:
        """The earlier record with its version among the former ones, whose passages are copied beforehand."""
        same = earlier.sha256 == new.sha256
        still = {(chunk.id, chunk.digest) for chunk in chunks} if same else set[tuple[str, str]]()
        gone = [chunk for chunk in self._chunks_of(earlier) if (chunk.id, chunk.digest) not in still]
        if same and not gone:
            return earlier
        self._server.put(self._catalogue, [former_point(earlier.project, chunk, earlier.version) for chunk in gone])
        return earlier.retired(now, len(gone), new.sha256, change)

    def _refuse_foreign_ids(self, project: str, document_id: str, chunks: Sequence[Chunk]) -> None:
        for id_, owner in sorted(self.owners(project, [chunk.id for chunk in chunks]).items()):
            if owner != document_id:
                raise UsageError(
                    f"{id_!r} of document {document_id!r} is already an id of document {owner!r} "
                    f"in project {project!r}",
                    hint="give one of the two another code, or delete the other document first",
                )

    def _search(
        self, project: str, asked: Vector | Sparse, k: int, filters: Filters, tie: Callable[[float], float]
    ) -> list[tuple[SemanticId, float]]:
        """The best `k` and all that score the same as the last of them."""
        keys = _left(wanted(filters, self._works(project) if filters.act is not None else ()), filters)
        if k < 1 or not all(keys.values()):
            return []
        where, limit, dead = _where(keys, filters), 2 * k, set[str]()
        for _ in range(_ATTEMPTS):
            but = {**where.without, **({"version": sorted(dead)} if dead else {})}
            try:
                hits = self._server.nearest(self._collection(project), asked, Where(where.among, but), limit, _PLACE)
            except NoCollection:
                return []
            live = self._live(project, hits)
            if len(live) < len(hits):  # a change is under way, or was cut off
                alive = {one.payload["version"] for one in live}
                dead |= {one.payload["version"] for one in hits} - alive
                continue
            if len(hits) < limit or limit >= _MOST or hits[-1].score < tie(hits[k - 1].score):
                return [(one.payload["id"], one.score) for one in hits]
            limit = min(4 * limit, _MOST)
        raise BackendError(
            f"project {project!r} changed faster than it could be searched", hint="try again", retryable=True
        )

    def _live(self, project: str, found: Sequence[Found]) -> list[Found]:
        """Those passages whose version is the one their document's record names."""
        if not found:
            return []
        ids = {one.payload["document"] for one in found}
        heads = self._server.read(self._catalogue, [head_id(project, id_) for id_ in ids], ["id", "version", "live"])
        versions = {one.payload.get("id"): one.payload["version"] for one in heads if one.payload["live"] == "yes"}
        return [one for one in found if versions.get(one.payload["document"]) == one.payload["version"]]

    def _named(self, project: str, name: str, ids: Sequence[str], fields: Sequence[str]) -> list[Found]:
        distinct = list(dict.fromkeys(ids))
        found: list[Found] = []
        for i in range(0, len(distinct), _IDS_AT_ONCE):
            found += self._scan(project, Where({name: distinct[i : i + _IDS_AT_ONCE]}), fields)
        return found

    def _scan(self, project: str, where: Where, fields: Sequence[str]) -> list[Found]:
        try:
            return list(self._server.scan(self._collection(project), where, fields))
        except NoCollection:
            return []

    def _works(self, project: str) -> list[str]:
        try:
            return self._server.distinct(self._collection(project), "f_work", Where())
        except NoCollection:
            return []

    def _heads(self, project: str, says: Sequence[str] = ()) -> list[Head]:
        among = {"kind": ("document",), "project": (project,), "live": ("yes",), **({"says": says} if says else {})}
        return [Head.from_payload(one.payload) for one in self._server.scan(self._catalogue, Where(among))]

    def _head(self, project: str, document_id: str) -> Head | None:
        found = self._server.read(self._catalogue, [head_id(project, document_id)])
        return Head.from_payload(found[0].payload, document_id) if found else None

    def _required(self, project: str, document_id: str) -> Head:
        head = self._head(project, document_id)
        if head is None or not head.live:
            if not self.generation(project):
                raise UnknownProject(f"there is no project {project!r}", hint="ingest documents into it first")
            raise UsageError(
                f"there is no document {document_id!r} in project {project!r}", hint="it may have been deleted"
            )
        return head

    def _body(self, head: Head) -> Body:
        among = {"kind": ("body",), "project": (head.project,), "document": (head.id,), "version": (head.version,)}
        return Body.from_payloads([one.payload for one in self._server.scan(self._catalogue, Where(among))])

    def _passages(self, project: str, document_id: str, fields: Sequence[str]) -> list[Mapping[str, Any]]:
        found = self._scan(project, Where({"document": (document_id,)}), fields)
        return [one.payload for one in self._live(project, found)]

    def _chunks_of(self, head: Head) -> list[Chunk]:
        return [chunk_from_payload(payload) for payload in self._passages(head.project, head.id, _PASSAGE)]

    def _text_problems(self, place: str, head: Head) -> list[str]:
        text = self._body(head).text
        problems: list[str] = []
        chunks: list[Chunk] = []
        for payload in self._passages(head.project, head.id, _PASSAGE):
            try:
                chunks.append(chunk_from_payload(payload))
            except BackendError as error:
                problems.append(f"{place}: {error.message}")
        problems += [
            f"{place}, passage {chunk.id!r}: the document says something else at its span"
            for chunk in chunks
            if chunk.span.of(text) != chunk.text
        ]
        if not problems and content_digest(chunks) != head.digest:
            problems.append(f"{place}: its passages do not have the digest stored with it")
        return problems

    def _collection(self, project: str) -> str:
        return f"{self._catalogue}-{sha256_hex(project)[:20]}"


def _left(asked: Mapping[str, Sequence[str]], filters: Filters) -> dict[str, Sequence[str]]:
    """The keys asked for without the documents left out.

    A server that is told both of one field may heed only the first (seen with 1.16.3), so they are settled here.
    """
    without = unwanted(filters)
    return {
        facet: [key for key in keys if key not in without] if facet == "document" else keys
        for facet, keys in asked.items()
    }


def _where(asked: Mapping[str, Sequence[str]], filters: Filters) -> Where:
    without = unwanted(filters)
    return Where({f"f_{facet}": keys for facet, keys in asked.items()}, {"f_document": without} if without else {})


def _ranked(hits: Sequence[Scored], k: int) -> list[Scored]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:k]
