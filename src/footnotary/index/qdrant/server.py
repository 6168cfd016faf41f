"""The operations on a Qdrant server that the Qdrant store needs.

Writes return once the server has applied them; repeating a write changes nothing, because ids are computed from the
content's identity. A collection is used through an alias, so that another can replace it atomically.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any

from qdrant_client import models

from footnotary.errors import BackendError
from footnotary.index.circuit_breaker import CircuitBreaker
from footnotary.index.qdrant.client import (
    DENSE_VECTOR_NAME,
    SPARSE_VECTOR_NAME,
    QdrantConnection,
    dense_vector_of,
    to_filter,
    to_point_struct,
    to_query_request,
)
from footnotary.index.qdrant.point_types import (
    ClusterSharding,
    CollectionSchema,
    FoundPoint,
    PointFilter,
    QdrantPoint,
    SparseVector,
)
from footnotary.ports import Vector

_POINTS_PER_WRITE = 128
_POINTS_PER_READ = 512
_MAX_DISTINCT_VALUES = 100_000
_MAX_PARALLEL_COUNTS = 8
_HNSW_EF = 256  # search width of the HNSW graph; segments without a graph are searched exactly


class QdrantServer:
    """One server or cluster at one URL; threads may share it."""

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        timeout_s: float = 30.0,
        ca_file: Path | None = None,
        spread: ClusterSharding | None = None,
        breaker: CircuitBreaker | None = None,
    ) -> None:
        self.url = url
        self._spread = spread or ClusterSharding()
        self._wire = QdrantConnection(url, api_key, timeout_s, ca_file, breaker or CircuitBreaker())
        self._client = self._wire.client
        self._ready: set[str] = set()

    def close(self) -> None:
        self._client.close()

    # -- collections ---------------------------------------------------------------------------------------------

    def behind(self, name: str) -> str | None:
        """The collection behind an alias; None if there is no such alias."""
        aliases = self._wire.request(self._client.get_aliases).aliases
        return next((alias.collection_name for alias in aliases if alias.alias_name == name), None)

    def create(self, name: str, fields: CollectionSchema) -> None:
        """Creates a collection and its alias `name`, unless it exists; may be repeated."""
        if name in self._ready:
            return
        if self.behind(name) is None:
            self.build(f"{name}-1", fields)
            self.switch(name, f"{name}-1")
        self._ready.add(name)

    def build(self, collection: str, fields: CollectionSchema) -> None:
        """Creates a collection without an alias, with an index for each filter field."""
        if not self._wire.request(lambda: self._client.collection_exists(collection)):
            self._build(collection, fields.dimensions)
        kinds: list[tuple[str, Any]] = [(name, models.PayloadSchemaType.KEYWORD) for name in fields.keywords]
        kinds += [(name, models.PayloadSchemaType.INTEGER) for name in fields.numbers]
        if fields.words:
            same = models.IntegerIndexParams(
                type=models.IntegerIndexType.INTEGER, lookup=True, range=False, on_disk=True
            )
            kinds.append((fields.words, same))
        with ThreadPoolExecutor(
            len(kinds)
        ) as pool:  # nodes of a cluster agree on each: in parallel that is one wait for all
            for made in [pool.submit(self._index, collection, name, kind) for name, kind in kinds]:
                made.result()

    def _index(self, collection: str, name: str, kind: Any) -> None:
        self._wire.request(lambda: self._client.create_payload_index(collection, name, kind, wait=True))

    def _build(self, collection: str, dimensions: int) -> None:
        copies = self._spread.replicas
        dense = {DENSE_VECTOR_NAME: models.VectorParams(size=dimensions, distance=models.Distance.DOT)}
        sparse = {SPARSE_VECTOR_NAME: models.SparseVectorParams()}
        try:
            self._wire.request(
                lambda: self._client.create_collection(
                    collection,
                    vectors_config=dense if dimensions else {},
                    sparse_vectors_config=sparse if dimensions else None,
                    shard_number=self._spread.shards,
                    replication_factor=copies,
                    write_consistency_factor=(copies + 1) // 2,
                    on_disk_payload=True,
                )
            )
        except BackendError:
            if not self._wire.request(lambda: self._client.collection_exists(collection)):
                raise  # otherwise another process created it first

    def switch(self, name: str, collection: str) -> None:
        """Points the alias `name` to `collection`, atomically."""
        forget = models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=name))
        point = models.CreateAliasOperation(
            create_alias=models.CreateAlias(collection_name=collection, alias_name=name)
        )
        steps = [forget, point] if self.behind(name) else [point]
        self._wire.request(lambda: self._client.update_collection_aliases(steps))

    def forget(self, name: str) -> None:
        """`create` looks again whether the collection exists."""
        self._ready.discard(name)

    def drop(self, name: str) -> None:
        """Deletes the collection behind the alias `name`, and the alias with it."""
        self.forget(name)
        if (collection := self.behind(name)) is not None:
            self.delete_collection_if_exists(collection)

    def delete_collection_if_exists(self, collection: str) -> None:
        """Deletes a collection by its own name, if it exists."""
        self._wire.request(lambda: self._client.delete_collection(collection))

    # -- writing -------------------------------------------------------------------------------------------------

    def put(self, collection: str, points: Sequence[QdrantPoint]) -> None:
        """Writes points in batches; each point is written completely or not at all."""
        for i in range(0, len(points), _POINTS_PER_WRITE):
            some = [to_point_struct(point) for point in points[i : i + _POINTS_PER_WRITE]]
            self._wire.request(lambda batch=some: self._client.upsert(collection, batch, wait=True))

    def put_if_unchanged(self, collection: str, point: QdrantPoint, where: PointFilter) -> None:
        """Writes a point unless one with its id exists that does not match `where`; read it to see which happened."""
        self._wire.request(
            lambda: self._client.upsert(
                collection,
                [to_point_struct(point)],
                wait=True,
                ordering=models.WriteOrdering.STRONG,
                update_filter=to_filter(where),
            )
        )

    def delete_points(self, collection: str, where: PointFilter) -> None:
        selector = models.FilterSelector(filter=to_filter(where))
        self._wire.request(lambda: self._client.delete(collection, selector, wait=True))

    # -- reading -------------------------------------------------------------------------------------------------

    def read(self, collection: str, ids: Sequence[str], fields: Sequence[str] | None = None) -> list[FoundPoint]:
        """The points with these ids that exist, in no particular order."""
        found: list[FoundPoint] = []
        for i in range(0, len(ids), _POINTS_PER_READ):
            some = list(ids[i : i + _POINTS_PER_READ])
            records = self._wire.request(
                lambda s=some: self._client.retrieve(
                    collection, s, with_payload=_payload_selector(fields), with_vectors=False
                )
            )
            found += [FoundPoint(record.payload or {}) for record in records]
        return found

    def scan(
        self, collection: str, where: PointFilter, fields: Sequence[str] | None = None, *, vectors: bool = False
    ) -> Iterator[FoundPoint]:
        """All matching points, in no particular order."""
        after: Any = None
        while True:
            records, after = self._wire.request(
                lambda at=after: self._client.scroll(
                    collection,
                    to_filter(where),
                    limit=_POINTS_PER_READ,
                    offset=at,
                    with_payload=_payload_selector(fields),
                    with_vectors=[DENSE_VECTOR_NAME] if vectors else False,
                )
            )
            for record in records:
                yield FoundPoint(record.payload or {}, dense=dense_vector_of(record.vector) if vectors else None)
            if after is None:
                return

    def highest(self, collection: str, number: str, where: PointFilter) -> int:
        """The highest value of an indexed number; 0 if no point has one."""
        order = models.OrderBy(key=number, direction=models.Direction.DESC)
        records, _ = self._wire.request(
            lambda: self._client.scroll(collection, to_filter(where), limit=1, order_by=order, with_payload=[number])
        )
        return int((records[0].payload or {})[number]) if records else 0

    def count(self, collection: str, where: PointFilter) -> int:
        return self._wire.request(lambda: self._client.count(collection, to_filter(where), exact=True)).count

    def counts(self, collection: str, wheres: Sequence[PointFilter]) -> list[int]:
        """Exact counts, all requested in parallel."""
        with ThreadPoolExecutor(min(len(wheres), _MAX_PARALLEL_COUNTS)) as pool:
            return list(pool.map(self.count, repeat(collection), wheres))

    def distinct(self, collection: str, keyword: str, where: PointFilter) -> list[str]:
        """The distinct values of a keyword, in order."""
        hits = self._wire.request(
            lambda: self._client.facet(collection, keyword, to_filter(where), limit=_MAX_DISTINCT_VALUES, exact=True)
        ).hits
        return sorted(str(hit.value) for hit in hits)

    def nearest(
        self,
        collection: str,
        asked: Sequence[Vector | SparseVector],
        where: PointFilter,
        limit: int,
        fields: Sequence[str],
    ) -> list[list[FoundPoint]]:
        """For each vector the points with the highest dot product, best first, all in one request."""
        requests = [to_query_request(one, where, limit, fields, _HNSW_EF) for one in asked]
        answers = self._wire.request(lambda: self._client.query_batch_points(collection, requests))
        return [[FoundPoint(point.payload or {}, point.score) for point in answer.points] for answer in answers]


def _payload_selector(fields: Sequence[str] | None) -> Any:
    return True if fields is None else list(fields)
