"""What goes to a Qdrant server and comes back, in terms of neither its client nor our documents."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from footnotary.ports import Vector

_NAMES = uuid.UUID("5b0f6f0e-6a0f-5a55-9d0c-3c6f1f6a7b10")


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

    among: Mapping[str, Sequence[str] | Sequence[int]] = field(default_factory=dict[str, Sequence[str] | Sequence[int]])
    without: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])


@dataclass(frozen=True, slots=True)
class Spread:
    """How collections are spread over a cluster.

    A write counts once half of the copies have it and the nodes have agreed not to ask the others until they caught up.
    """

    shards: int = 1
    replicas: int = 1


@dataclass(frozen=True, slots=True)
class Fields:
    """What a collection is asked by: each field gets an index. Without dimensions its points have no vectors.

    `words` is a field of whole numbers that are only ever compared for being the same.
    """

    keywords: Sequence[str]
    numbers: Sequence[str] = ()
    words: str = ""
    dimensions: int = 0


def point_id(*parts: str) -> str:
    """The id that follows from what a point is: writing it again writes it over itself."""
    return str(uuid.uuid5(_NAMES, "\0".join(parts)))
