"""Prefetching: files are read and parsed on all cores ahead of the one being stored, and yielded in order."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial

from footnotary.domain.identity import sha256_hex
from footnotary.errors import DocumentError
from footnotary.ingest.file_discovery import has_document_suffix
from footnotary.ingest.file_type import EML, MSG, ZIP, DetectedFormat, sniff
from footnotary.ingest.member_lookup import MAX_DEPTH
from footnotary.ingest.original import Original
from footnotary.ingest.parse.zip_archive import UnpackedArchive
from footnotary.ingest.parsed_document import ArchiveMember, ParsedFile
from footnotary.ingest.parser_selection import has_parser, parse
from footnotary.ingest.sandbox.worker_pool import ParseResult, ParserPool, needs_sandbox

_PROGRESS_INTERVAL_S = 0.25


@dataclass(frozen=True, slots=True)
class IngestJob:
    """A file to ingest, named by the caller or found in a folder, archive or message. `read` may raise `DocumentError`.

    `depth` counts the files that it is within.
    """

    path: str
    read: Callable[[], Original]
    is_named: bool
    depth: int = 0


class PrefetchedFile:
    """One prefetched file; its errors are raised on access, so that they surface in file order."""

    def __init__(self, job: IngestJob, workers: ParserPool, is_already_stored: Callable[[str], bool]) -> None:
        self.path = job.path
        self.is_named = job.is_named
        self._job = job
        self._workers = workers
        self._future: Future[ParseResult] | None = None
        self._pages = (0, 0)
        with suppress(Exception):  # raised again on access
            if not is_already_stored(self.original.sha256):
                self.start()

    @cached_property
    def original(self) -> Original:
        return self._job.read()

    @cached_property
    def sniffed(self) -> DetectedFormat:
        sniffed = sniff(self.original.data, self.original.name)
        if sniffed.media_type == ZIP and self._job.depth:
            raise DocumentError(
                "archives within archives or messages are not supported",
                reason="nested_archive",
                hint="extract it and ingest it separately",
            )
        return sniffed

    def start(self) -> None:
        """Starts parsing if the file needs a sandboxed process."""
        is_ours = self.sniffed.media_type == ZIP or has_parser(self.sniffed)
        if self._future is None and is_ours and needs_sandbox(self.original.data, self.sniffed):
            self._future = self._workers.parse(self.original.data, self.sniffed, self._record_progress)

    def parsed(self, report: Callable[[int, int], None]) -> ParsedFile:
        """The parsed file; while waiting, `report` is called with the pages done. Raises `DocumentError`."""
        self.start()
        if self._future is None:
            return parse(self.original.data, self.sniffed)
        reported = self._pages
        while wait([self._future], _PROGRESS_INTERVAL_S).not_done:
            if self._pages != reported:
                report(*(reported := self._pages))
        result = self._future.result()
        assert isinstance(result, ParsedFile)
        return result

    @property
    def is_archive(self) -> bool:
        """Whether it only contains files; a message is a document itself."""
        return self.sniffed.media_type == ZIP

    def members(self) -> tuple[IngestJob, ...]:
        """The files within it, if it is a readable archive or message."""
        try:
            if self._job.depth >= MAX_DEPTH or self.sniffed.media_type not in (ZIP, EML, MSG):
                return ()
            self.start()
            result = self._future.result() if self._future else None
        except Exception:  # raised again on access
            return ()
        held = result.members if isinstance(result, UnpackedArchive) else result.attachments if result else ()
        return tuple(
            IngestJob(
                f"{self.path}/{member.name}",
                partial(_member_original, self.original, member),
                False,
                self._job.depth + 1,
            )
            for member in held
        )

    def _record_progress(self, done: int, of: int) -> None:
        self._pages = (done, of)


class FilePrefetcher:
    """The files of a list of jobs in order; `total` grows when an archive or message with attachments is opened.

    Archives are replaced by their members; a message is followed by its attachments.
    """

    def __init__(
        self, jobs: Sequence[IngestJob], workers: ParserPool, is_already_stored: Callable[[str], bool]
    ) -> None:
        self.total = len(jobs)
        self._jobs = jobs
        self._workers = workers
        self._is_known = is_already_stored

    def __iter__(self) -> Iterator[PrefetchedFile]:
        waiting: deque[PrefetchedFile] = deque()
        for file in self._files():
            waiting.append(file)
            if len(waiting) > self._workers.count:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()

    def _files(self) -> Iterator[PrefetchedFile]:
        for job in self._jobs:
            yield from self._open_job(job)

    def _open_job(self, job: IngestJob) -> Iterator[PrefetchedFile]:
        file = PrefetchedFile(job, self._workers, self._is_known)
        members = file.members()
        self.total += len(members)
        if members and file.is_archive:
            self.total -= 1
        else:
            yield file
        for member in members:
            yield from self._open_job(member)


def _member_original(archive: Original, member: ArchiveMember) -> Original:
    if member.reason:
        raise DocumentError(
            member.message, reason=member.reason, hint="extract it from the archive yourself if you trust it"
        )
    if not has_document_suffix(member.name):
        raise DocumentError("its file name is not that of a document", reason="unsupported_type")
    where = f"{archive.origin}/{member.name}"
    return Original(where, f"{archive.name}/{member.name}", member.data, sha256_hex(member.data))
