"""FAULTS E11: backups taken while another process writes, restored, are states that were committed."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from footnotary.errors import UsageError
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.index.sqlite import backup
from footnotary.testing.sample_documents import EMBEDDER, penal_code, wages_act
from tests.support.release_checks import run_release_check

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_e11_a_backup_taken_while_another_process_writes_is_a_committed_state_whole():
    found = run_release_check("backed_up", 4)
    assert (found["attempts"], found["notes"]) == (4, [])
    assert found["seen"]["changes meanwhile"] > 0


def test_e11_a_copy_of_the_file_as_it_lies_there_is_found_out():
    assert run_release_check("backed_up", 2, seeded_bug=True)["failed"] > 0


def test_e11_a_backup_comes_to_an_end_however_often_others_write_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with closing(EmbeddedStore(tmp_path / "tenant", EMBEDDER.name, EMBEDDER.dimensions)) as store:
        penal_code().put_into(store)
        truth = tmp_path / "tenant" / "truth.db"
        with closing(sqlite3.connect(truth)) as other:
            (pages,) = other.execute("PRAGMA page_count").fetchone()
            pieces: list[int] = []

            class Watched(sqlite3.Connection):
                def backup(self, target: sqlite3.Connection, *, pages: int) -> None:  # type: ignore[override]
                    super().backup(target, pages=pages, progress=self.written_to)

                def written_to(self, *_: int) -> None:
                    pieces.append(1)
                    assert len(pieces) < 10_000, "it begins anew with every change"
                    other.execute("UPDATE projects SET generation = generation + 1")
                    other.commit()

            connect = sqlite3.connect
            monkeypatch.setattr(backup, "_PAGES_PER_STEP", 1)
            monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **(k | {"factory": Watched})))
            backup.back_up({"truth.db": truth}, tmp_path / "copy", NOW)
    assert len(pieces) <= pages + 1
    with closing(connect(tmp_path / "copy" / "truth.db")) as copy:
        assert copy.execute("SELECT generation FROM projects").fetchone() == (1,)


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_e11_the_log_of_a_database_that_is_gone_is_not_taken_for_that_of_the_one_restored(tmp_path: Path, ending: str):
    with closing(EmbeddedStore(tmp_path / "tenant", EMBEDDER.name, EMBEDDER.dimensions)) as store:
        penal_code().put_into(store)
        backup.back_up({"truth.db": store.folder / "truth.db"}, tmp_path / "copy", NOW)
        wages_act().put_into(store)
        store.delete("law", "ipc")
        left = (store.folder / "truth.db-wal").read_bytes()
    place = tmp_path / "home" / "truth.db"
    place.parent.mkdir()
    log = place.with_name(place.name + ending)
    log.write_bytes(left)
    with pytest.raises(UsageError, match=f"truth.db{ending} exists"):
        backup.restore_backup(tmp_path / "copy", {"truth.db": place})
    assert not place.exists()
    log.unlink()
    backup.restore_backup(tmp_path / "copy", {"truth.db": place})
    with closing(EmbeddedStore(place.parent, EMBEDDER.name, EMBEDDER.dimensions)) as restored:
        assert [document.id for document in restored.documents("law")] == ["ipc"]
