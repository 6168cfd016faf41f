"""Hashes of files: compared once, and again as soon as a file looks different."""

import hashlib
import os
from pathlib import Path

import pytest

from footnotary.models import cache
from footnotary.models.cache import forget_compared, has_sha256, write_file

RIGHT = hashlib.sha256(b"right").hexdigest()


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FOOTNOTARY_CACHE", str(tmp_path / "cache"))
    (tmp_path / "file").write_bytes(b"right")
    return tmp_path / "file"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often a file was read to compare its hash."""
    counted: list[int] = []
    digest = hashlib.file_digest

    def counting(*given, **options):
        counted.append(1)
        return digest(*given, **options)

    monkeypatch.setattr(cache.hashlib, "file_digest", counting)
    return counted


def test_a_file_that_was_compared_is_not_read_again(file: Path, reads: list[int]):
    assert [has_sha256(file, RIGHT), has_sha256(file, RIGHT)] == [True, True]
    assert len(reads) == 1


def test_a_file_that_changed_is_read_again(file: Path):
    assert has_sha256(file, RIGHT)
    file.write_bytes(b"wrong")
    assert not has_sha256(file, RIGHT)


def test_a_change_that_keeps_size_and_time_of_modification_is_noticed(file: Path):
    assert has_sha256(file, RIGHT)
    before = file.stat()
    file.write_bytes(b"wrong")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not has_sha256(file, RIGHT)


def test_another_hash_is_compared_afresh(file: Path):
    assert has_sha256(file, RIGHT)
    assert not has_sha256(file, hashlib.sha256(b"other").hexdigest())
    assert not has_sha256(file, None)


def test_after_forgetting_every_file_is_read(file: Path, reads: list[int]):
    has_sha256(file, RIGHT)
    forget_compared()
    assert has_sha256(file, RIGHT)
    assert len(reads) == 2


def test_without_a_cache_folder_files_are_read_every_time(file: Path, reads: list[int], monkeypatch, tmp_path):
    monkeypatch.setenv("FOOTNOTARY_CACHE", str(file))
    assert [has_sha256(file, RIGHT), has_sha256(file, RIGHT)] == [True, True]
    assert len(reads) == 2


def test_a_list_of_compared_files_that_is_damaged_is_ignored(file: Path, tmp_path: Path):
    write_file(tmp_path / "cache" / "compared.json", [b"[1"])
    assert has_sha256(file, RIGHT)
