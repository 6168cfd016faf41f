"""E10: a process that upgrades a store of an earlier schema is killed at random moments: the schema is old or new.

Moments are counted in steps of SQLite's virtual machine, so that kills are spread evenly over the work; some hit the
commit and what follows it.
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

from benchmarks.verify_release.child_process import run_in_child
from benchmarks.verify_release.durability.killed_ingest import CHUNKS, document, opened
from benchmarks.verify_release.tally import Tally
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.index.manifest import SCHEMA_VERSION
from footnotary.index.sqlite.connections import SqliteConnections
from footnotary.testing.sample_documents import EMBEDDER
from footnotary.testing.search_queries import all_ids, search_lexical
from harness.older_stores import made_older, tables

DOCUMENTS = 12
STEPS = 100  # of SQLite's virtual machine between two moments
NEVER = 1 << 62


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    tally, rng = Tally(), random.Random(seed)
    moments: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            schema = 1 + number % (SCHEMA_VERSION - 1)
            base = Path(folder) / f"schema{schema}"
            if schema not in moments:
                moments[schema] = older_store(base, schema)
            tally.attempts += 1
            at = rng.randint(1, moments[schema] * 5 // 4)
            with tempfile.TemporaryDirectory(dir=folder) as place:
                left, wrong = killed_upgrade(base, Path(place) / "store", at, seeded_bug=seeded_bug)
            tally.count(left)
            if wrong:
                tally.fault(f"schema {schema}, killed at {at} of {moments[schema]}: {wrong}")
    return tally


def older_store(base: Path, schema: int) -> int:
    """Makes a store of an earlier schema; returns the number of moments its upgrade takes."""

    def make() -> dict:
        with closing(opened(base)) as store, store.bulk("law"):
            for number in range(DOCUMENTS):
                document(number).put_into(store)
        made_older(base / "tenant", schema)
        return {}

    assert run_in_child(make) == {}
    with tempfile.TemporaryDirectory(dir=base.parent) as place:
        shutil.copytree(base, Path(place) / "store")
        return run_in_child(lambda: {"moments": _upgrade(Path(place) / "store", NEVER)})["moments"]


def killed_upgrade(base: Path, place: Path, at: int, *, seeded_bug: bool = False) -> tuple[str, str]:
    """The schema that a kill at moment `at` left in a copy of the store, and what is wrong with it."""
    shutil.copytree(base, place)
    before = tables(base / "tenant")
    child = os.fork()
    if child == 0:
        try:
            if seeded_bug:  # one transaction per statement
                SqliteConnections.transaction = SqliteConnections.lent
            _upgrade(place, at)
            time.sleep(60)  # finished before that moment: it is killed with everything open
        finally:
            os._exit(1)
    _await_end(child, place)
    found = run_in_child(lambda: _inspect(place, before))
    return found.get("left", "unreadable"), found.get("error", found.get("wrong", ""))


def _await_end(child: int, place: Path) -> None:
    """Waits until the child has killed itself, or kills it once it is done."""
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if (place / "done").exists():
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(0.002)


def _upgrade(place: Path, at: int) -> int:
    """Opens the store for writing; the process kills itself at moment `at`, else returns the number of moments."""
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


def _inspect(place: Path, before: set[str]) -> dict:
    """Whether a reader and then a writer find everything, and which schema the kill left."""
    folder = place / "tenant"
    with closing(EmbeddedStore(folder, EMBEDDER.name, EMBEDDER.dimensions, read_only=True)) as reader:
        if len(all_ids(reader)) != CHUNKS * DOCUMENTS:
            return {"wrong": "a reader does not find everything"}
    with closing(sqlite3.connect(folder / "truth.db")) as truth:
        (schema,) = truth.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    is_new = int(schema) == SCHEMA_VERSION
    left = "left new" if is_new else "left old"
    if not is_new and tables(folder) != before:
        return {"left": left, "wrong": "the schema is neither old nor new"}
    with closing(opened(place)) as store:
        held = store.documents("law")
        if len(held) != DOCUMENTS or any(one.chunks != CHUNKS for one in held):
            return {"left": left, "wrong": "documents are missing or partial"}
        if problems := store.check(deep=True):
            return {"left": left, "wrong": problems[0]}
        document(77).put_into(store)
        if "D77_0_0" not in search_lexical(store, "word77", 10):
            return {"left": left, "wrong": "a later document is not found"}
    return {"left": left}
