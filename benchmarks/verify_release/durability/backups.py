"""E11: backups are made while another process writes; a restored backup is one of the committed states."""

import contextlib
import io
import os
import random
import shutil
import signal
import tempfile
from contextlib import closing
from pathlib import Path

from benchmarks.verify_release.child_process import run_in_child
from benchmarks.verify_release.durability.killed_ingest import CHUNKS
from benchmarks.verify_release.durability.power_loss import Step, document, held_after
from benchmarks.verify_release.tally import Tally
from footnotary.cli.operations.maintenance import run_backup, run_restore
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.index.sqlite import backup
from footnotary.testing.sample_documents import EMBEDDER
from footnotary.testing.search_queries import all_ids

ROUNDS_PER_STORE = 10
PAGES = 3  # per step, so that changes happen between the steps of one copy


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    tally, rng = Tally(), random.Random(seed)
    while tally.attempts < count:
        with tempfile.TemporaryDirectory() as folder:
            tally.add(
                backups_while_written(Path(folder), min(ROUNDS_PER_STORE, count - tally.attempts), rng, seeded_bug)
            )
    return tally


def backups_while_written(folder: Path, rounds: int, rng: random.Random, seeded_bug: bool = False) -> Tally:
    """Makes backups of a store that another process keeps writing to, and checks each."""
    tally, planned = Tally(), _plan(rng.randrange(1 << 30))
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            store = _store(folder / "home")
            for step in planned:
                _run_step(step, store)
                os.write(writer, b".")
        finally:
            os._exit(1)
    os.close(writer)
    acknowledged = len(os.read(reader, 1))
    os.set_blocking(reader, False)
    try:
        for number in range(rounds):
            acknowledged += _new_acknowledgements(reader)
            place = folder / f"round{number}"
            found = run_in_child(lambda place=place: _restored(folder / "home", place, seeded_bug))
            shutil.rmtree(place, ignore_errors=True)
            tally.attempts += 1
            later = acknowledged + _new_acknowledgements(reader)
            tally.count("changes meanwhile", later - acknowledged)
            wrong = _difference(found, planned, acknowledged, later + 1)
            acknowledged = later
            if wrong:
                tally.fault(f"after {acknowledged} changes: {wrong}")
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reader)
    return tally


def _plan(seed: int) -> list[Step]:
    """Steps that each change something, so that the generation identifies the step after which a copy was made."""
    rng, steps, held = random.Random(seed), [Step("put", 0, 0)], {0}
    for version in range(1, 5_000):
        number = rng.randrange(8)
        what = "delete" if number in held and len(held) > 1 and rng.random() < 0.3 else "put"
        (held.discard if what == "delete" else held.add)(number)
        steps.append(Step(what, number, version))
    return steps


def _store(home: Path) -> EmbeddedStore:
    return EmbeddedStore(home / "tenants" / "local", EMBEDDER.name, EMBEDDER.dimensions)


def _run_step(step: Step, store: EmbeddedStore) -> None:
    if step.what == "put":
        document(step).put_into(store)
    else:
        store.delete("law", f"doc{step.number}")


def _new_acknowledgements(reader: int) -> int:
    """The number of new acknowledgements."""
    try:
        return len(os.read(reader, 1 << 16))
    except BlockingIOError:
        return 0


def _restored(home: Path, place: Path, seeded_bug: bool) -> dict:
    """The content of a backup made now, after restoring it; `restore` has checked every passage."""
    backup._PAGES_PER_STEP = PAGES
    if seeded_bug:  # copies the file without its write-ahead log
        backup._copy_database = _plain_copy
    with contextlib.redirect_stdout(io.StringIO()):
        run_backup(place / "copy", home, None, as_json=True)
        run_restore(place / "copy", place / "home", None, as_json=True)
    with closing(_store(place / "home")) as store:
        held = store.documents("law")
        return {
            "generation": store.generation("law"),
            "held": {one.id: one.sha256 for one in held},
            "whole": all(one.chunks == CHUNKS for one in held) and len(all_ids(store)) == CHUNKS * len(held),
        }


def _plain_copy(name: str, source: Path, target: Path) -> backup.BackupFile:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    return backup.BackupFile(name, backup._file_sha256(target), target.stat().st_size)


def _difference(found: dict, planned: list[Step], at_least: int, at_most: int) -> str:
    if "error" in found:
        return found["error"]
    if not at_least <= found["generation"] <= at_most:
        return f"it has {found['generation']} changes, but {at_least} to {at_most} were acknowledged"
    if found["held"] != held_after(planned[: found["generation"]]):
        return "its documents match no committed state"
    return "" if found["whole"] else "a document is partial"
