"""Loads profiles: TOML files that extend one another, built-in or the user's own."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from footnotary.deprecated import present_profile
from footnotary.errors import ProfileError
from footnotary.profiles.schema import LATER_CONTRACT_CHECKS, Profile
from footnotary.profiles.unknown_keys import unknown_key_error

BUILT_IN = ("default", "legal", "compliance", "tutor")
_CHOICE = f"choose from {', '.join(BUILT_IN)}, or pass the path of a .toml file"


def load_profile(name_or_path: str | Path) -> Profile:
    """The profile of that name, or in that TOML file.

    Raises `ProfileError` for an unknown name, a file that does not parse, an unknown key, or a profile that
    would disable a part of the contract; the message names the key.
    """
    if isinstance(name_or_path, str) and name_or_path in BUILT_IN:
        return _built_in(name_or_path)
    if not isinstance(name_or_path, str | Path):  # pyright: ignore[reportUnnecessaryIsInstance] - callers of the Python API
        raise ProfileError(f"a profile is named by a str or a Path, not {name_or_path!r}", hint=_CHOICE)
    path = Path(name_or_path)
    if path.suffix == ".toml" and not path.exists():
        raise ProfileError(f"there is no file {str(name_or_path)!r}", hint="pass the path of a profile that exists")
    if path.suffix != ".toml" or not path.is_file():
        raise ProfileError(
            f"unknown profile {str(name_or_path)!r}",
            hint=_CHOICE,
        )
    return _validate(
        _resolve_parents(_parse_toml(path.read_bytes(), str(path)), seen=(str(path.resolve()),), folder=path.parent)
    )


@lru_cache(maxsize=len(BUILT_IN))
def _built_in(name: str) -> Profile:
    return _validate(_resolve_parents(_read_built_in(name), seen=(name,), folder=None))


def _read_built_in(name: str) -> dict[str, Any]:
    return _parse_toml((resources.files("footnotary.profiles") / f"{name}.toml").read_bytes(), f"{name}.toml")


def _parse_toml(content: bytes, where: str) -> dict[str, Any]:
    try:
        parsed = tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProfileError(
            f"{where} is not TOML: {error}", hint="fix the file; see `footnotary profile show`"
        ) from None
    try:
        # Before a file is merged into the one it extends: that one may use the other name.
        return present_profile(parsed, warns=True)
    except ValueError as error:
        raise ProfileError(f"{where}: {error}", hint="remove the former name") from None


def _resolve_parents(own: dict[str, Any], seen: tuple[str, ...], folder: Path | None) -> dict[str, Any]:
    """`own` merged into the profile it extends: tables key by key, lists and values replaced.

    `risk.answers` is not inherited.
    """
    own = dict(own)
    parent = own.pop("extends", None)
    if parent is None:
        return own
    if not isinstance(parent, str) or parent in seen:
        raise ProfileError(f"profile extends {parent!r}, which is circular or not a name", hint="extend default")
    if parent in BUILT_IN:
        below, below_folder = _read_built_in(parent), None
        key = parent
    else:
        path = (folder or Path()) / parent
        if not path.is_file():
            raise ProfileError(
                f"profile extends {parent!r}, which does not exist", hint=f"choose from {', '.join(BUILT_IN)}"
            )
        below, below_folder, key = _parse_toml(path.read_bytes(), str(path)), path.parent, str(path.resolve())
        if key in seen:
            raise ProfileError(f"profile extends {parent!r}, which is circular", hint="extend default")
    return _merge(_without_measured_errors(_resolve_parents(below, (*seen, key), below_folder)), own)


def _without_measured_errors(below: dict[str, Any]) -> dict[str, Any]:
    """What a profile passes on to those that extend it: not its measured error rates, which hold for itself alone."""
    risk = {key: value for key, value in dict(below.get("risk", {})).items() if key != "answers"}
    return below | {"risk": risk} if risk else below


def _merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        if isinstance(value, Mapping) and isinstance(under, Mapping):
            merged[key] = _merge(cast(Mapping[str, Any], under), cast(Mapping[str, Any], value))
        else:
            merged[key] = value
    return merged


def _validate(content: dict[str, Any]) -> Profile:
    hint = "a profile may tighten the contract, never disable it; run `footnotary profile show default`"
    try:
        profile = Profile.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"] == "extra_forbidden":
            raise unknown_key_error(str(content.get("name", "?")), first["loc"]) from None
        where = ".".join(str(part) for part in first["loc"])
        raise ProfileError(
            f"profile {content.get('name', '?')!r}: {where or 'profile'}: {first['msg'].removeprefix('Value error, ')}",
            hint=hint,
        ) from None
    if missing := sorted(LATER_CONTRACT_CHECKS - set(profile.verification.checks)):
        raise ProfileError(
            f"profile {profile.name!r}: verification.checks: verification.checks must contain {missing}", hint=hint
        )
    return profile
