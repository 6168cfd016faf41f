"""The values exchanged with a Qdrant server, independent of its client library and of our document types."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from footnotary.ports import Vector

_UUID_NAMESPACE = uuid.UUID("5b0f6f0e-6a0f-5a55-9d0c-3c6f1f6a7b10")


class CollectionNotFound(Exception):
    """There is no such collection on the server."""


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Weights by dimension, the dimensions ascending."""

    dimensions: Sequence[int]
    weights: Sequence[float]


@dataclass(frozen=True, slots=True)
class QdrantPoint:
    """What is stored under an id; a record has no vectors."""

    id: str
    payload: Mapping[str, Any]
    dense: Vector | None = None
    sparse: SparseVector | None = None


@dataclass(frozen=True, slots=True)
class FoundPoint:
    """The requested fields of a point; `score` if it was found by a search."""

    payload: Mapping[str, Any]
    score: float = 0.0
    dense: Vector | None = None


@dataclass(frozen=True, slots=True)
class PointFilter:
    """Selects points that have one of the values for every field of `among`, and none of those of `without`."""

    among: Mapping[str, Sequence[str] | Sequence[int]] = field(default_factory=dict[str, Sequence[str] | Sequence[int]])
    without: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])


@dataclass(frozen=True, slots=True)
class ClusterSharding:
    """How collections are sharded and replicated in a cluster.

    A write is acknowledged once half of the replicas have it and the nodes have agreed not to query the others until
    they have recovered.
    """

    shards: int = 1
    replicas: int = 1


@dataclass(frozen=True, slots=True)
class CollectionSchema:
    """The fields a collection is filtered by: each gets an index. Without dimensions its points have no vectors.

    `words` is a field of integers that are only compared for equality.
    """

    keywords: Sequence[str]
    numbers: Sequence[str] = ()
    words: str = ""
    dimensions: int = 0


def point_id(*parts: str) -> str:
    """An id computed from the content's identity: writing a point again overwrites it."""
    return str(uuid.uuid5(_UUID_NAMESPACE, "\0".join(parts)))
