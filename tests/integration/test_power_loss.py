"""FAULTS E4: the power fails. What was acknowledged had been synced, so it is there; what was under way is there or not.

The disk is one on which only that survives for certain that was synced (`benchmarks/verify_release/durability/simulated_disk.py`); `make verify-release` tries
it at length.
"""

import random
import shutil
from pathlib import Path

import pytest

from benchmarks.verify_release.durability.power_loss import NEVER_SYNCS, Recording
from benchmarks.verify_release.durability.simulated_disk import Disk
from footnotary.audit import signing

pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return Recording.made(tmp_path_factory.mktemp("recorded"), 4)


def contents(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def test_e4_the_disk_that_is_cut_off_is_the_one_that_was_written(recording: Recording, tmp_path: Path):
    disk = Disk(recording.home)
    for call in recording.done:
        disk.do(call)
    disk.after_power_loss(tmp_path / "all", random.Random(0), keeps="all")
    assert contents(tmp_path / "all") == contents(recording.home)


def test_e4_documents_records_files_and_keys_are_on_the_disk_when_they_are_acknowledged(recording: Recording):
    assert [cut.wrong for cut in recording.strict_cuts() if cut.wrong] == []
    assert {told["what"] for _, told in recording.acknowledged} == {"put", "delete", "answer", "accept", "key"}


def test_e4_with_the_power_cut_at_any_moment_nothing_is_there_in_part(recording: Recording):
    assert [cut for cut in recording.cuts(12, random.Random(4)) if cut.wrong] == []


def test_e4_a_new_signing_key_is_on_the_disk_by_its_name_before_anything_is_signed(tmp_path: Path, monkeypatch):
    pytest.importorskip("cryptography")
    named: list[bool] = []
    monkeypatch.setattr(signing, "fsync_path", lambda folder: named.append((folder / "signing.key").exists()))
    signing.open_signer(tmp_path / "signing.key")
    assert named == [True]


def test_e4_a_store_that_does_not_sync_is_found_out(tmp_path: Path):
    cuts = Recording.made(tmp_path, 4, NEVER_SYNCS).strict_cuts()
    assert any("documents differ" in cut.wrong for cut in cuts)
