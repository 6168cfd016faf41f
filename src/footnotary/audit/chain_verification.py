"""Verification of an audit log: every record, its position, its content, and the chain head."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from footnotary.audit.record import AuditRecord, record_hash, signed_message
from footnotary.audit.signing import PublicKey
from footnotary.strict_json import loads_strictly

GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The chain head: the last record of a log, stored outside the log; `seq` is 0 before the first."""

    log: str
    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class IntactChain:
    """Every record is as written. `signed` of them have a valid signature; `losses` are the records that document an
    accepted loss of the records before them."""

    records: int
    signed: int
    losses: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BrokenChain:
    """`seq` is the first record that was changed or is missing; `why` says what is wrong with it."""

    seq: int
    why: str


class VerifiableLog(Protocol):
    """The part of a log that verification reads."""

    id: str

    def every(self) -> Iterator[tuple[AuditRecord, str | None, bytes | None]]: ...

    def orphaned_contents(self) -> Sequence[int]: ...

    def head(self) -> ChainHead | None: ...


def verify_chain(log: VerifiableLog, key: PublicKey | None) -> IntactChain | BrokenChain:
    """Verifies the whole log. With `key`, every record from the first signed one to the last must be signed."""
    last, seen, signed = ChainHead(log.id, 0, GENESIS), 0, 0
    losses: list[int] = []
    head = log.head()
    for record, answer, content in log.every():
        says = _parse_body(record.body)
        if says is None or record_hash(record.body) != record.hash:
            return BrokenChain(_broken_position(record.seq, last.seq, says), "its content does not match its hash")
        lost = _is_recorded_loss(says, last)
        if record.seq != last.seq + 1 and not lost:
            return BrokenChain(last.seq + 1, f"it is missing: the next record is {record.seq}")
        why = (
            _position_problem(record, says, last)
            or _signature_problem(record, key, had_signature=signed > 0)
            or _content_problem(says, answer, content)
            or (head and _head_mismatch(record, head))
        )
        if why:
            return BrokenChain(record.seq, why)
        losses += [record.seq] if lost else []
        signed += bool(key and record.signature)
        seen += 1
        last = ChainHead(log.id, record.seq, record.hash)
    why = _end_problem(last, head) or (
        f"the last record is not signed by {key.id[:12]}" if key and seen and not signed else ""
    )
    if why:
        return BrokenChain(last.seq + 1 if head and head.seq > last.seq else last.seq, why)
    if orphaned_contents := log.orphaned_contents():
        return BrokenChain(orphaned_contents[0], "there is content for it, but no record")
    return IntactChain(seen, signed, tuple(losses))


def _broken_position(seq: int, before: int, says: dict[str, Any] | None) -> int:
    """A record whose number was changed along with its body is missing at its old position."""
    return seq if says is None or seq == before + 1 else before + 1


def _parse_body(body: str) -> dict[str, Any] | None:
    try:
        found = loads_strictly(body)
    except ValueError:
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def _is_recorded_loss(says: dict[str, Any], last: ChainHead) -> bool:
    """Whether it documents a loss directly after the last existing record."""
    lost: Any = says.get("lost")
    return says.get("outcome") == "loss" and isinstance(lost, dict) and cast("Any", lost).get("after") == last.seq


def _position_problem(record: AuditRecord, says: dict[str, Any], last: ChainHead) -> str:
    if says.get("log") != last.log:
        return "it belongs to another log"
    if says.get("seq") != record.seq:
        return f"it was written as record {says.get('seq')}"
    if says.get("previous") != last.hash:
        return f"its previous hash does not match record {last.seq}: one of the two was changed"
    return ""


def _signature_problem(record: AuditRecord, key: PublicKey | None, *, had_signature: bool) -> str:
    if key is None or (not record.signature and not had_signature):
        return ""
    try:
        signature = bytes.fromhex(record.signature)
    except ValueError:
        signature = b""
    return "" if key.signed(signed_message(record.hash), signature) else "its signature was not made with the key"


def _content_problem(says: dict[str, Any], answer: str | None, content: bytes | None) -> str:
    if says.get("answer") != answer:
        return "its content is missing, or stored under another answer"
    if says.get("stored_sha256") != (None if content is None else hashlib.sha256(content).hexdigest()):
        return "its content was changed or removed"
    return ""


def _head_mismatch(record: AuditRecord, head: ChainHead) -> str:
    return (
        "it is not the record that the chain head names" if record.seq == head.seq and record.hash != head.hash else ""
    )


def _end_problem(last: ChainHead, head: ChainHead | None) -> str:
    if head is None:
        return "the chain head, which is stored outside the log, is missing"
    if head.log != last.log:
        return "the chain head belongs to another log"
    if head.seq > last.seq:
        return f"it is missing: the log ends at record {last.seq}, but the chain head names record {head.seq}"
    return ""
