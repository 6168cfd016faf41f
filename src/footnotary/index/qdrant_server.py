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
from footnotary.index.breaker import Breaker
from footnotary.index.qdrant_points import Fields, Found, Point, Sparse, Spread, Where
from footnotary.index.qdrant_wire import DENSE, SPARSE, QdrantWire, dense_of, matching, query, struct
from footnotary.ports import Vector

_PUT_AT_ONCE = 128
_READ_AT_ONCE = 512
_MOST_DISTINCT = 100_000
_AT_ONCE = 8
_EF = 256  # search width of the HNSW graph; segments without a graph are searched exactly


class QdrantServer:
    """One server or cluster at one URL; threads may share it."""

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        timeout_s: float = 30.0,
        ca_file: Path | None = None,
        spread: Spread | None = None,
        breaker: Breaker | None = None,
    ) -> None:
        self.url = url
        self._spread = spread or Spread()
        self._wire = QdrantWire(url, api_key, timeout_s, ca_file, breaker or Breaker())
        self._client = self._wire.client
        self._ready: set[str] = set()

    def close(self) -> None:
        self._client.close()

    # -- collections ---------------------------------------------------------------------------------------------

    def behind(self, name: str) -> str | None:
        """The collection behind an alias; None if there is no such alias."""
        aliases = self._wire.request(self._client.get_aliases).aliases
        return next((alias.collection_name for alias in aliases if alias.alias_name == name), None)

    def create(self, name: str, fields: Fields) -> None:
        """Creates a collection and its alias `name`, unless it exists; may be repeated."""
        if name in self._ready:
            return
        if self.behind(name) is None:
            self.build(f"{name}-1", fields)
            self.switch(name, f"{name}-1")
        self._ready.add(name)

    def build(self, collection: str, fields: Fields) -> None:
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
        dense = {DENSE: models.VectorParams(size=dimensions, distance=models.Distance.DOT)}
        sparse = {SPARSE: models.SparseVectorParams()}
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

    def drop(self, name: str) -> None:
        """Deletes the collection behind the alias `name`, and the alias with it."""
        self._ready.discard(name)
        if (collection := self.behind(name)) is not None:
            self.tear_down(collection)

    def tear_down(self, collection: str) -> None:
        """Deletes a collection by its own name, if it exists."""
        self._wire.request(lambda: self._client.delete_collection(collection))

    # -- writing -------------------------------------------------------------------------------------------------

    def put(self, collection: str, points: Sequence[Point]) -> None:
        """Writes points in batches; each point is written completely or not at all."""
        for i in range(0, len(points), _PUT_AT_ONCE):
            some = [struct(point) for point in points[i : i + _PUT_AT_ONCE]]
            self._wire.request(lambda batch=some: self._client.upsert(collection, batch, wait=True))

    def put_if(self, collection: str, point: Point, where: Where) -> None:
        """Writes a point unless one with its id exists that does not match `where`; read it to see which happened."""
        self._wire.request(
            lambda: self._client.upsert(
                collection,
                [struct(point)],
                wait=True,
                ordering=models.WriteOrdering.STRONG,
                update_filter=matching(where),
            )
        )

    def take_out(self, collection: str, where: Where) -> None:
        selector = models.FilterSelector(filter=matching(where))
        self._wire.request(lambda: self._client.delete(collection, selector, wait=True))

    # -- reading -------------------------------------------------------------------------------------------------

    def read(self, collection: str, ids: Sequence[str], fields: Sequence[str] | None = None) -> list[Found]:
        """The points with these ids that exist, in no particular order."""
        found: list[Found] = []
        for i in range(0, len(ids), _READ_AT_ONCE):
            some = list(ids[i : i + _READ_AT_ONCE])
            records = self._wire.request(
                lambda s=some: self._client.retrieve(collection, s, with_payload=_fields(fields), with_vectors=False)
            )
            found += [Found(record.payload or {}) for record in records]
        return found

    def scan(
        self, collection: str, where: Where, fields: Sequence[str] | None = None, *, vectors: bool = False
    ) -> Iterator[Found]:
        """All matching points, in no particular order."""
        after: Any = None
        while True:
            records, after = self._wire.request(
                lambda at=after: self._client.scroll(
                    collection,
                    matching(where),
                    limit=_READ_AT_ONCE,
                    offset=at,
                    with_payload=_fields(fields),
                    with_vectors=[DENSE] if vectors else False,
                )
            )
            for record in records:
                yield Found(record.payload or {}, dense=dense_of(record.vector) if vectors else None)
            if after is None:
                return

    def highest(self, collection: str, number: str, where: Where) -> int:
        """The highest value of an indexed number; 0 if no point has one."""
        order = models.OrderBy(key=number, direction=models.Direction.DESC)
        records, _ = self._wire.request(
            lambda: self._client.scroll(collection, matching(where), limit=1, order_by=order, with_payload=[number])
        )
        return int((records[0].payload or {})[number]) if records else 0

    def count(self, collection: str, where: Where) -> int:
        return self._wire.request(lambda: self._client.count(collection, matching(where), exact=True)).count

    def counts(self, collection: str, wheres: Sequence[Where]) -> list[int]:
        """Exact counts, all requested in parallel."""
        with ThreadPoolExecutor(min(len(wheres), _AT_ONCE)) as pool:
            return list(pool.map(self.count, repeat(collection), wheres))

    def distinct(self, collection: str, keyword: str, where: Where) -> list[str]:
        """The distinct values of a keyword, in order."""
        hits = self._wire.request(
            lambda: self._client.facet(collection, keyword, matching(where), limit=_MOST_DISTINCT, exact=True)
        ).hits
        return sorted(str(hit.value) for hit in hits)

    def nearest(
        self, collection: str, asked: Sequence[Vector | Sparse], where: Where, limit: int, fields: Sequence[str]
    ) -> list[list[Found]]:
        """For each vector the points with the highest dot product, best first, all in one request."""
        requests = [query(one, where, limit, fields, _EF) for one in asked]
        answers = self._wire.request(lambda: self._client.query_batch_points(collection, requests))
        return [[Found(point.payload or {}, point.score) for point in answer.points] for answer in answers]


def _fields(fields: Sequence[str] | None) -> Any:
    return True if fields is None else list(fields)
