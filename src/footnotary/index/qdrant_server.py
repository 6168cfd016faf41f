"""A Qdrant server as the Qdrant store needs it.

Writes return once the server has applied them; a write that is repeated changes nothing more, because points go by ids
that follow from what they are. A collection is known by a name that stands for the one in use (an alias), so that
another can take its place between two calls.
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
_EF = 256  # how widely the graph is searched where there is one; segments without one are searched exactly


class QdrantServer:
    """One server or cluster under one address; threads may share it."""

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
        """The collection a name stands for; None where it stands for none."""
        aliases = self._wire.asked(self._client.get_aliases).aliases
        return next((alias.collection_name for alias in aliases if alias.alias_name == name), None)

    def create(self, name: str, fields: Fields) -> None:
        """Makes the collection that `name` stands for, unless there is one; may be repeated."""
        if name in self._ready:
            return
        if self.behind(name) is None:
            self.build(f"{name}-1", fields)
            self.switch(name, f"{name}-1")
        self._ready.add(name)

    def build(self, collection: str, fields: Fields) -> None:
        """Makes a collection that no name stands for yet, with an index for each field it is asked by."""
        if not self._wire.asked(lambda: self._client.collection_exists(collection)):
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
        ) as pool:  # nodes of a cluster agree on each: at once that is one wait for all
            for made in [pool.submit(self._index, collection, name, kind) for name, kind in kinds]:
                made.result()

    def _index(self, collection: str, name: str, kind: Any) -> None:
        self._wire.asked(lambda: self._client.create_payload_index(collection, name, kind, wait=True))

    def _build(self, collection: str, dimensions: int) -> None:
        copies = self._spread.replicas
        dense = {DENSE: models.VectorParams(size=dimensions, distance=models.Distance.DOT)}
        sparse = {SPARSE: models.SparseVectorParams()}
        try:
            self._wire.asked(
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
            if not self._wire.asked(lambda: self._client.collection_exists(collection)):
                raise  # or else another process was first

    def switch(self, name: str, collection: str) -> None:
        """Lets `name` stand for `collection` from one call to the next; there is no moment between."""
        forget = models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=name))
        point = models.CreateAliasOperation(
            create_alias=models.CreateAlias(collection_name=collection, alias_name=name)
        )
        steps = [forget, point] if self.behind(name) else [point]
        self._wire.asked(lambda: self._client.update_collection_aliases(steps))

    def drop(self, name: str) -> None:
        """Deletes the collection `name` stands for, and the name with it."""
        self._ready.discard(name)
        if (collection := self.behind(name)) is not None:
            self.tear_down(collection)

    def tear_down(self, collection: str) -> None:
        """Deletes a collection by its own name, if it is there."""
        self._wire.asked(lambda: self._client.delete_collection(collection))

    # -- writing -------------------------------------------------------------------------------------------------

    def put(self, collection: str, points: Sequence[Point]) -> None:
        """Writes points in batches; each point is there as a whole or not at all."""
        for i in range(0, len(points), _PUT_AT_ONCE):
            some = [struct(point) for point in points[i : i + _PUT_AT_ONCE]]
            self._wire.asked(lambda batch=some: self._client.upsert(collection, batch, wait=True))

    def put_if(self, collection: str, point: Point, where: Where) -> None:
        """Writes a point unless one with its id is there that is not as `where` says; read it to see which it was."""
        self._wire.asked(
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
        self._wire.asked(lambda: self._client.delete(collection, selector, wait=True))

    # -- reading -------------------------------------------------------------------------------------------------

    def read(self, collection: str, ids: Sequence[str], fields: Sequence[str] | None = None) -> list[Found]:
        """The points with these ids that are there, in no order."""
        found: list[Found] = []
        for i in range(0, len(ids), _READ_AT_ONCE):
            some = list(ids[i : i + _READ_AT_ONCE])
            records = self._wire.asked(
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
            records, after = self._wire.asked(
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
        """The highest value of a number with an index; 0 where no point has one."""
        order = models.OrderBy(key=number, direction=models.Direction.DESC)
        records, _ = self._wire.asked(
            lambda: self._client.scroll(collection, matching(where), limit=1, order_by=order, with_payload=[number])
        )
        return int((records[0].payload or {})[number]) if records else 0

    def count(self, collection: str, where: Where) -> int:
        return self._wire.asked(lambda: self._client.count(collection, matching(where), exact=True)).count

    def counts(self, collection: str, wheres: Sequence[Where]) -> list[int]:
        """Exact counts, all asked for at once."""
        with ThreadPoolExecutor(min(len(wheres), _AT_ONCE)) as pool:
            return list(pool.map(self.count, repeat(collection), wheres))

    def distinct(self, collection: str, keyword: str, where: Where) -> list[str]:
        """The values a keyword has among points, in order."""
        hits = self._wire.asked(
            lambda: self._client.facet(collection, keyword, matching(where), limit=_MOST_DISTINCT, exact=True)
        ).hits
        return sorted(str(hit.value) for hit in hits)

    def nearest(
        self, collection: str, asked: Sequence[Vector | Sparse], where: Where, limit: int, fields: Sequence[str]
    ) -> list[list[Found]]:
        """For each vector the points of highest product with it, best first, all in one trip."""
        requests = [query(one, where, limit, fields, _EF) for one in asked]
        answers = self._wire.asked(lambda: self._client.query_batch_points(collection, requests))
        return [[Found(point.payload or {}, point.score) for point in answer.points] for answer in answers]


def _fields(fields: Sequence[str] | None) -> Any:
    return True if fields is None else list(fields)
