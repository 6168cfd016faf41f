"""The queue of files to be indexed: what was accepted is never lost, never done twice at once, and can be called off."""

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.validity import Validity
from footnotary.errors import BackendError, StoreCorrupt, StoreLocked, UsageError
from footnotary.ingest.original import read_original
from footnotary.ingest.uploads import UPLOAD_ORIGIN_PREFIX
from footnotary.service.jobs import incoming_files
from footnotary.service.jobs import queue as jobs_module
from footnotary.service.jobs.queue import JobQueue, QueueFull
from footnotary.service.jobs.runner import JobRunner, run_job
from footnotary.service.jobs.upload_file import FileTooLarge
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from tests.support.documents import zipped

ACT = (
    b"ACT: Test Act, 1999\nCODE: T\n\nSection 1. Title.\nThis is the Test Act.\n\nSection 2. Extent.\nIt covers all.\n"
)
OTHER = b"ACT: Other Act, 2001\nCODE: O\n\nSection 1. Title.\nThis is another act.\n"
NEVER = threading.Event()


@dataclass
class Place:
    jobs: JobQueue
    corpus: Corpus
    store: DictStore


OPEN: list[JobQueue] = []


@pytest.fixture(autouse=True)
def close_all():
    yield
    while OPEN:
        OPEN.pop().close()


@pytest.fixture
def place(tmp_path):
    return opened(tmp_path)


def test_a_damaged_queue_says_what_to_do_about_it_alone(tmp_path):
    (tmp_path / "jobs.db").write_bytes(b"no database" * 1000)
    with pytest.raises(StoreCorrupt, match="damaged") as error:
        JobQueue(tmp_path)
    assert error.value.hint.startswith("move the tenant's jobs.db* files away")


def opened(folder, **more):
    store = DictStore()
    OPEN.append(JobQueue(folder))
    return Place(OPEN[-1], Corpus(store, HashEmbedder(), max_bytes=100_000, **more), store)


def submit(place, name="act.txt", data=ACT, project="p", **more):
    incoming = place.jobs.receive(100_000)
    incoming.write(data)
    return place.jobs.submit([(incoming, name)], project, **more)[0]


def raising(error):
    def raises(*args, **more):
        raise error

    return raises


def run_all(place, stopping=NEVER):
    with place.jobs.running() as ours:
        assert ours
        while job := place.jobs.next():
            run_job(place, job, stopping)


def test_an_accepted_file_is_indexed_under_its_name(place):
    job = submit(place)
    assert (job.state, job.size, job.attempts) == ("queued", len(ACT), 0)
    run_all(place)
    job = place.jobs.get(job.id)
    assert job.state == "done"
    assert job.result["documents"] == [
        {
            "outcome": "added",
            "id": "act.txt",
            "passages": 2,
            "duplicate_of": None,
            "pages_without_text": [],
            "left_out": [],
            "flagged": [],
            "declared": [],
        }
    ]
    assert [(d.id, d.path) for d in place.store.documents("p")] == [("act.txt", "upload:act.txt")]


def test_the_original_can_be_read_again_and_only_the_present_one(place):
    submit(place)
    submit(place, data=OTHER)
    run_all(place)
    (document,) = place.store.documents("p")
    path = place.jobs.uploads.original("p", document.path)
    assert read_original(path, document.sha256, 100_000) == OTHER
    assert sorted(p.name for p in place.jobs.uploads.folder.rglob("*") if p.is_file()) == [
        place.jobs.uploads.kept("p", "act.txt").name
    ]


def test_a_member_of_an_archive_can_be_read_again(place):
    submit(place, "acts.zip", zipped({"in/act.txt": ACT, "other.txt": OTHER}))
    run_all(place)
    documents = {document.id: document for document in place.store.documents("p")}
    assert set(documents) == {"acts.zip/in/act.txt", "acts.zip/other.txt"}
    stored = documents["acts.zip/in/act.txt"]
    assert stored.path == UPLOAD_ORIGIN_PREFIX + "acts.zip/in/act.txt"
    assert read_original(place.jobs.uploads.original("p", stored.path), stored.sha256, 100_000) == ACT


def test_a_file_whose_end_could_not_be_noted_is_read_again_and_done(place, monkeypatch):
    job = submit(place)
    with monkeypatch.context() as full:
        full.setattr(place.jobs, "finish", raising(BackendError("the disk is full")))
        with place.jobs.running(), pytest.raises(BackendError):
            run_job(place, place.jobs.next(), NEVER)
    assert place.jobs.get(job.id).state == "running"
    run_all(place)
    done = place.jobs.get(job.id)
    assert (done.state, done.result["documents"][0]["outcome"]) == ("done", "unchanged")
    kept = place.jobs.uploads.kept("p", "act.txt")
    assert kept.read_bytes() == ACT
    assert [path for path in place.jobs.uploads.folder.rglob("*") if path.is_file()] == [kept]


def test_an_original_is_kept_on_a_disk_without_links(place, monkeypatch):
    monkeypatch.setattr(Path, "hardlink_to", raising(PermissionError("no links here")))
    submit(place)
    run_all(place)
    kept = place.jobs.uploads.kept("p", "act.txt")
    assert kept.read_bytes() == ACT
    assert [path for path in place.jobs.uploads.folder.rglob("*") if path.is_file()] == [kept]


def test_the_same_content_under_another_name_keeps_no_second_file(place):
    submit(place)
    job = submit(place, "copy.txt")
    run_all(place)
    assert place.jobs.get(job.id).result["documents"][0]["duplicate_of"] == "act.txt"
    assert not place.jobs.uploads.kept("p", "copy.txt").exists()


def test_what_is_given_of_a_documents_time_reaches_it(place):
    submit(place, given=Validity(date(2020, 1, 1), date(2021, 12, 31)))
    run_all(place)
    (document,) = place.store.documents("p")
    assert document.validity.effective_to == date(2021, 12, 31)


def test_a_file_that_cannot_be_read_fails_alone_and_leaves_the_earlier_version(place):
    submit(place)
    bad = submit(place, data=b"\x00\x01\x02" * 100)
    good = submit(place, "other.txt", OTHER)
    run_all(place)
    assert place.jobs.get(bad.id).state == "failed"
    assert place.jobs.get(bad.id).result["failed"][0]["reason"] == "unsupported_type"
    assert place.jobs.get(good.id).state == "done"
    assert {d.id for d in place.store.documents("p")} == {"act.txt", "other.txt"}
    assert place.jobs.uploads.kept("p", "act.txt").read_bytes() == ACT


def test_a_parser_that_goes_over_its_limits_fails_only_its_own_job(tmp_path):
    from footnotary.ingest.sandbox.worker_pool import ParserPool

    crashing = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    place = opened(tmp_path, workers=lambda: ParserPool(start=crashing))
    broken, fine = submit(place, "a.pdf", b"%PDF-1.4 broken"), submit(place)
    run_all(place)
    assert place.jobs.get(broken.id).result["failed"][0]["reason"] == "parser_crashed"
    assert place.jobs.get(fine.id).state == "done"


def test_a_file_over_the_limit_is_turned_down_while_it_comes_in(place):
    incoming = place.jobs.receive(10)
    incoming.write(b"123456")
    with pytest.raises(FileTooLarge):
        incoming.write(b"78901")
    incoming.discard()
    assert not list((place.jobs.uploads.folder / "incoming").iterdir())


def test_a_full_queue_takes_nothing(place, monkeypatch):
    monkeypatch.setattr(jobs_module, "MAX_QUEUED_FILES", 2)
    submit(place)
    submit(place)
    with pytest.raises(QueueFull):
        submit(place)
    assert place.jobs.counts() == {"queued": 2}


def test_files_sent_together_are_accepted_together_or_not_at_all(place, monkeypatch):
    monkeypatch.setattr(jobs_module, "MAX_QUEUED_FILES", 1)
    files = [place.jobs.receive(100) for _ in range(2)]
    with pytest.raises(QueueFull):
        place.jobs.submit([(file, "a.txt") for file in files], "p")
    assert place.jobs.jobs() == []


def test_a_disk_that_is_full_accepts_nothing(place, monkeypatch):
    def no_space(handle):
        raise OSError(28, "No space left on device")

    incoming = place.jobs.receive(100)
    incoming.write(b"text")
    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(BackendError) as raised:
        place.jobs.submit([(incoming, "a.txt")], "p")
    assert raised.value.retryable
    assert place.jobs.jobs() == []
    assert not list((place.jobs.uploads.folder / "incoming").iterdir())


def test_the_file_is_synced_before_the_row_is_written(place, monkeypatch):
    order = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: (order.append(len(place.jobs.jobs())), real(handle)))
    submit(place)
    assert order == [0, 0], "the file and the name in its folder, while there is no row yet"


def test_a_job_that_waits_is_cancelled_at_once_and_never_runs(place):
    job = submit(place)
    assert place.jobs.cancel(job.id).state == "cancelled"
    run_all(place)
    assert not place.store.documents("p")
    assert not place.jobs.file(job).exists()
    assert place.jobs.cancel("job_unknown") is None


def test_a_job_that_runs_is_cancelled_between_two_documents(place):
    job = submit(place, "acts.zip", zipped({f"{n}.txt": ACT.replace(b"CODE: T", b"CODE: T%d" % n) for n in range(3)}))
    put = place.store.put

    def put_and_cancel(*args):
        place.jobs.cancel(job.id)
        return put(*args)

    place.store.put = put_and_cancel
    with place.jobs.running():
        run_job(place, place.jobs.next(), NEVER)
        ended = place.jobs.get(job.id)
    assert ended.state in ("cancelled", "done")
    assert ended.is_cancelling
    stored = {d.id for d in place.store.documents("p")}
    assert stored == {entry["id"] for entry in ended.result["documents"]}, "what is said to be stored is stored"


def test_a_finished_job_stays_finished(place):
    job = submit(place)
    run_all(place)
    assert place.jobs.cancel(job.id).state == "done"


def test_withdrawing_a_name_calls_off_what_waits_and_says_so_where_it_runs(place):
    waiting, other = submit(place), submit(place, "other.txt", OTHER)
    assert place.jobs.withdraw("p", "act.txt")
    assert place.jobs.get(waiting.id).state == "cancelled"
    assert place.jobs.get(other.id).state == "queued"
    with place.jobs.running():
        place.jobs.next()
        assert not place.jobs.withdraw("p", "other.txt")
        assert not place.jobs.withdraw("p")
        assert place.jobs.withdraw("q")


def test_another_process_opens_the_queue_and_continues_where_the_first_died(tmp_path):
    place = opened(tmp_path)
    job = submit(place)
    with place.jobs.running():
        assert place.jobs.next().state == "running"
    # The lock is gone as if the process were, and the row still says running.
    again = opened(tmp_path)
    run_all(again)
    ended = again.jobs.get(job.id)
    assert (ended.state, ended.attempts) == ("done", 2)


def test_a_file_that_ends_the_process_every_time_is_given_up(tmp_path):
    place = opened(tmp_path)
    job = submit(place)
    for _ in range(jobs_module.MAX_ATTEMPTS):
        with place.jobs.running():
            assert place.jobs.next() is not None
    with place.jobs.running():
        assert place.jobs.next() is None
    assert place.jobs.get(job.id).state == "failed"
    assert place.jobs.get(job.id).result["failed"][0]["reason"] == "interrupted"


def test_only_one_holder_runs_the_jobs_of_a_tenant(tmp_path):
    first, second = opened(tmp_path), opened(tmp_path)
    with first.jobs.running() as ours:
        assert ours
        with second.jobs.running() as theirs:
            assert not theirs


def test_a_store_that_is_locked_is_tried_again_later(place, monkeypatch):
    job = submit(place)
    tries = []

    def locked(*args, **kwargs):
        tries.append(1)
        raise StoreLocked("another process writes", retryable=True)

    monkeypatch.setattr(place.corpus, "ingest_upload", locked)
    run_all(place)
    assert (place.jobs.get(job.id).state, len(tries)) == ("queued", 1)
    later = iter(range(10**10, 10**12, 10**9))
    monkeypatch.setattr(time, "time", lambda: float(next(later)))
    run_all(place)
    assert (place.jobs.get(job.id).state, len(tries)) == ("failed", jobs_module.MAX_ATTEMPTS)


def test_a_job_whose_file_is_missing_says_so_and_is_not_tried_again(place):
    job = submit(place)
    place.jobs.file(job).unlink()
    run_all(place)
    ended = place.jobs.get(job.id)
    assert (ended.state, ended.attempts) == ("failed", 1)
    assert ended.result["failed"] == [
        {
            "name": "act.txt",
            "reason": "not_found",
            "message": "the uploaded file is missing on the server",
            "hint": "upload it again",
        }
    ]


def test_a_job_that_was_put_off_runs_although_the_clock_is_set_back(place, monkeypatch):
    job = submit(place)
    with place.jobs.running():
        place.jobs.next()
        place.jobs.postpone(job.id, 2.0)
    back = time.time() - 10 * 365 * 86_400
    monkeypatch.setattr(time, "time", lambda: back)
    run_all(place)
    assert place.jobs.get(job.id).state == "done"


def test_a_file_that_a_clock_set_ahead_has_made_old_is_not_accepted_without_its_bytes(place, monkeypatch):
    incoming = place.jobs.receive(100_000)
    incoming.write(ACT)
    ahead = time.time() + 86_400
    monkeypatch.setattr(time, "time", lambda: ahead)
    with place.jobs.running():
        pass  # sweeps away what nobody sends any more
    with pytest.raises(BackendError) as caught:
        place.jobs.submit([(incoming, "act.txt")], "p")
    assert caught.value.retryable
    assert place.jobs.jobs() == []


def test_an_internal_error_fails_the_job_and_discloses_nothing_internal(place, monkeypatch, caplog):
    def broken(*args, **kwargs):
        raise RuntimeError("secret of /srv/data")

    monkeypatch.setattr(place.corpus, "ingest_upload", broken)
    job = submit(place)
    run_all(place)
    ended = place.jobs.get(job.id)
    assert ended.result["failed"][0]["reason"] == "internal_error"
    assert "secret" not in str(ended) + caplog.text


def test_what_supersedes_an_unknown_document_fails_with_the_reason(place):
    job = submit(place, given=Validity(supersedes=("nothing.txt",)))
    run_all(place)
    assert place.jobs.get(job.id).result["failed"][0]["reason"] == "not_storable"


def test_stopping_puts_the_running_job_back_without_counting_it(place):
    stopping = threading.Event()
    stopping.set()
    job = submit(place)
    with place.jobs.running():
        run_job(place, place.jobs.next(), stopping)
    assert (place.jobs.get(job.id).state, place.jobs.get(job.id).attempts) == ("queued", 0)
    run_all(place)
    assert place.jobs.get(job.id).state == "done"


def test_the_runner_takes_tenants_in_turn_and_resumes_what_was_left(tmp_path):
    places = {name: opened(tmp_path / name) for name in ("a", "b") if (tmp_path / name).mkdir() is None}
    for number in range(3):
        submit(places["a"], f"{number}.txt", ACT.replace(b"CODE: T", b"CODE: T%d" % number))
    submit(places["b"], "b.txt", OTHER)
    order, done = [], threading.Event()

    def finished(tenant, job):
        order.append(tenant)
        if len(order) == 4:
            done.set()

    runner = JobRunner(places.__getitem__, finished=finished)
    runner.start(["a", "b"])
    assert done.wait(60)
    runner.close()
    assert order.index("b") < 3, "the tenant with one file does not wait for all of the other's"
    assert not any(place.jobs.has_work() for place in places.values())


def test_a_tenant_whose_store_is_broken_stops_nobody_else(tmp_path):
    place = opened(tmp_path)
    submit(place)
    done = threading.Event()

    def context_for(tenant):
        if tenant == "broken":
            raise UsageError("no such tenant")
        return place

    runner = JobRunner(context_for, finished=lambda tenant, job: done.set())
    runner.start(["broken", "fine"])
    assert done.wait(60)
    runner.close()


CHILD = """
import sys, time
from pathlib import Path
from footnotary.service.jobs.queue import JobQueue
queue = JobQueue(Path(sys.argv[1]))
for number in range(10_000):
    incoming = queue.receive(1000)
    incoming.write(b"Section 1. Title. This is number %d." % number)
    (job,) = queue.submit([(incoming, f"{number}.txt")], "p")
    print(job.id, flush=True)
"""


@pytest.mark.parametrize("after", [1, 7, 23])
def test_every_job_acknowledged_before_a_kill_is_there_with_its_file(tmp_path, after):
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    acknowledged = [child.stdout.readline().strip() for _ in range(after)]
    child.kill()
    acknowledged += child.stdout.read().split()
    child.stdout.close()
    child.wait()
    queue = opened(tmp_path).jobs
    for number, job_id in enumerate(acknowledged):
        job = queue.get(job_id)
        if job is None:
            assert (number, len(job_id) < 30) == (len(acknowledged) - 1, True), "only a torn line may be unknown"
            continue
        assert job.state == "queued"
        assert queue.file(job).read_bytes() == b"Section 1. Title. This is number %d." % number


def test_a_file_that_goes_away_while_the_abandoned_are_looked_for_stops_nothing(tmp_path, monkeypatch):
    (tmp_path / "there").write_bytes(b"x")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    assert [path.name for path, _ in incoming_files._list_files(tmp_path)] == ["there"]

    class Going:
        path = name = "going"

        def is_file(self):
            return True

        def stat(self):
            raise FileNotFoundError

    class Entries(list):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(incoming_files.os, "scandir", lambda _folder: Entries([Going()]))
    assert incoming_files._list_files(tmp_path) == []
