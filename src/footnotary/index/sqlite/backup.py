"""Backups of SQLite databases, taken while they are in use and restored only if their hashes match.

A backup is a folder: the databases, each from one snapshot, and `backup.json`, which lists them with their hashes and
is written last, so that an interrupted backup is not valid. Derived indexes are not included; they are rebuilt.
"""

import json
import os
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from hashlib import file_digest
from pathlib import Path

from footnotary.durable import fsync_path, make_durable_folder, make_private_file, open_private
from footnotary.errors import BackendError, StoreCorrupt, UsageError

BACKUP_MANIFEST_NAME = "backup.json"
_LOG_SUFFIXES = ("-wal", "-journal")
_PAGES_PER_STEP = 2_048  # pages copied per lock, so that writers do not have to wait for the whole copy


@dataclass(frozen=True, slots=True)
class BackupFile:
    """One file of a backup."""

    name: str
    sha256: str
    bytes: int


def back_up(databases: Mapping[str, Path], into: Path, now: datetime) -> tuple[BackupFile, ...]:
    """Copies databases, by their names in the backup, in the order given; readers and writers continue meanwhile.

    Raises `UsageError` if the folder is not empty, `BackendError` if a file cannot be read or written.
    """
    if into.exists() and any(into.iterdir()):
        raise UsageError(f"{into} is not empty", hint="use a new folder for each backup")
    try:
        make_durable_folder(into)
        kept = tuple(_copy_database(name, path, into / name) for name, path in databases.items())
        files = [{"name": one.name, "sha256": one.sha256, "bytes": one.bytes} for one in kept]
        listing = into / BACKUP_MANIFEST_NAME
        with open(listing, "w", encoding="utf-8", opener=open_private) as file:
            json.dump({"format": 1, "taken_at": now.isoformat(timespec="seconds"), "files": files}, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        fsync_path(into)
    except (OSError, sqlite3.Error) as error:
        raise BackendError(f"the backup in {into} is not complete: {error}", hint="remove it and try again") from error
    return kept


def read_backup(folder: Path) -> tuple[BackupFile, ...]:
    """The files of a backup, after every file's hash is verified.

    Raises `UsageError` if it is not a backup, `StoreCorrupt` if it is damaged.
    """
    try:
        said = json.loads((folder / BACKUP_MANIFEST_NAME).read_text(encoding="utf-8"))
        kept = tuple(BackupFile(str(one["name"]), str(one["sha256"]), int(one["bytes"])) for one in said["files"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{folder} is not a complete backup: {error}", hint="create another backup") from None
    for one in kept:
        path = folder / one.name
        if Path(one.name).is_absolute() or ".." in Path(one.name).parts:
            raise StoreCorrupt(f"{folder} names a file outside itself: {one.name}", hint="use another backup")
        if not path.is_file() or _file_sha256(path) != one.sha256:
            raise StoreCorrupt(f"{path} differs from what was backed up", hint="use another backup")
    return kept


def restore_backup(folder: Path, places: Mapping[str, Path]) -> tuple[BackupFile, ...]:
    """Restores the files of a backup to `places`, by name; each is restored completely or not at all.

    Raises `UsageError` if a target exists, even if only as the leftover log of a deleted database, or if the backup
    has a file without a target.
    """
    kept = read_backup(folder)
    for one in kept:
        if one.name not in places:
            raise UsageError(
                f"the backup has {one.name}, which does not belong here", hint="check whether it is of another tenant"
            )
        place = places[one.name]
        if place.exists():
            raise UsageError(f"{place} already exists", hint="restore into a data directory without that tenant")
        # SQLite would apply its changes to the restored database.
        for log in (place.with_name(place.name + ending) for ending in _LOG_SUFFIXES):
            if log.exists():
                raise UsageError(
                    f"{log} exists and belongs to another database than the backup",
                    hint="move it elsewhere and try again: its database is gone",
                )
    try:
        for one in kept:
            target = places[one.name]
            make_durable_folder(target.parent)
            temporary = target.with_name(target.name + ".restoring")
            make_private_file(temporary)
            shutil.copyfile(folder / one.name, temporary)
            fsync_path(temporary)
            temporary.replace(target)
            fsync_path(target.parent)
    except OSError as error:
        raise BackendError(
            f"not everything could be restored: {error}", hint="empty the data directory and try again"
        ) from error
    return kept


def _copy_database(name: str, source: Path, target: Path) -> BackupFile:
    make_durable_folder(target.parent)
    make_private_file(target)
    uri = f"{source.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=30)) as held, closing(sqlite3.connect(target)) as copy:
        # Holding one snapshot: otherwise SQLite restarts the copy at every change it sees, and might never finish.
        held.execute("BEGIN")
        held.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        held.backup(copy, pages=_PAGES_PER_STEP)
        found = copy.execute("PRAGMA quick_check(1)").fetchone()
    if found != ("ok",):
        raise sqlite3.DatabaseError(f"{source} is damaged: {found[0]}")
    fsync_path(target)
    fsync_path(target.parent)
    return BackupFile(name, _file_sha256(target), target.stat().st_size)


def _file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
