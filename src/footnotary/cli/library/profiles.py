"""`profile`: lists, shows and checks policy profiles."""

import json
import re
from typing import cast

from footnotary.cli.output import print_json, say
from footnotary.deprecated import with_former_keys
from footnotary.profiles.load import BUILT_IN, load_profile
from footnotary.verify.run import checks_for

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def list_profiles() -> None:
    for name in BUILT_IN:
        profile = load_profile(name)
        say(f"{name:<11} {profile.digest[:12]}  {profile.description}")


def show_profile(name: str, *, as_json: bool, brief: bool = False) -> None:
    """Prints the profile as it is applied, its sections in TOML.

    Raises if it does not load or names an unknown check.
    """
    profile = load_profile(name)
    checks_for(profile)
    if as_json:
        print_json(with_former_keys(profile.model_dump(mode="json")) | {"digest": profile.digest})
        return
    say(f"{profile.name}: {profile.description}\ndigest {profile.digest}")
    if brief:
        return
    parts: dict[str, object] = profile.model_dump(mode="json")
    for part, content in parts.items():
        if isinstance(content, dict):
            say(f"\n[{part}]")
            for key, value in cast("dict[str, object]", content).items():
                if value is None:
                    continue
                say(f"{key if _BARE_KEY.fullmatch(key) else _toml_value(key)} = {_toml_value(value)}")


def _toml_value(value: object) -> str:
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return "{" + ", ".join(f"{_toml_value(key)} = {_toml_value(held)}" for key, held in pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_toml_value(held) for held in cast("list[object]", value)) + "]"
    # JSON's strings, numbers, lists and booleans are valid TOML, but TOML also requires DEL to be escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
