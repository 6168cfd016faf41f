"""`backup`, `restore` and `doctor --deep` as a user runs them."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.operations.doctor import run_doctor
from footnotary.cli.operations.maintenance import run_backup, run_migrate, run_reindex, run_restore
from footnotary.errors import StoreCorrupt, UsageError
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.ingest.uploads import UploadStore
from footnotary.testing.sample_documents import EMBEDDER, penal_code, wages_act
from footnotary.testing.search_queries import all_ids


def tenant(home: Path) -> EmbeddedStore:
    return EmbeddedStore(home / "tenants" / "local", EMBEDDER.name, EMBEDDER.dimensions)


def test_a_backup_taken_while_the_store_is_open_is_restored_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with closing(tenant(tmp_path / "home")) as store:
        penal_code().put_into(store)
        assert run_backup(tmp_path / "copy", tmp_path / "home", None, as_json=True) is ExitCode.OK
        wages_act().put_into(store)  # after the backup, and therefore not in it
    capsys.readouterr()
    assert run_restore(tmp_path / "copy", tmp_path / "other", None, as_json=True) is ExitCode.OK
    assert json.loads(capsys.readouterr().out)["documents"] == {"law": 1}
    with closing(tenant(tmp_path / "other")) as restored:
        assert all_ids(restored) == set(penal_code().ids)


def test_backing_up_and_restoring_say_what_is_in_no_backup(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with closing(tenant(tmp_path / "home")) as store:
        penal_code().put_into(store)
    incoming = tmp_path / "sent"
    incoming.write_text("An original.")
    UploadStore.of_tenant(tmp_path / "home/tenants/local").keep(incoming, "law", "act.pdf")
    run_backup(tmp_path / "copy", tmp_path / "home", None, as_json=False)
    assert not any("upload" in str(path) for path in (tmp_path / "copy").rglob("*"))
    assert str(tmp_path / "home/tenants/local/uploads") in capsys.readouterr().err
    assert run_restore(tmp_path / "copy", tmp_path / "other", None, as_json=False) is ExitCode.OK
    said = capsys.readouterr().err
    assert "copy signing.key into" in said
    assert str(tmp_path / "other/tenants/local/uploads") in said


def test_a_backup_never_goes_over_anything(tmp_path: Path):
    with closing(tenant(tmp_path / "home")) as store:
        penal_code().put_into(store)
    run_backup(tmp_path / "copy", tmp_path / "home", None, as_json=True)
    with pytest.raises(UsageError, match="not empty"):
        run_backup(tmp_path / "copy", tmp_path / "home", None, as_json=True)
    with pytest.raises(UsageError, match="already exists"):
        run_restore(tmp_path / "copy", tmp_path / "home", None, as_json=True)


def test_a_damaged_or_unfinished_backup_is_not_restored(tmp_path: Path):
    with closing(tenant(tmp_path / "home")) as store:
        penal_code().put_into(store)
    run_backup(tmp_path / "copy", tmp_path / "home", None, as_json=True)
    content = bytearray((tmp_path / "copy" / "truth.db").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "copy" / "truth.db").write_bytes(content)
    with pytest.raises(StoreCorrupt, match="differs from what was backed up"):
        run_restore(tmp_path / "copy", tmp_path / "other", None, as_json=True)
    (tmp_path / "copy" / "backup.json").unlink()
    with pytest.raises(UsageError, match="not a complete backup"):
        run_restore(tmp_path / "copy", tmp_path / "other", None, as_json=True)
    assert not (tmp_path / "other").exists()


def test_only_stores_there_are_can_be_migrated_to(tmp_path: Path):
    with pytest.raises(UsageError, match="unknown store"):
        run_migrate("cloud", tmp_path, None, None, as_json=True)


def test_doctor_finds_a_changed_passage_when_it_looks_deep(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    from footnotary.wiring import open_embedder

    embedder = open_embedder("fast")
    folder = tmp_path / "tenants" / "local"
    law = penal_code()
    with closing(EmbeddedStore(folder, embedder.name, embedder.dimensions)) as store:
        vectors = embedder.embed_passages([chunk.text for chunk in law.chunks])
        store.put("law", law.document, law.chunks, vectors, "IPC")
    assert run_doctor(tmp_path, "fast", deep=True, as_json=True) is ExitCode.OK
    with closing(sqlite3.connect(folder / "truth.db")) as truth:
        truth.execute("UPDATE chunks SET text = 'Forged.' WHERE id = 'IPC_420_0'")
        truth.commit()
    capsys.readouterr()
    assert run_doctor(tmp_path, "fast", deep=True, as_json=True) is ExitCode.FAILURE
    found = {one["check"]: one for one in json.loads(capsys.readouterr().out)}
    assert found["passages"]["ok"] is False
    assert "IPC_420_0" in found["passages"]["detail"]


def test_the_embedded_store_is_not_rebuilt_by_hand(tmp_path: Path):
    with pytest.raises(UsageError, match="updates its indexes itself"):
        run_reindex("law", tmp_path, None, as_json=False)
