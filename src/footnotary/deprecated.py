"""Names of version 0.1 that still work: tables from the former name to the present one, and how they are applied.

What a user writes (settings, variables, profiles, keyword arguments) gives one warning per name and process. What is
read from stored data gives none: its names cannot be changed. What programs read (JSON, metrics) is given under both
names. `docs/reference/deprecated.md` is generated from these tables; they go with the next release.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, cast

Record = dict[str, Any]

LEXICAL = {"words": "lexical"}

SETTINGS = {"judge": "verifier", "first_pass_from": "ann_min_chunks"}
SETTING_VALUES = {"verifier": LEXICAL}

PROFILE_KEYS = {
    "retrieval": {"rerank_judge": "rerank_verifier"},
    "verification": {"judge": "verifier", "overrule_threshold": "override_threshold"},
    "risk": {"judge": "verifier"},
}
PROFILE_VALUES = {"verification": {"verifier": LEXICAL}}
# Checks that a profile may still name: they do nothing, and the check next to them does their work.
FORMER_CHECKS = dict.fromkeys(
    ("quantifiers_agree", "connectives_agree", "exceptions_are_kept", "names_are_supported", "roles_agree"),
    "claims_are_entailed",
)

ARGUMENTS = {"judge": "verifier"}  # of `verify_claim`
CONFORMANCE_NAMES = {"Reply": "TargetReply"}  # of `footnotary.conform.case`
MODELS = {"judge": "verifier", "orders": "injection"}  # in audit records and evidence bundles
METRICS = {
    "footnotary_http_requests_under_way": "footnotary_http_requests_in_progress",
    "footnotary_requests_inside": "footnotary_requests_in_flight",
}
RERANKING = {"no_judge": "no_verifier", "judge_failed": "verifier_failed"}  # in evidence bundles
CITATION_FIELDS = {"decorative": "unsupporting"}
EVALUATION_FIELDS = {"judge": "verifier"}
DOCTOR_CHECKS = {"judge": "verifier"}

_warned: set[str] = set()


class FootnotaryDeprecationWarning(FutureWarning):
    """A former name is in use. Python shows it to everybody once; the command line prints it as one line."""


def warn(former: str, present: str) -> None:
    """Warns that `former` is deprecated, once per process."""
    if former not in _warned:
        _warned.add(former)
        warnings.warn(f"{former} is deprecated, use {present}", FootnotaryDeprecationWarning, stacklevel=3)


def present_setting(name: str, value: object, *, prefix: str = "") -> tuple[str, object]:
    """A setting under its present name and value; warns where either is a former one.

    `prefix` is that of the environment variable the setting comes from.
    """
    present = SETTINGS.get(name, name)
    if present != name:
        warn(prefix + name.upper() if prefix else f"setting {name}", prefix + present.upper() if prefix else present)
    values = SETTING_VALUES.get(present, {})
    if isinstance(value, str) and value in values:
        warn(f'{present} = "{value}"', f'{present} = "{values[value]}"')
        return present, values[value]
    return present, value


def present_profile(content: Mapping[str, Any], *, warns: bool) -> Record:
    """A profile, or a part of one, under the present names and values. Raises `ValueError` for a key given twice."""
    renamed = dict(content)
    for table, keys in PROFILE_KEYS.items():
        part = renamed.get(table)
        if isinstance(part, Mapping):
            renamed[table] = _present_part(table, cast("Mapping[str, Any]", part), keys, warns=warns)
    if warns:
        _warn_of_former_checks(renamed.get("verification"))
    return renamed


def _warn_of_former_checks(part: object) -> None:
    named = cast("Mapping[str, Any]", part).get("checks") if isinstance(part, Mapping) else None
    for name in cast("list[object]", named) if isinstance(named, list) else ():
        if isinstance(name, str) and name in FORMER_CHECKS:
            warn(f"check {name}", FORMER_CHECKS[name])


def _present_part(table: str, part: Mapping[str, Any], keys: Mapping[str, str], *, warns: bool) -> Record:
    renamed: Record = {}
    for key, value in part.items():
        present = keys.get(key, key)
        if present != key and present in part:
            raise ValueError(f"{table}.{key} is the former name of {table}.{present}, and both are given")
        values = PROFILE_VALUES.get(table, {}).get(present, {})
        former_value = isinstance(value, str) and value in values
        if warns and present != key:
            warn(f"profile key {table}.{key}", f"{table}.{present}")
        if warns and former_value:
            warn(f'{table}.{present} = "{value}"', f'{table}.{present} = "{values[value]}"')
        renamed[present] = values[value] if former_value else value
    return renamed


def former_profile(content: Mapping[str, Any]) -> Record:
    """A profile with the names and values of version 0.1 in place of the present ones."""
    renamed = dict(content)
    for table, keys in PROFILE_KEYS.items():
        present = {name: key for key, name in keys.items()}
        values = PROFILE_VALUES.get(table, {})
        renamed[table] = {
            present.get(key, key): _inverted(values.get(key, {})).get(value, value) if key in values else value
            for key, value in renamed[table].items()
        }
    return renamed


def with_former_keys(content: Mapping[str, Any]) -> Record:
    """A profile as programs read it: every key under its present and its former name."""
    former = former_profile(content)
    return {
        key: {**former[key], **value} if key in PROFILE_KEYS and isinstance(value, Mapping) else value
        for key, value in content.items()
    }


def with_former_fields(record: Mapping[str, Any], fields: Mapping[str, str]) -> Record:
    """A record with those fields under their former names as well."""
    return {**record, **{former: record[present] for former, present in fields.items() if present in record}}


def present_names(record: Mapping[str, Any], names: Mapping[str, str]) -> Record:
    """A stored record under the present names."""
    return {names.get(name, name): value for name, value in record.items()}


def _inverted(values: Mapping[str, str]) -> dict[str, str]:
    return {present: former for former, present in values.items()}
