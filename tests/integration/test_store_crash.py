"""The embedded store on real disks and processes: killed, locked out, damaged, and read while written."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from footnotary.domain.query import Filters
from footnotary.errors import BackendError, IndexMismatch, StoreCorrupt, StoreLocked, UsageError
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.testing.sample_documents import (
    EMBEDDER,
    SampleDocument,
    SamplePassage,
    make_document,
    penal_code,
    wages_act,
)
from footnotary.testing.search_queries import all_ids, search_dense, search_lexical
from footnotary.text.tokens import content_terms

PRELUDE = """
import os, signal, sys, time
from pathlib import Path
from footnotary.index.embedded import derived_indexes, tantivy_index, vector_matrix
from footnotary.index.sqlite import catalog
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.testing.sample_documents import EMBEDDER, SamplePassage, make_document, penal_code, wages_act

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

def dying_after(function):
    def wrapped(*args, **kwargs):
        function(*args, **kwargs)
        die()
    return wrapped

store = EmbeddedStore(Path(sys.argv[1]), EMBEDDER.name, EMBEDDER.dimensions)
"""


def child(script: str, folder: Path, *, wait: bool = True) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PRELUDE + textwrap.dedent(script), str(folder)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    if wait:
        out, err = process.communicate(timeout=60)
        process.args = out + err
    return process


def opened(folder: Path, **options: object) -> EmbeddedStore:
    return EmbeddedStore(folder, EMBEDDER.name, EMBEDDER.dimensions, **options)  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "tenant"


@pytest.fixture
def store(folder: Path) -> Iterator[EmbeddedStore]:
    store = opened(folder)
    yield store
    store.close()


def assert_holds(store: EmbeddedStore, *laws: SampleDocument) -> None:
    """Exactly these documents are there, each passage once, in every index."""
    ids = sorted(id_ for law in laws for id_ in law.ids)
    assert [document.id for document in store.documents("law")] == sorted(law.document.id for law in laws)
    assert sorted(search_dense(store, "anything", 1000)) == ids
    words = " ".join(chunk.text for law in laws for chunk in law.chunks)
    assert sorted(search_lexical(store, words, 1000)) == ids
    assert [chunk.id for chunk in store.chunks("law", ids)] == ids
    assert store.check(deep=True) == []


# -- killed ----------------------------------------------------------------------------------------------------------

AFTER_THE_COMMIT = {
    "before the lexicon is written": "tantivy_index.TantivyIndex.writing = die",
    "before the matrix is written": "vector_matrix.MatrixFiles.append = die",
    "after the matrix, before the lexicon commits": (
        "vector_matrix.MatrixFiles.append = dying_after(vector_matrix.MatrixFiles.append)"
    ),
    "after both, before the mark": "derived_indexes.write_state = die",
    "after the mark": "derived_indexes.write_state = dying_after(derived_indexes.write_state)",
    "between the mark's file and its name": "Path.replace = die",
    "while old files are swept": "derived_indexes.DerivedIndexes._sweep = die",
}


@pytest.mark.parametrize("fault", AFTER_THE_COMMIT.values(), ids=AFTER_THE_COMMIT)
@pytest.mark.parametrize("filled", [False, True], ids=["empty", "filled"])
def test_killed_after_the_truths_commit_nothing_is_lost_and_nothing_found_twice(folder: Path, fault: str, filled: bool):
    before = (wages_act(),) if filled else ()
    with open_for(folder) as store:
        for law in before:
            law.put_into(store)
    killed = child(f"{fault}\npenal_code().put_into(store)", folder)
    swept = "_sweep" in fault and filled  # nothing to sweep: an append replaces no files
    assert killed.returncode == (0 if swept else -signal.SIGKILL), killed.args
    with open_for(folder) as store:
        assert_holds(store, *before, penal_code())


@pytest.mark.parametrize("fault", AFTER_THE_COMMIT.values(), ids=AFTER_THE_COMMIT)
def test_killed_after_a_replacement_or_deletion_the_old_passages_are_gone(folder: Path, fault: str):
    with open_for(folder) as store:
        penal_code().put_into(store)
        wages_act().put_into(store)
    newer = make_document("ipc", [SamplePassage("IPC_420_0", "Fraud is punished with ten years.")])
    script = f"""
    {fault}
    make_document("ipc", [SamplePassage("IPC_420_0", "Fraud is punished with ten years.")]).put_into(store)
    """
    assert child(script, folder).returncode == -signal.SIGKILL
    with open_for(folder) as store:
        assert_holds(store, newer, wages_act())
        assert search_lexical(store, "conspiracy") == []
        assert [former.chunk.text for former in store.former_chunks("law", "IPC_42_0")] == [penal_code().chunks[0].text]
    assert child(f"{fault}\nstore.delete('law', 'ipc')", folder).returncode == -signal.SIGKILL
    with open_for(folder) as store:
        assert_holds(store, wages_act())


@pytest.mark.smoke
def test_killed_before_the_truths_commit_nothing_has_changed(folder: Path):
    with open_for(folder) as store:
        wages_act().put_into(store)
        generation = store.generation("law")
    script = """
    def dying(put):
        def wrapped(*args):
            put(*args)
            die()
        return wrapped
    catalog.put_document = dying(catalog.put_document)
    penal_code().put_into(store)
    """
    assert child(script, folder).returncode == -signal.SIGKILL
    with open_for(folder) as store:
        assert store.generation("law") == generation
        assert_holds(store, wages_act())
        penal_code().put_into(store)
        assert_holds(store, wages_act(), penal_code())


def test_killed_before_a_replacement_is_committed_the_old_version_is_the_present_one(folder: Path):
    with open_for(folder) as store:
        penal_code().put_into(store)
    script = """
    catalog.put_document = dying_after(catalog.put_document)
    make_document("ipc", [SamplePassage("IPC_420_0", "Fraud is punished with ten years.")]).put_into(store)
    """
    assert child(script, folder).returncode == -signal.SIGKILL
    with open_for(folder) as store:
        assert_holds(store, penal_code())
        assert store.former_versions("law", "ipc") == []


def test_killed_at_any_moment_of_a_long_ingest_every_acknowledged_document_is_there_whole(folder: Path):
    script = """
    for n in range(100000):
        passages = [SamplePassage(f"D{n}_{i}_0", f"Passage {i} of document {n} says word{n}.") for i in range(5)]
        make_document(f"doc{n}", passages).put_into(store)
        print(n, flush=True)
    """
    for round_ in range(3):
        shutil.rmtree(folder, ignore_errors=True)
        process = child(script, folder, wait=False)
        assert process.stdout is not None
        for _ in range(2 + 3 * round_):
            process.stdout.readline()
        time.sleep(0.013 * round_)
        process.kill()
        out, _ = process.communicate()
        acknowledged = 2 + 3 * round_ + len(out.split())
        with open_for(folder) as store:
            documents = store.documents("law")
            assert len(documents) in (acknowledged, acknowledged + 1)
            assert all(document.chunks == 5 for document in documents)
            assert len(all_ids(store)) == 5 * len(documents)
            assert search_lexical(store, f"word{acknowledged - 1}", 100)[:1] == [f"D{acknowledged - 1}_0_0"]
            assert store.check(deep=True) == []


def test_killed_inside_a_bulk_ingest_what_was_put_is_found(folder: Path):
    script = """
    with store.bulk("law"):
        penal_code().put_into(store)
        wages_act().put_into(store)
        die()
    """
    assert child(script, folder).returncode == -signal.SIGKILL
    with open_for(folder) as store:
        assert_holds(store, penal_code(), wages_act())


# -- several processes -----------------------------------------------------------------------------------------------


def test_a_reader_sees_what_another_process_writes_at_its_next_call(store: EmbeddedStore, folder: Path):
    assert all_ids(store) == set()
    assert child("penal_code().put_into(store)", folder).returncode == 0
    assert_holds(store, penal_code())
    assert child("wages_act().put_into(store); store.delete('law', 'ipc')", folder).returncode == 0
    assert_holds(store, wages_act())


def test_a_reader_sees_what_a_bulk_ingest_elsewhere_has_put_so_far(store: EmbeddedStore, folder: Path):
    script = """
    with store.bulk("law"):
        penal_code().put_into(store)
        print("put", flush=True)
        sys.stdin.readline()
        wages_act().put_into(store)
    """
    process = child(script, folder, wait=False)
    assert process.stdout is not None
    assert process.stdout.readline() == "put\n"
    assert_holds(store, penal_code())
    process.communicate("go on\n", timeout=60)
    assert_holds(store, penal_code(), wages_act())


def test_the_error_of_a_second_writer_names_the_first_and_says_that_reading_works(folder: Path):
    with open_for(folder, lock_wait_s=0.1) as store:
        wages_act().put_into(store)
        process = child(
            "with store._writing.held():\n    print('held', flush=True); sys.stdin.readline()", folder, wait=False
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(StoreLocked, match=str(process.pid)) as caught:
            penal_code().put_into(store)
        assert caught.value.retryable
        assert "reading works" in caught.value.hint
        assert_holds(store, wages_act())
        process.communicate("go on\n", timeout=60)
        penal_code().put_into(store)
        assert_holds(store, wages_act(), penal_code())


def test_two_processes_that_write_at_once_both_get_through(folder: Path):
    script = """
    me = os.getpid()
    for n in range(8):
        make_document(f"{me}-{n}", [SamplePassage(f"P{me}_{n}_0", f"Passage {n} by {me}.")]).put_into(store)
    """
    opened(folder).close()
    processes = [child(script, folder, wait=False) for _ in range(2)]
    for process in processes:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, out + err
    with open_for(folder) as store:
        assert len(all_ids(store)) == 16
        assert store.check(deep=True) == []


def test_while_another_process_is_stuck_in_a_catch_up_searches_still_tell_the_truth(folder: Path):
    with open_for(folder, lock_wait_s=0.1) as store:
        penal_code().put_into(store)
        script = """
        store._indexes(1)._lock.held(0).__enter__()
        print("held", flush=True)
        sys.stdin.readline()
        """
        process = child(script, folder, wait=False)
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        wages_act().put_into(store)
        assert_holds(store, penal_code(), wages_act())
        store.delete("law", "ipc")
        assert_holds(store, wages_act())
        process.communicate("go on\n", timeout=60)
        penal_code().put_into(store)
        assert_holds(store, penal_code(), wages_act())


def test_a_store_open_for_reading_only_searches_and_writes_nothing(folder: Path):
    with pytest.raises(UsageError, match="no store"):
        opened(folder, read_only=True)
    with open_for(folder) as store:
        penal_code().put_into(store)
    shutil.rmtree(folder / "derived")
    with open_for(folder, read_only=True) as store:
        assert_holds(store, penal_code())
        with pytest.raises(UsageError, match="reading only"):
            wages_act().put_into(store)
        with pytest.raises(UsageError, match="reading only"):
            store.delete("law", "ipc")
        assert not (folder / "derived").exists()
        assert child("wages_act().put_into(store)", folder).returncode == 0
        assert_holds(store, penal_code(), wages_act())


# -- damaged ---------------------------------------------------------------------------------------------------------


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def garble(path: Path) -> None:
    size = path.stat().st_size
    path.write_bytes((b"\x00\xff garbage" * (size // 10 + 1))[:size])


@pytest.mark.parametrize(
    "pattern", ["state.json", "*.i64", "*.f32", "lexicon-*/meta.json", "lexicon-*/*.idx", "lexicon-*/*.term"]
)
@pytest.mark.parametrize("harm", [Path.unlink, cut, garble], ids=["missing", "cut", "garbled"])
def test_damaged_derived_files_are_rebuilt(folder: Path, pattern: str, harm: Callable[[Path], None]):
    with open_for(folder) as store:
        penal_code().put_into(store)
        wages_act().put_into(store)
    harmed = list((folder / "derived").glob(f"*/{pattern}"))
    assert harmed
    for path in harmed:
        harm(path)
    with open_for(folder) as store:
        if not (pattern == "*.f32" and harm is garble):
            assert_holds(store, penal_code(), wages_act())
        else:  # no search can tell a wrong number from a right one; a deep check can
            assert any("another vector" in problem for problem in store.check(deep=True))


@pytest.mark.parametrize("suffix", [".fast", ".fieldnorm", ".idx", ".term"])
def test_a_flipped_bit_in_the_lexicon_changes_no_answer(folder: Path, suffix: str):
    with open_for(folder) as store:
        penal_code().put_into(store)
        terms = content_terms(" ".join(chunk.text for chunk in penal_code().chunks))
        expected = store.lexical("law", terms, 100, Filters())
    for path in (folder / "derived").glob(f"*/lexicon-*/*{suffix}"):
        content = bytearray(path.read_bytes())
        content[len(content) // 3] ^= 4
        path.write_bytes(content)
    with open_for(folder) as store:
        assert store.lexical("law", terms, 100, Filters()) == expected


def test_all_derived_indexes_can_be_deleted(folder: Path):
    with open_for(folder) as store:
        penal_code().put_into(store)
    shutil.rmtree(folder / "derived")
    with open_for(folder) as store:
        assert_holds(store, penal_code())


@pytest.mark.parametrize("harm", [cut, garble], ids=["cut", "garbled"])
def test_a_damaged_truth_is_reported_with_a_way_out(folder: Path, harm: Callable[[Path], None]):
    with open_for(folder) as store:
        penal_code().put_into(store)
    harm(folder / "truth.db")
    with pytest.raises(StoreCorrupt, match=r"truth\.db") as caught:
        opened(folder)
    assert "backup" in caught.value.hint


@pytest.mark.parametrize("harm", [Path.unlink, lambda path: os.truncate(path, 0)], ids=["missing", "empty"])
def test_a_truth_that_vanished_is_not_taken_for_a_new_store(folder: Path, harm: Callable[[Path], None]):
    with open_for(folder) as store:
        penal_code().put_into(store)
    harm(folder / "truth.db")
    with pytest.raises(StoreCorrupt, match="derived"):
        opened(folder)


def test_a_database_of_somebody_else_is_left_alone(folder: Path):
    folder.mkdir()
    other = sqlite3.connect(folder / "truth.db")
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.commit()
    other.close()
    with pytest.raises(StoreCorrupt, match="manifest"):
        opened(folder)


def test_an_older_copy_of_the_truth_is_noticed(folder: Path, tmp_path: Path):
    with open_for(folder) as store:
        penal_code().put_into(store)
    shutil.copy(folder / "truth.db", tmp_path / "backup.db")
    with open_for(folder) as store:
        wages_act().put_into(store)
    shutil.copy(tmp_path / "backup.db", folder / "truth.db")
    with open_for(folder) as store:
        for _ in range(2):
            with pytest.raises(StoreCorrupt, match="another history") as caught:
                all_ids(store)
            assert "derived" in caught.value.hint
            # A document put meanwhile makes the two histories count alike; they are told apart all the same.
            make_document("new", [SamplePassage("New_1_0", "Something new.")]).put_into(store)
    shutil.rmtree(folder / "derived")
    with open_for(folder) as store:
        assert all_ids(store) == {*penal_code().ids, "New_1_0"}


def test_a_passage_altered_behind_our_back_is_found_by_the_deep_check(store: EmbeddedStore, folder: Path):
    penal_code().put_into(store)
    other = sqlite3.connect(folder / "truth.db")
    other.execute("UPDATE chunks SET text = replace(text, 'seven', 'seventy') WHERE id = 'IPC_420_0'")
    other.commit()
    other.close()
    assert store.check() == []
    (problem,) = store.check(deep=True)
    assert "IPC_420_0" in problem
    assert store.chunks("law", ["IPC_415_0"])
    with pytest.raises(StoreCorrupt, match="IPC_420_0"):
        store.chunks("law", ["IPC_415_0", "IPC_420_0"])


# -- settings and disks ----------------------------------------------------------------------------------------------


def test_another_embedder_is_refused_by_the_names_of_both(folder: Path):
    opened(folder).close()
    with pytest.raises(IndexMismatch, match=r"hash-64 \(64 dimensions\).*minilm \(384\)") as caught:
        EmbeddedStore(folder, "minilm", 384)
    assert "footnotary reembed" in caught.value.hint
    with pytest.raises(IndexMismatch):
        EmbeddedStore(folder, EMBEDDER.name, 32)


def test_e10_a_store_of_a_newer_version_is_refused(folder: Path):
    opened(folder).close()
    other = sqlite3.connect(folder / "truth.db")
    other.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
    other.commit()
    other.close()
    with pytest.raises(IndexMismatch, match="99") as caught:
        opened(folder)
    assert "upgrade" in caught.value.hint


def test_a_full_disk_is_an_error_and_leaves_the_store_as_it_was(folder: Path):
    with open_for(folder) as store:
        wages_act().put_into(store)
    script = """
    import resource
    from footnotary.errors import BackendError
    big = make_document("big", [SamplePassage(f"Big_{n}_0", f"Passage {n} " * 200) for n in range(400)])
    limit = 300_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        big.put_into(store)
    except BackendError as error:
        print(type(error).__name__, error.hint)
        sys.exit(7)
    """
    full = child(script, folder)
    assert full.returncode == 7, full.args
    assert "space" in str(full.args)
    with open_for(folder) as store:
        assert_holds(store, wages_act())
        penal_code().put_into(store)
        assert_holds(store, wages_act(), penal_code())


def test_when_only_the_derived_indexes_do_not_fit_the_document_is_stored_and_found(folder: Path):
    opened(folder).close()
    script = """
    def full(*_):
        raise OSError(28, "No space left on device")
    from footnotary.domain.query import Filters
    from footnotary.text.tokens import content_terms
    vector_matrix.MatrixFiles.append = full
    assert penal_code().put_into(store) == "added"
    print([hit.id for hit in store.lexical("law", content_terms("conspiracy"), 5, Filters())])
    """
    done = child(script, folder)
    assert done.returncode == 0, done.args
    assert "IPC_120B_0" in str(done.args)
    with open_for(folder) as store:
        assert_holds(store, penal_code())


def test_a_folder_that_cannot_be_made_is_an_error_of_the_backend(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BackendError, match="file"):
        opened(tmp_path / "file" / "tenant")


def test_a_closed_store_says_so(folder: Path):
    store = opened(folder)
    store.close()
    with pytest.raises(UsageError, match="closed"):
        store.lexical("law", ["x"], 1, Filters())


class open_for:
    """A store for the length of a block."""

    def __init__(self, folder: Path, **options: object) -> None:
        self.store = opened(folder, **options)

    def __enter__(self) -> EmbeddedStore:
        return self.store

    def __exit__(self, *_: object) -> None:
        self.store.close()
