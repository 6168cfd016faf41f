"""Says which key of a profile is unknown, and which known one may have been meant."""

import difflib
from collections.abc import Iterator, Sequence

from footnotary.errors import ProfileError
from footnotary.profiles.schema import Profile, ProfileTable


def unknown_key_error(profile: str, place: Sequence[str | int]) -> ProfileError:
    """The error for the key at `place`, such as ("retrieval", "kk")."""
    *above, key = (str(part) for part in place)
    table, keys = ".".join(above), dict(_keys_by_table())
    known = keys.get(table, ())
    elsewhere = [f"{other}.{key}".removeprefix(".") for other, names in keys.items() if key in names]
    nearest = elsewhere or [f"{table}.{name}".removeprefix(".") for name in difflib.get_close_matches(key, known, n=1)]
    return ProfileError(
        f"profile {profile!r}: {'.'.join((*above, key))}: unknown key",
        hint=f"did you mean {nearest[0]}?" if nearest else f"choose from {', '.join(known)}",
    )


def _keys_by_table(table: type[ProfileTable] = Profile, name: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    yield name, tuple(table.model_fields)
    for key, field in table.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, ProfileTable):
            yield from _keys_by_table(field.annotation, f"{name}.{key}".removeprefix("."))
