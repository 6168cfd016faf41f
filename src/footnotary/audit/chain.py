"""Whether a log is what was written: every record, its place, its content, and the head."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from footnotary.audit.canonical import parsed
from footnotary.audit.record import AuditRecord, record_hash, signed_message
from footnotary.audit.signing import PublicKey

GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class Head:
    """The last record of a log, as known apart from it; `seq` is 0 before the first."""

    log: str
    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class Intact:
    """Every record is as written. `signed` of them carry a valid signature; `losses` are those that say something
    was lost before them and that somebody accepted it."""

    records: int
    signed: int
    losses: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Broken:
    """`seq` is the first record that is not as written, or not there; `why` says what is wrong with it."""

    seq: int
    why: str


class Log(Protocol):
    """What verification reads of a log."""

    id: str

    def every(self) -> Iterator[tuple[AuditRecord, str | None, bytes | None]]: ...

    def strays(self) -> Sequence[int]: ...

    def head(self) -> Head | None: ...


def verified(log: Log, key: PublicKey | None) -> Intact | Broken:
    """Reads the whole log. With `key`, what was signed must be, from the first signed record to the last."""
    last, seen, signed = Head(log.id, 0, GENESIS), 0, 0
    losses: list[int] = []
    head = log.head()
    for record, answer, content in log.every():
        says = _read(record.body)
        if says is None or record_hash(record.body) != record.hash:
            return Broken(_place(record.seq, last.seq, says), "its content is not what its hash was made of")
        lost = _loss(says, last)
        if record.seq != last.seq + 1 and not lost:
            return Broken(last.seq + 1, f"it is missing: the next one there is record {record.seq}")
        why = (
            _misplaced(record, says, last)
            or _unsigned(record, key, had_signature=signed > 0)
            or _content(says, answer, content)
            or (head and _forgotten(record, head))
        )
        if why:
            return Broken(record.seq, why)
        losses += [record.seq] if lost else []
        signed += bool(key and record.signature)
        seen += 1
        last = Head(log.id, record.seq, record.hash)
    why = _ending(last, head) or (f"{key.id[:12]} did not sign it, the last one" if key and seen and not signed else "")
    if why:
        return Broken(last.seq + 1 if head and head.seq > last.seq else last.seq, why)
    if strays := log.strays():
        return Broken(strays[0], "there is content for it, and no record")
    return Intact(seen, signed, tuple(losses))


def _place(seq: int, before: int, says: dict[str, Any] | None) -> int:
    """A record whose number was changed along with its body is missing where it stood."""
    return seq if says is None or seq == before + 1 else before + 1


def _read(body: str) -> dict[str, Any] | None:
    try:
        found = parsed(body)
    except ValueError:
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def _loss(says: dict[str, Any], last: Head) -> bool:
    """Whether it is a record of a loss right behind the last one there was."""
    lost: Any = says.get("lost")
    return says.get("outcome") == "loss" and isinstance(lost, dict) and cast("Any", lost).get("after") == last.seq


def _misplaced(record: AuditRecord, says: dict[str, Any], last: Head) -> str:
    if says.get("log") != last.log:
        return "it belongs to another log"
    if says.get("seq") != record.seq:
        return f"it was written as record {says.get('seq')}"
    if says.get("previous") != last.hash:
        return f"it does not follow on record {last.seq} as that stands now: one of the two is not the one written"
    return ""


def _unsigned(record: AuditRecord, key: PublicKey | None, *, had_signature: bool) -> str:
    if key is None or (not record.signature and not had_signature):
        return ""
    try:
        signature = bytes.fromhex(record.signature)
    except ValueError:
        signature = b""
    return "" if key.signed(signed_message(record.hash), signature) else "its signature is not that of the key"


def _content(says: dict[str, Any], answer: str | None, content: bytes | None) -> str:
    if says.get("answer") != answer:
        return "what is kept of it is missing, or filed under another answer"
    if says.get("stored_sha256") != (None if content is None else hashlib.sha256(content).hexdigest()):
        return "what is kept of it was changed or taken out"
    return ""


def _forgotten(record: AuditRecord, head: Head) -> str:
    return "the head knows another one" if record.seq == head.seq and record.hash != head.hash else ""


def _ending(last: Head, head: Head | None) -> str:
    if head is None:
        return "the head that is kept apart from the log is missing"
    if head.log != last.log:
        return "the head is that of another log"
    if head.seq > last.seq:
        return f"it is missing: the log ends at record {last.seq}, and the head knows record {head.seq}"
    return ""
