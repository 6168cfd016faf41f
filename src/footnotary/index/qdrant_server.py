"""A Qdrant server as the Qdrant store needs it: the only file that knows its client.

Every call has one deadline and goes through one breaker. Writes return once the server has applied them; a write that
is repeated changes nothing more, because points go by ids that follow from what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import httpx
import numpy as np
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from footnotary.errors import BackendError, UsageError
from footnotary.index.breaker import Breaker
from footnotary.ports import Vector

T = TypeVar("T")

DENSE, SPARSE = "meaning", "words"
_PUT_AT_ONCE = 128
_READ_AT_ONCE = 512
_MOST_DISTINCT = 100_000
_EF = 256  # how widely the graph is searched where there is one; segments without one are searched exactly


class NoCollection(Exception):
    """There is no such collection on the server."""


@dataclass(frozen=True, slots=True)
class Sparse:
    """Weights by dimension, the dimensions ascending."""

    dimensions: Sequence[int]
    weights: Sequence[float]


@dataclass(frozen=True, slots=True)
class Point:
    """What is put under an id; a point of the catalogue has no vectors."""

    id: str
    payload: Mapping[str, Any]
    dense: Vector | None = None
    sparse: Sparse | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a point says, of the fields that were asked for; `score` where it was searched for."""

    payload: Mapping[str, Any]
    score: float = 0.0
    dense: Vector | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """Points that have, for every field of `among`, one of its values, and for none of `without`."""

    among: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    without: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])


@dataclass(frozen=True, slots=True)
class Spread:
    """How collections are spread over a cluster; a write counts once a majority of the copies has it."""

    shards: int = 1
    replicas: int = 1


class QdrantServer:
    """One server or cluster under one address; threads may share it. `api_key` appears in no message."""

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        timeout_s: float = 30.0,
        spread: Spread | None = None,
        breaker: Breaker | None = None,
    ) -> None:
        self.url = url
        self._spread = spread or Spread()
        self._breaker = breaker or Breaker()
        self._timeout_s = timeout_s
        self._ready: set[str] = set()
        if api_key and url.startswith("http:") and not _is_loopback(url):
            raise UsageError("a key for Qdrant would be sent unencrypted", hint="use an https:// address")
        try:
            self._client = QdrantClient(
                url=url, api_key=api_key, timeout=max(1, round(timeout_s)), check_compatibility=False
            )
        except ValueError as error:
            raise UsageError(f"qdrant_url = {url!r} is no address: {error}", hint="such as http://host:6333") from None

    def close(self) -> None:
        self._client.close()

    # -- collections ---------------------------------------------------------------------------------------------

    def exists(self, collection: str) -> bool:
        return self._asked(lambda: self._client.collection_exists(collection))

    def create(
        self, collection: str, keywords: Sequence[str], numbers: Sequence[str] = (), *, dimensions: int = 0
    ) -> None:
        """Makes a collection with an index for each field it is asked by, unless it is there; may be repeated."""
        if collection in self._ready:
            return
        if not self.exists(collection):
            self._create(collection, dimensions)
        kinds = [(name, models.PayloadSchemaType.KEYWORD) for name in keywords]
        kinds += [(name, models.PayloadSchemaType.INTEGER) for name in numbers]
        last = len(kinds)
        for at, (name, kind) in enumerate(kinds, start=1):  # they are made in order, so the last waits for all
            self._asked(
                lambda n=name, k=kind, wait=at == last: self._client.create_payload_index(collection, n, k, wait=wait)
            )
        self._ready.add(collection)

    def _create(self, collection: str, dimensions: int) -> None:
        copies = self._spread.replicas
        dense = {DENSE: models.VectorParams(size=dimensions, distance=models.Distance.DOT)}
        sparse = {SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)}
        try:
            self._asked(
                lambda: self._client.create_collection(
                    collection,
                    vectors_config=dense if dimensions else {},
                    sparse_vectors_config=sparse if dimensions else None,
                    shard_number=self._spread.shards,
                    replication_factor=copies,
                    write_consistency_factor=copies // 2 + 1,
                    on_disk_payload=True,
                )
            )
        except BackendError:
            if not self.exists(collection):  # or else another process was first
                raise

    def drop(self, collection: str) -> None:
        self._ready.discard(collection)
        self._asked(lambda: self._client.delete_collection(collection))

    # -- writing -------------------------------------------------------------------------------------------------

    def put(self, collection: str, points: Sequence[Point]) -> None:
        """Writes points in batches; each point is there as a whole or not at all."""
        for i in range(0, len(points), _PUT_AT_ONCE):
            some = [_struct(point) for point in points[i : i + _PUT_AT_ONCE]]
            self._asked(lambda batch=some: self._client.upsert(collection, batch, wait=True))

    def put_if(self, collection: str, point: Point, where: Where) -> None:
        """Writes a point unless one with its id is there that is not as `where` says; read it to see which it was."""
        self._asked(
            lambda: self._client.upsert(
                collection,
                [_struct(point)],
                wait=True,
                ordering=models.WriteOrdering.STRONG,
                update_filter=_filter(where),
            )
        )

    def take_out(self, collection: str, where: Where) -> None:
        selector = models.FilterSelector(filter=_filter(where))
        self._asked(lambda: self._client.delete(collection, selector, wait=True))

    # -- reading -------------------------------------------------------------------------------------------------

    def read(self, collection: str, ids: Sequence[str], fields: Sequence[str] | None = None) -> list[Found]:
        """The points with these ids that are there, in no order."""
        found: list[Found] = []
        for i in range(0, len(ids), _READ_AT_ONCE):
            some = list(ids[i : i + _READ_AT_ONCE])
            records = self._asked(
                lambda s=some: self._client.retrieve(collection, s, with_payload=_fields(fields), with_vectors=False)
            )
            found += [Found(record.payload or {}) for record in records]
        return found

    def scan(
        self, collection: str, where: Where, fields: Sequence[str] | None = None, *, vectors: bool = False
    ) -> Iterator[Found]:
        """All points there are, in no order that means anything."""
        after: Any = None
        while True:
            records, after = self._asked(
                lambda at=after: self._client.scroll(
                    collection,
                    _filter(where),
                    limit=_READ_AT_ONCE,
                    offset=at,
                    with_payload=_fields(fields),
                    with_vectors=[DENSE] if vectors else False,
                )
            )
            for record in records:
                yield Found(record.payload or {}, dense=_dense(record.vector) if vectors else None)
            if after is None:
                return

    def highest(self, collection: str, number: str, where: Where) -> int:
        """The highest value of a number with an index; 0 where no point has one."""
        order = models.OrderBy(key=number, direction=models.Direction.DESC)
        records, _ = self._asked(
            lambda: self._client.scroll(collection, _filter(where), limit=1, order_by=order, with_payload=[number])
        )
        return int((records[0].payload or {})[number]) if records else 0

    def count(self, collection: str, where: Where) -> int:
        return self._asked(lambda: self._client.count(collection, _filter(where), exact=True)).count

    def distinct(self, collection: str, keyword: str, where: Where) -> list[str]:
        """The values a keyword has among points, in order."""
        hits = self._asked(
            lambda: self._client.facet(collection, keyword, _filter(where), limit=_MOST_DISTINCT, exact=True)
        ).hits
        return sorted(str(hit.value) for hit in hits)

    def nearest(
        self, collection: str, asked: Vector | Sparse, where: Where, limit: int, fields: Sequence[str]
    ) -> list[Found]:
        """The points of highest product with a vector, best first."""
        query: Any = (
            models.SparseVector(indices=list(asked.dimensions), values=list(asked.weights))
            if isinstance(asked, Sparse)
            else cast(list[float], asked.astype(float).tolist())
        )
        points = self._asked(
            lambda: self._client.query_points(
                collection,
                query=query,
                using=SPARSE if isinstance(asked, Sparse) else DENSE,
                query_filter=_filter(where),
                search_params=models.SearchParams(hnsw_ef=max(_EF, 2 * limit)),
                limit=limit,
                with_payload=_fields(fields),
            )
        ).points
        return [Found(point.payload or {}, point.score) for point in points]

    # -- inside --------------------------------------------------------------------------------------------------

    def _asked(self, ask: Callable[[], T]) -> T:
        """What the server answers. Raises `NoCollection`, `UsageError` or `BackendError`, never one of the client's."""
        if (wait := self._breaker.waits_s()) > 0:
            raise BackendError(
                f"Qdrant at {self.url} failed repeatedly, and is not asked for another {wait:.0f} s",
                hint="see whether the server runs",
                retryable=True,
            )
        try:
            answer = ask()
        except UnexpectedResponse as error:
            status = error.status_code or 0
            if status < 500 and status not in (408, 429):
                self._breaker.succeeded()  # it answers, if not what was hoped for
            else:
                self._breaker.failed()
            raise self._translated(status, error.content) from error
        except (ResponseHandlingException, ApiException, httpx.HTTPError, OSError) as error:
            self._breaker.failed()
            raise BackendError(
                f"Qdrant at {self.url} did not answer within {self._timeout_s:g} s: {error}",
                hint="see whether the server runs and qdrant_url is right",
                retryable=True,
            ) from error
        except UnicodeEncodeError as error:
            raise UsageError(
                f"{error.object[error.start : error.start + 1]!r} is no character that can be stored",
                hint="the text holds half of a surrogate pair; decode the file again",
            ) from error
        self._breaker.succeeded()
        return answer

    def _translated(self, status: int, content: bytes) -> Exception:
        said = content[:300].decode("utf-8", "replace")
        if status == 404 and "ollection" in said:
            return NoCollection(said)
        if status in (401, 403):
            return UsageError(f"Qdrant at {self.url} refuses the key", hint="set FOOTNOTARY_QDRANT_API_KEY")
        return BackendError(
            f"Qdrant at {self.url} answered {status}: {said}",
            hint="nothing was changed by this call" if status < 500 else "see the server's log",
            retryable=status >= 500 or status in (408, 429),
        )


def _struct(point: Point) -> models.PointStruct:
    vectors: dict[str, Any] = {}
    if point.dense is not None:
        vectors[DENSE] = cast(list[float], point.dense.astype(float).tolist())
    if point.sparse is not None and point.sparse.dimensions:
        vectors[SPARSE] = models.SparseVector(indices=list(point.sparse.dimensions), values=list(point.sparse.weights))
    return models.PointStruct(id=point.id, vector=vectors, payload=dict(point.payload))


def _filter(where: Where) -> models.Filter:
    def conditions(named: Mapping[str, Sequence[str]]) -> list[Any]:
        return [
            models.FieldCondition(key=name, match=models.MatchAny(any=list(values))) for name, values in named.items()
        ]

    return models.Filter(must=conditions(where.among), must_not=conditions(where.without))


def _fields(fields: Sequence[str] | None) -> Any:
    return True if fields is None else list(fields)


def _dense(vectors: Any) -> Vector:
    return np.array(vectors[DENSE], np.float32)


def _is_loopback(url: str) -> bool:
    return httpx.URL(url).host in ("localhost", "127.0.0.1", "::1")
