"""Canonical serialization: the same value gives the same bytes, and so the same hash, on any machine."""

import json
from collections.abc import Mapping, Set
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date
from enum import Enum
from typing import Any, cast

from footnotary.errors import InvariantError


def to_plain(value: object) -> Any:
    """A domain value as JSON data; sets are sorted, so that runs repeat.

    A field marked `LATER` is left out at its default: records of versions without it keep their bytes.
    """
    if value is None or isinstance(value, bool | int | float) or type(value) is str:
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    if is_dataclass(value):
        return {
            field.name: to_plain(getattr(value, field.name))
            for field in fields(value)
            if field.init and not (field.metadata.get("later") and getattr(value, field.name) == _default(field))
        }
    if isinstance(value, Set):
        return sorted(to_plain(one) for one in cast("Set[Any]", value))
    if isinstance(value, tuple | list):
        return [to_plain(one) for one in cast("list[object]", value)]
    if isinstance(value, Mapping):
        return {str(key): to_plain(one) for key, one in cast("Mapping[object, object]", value).items()}
    raise InvariantError(f"{type(value).__name__} cannot be stored in an audit record")


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


def canonical_json(value: Any) -> bytes:
    """JSON in ASCII with sorted keys and no spaces. It works for every text, including half a surrogate pair."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")
