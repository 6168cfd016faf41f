"""Random changes to an evidence bundle, as an attacker without its key might make; repeatable by seed."""

import base64
import copy
import json
import random
from collections.abc import Callable
from typing import Any

Envelope = dict[str, Any]
Tamper = Callable[[Envelope, random.Random], Envelope]

_SWAPPED = str.maketrans("0123456789aeiou", "1234567890eioua")


def tampered_envelope(envelope: Envelope, rng: random.Random) -> tuple[str, object]:
    """The name of a manipulation and the changed envelope, which always differs from the original."""
    while True:
        name = rng.choice(list(TAMPERS))
        try:
            changed: object = TAMPERS[name](copy.deepcopy(envelope), rng)
        except ValueError:  # a changed byte made it invalid JSON: it can no longer be read as a bundle
            changed = None
        if changed != envelope:
            return name, changed


def _payload(change: Callable[[Any, random.Random], Any]) -> Tamper:
    """A change within the statement; the signature is not changed."""

    def tamper(envelope: Envelope, rng: random.Random) -> Envelope:
        statement = change(json.loads(base64.b64decode(envelope["payload"])), rng)
        written = json.dumps(statement, sort_keys=True, separators=(",", ":")).encode()
        return envelope | {"payload": base64.b64encode(written).decode()}

    return tamper


def _all_paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, list):
        inner = list(enumerate(value))  # pyright: ignore[reportUnknownArgumentType]
    return [path, *(place for key, one in inner for place in _all_paths(one, (*path, key)))]


def _holder(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        value = value[key]
    return value


def _edit_a_value(statement: Any, rng: random.Random) -> Any:
    path = rng.choice(_all_paths(statement)[1:])
    holder = _holder(statement, path)
    holder[path[-1]] = _changed_value(holder[path[-1]], rng)
    return statement


def _changed_value(value: Any, rng: random.Random) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + rng.choice((-1, 1, 0.25))
        case str():
            at = rng.randrange(len(value) + 1)
            return value[:at] + (value[at : at + 1].translate(_SWAPPED) or "x") + value[at + 1 :]
        case None:
            return "something"
        case _:
            return None


def _drop_a_member(statement: Any, rng: random.Random) -> Any:
    path = rng.choice(_all_paths(statement)[1:])
    del _holder(statement, path)[path[-1]]
    return statement


def _swap_within_a_list(statement: Any, rng: random.Random) -> Any:
    lists = [path for path in _all_paths(statement)[1:] if isinstance(_holder(statement, path)[path[-1]], list)]
    found = [path for path in lists if len(_holder(statement, path)[path[-1]]) > 1]
    path = rng.choice(found)
    held = _holder(statement, path)[path[-1]]
    one, other = rng.sample(range(len(held)), 2)
    held[one], held[other] = held[other], held[one]
    return statement


def _in_the_content(*path: str) -> Callable[[Any, random.Random], Any]:
    """A change to one part of the content."""

    def change(statement: Any, rng: random.Random) -> Any:
        held = statement["predicate"]["content"]
        for key in path:
            held = held[key]
        if isinstance(held, list | dict) and held:
            _edit_a_value(held, rng)
        return statement

    return change


def _flip_a_byte(envelope: Envelope, rng: random.Random) -> Any:
    written = bytearray(json.dumps(envelope, sort_keys=True, separators=(",", ":")).encode())
    written[rng.randrange(len(written))] ^= 1 << rng.randrange(7)
    return json.loads(written.decode("ascii"))


def _cut_the_payload(envelope: Envelope, rng: random.Random) -> Envelope:
    return envelope | {"payload": envelope["payload"][: rng.randrange(len(envelope["payload"]))]}


def _change_the_signature(envelope: Envelope, rng: random.Random) -> Envelope:
    (signature,) = envelope["signatures"]
    data = bytearray(base64.b64decode(signature["sig"]))
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return envelope | {"signatures": [signature | {"sig": base64.b64encode(data).decode()}]}


def _change_the_signatures(envelope: Envelope, rng: random.Random) -> Envelope:
    (signature,) = envelope["signatures"]
    others: list[Any] = [[], [signature, signature], [signature | {"keyid": "0" * 64}], [signature | {"more": 1}], None]
    return envelope | {"signatures": rng.choice(others)}


def _add_a_member(envelope: Envelope, rng: random.Random) -> Envelope:
    return envelope | {rng.choice(("note", "payloadtype", "signature")): "x"}


TAMPERS: dict[str, Tamper] = {
    "a value anywhere": _payload(_edit_a_value),
    "a member dropped": _payload(_drop_a_member),
    "a list reordered": _payload(_swap_within_a_list),
    "the question": _payload(_in_the_content("query")),
    "the evidence": _payload(_in_the_content("evidence")),
    "the draft": _payload(_in_the_content("draft")),
    "the outcome": _payload(_in_the_content("outcome")),
    "the verdicts": _payload(_in_the_content("outcome", "verdicts")),
    "the profile": _payload(_in_the_content("profile")),
    "a byte of the file": _flip_a_byte,
    "the payload cut": _cut_the_payload,
    "the signature": _change_the_signature,
    "the list of signatures": _change_the_signatures,
    "a member added": _add_a_member,
}
