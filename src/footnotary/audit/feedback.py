"""Ratings of answers, and the review queue: rejected drafts and disputed answers.

The text of a draft is not stored here: it stays in the audit log, where reviewers read it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from footnotary.audit.record import AuditRecord
from footnotary.audit.sqlite_database import AuditDatabase

Rating = Literal["up", "down"]
ReviewKind = Literal["rejected_draft", "disputed_answer"]
ReviewState = Literal["open", "kept", "dismissed"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS feedback (
    answer TEXT NOT NULL, principal TEXT NOT NULL, answer_id TEXT, seq INTEGER NOT NULL,
    rating TEXT NOT NULL, comment TEXT, at TEXT NOT NULL, PRIMARY KEY (answer, principal)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS review (
    number INTEGER PRIMARY KEY AUTOINCREMENT, answer TEXT NOT NULL UNIQUE, answer_id TEXT, seq INTEGER NOT NULL,
    kind TEXT NOT NULL, reason TEXT, state TEXT NOT NULL, at TEXT NOT NULL,
    supported INTEGER, note TEXT, decided_by TEXT, decided_at TEXT
);
CREATE INDEX IF NOT EXISTS review_by_state ON review (state, number)
"""


@dataclass(frozen=True, slots=True)
class Feedback:
    """One principal's rating of one answer; a later rating replaces an earlier one."""

    answer_id: str | None
    seq: int
    rating: Rating
    comment: str | None
    principal: str
    at: str


@dataclass(frozen=True, slots=True)
class Review:
    """A case for human review. `answer_id` is None if the profile logs no questions: then only `reason` is known.

    `kept` means kept as evaluation data, and `supported` is the reviewer's decision: whether the claims are supported.
    """

    id: int
    answer_id: str | None
    seq: int
    kind: ReviewKind
    reason: str | None
    state: ReviewState
    at: str
    supported: bool | None
    note: str | None
    decided_by: str | None
    decided_at: str | None


class FeedbackStore:
    """Feedback and review queue of one tenant."""

    def __init__(self, path: Path) -> None:
        self._database = AuditDatabase(path, _SCHEMA)

    def close(self) -> None:
        self._database.close()

    def rate(self, record: AuditRecord, rating: Rating, comment: str | None, principal: str) -> Feedback:
        """Stores a rating; an answer rated bad goes to review.

        A comment is stored only if the question may be logged, because people repeat the question in it.
        """
        says = record.says
        kept = comment if says["answer_id"] is not None else None
        given = Feedback(says["answer_id"], record.seq, rating, kept, principal, _now())
        with self._database.writing() as c:
            c.execute(
                "INSERT OR REPLACE INTO feedback VALUES (?, ?, ?, ?, ?, ?, ?)",
                (says["answer"], principal, given.answer_id, record.seq, rating, kept, given.at),
            )
            if rating == "down" and says["outcome"] == "answered":
                _insert_review(c, record, "disputed_answer")
        return given

    def queue_rejected(self, record: AuditRecord) -> None:
        """Queues a refusal for review, if it rejected a draft and did not come from the cache."""
        says = record.says
        if says["outcome"] == "refused" and says["drafted"] and says["repeats"] is None:
            with self._database.writing() as c:
                _insert_review(c, record, "rejected_draft")

    def feedback(self) -> Sequence[Feedback]:
        """Ratings in the order of the records they are about."""
        with self._database.reading() as c:
            rows = c.execute(
                "SELECT answer_id, seq, rating, comment, principal, at FROM feedback ORDER BY seq, principal"
            )
            return [Feedback(*row) for row in rows]

    def reviews(self, state: ReviewState = "open", after: int = 0, limit: int = 100) -> Sequence[Review]:
        with self._database.reading() as c:
            rows = c.execute(
                f"SELECT {_COLUMNS} FROM review WHERE state = ? AND number > ? ORDER BY number LIMIT ?",  # noqa: S608
                (state, after, limit),
            )
            return [_review_from_row(row) for row in rows]

    def review(self, number: int) -> Review | None:
        with self._database.reading() as c:
            row = c.execute(f"SELECT {_COLUMNS} FROM review WHERE number = ?", (number,)).fetchone()  # noqa: S608
        return None if row is None else _review_from_row(row)

    def decide(
        self, number: int, state: Literal["kept", "dismissed"], supported: bool | None, note: str | None, principal: str
    ) -> Review | None:
        """The case with the reviewer's decision; None if there is no such case. It releases nothing.

        Unless the reviewer says that the claims are supported, they are not: a refusal stands until it is shown to be
        wrong.
        """
        found = bool(supported) if state == "kept" else None
        with self._database.writing() as c:
            c.execute(
                "UPDATE review SET state = ?, supported = ?, note = ?, decided_by = ?, decided_at = ? WHERE number = ?",
                (state, found, note, principal, _now(), number),
            )
        return self.review(number)


_COLUMNS = "number, answer_id, seq, kind, reason, state, at, supported, note, decided_by, decided_at"


def _review_from_row(row: Any) -> Review:
    review = Review(*row)
    return replace(review, supported=None if review.supported is None else bool(review.supported))


def _insert_review(c: sqlite3.Connection, record: AuditRecord, kind: ReviewKind) -> None:
    says = record.says
    c.execute(
        "INSERT OR IGNORE INTO review (answer, answer_id, seq, kind, reason, state, at) "
        "VALUES (?, ?, ?, ?, ?, 'open', ?)",
        (says["answer"], says["answer_id"], record.seq, kind, says["reason"], says["at"]),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
