"""E10: a process that brings a store of an earlier schema up to date is killed at any moment: the store is old or new.

Moments are counted in steps of SQLite's machine, so that kills fall evenly on all of the work; some fall into the commit
and on what comes after it.
"""

import os
import random
import shutil
import signal
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

from benchmarks.verify_release.child_process import told_by_a_child
from benchmarks.verify_release.durability.killed_ingest import CHUNKS, document, opened
from benchmarks.verify_release.tally import Tally
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.index.manifest import SCHEMA_VERSION
from footnotary.index.sqlite.connections import SqliteConnections
from footnotary.testing.sample_documents import EMBEDDER
from footnotary.testing.search_queries import all_ids, search_lexical
from harness.older_stores import made_older, tables

DOCUMENTS = 12
STEPS = 100  # of SQLite's machine between two moments
NEVER = 1 << 62


def tried(count: int, seed: int, planted: bool) -> Tally:
    tally, chance = Tally(), random.Random(seed)
    moments: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            schema = 1 + number % (SCHEMA_VERSION - 1)
            base = Path(folder) / f"schema{schema}"
            if schema not in moments:
                moments[schema] = older_store(base, schema)
            tally.tried += 1
            at = chance.randint(1, moments[schema] * 5 // 4)
            with tempfile.TemporaryDirectory(dir=folder) as place:
                left, wrong = killed_upgrade(base, Path(place) / "store", at, planted=planted)
            tally.count(left)
            if wrong:
                tally.fault(f"schema {schema}, killed at {at} of {moments[schema]}: {wrong}")
    return tally


def older_store(base: Path, schema: int) -> int:
    """Makes a store of an earlier schema, and tells in how many moments it is brought up to date."""

    def make() -> dict:
        with closing(opened(base)) as store, store.bulk("law"):
            for number in range(DOCUMENTS):
                document(number).put_into(store)
        made_older(base / "tenant", schema)
        return {}

    assert told_by_a_child(make) == {}
    with tempfile.TemporaryDirectory(dir=base.parent) as place:
        shutil.copytree(base, Path(place) / "store")
        return told_by_a_child(lambda: {"moments": _upgraded(Path(place) / "store", NEVER)})["moments"]


def killed_upgrade(base: Path, place: Path, at: int, *, planted: bool = False) -> tuple[str, str]:
    """What a kill at a moment has left of a copy of the store, and what is wrong with it."""
    shutil.copytree(base, place)
    before = tables(base / "tenant")
    child = os.fork()
    if child == 0:
        try:
            if planted:  # statement by statement
                SqliteConnections.transaction = SqliteConnections.lent
            _upgraded(place, at)
            time.sleep(60)  # done before that moment: it is killed as it stands, with everything open
        finally:
            os._exit(1)
    _await_end(child, place)
    found = told_by_a_child(lambda: _look(place, before))
    return found.get("left", "unreadable"), found.get("error", found.get("wrong", ""))


def _await_end(child: int, place: Path) -> None:
    """Waits until the child is dead, by its own hand, or by ours once it is done."""
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if (place / "done").exists():
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(0.002)


def _upgraded(place: Path, at: int) -> int:
    """Opens the store for writing; the process kills itself at moment `at`, and else learns how many there were."""
    connect, passed = SqliteConnections._connect, 0

    def step() -> int:
        nonlocal passed
        passed += 1
        if passed == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    def watched(self: SqliteConnections) -> sqlite3.Connection:
        connection = connect(self)
        connection.set_progress_handler(step, STEPS)
        return connection

    SqliteConnections._connect = watched
    opened(place)
    (place / "done").touch()
    return passed


def _look(place: Path, before: set[str]) -> dict:
    """Whether a reader and then a writer find everything; which of the two schemas the kill has left."""
    folder = place / "tenant"
    with closing(EmbeddedStore(folder, EMBEDDER.name, EMBEDDER.dimensions, read_only=True)) as reader:
        if len(all_ids(reader)) != CHUNKS * DOCUMENTS:
            return {"wrong": "a reader does not find everything"}
    with closing(sqlite3.connect(folder / "truth.db")) as truth:
        (schema,) = truth.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    is_new = int(schema) == SCHEMA_VERSION
    left = "left new" if is_new else "left old"
    if not is_new and tables(folder) != before:
        return {"left": left, "wrong": "it is neither old nor new"}
    with closing(opened(place)) as store:
        held = store.documents("law")
        if len(held) != DOCUMENTS or any(one.chunks != CHUNKS for one in held):
            return {"left": left, "wrong": "documents are lost, or there in part"}
        if problems := store.check(deep=True):
            return {"left": left, "wrong": problems[0]}
        document(77).put_into(store)
        if "D77_0_0" not in search_lexical(store, "word77", 10):
            return {"left": left, "wrong": "a later document is not found"}
    return {"left": left}
