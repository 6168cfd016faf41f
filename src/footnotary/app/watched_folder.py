"""Keeps a project in step with a folder: added, changed and deleted files become added, changed, deleted documents."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISDIR
from typing import TypeAlias

from footnotary.corpus import Corpus, IngestReport
from footnotary.ingest.file_discovery import FoundFile, find_files
from footnotary.ingest.progress import IngestProgressCallback
from footnotary.ports import StoredDocument

# The files of a folder by path, each with its time of change and size.
FolderState: TypeAlias = dict[Path, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What one pass did; `emptied` says that nothing was deleted because the whole folder is empty or gone."""

    ingested: IngestReport | None
    deleted: tuple[str, ...] = ()
    emptied: bool = False

    @property
    def is_interrupted(self) -> bool:
        return self.ingested is not None and self.ingested.interrupted


@dataclass(slots=True)
class WatchedFolder:
    """A folder and the project that follows it. The content of files is compared by their hash, in `Corpus`.

    A document belongs to the folder if its file is, or was, below it; other documents are never touched. Deleted
    documents keep their text for old citations.
    """

    folder: Path
    project: str
    corpus: Corpus
    _synced: FolderState = field(default_factory=FolderState)
    _duplicates: dict[Path, str] = field(default_factory=dict[Path, str])

    def state(self) -> FolderState:
        """The documents of the folder as they are on disk now; hidden files and files of other types do not count."""
        found: FolderState = {}
        for file in self._files():
            try:
                status = file.path.stat()
            except OSError:
                continue  # deleted in the meantime, or unreadable
            found[file.path] = (status.st_mtime_ns, status.st_size)
        return found

    def differs(self, state: FolderState) -> bool:
        """Whether the folder is not as it was at the last pass."""
        return state != self._synced

    def sync(self, state: FolderState, progress: IngestProgressCallback | None = None) -> SyncReport:
        """Brings the project in step with the state of the folder. Raises like `Corpus.ingest`.

        Documents of deleted files go first: a file that was renamed would otherwise count as their duplicate. An
        interrupted pass is repeated in full by the next one.
        """
        held = self._documents()
        gone = [document for document in held if _is_gone(document.path)]
        if gone and not state:
            self._synced = state
            return SyncReport(None, emptied=True)
        deleted = [document.id for document in gone if self._delete(document)]
        changed = {path for path, seen in state.items() if self._synced.get(path) != seen}
        touched = {document.id for document in held if Path(document.path) in changed} | set(deleted)
        # A file with the content of another one is not stored; it may be the only copy now.
        changed |= {path for path, kept in self._duplicates.items() if kept in touched and path in state}
        files = [file for file in self._files() if file.path in changed]
        if not files:
            self._synced = state
            return SyncReport(None, tuple(deleted))
        report = self.corpus.ingest_files(files, self.project, progress=progress)
        if not report.interrupted:
            deleted += self._delete_lost_members(files, report)
            self._remember(files, report)
            self._synced = state
        return SyncReport(report, tuple(deleted))

    def _files(self) -> Sequence[FoundFile]:
        found = find_files([self.folder]) if self.folder.is_dir() else ()
        return [file for file in found if file.has_document_name and file.outside is None and file.path.is_file()]

    def _documents(self) -> list[StoredDocument]:
        root = self.folder.resolve()
        held = self.corpus.documents(self.project) if self.project in self.corpus.projects() else ()
        return [document for document in held if Path(document.path).is_relative_to(root)]

    def _delete(self, document: StoredDocument) -> bool:
        return self.corpus.delete(self.project, document.id, keep_history=True)

    def _delete_lost_members(self, files: Sequence[FoundFile], report: IngestReport) -> list[str]:
        """Deletes documents of changed archives that are no longer in them."""
        known = {entry.path for entry in (*report.added, *report.replaced, *report.unchanged)}
        rejected = {left.path for left in (*report.failed, *report.skipped)}
        lost: list[str] = []
        for file in files:
            archive = str(file.path.resolve())
            if not {archive, str(file.path)} & rejected:
                inside = [one for one in self._documents() if one.path.startswith(archive + os.sep)]
                lost += [one.id for one in inside if one.path not in known | rejected and self._delete(one)]
        return lost

    def _remember(self, files: Sequence[FoundFile], report: IngestReport) -> None:
        stored_as = {entry.path: entry.duplicate_of for entry in (*report.added, *report.replaced, *report.unchanged)}
        for file in files:
            if kept := stored_as.get(str(file.path.resolve())):
                self._duplicates[file.path] = kept
            else:
                self._duplicates.pop(file.path, None)


def _is_gone(origin: str) -> bool:
    """Whether the file of a document, or the archive it is a member of, certainly no longer exists.

    A file that cannot be accessed, for instance in an unreadable folder, does not count as deleted.
    """
    path = Path(origin)
    for place in (path, *path.parents):
        try:
            is_folder = S_ISDIR(place.stat().st_mode)
        except (FileNotFoundError, NotADirectoryError):
            continue  # the nearest existing parent decides
        except OSError:
            return False
        return is_folder and place != path
    return True
