"""An accepted file, and how its row in the queue is written and read."""

import json
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, TypeAlias, cast

from footnotary.domain.validity import Validity

JobState: TypeAlias = Literal["queued", "running", "done", "failed", "cancelled"]

JOBS_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    project TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    given TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    cancelling INTEGER NOT NULL DEFAULT 0,
    not_before REAL NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    started_at TEXT,
    finished_at TEXT,
    progress TEXT NOT NULL DEFAULT '{}',
    result TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state, number);
CREATE TABLE IF NOT EXISTS projects (name TEXT PRIMARY KEY, created_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""
JOB_COLUMNS = (
    "id, project, name, size, given, state, attempts, cancelling, created_at, started_at, finished_at, progress, result"
)


@dataclass(frozen=True, slots=True)
class IndexingJob:
    """An accepted file; `progress` and `result` are plain data, as the API returns them."""

    id: str
    project: str
    name: str
    size: int
    given: Validity
    state: JobState
    attempts: int
    is_cancelling: bool
    created_at: str
    started_at: str | None
    finished_at: str | None
    progress: dict[str, Any]
    result: dict[str, Any] | None

    @property
    def is_finished(self) -> bool:
        return self.state in ("done", "failed", "cancelled")


def failed_result(name: str, reason: str, message: str, hint: str = "", *, seconds: float = 0.0) -> dict[str, Any]:
    """The result of a job that stored nothing, in the form of every result."""
    failed = [failed_entry(name, reason, message, hint)]
    return {"documents": [], "failed": failed, "skipped": [], "seconds": round(seconds, 3)}


def failed_entry(name: str, reason: str, message: str, hint: str) -> dict[str, str]:
    """A file that was not stored. Its hint names no command: a client of the API has routes."""
    if "footnotary documents list" in hint:
        hint = "GET /v1/projects/{project}/documents lists the ids of the documents"
    elif "footnotary " in hint:
        hint = ""
    return {"name": name, "reason": reason, "message": message, "hint": hint}


def validity_json(given: Validity) -> str:
    return json.dumps(
        {
            "effective_from": given.effective_from and given.effective_from.isoformat(),
            "effective_to": given.effective_to and given.effective_to.isoformat(),
            "supersedes": list(given.supersedes),
            "given": sorted(given.given),
            "trust": given.trust,
        }
    )


def _parse_validity(text: str) -> Validity:
    said = cast("dict[str, Any]", json.loads(text))

    def day(name: str) -> date | None:
        return date.fromisoformat(said[name]) if said[name] else None

    supersedes, named = tuple(said["supersedes"]), frozenset(said["given"])
    return Validity(day("effective_from"), day("effective_to"), supersedes, named, said.get("trust"))


def parse_job_row(row: tuple[Any, ...]) -> IndexingJob:
    (*start, given, state, attempts, cancelling, created_at, started_at, finished_at, progress, result) = row
    id_, project, name, size = start
    return IndexingJob(
        id=id_,
        project=project,
        name=name,
        size=size,
        given=_parse_validity(given),
        state=state,
        attempts=attempts,
        is_cancelling=bool(cancelling),
        created_at=created_at,
        started_at=started_at,
        finished_at=finished_at,
        progress=json.loads(progress),
        result=None if result is None else json.loads(result),
    )
