"""Several machines that write for one tenant: stores with data folders of their own, on one server."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from footnotary.errors import StoreLocked, UsageError
from footnotary.index.qdrant import reindex
from footnotary.index.qdrant.server import QdrantServer
from footnotary.index.qdrant.store import QdrantStore
from footnotary.index.qdrant.writer_lease import WriterLease
from footnotary.testing.sample_documents import SampleDocument, SamplePassage, make_document, penal_code
from footnotary.testing.search_queries import all_ids, search_lexical

LEASE_S = 4.0

# A machine whose change stops before its commit, says so, and continues with a line on its standard input.
OTHER_MACHINE = """
import sys
from pathlib import Path
from footnotary.errors import StoreLocked
from footnotary.index.qdrant.server import QdrantServer
from footnotary.index.qdrant.store import QdrantStore
from footnotary.index.qdrant.writer_lease import WriterLease
from footnotary.testing.sample_documents import SamplePassage, make_document

url, tenant, folder, lease_s = sys.argv[1:]
store = QdrantStore(QdrantServer(url, timeout_s=120), tenant, Path(folder), None)
writer = store._writer
writer.lease = WriterLease(store._catalog, lease_s=float(lease_s))
commit = writer.commit

def waiting(*given, **named):
    print("before the commit", flush=True)
    sys.stdin.readline()
    commit(*given, **named)

writer.commit = waiting
try:
    make_document("theirs", [SamplePassage("Shared_1_0", "Their rule about conspiracy.")]).put_into(store)
    print("committed", flush=True)
except StoreLocked as error:
    print(error.retryable, error.message, flush=True)
"""


@pytest.fixture
def here(store: QdrantStore, monkeypatch: pytest.MonkeyPatch) -> QdrantStore:
    """This machine."""
    monkeypatch.setattr(store._writer, "lease", WriterLease(store._catalog, lease_s=LEASE_S, wait_s=60))
    return store


@pytest.fixture
def there(here: QdrantStore, qdrant_url: str, folder: Path) -> Iterator[QdrantStore]:
    """Another machine, in this process."""
    server = QdrantServer(qdrant_url, timeout_s=120)
    with closing(QdrantStore(server, here._catalog.tenant, folder, here.manifest)) as other:
        yield other


@contextmanager
def another_process(here: QdrantStore, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another machine that has the lease and stands before its commit."""
    given = [here._server.url, here._catalog.tenant, str(folder), str(LEASE_S)]
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(OTHER_MACHINE), *given],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "before the commit\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def ours() -> SampleDocument:
    return make_document("ours", [SamplePassage("Shared_1_0", "Our rule about wages.")])


def test_two_machines_ingest_at_once_and_no_id_is_taken_twice(here: QdrantStore, there: QdrantStore):
    refused: list[str] = []
    failed: list[Exception] = []

    def ingest(name: str, store: QdrantStore) -> None:
        for at in range(3):
            for id_ in (f"Shared_{at}_0", f"{name}_{at}_0"):
                try:
                    make_document(f"{name} {id_}", [SamplePassage(id_, f"Rule {at} of {name}.")]).put_into(store)
                except UsageError:
                    refused.append(id_)
                except Exception as error:
                    failed.append(error)

    threads = [threading.Thread(target=ingest, args=given) for given in (("Here", here), ("There", there))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(refused) == ["Shared_0_0", "Shared_1_0", "Shared_2_0"]
    assert len(here.documents("law")) == here.generation("law") == 9
    assert sum(document.chunks for document in here.documents("law")) == len(all_ids(here)) == 9
    assert here.check(deep=True) == []


def test_a_machine_killed_during_a_change_is_followed_after_the_lease_time(here: QdrantStore, folder: Path):
    with another_process(here, folder) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        begun = time.monotonic()
        assert ours().put_into(here) == "added"
        assert time.monotonic() - begun >= LEASE_S * 2 / 3  # it was renewed at most a third of the time ago
    assert [document.id for document in here.documents("law")] == ["ours"]
    assert here.owners("law", ["Shared_1_0"]) == {"Shared_1_0": "ours"}
    assert search_lexical(here, "conspiracy") == []


def test_a_machine_paused_past_its_lease_commits_nothing(here: QdrantStore, folder: Path):
    with another_process(here, folder) as process:
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        ours().put_into(here)
        process.send_signal(signal.SIGCONT)
        said, _ = process.communicate("\n", timeout=120)
        assert said.startswith("True document 'theirs' was changed by another writer")
    assert [document.id for document in here.documents("law")] == ["ours"]
    assert here.owners("law", ["Shared_1_0"]) == {"Shared_1_0": "ours"}
    assert search_lexical(here, "conspiracy") == []
    assert here.check(deep=True) == []


def test_a_machine_that_works_is_waited_for_and_named(here: QdrantStore, folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(here._writer, "lease", WriterLease(here._catalog, lease_s=LEASE_S, wait_s=1.5 * LEASE_S))
    with another_process(here, folder) as process:
        with pytest.raises(StoreLocked, match=rf"held by process {process.pid} on ") as told:
            ours().put_into(here)
        assert told.value.retryable
        said, _ = process.communicate("\n", timeout=120)
        assert said == "committed\n"
    with pytest.raises(UsageError, match="already an id of document 'theirs'"):
        ours().put_into(here)


def test_what_was_written_after_a_paused_commit_survives_its_cleaning_up(
    here: QdrantStore, there: QdrantStore, monkeypatch: pytest.MonkeyPatch
):
    """The first machine is paused between its commit and the deletion of old passages."""
    penal_code().put_into(here)
    sweep = here._writer._sweep

    def paused(*given: object) -> None:
        there._writer.lease._wait_s = 60
        here._writer.lease._release(())  # stands for a lease that ended
        make_document("ipc", [SamplePassage("IPC_1_0", "The last text.")]).put_into(there)
        sweep(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(here._writer, "_sweep", paused)
    make_document("ipc", [SamplePassage("IPC_1_0", "The text between.")]).put_into(here)
    assert [chunk.text for chunk in here.chunks("law", ["IPC_1_0"])] == ["The last text."]
    assert here.check(deep=True) == []


def test_the_last_step_of_a_reindex_excludes_other_machines(
    here: QdrantStore, there: QdrantStore, monkeypatch: pytest.MonkeyPatch
):
    penal_code().put_into(here)
    there._writer.lease = WriterLease(there._catalog, wait_s=0.5)
    complete = reindex._require_complete
    refused: list[StoreLocked] = []

    def meanwhile(*given: object) -> None:
        with pytest.raises(StoreLocked, match="write lease") as told:
            ours().put_into(there)
        with pytest.raises(StoreLocked, match="reindex lease"), WriterLease(there._catalog, "reindex", wait_s=0).held():
            pass
        refused.append(told.value)
        complete(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(reindex, "_require_complete", meanwhile)
    here.reindex("law")
    assert len(refused) == 1
    assert ours().put_into(there) == "added"
    assert all_ids(here) == {*penal_code().ids, "Shared_1_0"}


def test_a_project_that_another_machine_deleted_can_be_filled_again(here: QdrantStore, there: QdrantStore):
    ours().put_into(here, "school")
    ours().put_into(there, "school")
    assert here.delete_project("school") == 1
    assert ours().put_into(there, "school") == "added"
    assert there.documents("school")[0].id == "ours"
