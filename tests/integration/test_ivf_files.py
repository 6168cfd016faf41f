"""First passes on real disks and processes: made, found, outgrown, damaged, cut off, and shared."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from footnotary.domain.query import Filters
from footnotary.index.embedded import ivf_file, ivf_maintenance, vector_matrix
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.testing.sample_documents import SamplePassage, make_document

DIMENSIONS = 32
ANY = Filters()
NUMBERS = range(1_200)


def vector(number: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.random.default_rng(number).standard_normal(DIMENSIONS).astype(np.float32)


def put(store: EmbeddedStore, numbers: range) -> None:
    """One document with a passage for each number."""
    document = make_document(
        f"d{numbers.start}", [SamplePassage(f"P_{n}_0", f"Passage {n} says something.") for n in numbers]
    )
    vectors = np.stack([vector(n) for n in numbers])
    store.put("law", document.document, document.chunks, vectors, f"D{numbers.start}")


def opened(folder: Path, *, read_only: bool = False, least: int = 1_000) -> EmbeddedStore:
    return EmbeddedStore(folder, "random", DIMENSIONS, read_only=read_only, ann_min_chunks=least)


def found(store: EmbeddedStore, number: int, k: int = 3) -> list[str]:
    return [hit.id for hit in store.dense("law", vector(number), k, ANY)]


def used(store: EmbeddedStore) -> int:
    """How many rows the first pass of a search covers; 0 if it has none."""
    found(store, 0)
    mark = store._catalog.find("law")  # pyright: ignore[reportPrivateUsage]
    assert mark is not None
    first = store._snapshot(*mark).matrix.first  # pyright: ignore[reportPrivateUsage]
    return 0 if first is None else first.count


def file_of(folder: Path) -> Path:
    return next(folder.glob("derived/1/*.first"))


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks for a new one at every question."""
    monkeypatch.setattr(ivf_maintenance, "_REFRESH_INTERVAL_S", 0.0)
    monkeypatch.setattr(vector_matrix, "EXACT_MAX_ROWS", 100)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = opened(tmp_path / "tenant")
    with store.bulk("law"):
        put(store, NUMBERS)
    assert used(store) == len(NUMBERS)
    store.close()
    return tmp_path / "tenant"


@pytest.fixture
def store(folder: Path) -> Iterator[EmbeddedStore]:
    store = opened(folder)
    yield store
    assert store.check(deep=True) == []
    store.close()


def test_a_small_project_has_none(tmp_path: Path):
    store = opened(tmp_path, least=2_000)
    with store.bulk("law"):
        put(store, NUMBERS)
    assert used(store) == 0
    assert not list(tmp_path.glob("derived/1/*.first"))
    store.close()


def test_it_is_there_when_a_bulk_ingest_is_over_and_finds_what_was_put(store: EmbeddedStore):
    assert used(store) == len(NUMBERS)
    assert all(found(store, n, 1) == [f"P_{n}_0"] for n in range(0, len(NUMBERS), 60))


def test_what_comes_and_goes_later_is_found_and_not_found(store: EmbeddedStore):
    put(store, range(2_000, 2_050))
    assert used(store) == len(NUMBERS)
    assert found(store, 2_010, 1) == ["P_2010_0"]
    store.delete("law", "d2000")
    assert found(store, 2_010, 1) != ["P_2010_0"]
    put(store, range(3_000, 3_020))
    assert found(store, 3_010, 1) == ["P_3010_0"]


def test_one_that_is_outgrown_is_recreated_next_to_other_work(store: EmbeddedStore):
    put(store, range(2_000, 2_200))
    assert found(store, 2_100, 1) == ["P_2100_0"]
    store._indexes(1)._ivf._thread.join()  # type: ignore[union-attr] # pyright: ignore
    assert used(store) == len(NUMBERS) + 200
    assert found(store, 2_100, 1) == ["P_2100_0"]


def test_without_its_file_the_search_is_exact_and_the_next_bulk_makes_it_again(folder: Path):
    file_of(folder).unlink()
    store = opened(folder)
    assert used(store) == 0
    assert found(store, 7, 1) == ["P_7_0"]
    with store.bulk("law"):
        pass
    assert used(store) == len(NUMBERS)
    store.close()


def test_one_of_an_earlier_matrix_is_not_used_after_a_rebuild(folder: Path):
    old = file_of(folder).read_bytes()
    (folder / "derived/1/state.json").unlink()
    store = opened(folder)
    assert found(store, 5, 1) == ["P_5_0"]
    name = next((folder / "derived/1").glob("*.f32")).stem
    (folder / "derived/1" / f"{name}.first").write_bytes(old)
    assert used(store) == 0
    store.close()


@pytest.mark.parametrize("read_only", [False, True])
def test_a_damaged_one_is_let_go_of_and_the_search_is_exact(folder: Path, read_only: bool):
    file = file_of(folder)
    content = bytearray(file.read_bytes())
    for place in range(len(content) - 20_000, len(content), 50):  # coordinates, which are looked at late
        content[place] ^= 0x40
    file.write_bytes(content)
    store = opened(folder, read_only=read_only)
    assert "groups of the ANN index are damaged" in store.check(deep=True)[0]
    assert all(found(store, n, 1) == [f"P_{n}_0"] for n in range(0, len(NUMBERS), 60))
    store.close()
    assert read_only == (file.exists() and file.read_bytes() == content)


def test_one_that_is_cut_off_leaves_nothing_that_counts(folder: Path, monkeypatch: pytest.MonkeyPatch):
    file_of(folder).unlink()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    store = opened(folder)
    monkeypatch.setattr(ivf_file.os, "fsync", full)
    indexes = store._indexes(1)  # pyright: ignore[reportPrivateUsage]
    assert used(store) == 0
    held = indexes._snapshot  # pyright: ignore[reportPrivateUsage]
    assert held is not None
    indexes._ivf.make(held.name or "", held.matrix)  # pyright: ignore[reportPrivateUsage]
    assert used(store) == 0
    assert found(store, 9, 1) == ["P_9_0"]
    monkeypatch.undo()
    store.close()
    again = opened(folder)
    with again.bulk("law"):
        pass
    assert used(again) == len(NUMBERS)
    again.close()


def test_a_writer_killed_while_it_makes_one_leaves_a_store_that_finds_everything(tmp_path: Path):
    script = f"""
import os, signal, sys
sys.path[:0] = [{str(Path(__file__).parent)!r}]
from pathlib import Path
from footnotary.index.embedded import ivf_maintenance
import test_ivf_files as ours
ivf_maintenance.build_ivf_index = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
store = ours.opened(Path(sys.argv[1]))
with store.bulk("law"):
    ours.put(store, ours.NUMBERS)
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    store = opened(tmp_path)
    assert found(store, 11, 1) == ["P_11_0"]
    with store.bulk("law"):
        put(store, range(2_000, 2_010))
    assert used(store) == len(NUMBERS) + 10
    store.close()


def test_a_reader_sees_the_first_pass_and_the_documents_of_a_writer_in_another_process(folder: Path):
    file_of(folder).unlink()
    reader = opened(folder, read_only=True)
    assert used(reader) == 0
    script = f"""
import sys
sys.path[:0] = [{str(Path(__file__).parent)!r}]
from pathlib import Path
import test_ivf_files as ours
store = ours.opened(Path(sys.argv[1]))
with store.bulk("law"):
    ours.put(store, range(2_000, 2_030))
"""
    subprocess.run([sys.executable, "-c", script, str(folder)], check=True, timeout=120)
    assert found(reader, 2_020, 1) == ["P_2020_0"]
    assert used(reader) == len(NUMBERS) + 30
    reader.close()
