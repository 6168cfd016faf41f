"""Runs the jobs of all tenants, a few at a time, in threads of its own.

Indexing is CPU-bound, so more threads would only delay answers. Tenants are served round robin, one job each: a tenant
that uploads a thousand files does not block the others.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from footnotary.corpus import Corpus, IngestedDocument, IngestReport, IngestStep, RejectedFile
from footnotary.errors import BackendError, DocumentError, FootnotaryError
from footnotary.ingest.uploads import UPLOAD_ORIGIN_PREFIX
from footnotary.ports import Store
from footnotary.service.jobs.job import IndexingJob, JobState, failed_entry, failed_result
from footnotary.service.jobs.queue import MAX_ATTEMPTS, JobQueue

_log = logging.getLogger("footnotary.jobs")

_PROGRESS_INTERVAL_S = 0.5
_RETRY_DELAY_S = 2.0
_POLL_INTERVAL_S = 1.0


class JobContext(Protocol):
    """The parts of a tenant's state that running its jobs needs."""

    @property
    def jobs(self) -> JobQueue: ...
    @property
    def corpus(self) -> Corpus: ...
    @property
    def store(self) -> Store: ...


class JobInterrupted(KeyboardInterrupt):
    """Ends an ingest between two documents, as Ctrl-C does."""


OnJobFinished = Callable[[str, IndexingJob], None]


def _ignore_finished(tenant: str, job: IndexingJob) -> None:
    """Ignores finished jobs."""


class JobRunner:
    """Start it once per process and close it at the end; jobs running then are queued again for the next process."""

    def __init__(
        self, context_for: Callable[[str], JobContext], *, threads: int = 1, finished: OnJobFinished = _ignore_finished
    ) -> None:
        self._context_for = context_for
        self._finished = finished
        self._queue_order: deque[str] = deque()
        self._later: dict[str, float] = {}
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._threads = [threading.Thread(target=self._loop, name=f"jobs-{n}", daemon=True) for n in range(threads)]

    def start(self, tenants: Iterable[str] = ()) -> None:
        """Starts the threads, with the tenants that may have jobs left from an earlier process."""
        for tenant in tenants:
            self.wake(tenant)
        for thread in self._threads:
            thread.start()

    def wake(self, tenant: str) -> None:
        """Signals that a tenant has a new job."""
        with self._changed:
            self._later.pop(tenant, None)
            if tenant not in self._queue_order:
                self._queue_order.append(tenant)
            self._changed.notify()

    def close(self, wait_s: float = 30.0) -> None:
        """Stops after the document being stored; running jobs are queued again."""
        self._stopping.set()
        with self._changed:
            self._changed.notify_all()
        ends = time.monotonic() + wait_s
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, ends - time.monotonic()))

    def _loop(self) -> None:
        while (tenant := self._next_turn()) is not None:
            try:
                more = self._one(tenant)
            except Exception as error:  # one tenant's broken store must not stop the others' jobs
                _log.error("jobs of a tenant cannot be run", extra={"tenant": tenant, "error": type(error).__name__})
                more = None
            if more is None:
                with self._changed:
                    self._later.setdefault(tenant, time.monotonic() + _POLL_INTERVAL_S)
            elif more:
                self.wake(tenant)

    def _next_turn(self) -> str | None:
        with self._changed:
            while not self._stopping.is_set():
                now = time.monotonic()
                for tenant in [tenant for tenant, due in self._later.items() if due <= now]:
                    del self._later[tenant]
                    if tenant not in self._queue_order:
                        self._queue_order.append(tenant)
                if self._queue_order:
                    return self._queue_order.popleft()
                soonest = min(self._later.values(), default=None)
                self._changed.wait(None if soonest is None else max(soonest - now, 0.01))
        return None

    def _one(self, tenant: str) -> bool | None:
        """Runs one job of a tenant. True if one was run, False if none is left, None to check again later."""
        context = self._context_for(tenant)
        with context.jobs.running() as ours:
            job = context.jobs.next() if ours else None
            if job is None:
                return None if context.jobs.has_work() else False
            run_job(context, job, self._stopping)
        ended = context.jobs.get(job.id)
        if ended is not None and ended.is_finished:
            self._finished(tenant, ended)
        return True


def run_job(context: JobContext, job: IndexingJob, stopping: threading.Event) -> None:
    """Indexes one file and stores the result. Never raises because of a file's content."""
    queue = context.jobs
    if not queue.file(job).exists():  # e.g. the data directory was restored without it: a retry cannot help
        gone = failed_result(job.name, "not_found", "the uploaded file is missing on the server", "upload it again")
        queue.finish(job.id, "failed", gone)
        return
    started = time.monotonic()

    def failed(reason: str, message: str, hint: str = "") -> dict[str, Any]:
        return failed_result(job.name, reason, message, hint, seconds=time.monotonic() - started)

    try:
        report = context.corpus.ingest_upload(
            job.name, queue.file(job), job.project, given=job.given, progress=_JobProgressReporter(queue, job, stopping)
        )
        if report.added or report.replaced or report.unchanged:
            _keep_original(context, job)
    except (BackendError, OSError) as error:
        if getattr(error, "retryable", True) and job.attempts < MAX_ATTEMPTS:
            queue.postpone(job.id, _RETRY_DELAY_S * 4 ** (job.attempts - 1))
            return
        queue.finish(job.id, "failed", failed("backend_error", "the store could not save the document"))
    except DocumentError as error:
        queue.finish(job.id, "failed", failed(error.reason, error.message, error.hint))
    except FootnotaryError as error:
        queue.finish(job.id, "failed", failed("not_storable", error.message, error.hint))
    except Exception as error:  # a bug of ours must neither stop the queue nor expose internals
        _log.error("a job failed", extra={"job": job.id, "error": type(error).__name__})
        queue.finish(job.id, "failed", failed("internal_error", "indexing failed with an internal error"))
    else:
        if report.interrupted and stopping.is_set():
            queue.postpone(job.id, 0.0, counted=False)
            return
        queue.finish(job.id, _final_state(report), result_record(report))


def result_record(report: IngestReport) -> dict[str, Any]:
    """The result for a file, or for each file of an archive; documents are named by id, never by path."""
    taken = [
        {"outcome": outcome, **_stored_entry(entry)}
        for outcome, entries in (
            ("added", report.added),
            ("replaced", report.replaced),
            ("unchanged", report.unchanged),
        )
        for entry in entries
    ]
    left = {name: [_skipped_entry(entry) for entry in getattr(report, name)] for name in ("failed", "skipped")}
    return {"documents": taken, **left, "seconds": round(report.seconds, 3)}


class _JobProgressReporter:
    """Stores a job's progress at a limited rate, and stops the job when it is cancelled or the process stops."""

    def __init__(self, queue: JobQueue, job: IndexingJob, stopping: threading.Event) -> None:
        self._queue = queue
        self._job = job
        self._stopping = stopping
        self._due = 0.0

    def __call__(self, step: IngestStep) -> None:
        if step.stage == "done":
            return  # the document is stored already; the end is saved with the result
        if self._stopping.is_set():
            raise JobInterrupted
        if (now := time.monotonic()) < self._due:
            return
        self._due = now + _PROGRESS_INTERVAL_S
        progress = {
            "stage": step.stage,
            "file": step.number,
            "files": step.total,
            "done": step.chunks_done,
            "of": step.chunks_total,
        }
        if self._queue.record_progress(self._job.id, progress):
            raise JobInterrupted


def _keep_original(context: JobContext, job: IndexingJob) -> None:
    """Keeps the file for page images, if a document of the project comes from it."""
    origin = UPLOAD_ORIGIN_PREFIX + job.name
    uploads = context.jobs.uploads
    if any(d.path == origin or d.path.startswith(origin + "/") for d in context.store.documents(job.project)):
        uploads.keep(context.jobs.file(job), job.project, job.name)
    else:
        uploads.forget(job.project, job.name)  # the same content is stored under another name


def _final_state(report: IngestReport) -> JobState:
    if report.interrupted:
        return "cancelled"
    return "done" if report.added or report.replaced or report.unchanged else "failed"


def _stored_entry(entry: IngestedDocument) -> dict[str, Any]:
    return {
        "id": entry.document_id,
        "passages": entry.chunks,
        "duplicate_of": entry.duplicate_of,
        "pages_without_text": list(entry.pages_without_text),
        "left_out": list(entry.left_out),
        "flagged": list(entry.flagged),
        "declared": list(entry.declared),
    }


def _skipped_entry(entry: RejectedFile) -> dict[str, Any]:
    return failed_entry(entry.path, entry.reason, entry.message, entry.hint)
