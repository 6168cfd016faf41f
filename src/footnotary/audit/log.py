"""The audit log: one record per outcome, hash-chained to the one before, on disk before the answer is delivered.

A record's hash covers the previous hash, so that verification finds every changed, removed, inserted or moved record.
The chain head, the number and hash of the last record, is in a file outside the log: a log that ends before its head
has lost records. If the installation has a key, every record is signed, so that a log rewritten from some record on is
detected at that record.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from footnotary.audit.bundle_content import Content
from footnotary.audit.canonical_json import canonical_json
from footnotary.audit.chain_head import ChainHeadFile
from footnotary.audit.chain_verification import GENESIS, BrokenChain, ChainHead, IntactChain, verify_chain
from footnotary.audit.record import AuditEntry, AuditRecord, ContentStorage, answer_key, record_hash, signed_message
from footnotary.audit.signing import PublicKey, Signer, decrypt_content, encrypt_content, is_cryptography_installed
from footnotary.audit.sqlite_database import AuditDatabase
from footnotary.errors import StoreCorrupt, UsageError
from footnotary.strict_json import loads_strictly

_REPAIR_HINT = (
    "run `footnotary audit verify`; restore what is missing, or continue with `footnotary audit accept-loss`, which "
    "records the loss"
)

_SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS records (
    seq INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL, signature TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS contents (
    answer TEXT PRIMARY KEY, seq INTEGER NOT NULL UNIQUE, content BLOB
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS turns (
    conversation TEXT NOT NULL, seq INTEGER NOT NULL, project TEXT NOT NULL, PRIMARY KEY (conversation, seq)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS turns_by_project ON turns (project, seq)
"""


class AuditLog:
    """The log of one tenant. Threads may share it, and so may processes.

    Opened for writing, it raises `StoreCorrupt` if it is behind its head: without a complete record nothing is
    answered. With `read_only`, or if not `must_be_whole`, it opens in any state.
    """

    def __init__(
        self,
        path: Path,
        head_path: Path,
        signer: Signer | None = None,
        *,
        read_only: bool = False,
        require_complete: bool = True,
    ) -> None:
        self.path = path
        self._signer = signer
        if read_only and not path.exists():
            raise UsageError(
                f"there is no audit log at {path}", hint="ask a question first, or name another data directory"
            )
        self._closing = ExitStack()
        self._log = AuditDatabase(path, _SCHEMA, read_only=read_only)
        self._closing.callback(self._log.close)
        try:
            self._head = ChainHeadFile(head_path, read_only=read_only)
            self._closing.callback(self._head.close)
            self.id = self._identity(read_only=read_only)
            if not read_only and self.size() == 0:
                self._head.begin(self.id)
            if require_complete and not read_only:
                self._require_whole()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._closing.close()

    def append(self, entry: AuditEntry) -> AuditRecord:
        """Writes the record of the outcome with its content; on disk when this returns. Raises `BackendError`, and then
        the outcome must not be delivered."""
        kept, stored = _encode_content(entry)
        with self._log.writing() as c:
            last = _last_record(c)
            seq = last.seq + 1 if last else 1
            body = dict(entry.said) | {
                "log": self.id,
                "seq": seq,
                "previous": last.hash if last else GENESIS,
                "kept": kept,
                "stored_sha256": None if stored is None else hashlib.sha256(stored).hexdigest(),
            }
            record = self._insert_record(c, body)
            c.execute("INSERT INTO contents VALUES (?, ?, ?)", (entry.said["answer"], seq, stored))
            if conversation := entry.said.get("conversation"):
                c.execute("INSERT INTO turns VALUES (?, ?, ?)", (conversation, seq, entry.said["project"]))
        self._head.advance(record)
        return record

    def records(self, after: int = 0, limit: int = 100) -> Sequence[AuditRecord]:
        """At most `limit` records in order, starting after number `after`."""
        with self._log.reading() as c:
            rows = c.execute("SELECT * FROM records WHERE seq > ? ORDER BY seq LIMIT ?", (after, limit))
            return [AuditRecord(*row) for row in rows]

    def latest(self, limit: int, before: int | None = None) -> Sequence[AuditRecord]:
        """At most `limit` records, latest first, starting before number `before`."""
        with self._log.reading() as c:
            rows = c.execute(
                "SELECT * FROM records WHERE seq < ? ORDER BY seq DESC LIMIT ?", (before or 1 << 62, limit)
            )
            return [AuditRecord(*row) for row in rows]

    def find(self, answer_id: str) -> AuditRecord | None:
        """The record of an answer."""
        with self._log.reading() as c:
            row = c.execute(
                "SELECT r.* FROM contents c JOIN records r USING (seq) WHERE c.answer = ?", (answer_key(answer_id),)
            ).fetchone()
        return None if row is None else AuditRecord(*row)

    def conversation(self, conversation: str) -> Sequence[AuditRecord]:
        """Every record of a conversation in order, those of edited questions too."""
        with self._log.reading() as c:
            found = "SELECT r.* FROM turns t JOIN records r USING (seq) WHERE t.conversation = ? ORDER BY seq"
            return [AuditRecord(*row) for row in c.execute(found, (conversation,))]

    def conversations(self, project: str, limit: int, before: int | None = None) -> Sequence[tuple[str, int]]:
        """At most `limit` conversations of a project, each with the number of its last record, latest first.

        They start before number `before`.
        """
        found = (
            "SELECT conversation, MAX(seq) AS last FROM turns WHERE project = ? GROUP BY conversation "
            "HAVING last < ? ORDER BY last DESC LIMIT ?"
        )
        with self._log.reading() as c:
            return c.execute(found, (project, before or 1 << 62, limit)).fetchall()

    def content(self, answer_id: str) -> Content | None:
        """The stored content of an answer, decrypted with its id; None if there is no such answer or no content.

        Raises `StoreCorrupt` if it does not match the record.
        """
        record = self.find(answer_id)
        if record is None:
            return None
        with self._log.reading() as c:
            (stored,) = c.execute("SELECT content FROM contents WHERE seq = ?", (record.seq,)).fetchone()
        says = record.says
        if says["kept"] == "nothing":
            return None
        try:
            opened = decrypt_content(stored, answer_id) if says["kept"] == "sealed" else stored
            written = zlib.decompress(opened)
        except (ValueError, zlib.error):
            written = b""
        if hashlib.sha256(written).hexdigest() != says["content_sha256"] or record_hash(record.body) != record.hash:
            raise StoreCorrupt(
                f"the content of record {record.seq} differs from what was recorded",
                hint="run `footnotary audit verify`",
            )
        return loads_strictly(written)

    def head(self) -> ChainHead | None:
        """The chain head, stored outside the log; None if it is missing."""
        return self._head.read()

    def size(self) -> int:
        with self._log.reading() as c:
            last = _last_record(c)
        return last.seq if last else 0

    def verify(self, key: PublicKey | None = None) -> IntactChain | BrokenChain:
        """Verifies everything; names the first record that was changed or is missing. `key` is the installation's."""
        return verify_chain(self, key or (self._signer.public if self._signer else None))

    def every(self) -> Iterator[tuple[AuditRecord, str | None, bytes | None]]:
        """Every record in order with the key and the bytes of its content, for verification."""
        after = 0
        while True:
            with self._log.reading() as c:
                rows = c.execute(
                    "SELECT r.*, c.answer, c.content FROM records r LEFT JOIN contents c USING (seq) "
                    "WHERE r.seq > ? ORDER BY r.seq LIMIT 200",
                    (after,),
                ).fetchall()
            if not rows:
                return
            for *row, answer, content in rows:
                yield AuditRecord(*row), answer, content
            after = rows[-1][0]

    def loss(self) -> str:
        """How the log falls short of its head, as text; empty if it reaches it. Compares only the ends; `verify`
        checks everything."""
        head = self.head()
        with self._log.reading() as c:
            last = _last_record(c)
            row = head and c.execute("SELECT hash FROM records WHERE seq = ?", (head.seq,)).fetchone()
        if head and head.log == self.id and (head.seq == 0 or row == (head.hash,)):
            return ""
        ends = last.seq if last else 0
        return f"ends at record {ends}, but its chain head names record {head.seq}" if head else "has no chain head"

    def orphaned_contents(self) -> Sequence[int]:
        """The numbers of contents without a record."""
        with self._log.reading() as c:
            rows = c.execute("SELECT seq FROM contents WHERE seq NOT IN (SELECT seq FROM records) ORDER BY seq")
            return [seq for (seq,) in rows]

    def accept_loss(self, principal: str) -> AuditRecord:
        """Continues a log that lost records: a record documents the old head, so that the loss stays visible.

        Raises `UsageError` if nothing is lost, and then nothing was written.
        """
        if not self.loss():
            raise UsageError(
                f"nothing is lost: the audit log {self.path} reaches its chain head",
                hint="run `footnotary audit verify` to check it",
            )
        lost = self.head()
        with self._log.writing() as c:
            last = _last_record(c)
            ends, known = last.seq if last else 0, lost.seq if lost else 0
            body: dict[str, Any] = {
                "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "outcome": "loss",
                "lost": {"after": ends, "head": known, "head_hash": lost.hash if lost else None},
                "principal": principal,
                "log": self.id,
                "seq": max(ends, known) + 1,
                "previous": last.hash if last else GENESIS,
            }
            record = self._insert_record(c, body)
        self._head.replace(self.id, record)
        return record

    def _insert_record(self, c: sqlite3.Connection, body: dict[str, Any]) -> AuditRecord:
        text = canonical_json(body).decode("ascii")
        digest = record_hash(text)
        signature = self._signer.sign(signed_message(digest)).hex() if self._signer else ""
        record = AuditRecord(body["seq"], text, digest, signature)
        c.execute("INSERT INTO records VALUES (?, ?, ?, ?)", (record.seq, record.body, record.hash, record.signature))
        return record

    def _identity(self, *, read_only: bool) -> str:
        if not read_only:
            with self._log.writing() as c:
                known = (("log", secrets.token_hex(16)), ("schema", str(_SCHEMA_VERSION)))
                c.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", known)
        with self._log.reading() as c:
            meta = dict(c.execute("SELECT key, value FROM meta").fetchall())
        if meta.get("schema") != str(_SCHEMA_VERSION):
            raise StoreCorrupt(
                f"the audit log {self.path} has schema {meta.get('schema')}, but this version reads {_SCHEMA_VERSION}",
                hint="use the version of Footnotary that wrote it, or a later one",
            )
        return meta.get("log", "")

    def _require_whole(self) -> None:
        """Runs at every opening. Advances a lagging head: a process ended between writing the record and the head."""
        if seen := self.loss():
            raise StoreCorrupt(f"the audit log {self.path} {seen}", hint=_REPAIR_HINT)
        head, last = self.head(), next(iter(self.latest(1)), None)
        if head and last and last.seq > head.seq:
            self._head.advance(last)


def _last_record(c: sqlite3.Connection) -> AuditRecord | None:
    row = c.execute("SELECT * FROM records ORDER BY seq DESC LIMIT 1").fetchone()
    return None if row is None else AuditRecord(*row)


def _encode_content(entry: AuditEntry) -> tuple[ContentStorage, bytes | None]:
    """How the content is stored: encrypted if the question is withheld, and not at all if encryption is unavailable."""
    packed = zlib.compress(entry.content, 6)
    if not entry.withheld:
        return "clear", packed
    return ("sealed", encrypt_content(packed, entry.answer_id)) if is_cryptography_installed() else ("nothing", None)
