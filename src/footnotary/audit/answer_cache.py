"""Answer cache: earlier outcomes by tenant, question, profile and index, read from the audit log.

The cache holds only answer ids. It returns the outcome as it was recorded, verified against its record.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from footnotary.audit.bundle_content import OutcomeProvenance, outcome_in
from footnotary.audit.canonical_json import canonical_json, to_plain
from footnotary.audit.log import AuditLog
from footnotary.audit.sqlite_database import AuditDatabase
from footnotary.domain.outcome import Outcome
from footnotary.domain.query import Scope
from footnotary.errors import StoreCorrupt
from footnotary.profiles.schema import Profile

MAX_CACHED_ANSWERS = 10_000

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, answer_id TEXT NOT NULL
)
"""


def cache_key(
    question: str, scope: Scope, profile: Profile, circumstances: OutcomeProvenance, generator: str
) -> str | None:
    """A hash of everything an outcome depends on; None if the profile logs no questions, so nothing may be cached.

    `scope` includes its day: yesterday's answer is not valid today. Nor is one of another version or other weights.
    """
    if not profile.privacy.log_queries or scope.as_of is None:
        return None
    parts: list[Any] = [scope.tenant, to_plain(scope), question, profile.digest, to_plain(circumstances), generator]
    return hashlib.sha256(canonical_json(parts)).hexdigest()


class AnswerCache:
    """The latest `most` answers of one tenant."""

    def __init__(self, path: Path, log: AuditLog, most: int = MAX_CACHED_ANSWERS) -> None:
        self._database = AuditDatabase(path, _SCHEMA, durable=False)
        self._log = log
        self._most = most

    def close(self) -> None:
        self._database.close()

    def get(self, key: str) -> tuple[str, Outcome] | None:
        """The id under which the outcome was first delivered, and the outcome.

        None if the log no longer has it exactly as it was recorded.
        """
        with self._database.reading() as c:
            row = c.execute("SELECT answer_id FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        try:
            content = self._log.content(row[0])
            return None if content is None else (row[0], outcome_in(content))
        except (StoreCorrupt, ValueError, KeyError):
            return None

    def put(self, key: str, answer_id: str, outcome: Outcome) -> None:
        """Caches a recorded outcome, unless a check could not run: it may run next time."""
        if any(verdict.status == "skip" for verdict in outcome.verdicts):
            return
        with self._database.writing() as c:
            c.execute("INSERT OR REPLACE INTO answers (key, answer_id) VALUES (?, ?)", (key, answer_id))
            c.execute(
                "DELETE FROM answers WHERE number <= (SELECT MAX(number) FROM answers) - ?",
                (self._most,),
            )
