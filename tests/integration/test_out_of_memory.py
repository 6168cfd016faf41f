"""FAULTS E7: memory runs out. A parser that dies of it fails its file alone; a writer that does leaves the store whole."""

import os
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from footnotary.corpus import Corpus
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.ingest.sandbox.protocol import ParseLimits
from footnotary.ingest.sandbox.worker_pool import ParserPool
from footnotary.testing.sample_documents import EMBEDDER
from footnotary.testing.search_queries import all_ids
from tests.support.documents import docx, paragraph, pdf_bomb

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are Linux's")

PASSAGES = 150
WRITER = f"""
import resource, sqlite3, sys
from pathlib import Path
from footnotary.errors import BackendError
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.testing.sample_documents import EMBEDDER, SamplePassage, make_document

def document(number):
    return make_document(f"doc{{number}}", [
        SamplePassage(f"D{{number}}_{{i}}_0", f"Passage {{i}} of {{number}}. " + "Nobody may whistle at night. " * 60)
        for i in range({PASSAGES})
    ])

def limited(room):
    held = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + room if room else hard, hard))

def limited_heap(most):
    sqlite3.connect(":memory:").execute(f"PRAGMA hard_heap_limit = {{most}}")

hard = resource.getrlimit(resource.RLIMIT_AS)[1]
kind, most = sys.argv[2], int(sys.argv[3])
store = EmbeddedStore(Path(sys.argv[1]), EMBEDDER.name, EMBEDDER.dimensions)
made = [document(number) for number in range(6)]
made[0].put_into(store)
print(0, flush=True)
if kind == "heap":
    store.close()
    limited_heap(most)
    store = EmbeddedStore(Path(sys.argv[1]), EMBEDDER.name, EMBEDDER.dimensions)
if kind == "process":
    limited(most)
for number in range(1, 5):
    try:
        made[number].put_into(store)
        print(number, flush=True)
    except (MemoryError, BackendError):
        print("out of memory", file=sys.stderr, flush=True)
if kind == "heap":  # it cannot be raised again
    sys.exit(0)
limited(0)
made[5].put_into(store)
print(5, flush=True)
"""
# Of the whole process, beyond what it has: its native parts abort. Of SQLite alone: it fails in the middle of a change.
LIMITS = (
    ("process", str(1 << 16)), ("process", str(1 << 22)), ("process", str(1 << 26)),
    ("heap", "700000"), ("heap", "2000000"), ("heap", "3000000"),
)  # fmt: skip


@pytest.fixture(scope="module")
def starved(
    tmp_path_factory: pytest.TempPathFactory,
) -> list[tuple[tuple[str, str], Path, set[str], subprocess.CompletedProcess]]:
    """Writers that got little more memory: the limit, the store, what was acknowledged, and how the process ended."""
    found = []
    script = (
        f"import benchmarks.verify_release.mutation.pytest_plugin\n{WRITER}"
        if "FOOTNOTARY_SEEDED_BUG" in os.environ
        else WRITER
    )
    for limit in LIMITS:
        folder = tmp_path_factory.mktemp("starved") / "tenant"
        command = [sys.executable, "-c", script, str(folder), *limit]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        found.append((limit, folder, {f"doc{number}" for number in done.stdout.split()}, done))
    return found


def test_e7_a_writer_without_memory_dies_or_says_so_and_the_store_is_whole(starved):
    assert any("out of memory" in done.stderr for *_, done in starved), "none was told"
    for limit, folder, acknowledged, done in starved:
        with closing(EmbeddedStore(folder, EMBEDDER.name, EMBEDDER.dimensions)) as store:
            held = store.documents("law")
            assert acknowledged <= {one.id for one in held}, (limit, done.stderr)
            assert {one.chunks for one in held} == {PASSAGES}
            assert len(all_ids(store)) == PASSAGES * len(held)
            assert store.check(deep=True) == []


def test_e7_a_writer_that_lives_on_writes_again_once_there_is_memory(starved):
    lived = [acknowledged for (kind, _), _, acknowledged, done in starved if kind == "process" and not done.returncode]
    assert lived
    assert all("doc5" in acknowledged for acknowledged in lived)


@pytest.mark.parametrize(
    "dies",
    ["os.kill(os.getpid(), signal.SIGKILL)", "bytearray(8 << 30)", "os.abort()"],
    ids=["killed by the system", "an allocation that fails", "a library that aborts"],
)
def test_e7_a_parser_that_dies_for_want_of_memory_is_replaced_and_the_store_is_whole(tmp_path: Path, dies: str):
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}a.html").write_text("<!doctype html><html><body><p>Some words.</p></body></html>")
        (folder / f"{number}b.docx").write_bytes(docx(paragraph(f"Fine words of file {number}.")))
    start = (
        "import os, signal, footnotary.ingest.parser_selection as p; "
        f"p.PARSERS = {{**p.PARSERS, 'text/html': lambda data, encoding: {dies}}}; "
        "from footnotary.ingest.sandbox.worker import main; main()"
    )
    with closing(EmbeddedStore(tmp_path / "tenant", EMBEDDER.name, EMBEDDER.dimensions)) as store:
        workers = partial(ParserPool, ParseLimits(), count=1, start=start)
        report = Corpus(store, EMBEDDER, workers=workers).ingest([folder], "p")
        assert {(Path(one.path).name, one.reason) for one in report.failed} == {
            (f"{number}a.html", "parse_limit") for number in range(3)
        }
        assert [one.id for one in store.documents("p")] == ["0b.docx", "1b.docx", "2b.docx"]
        assert store.check(deep=True) == []


def test_e7_a_file_that_swells_fails_alone_in_a_real_parser_with_a_real_limit(tmp_path: Path):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.pdf").write_bytes(pdf_bomb(500))
    (tmp_path / "files" / "b.docx").write_bytes(docx(paragraph("Fine words.")))
    with closing(EmbeddedStore(tmp_path / "tenant", EMBEDDER.name, EMBEDDER.dimensions)) as store:
        workers = partial(ParserPool, ParseLimits(memory_bytes=400 << 20), count=1)
        report = Corpus(store, EMBEDDER, workers=workers).ingest([tmp_path / "files"], "p")
        assert [(Path(one.path).name, one.reason) for one in report.failed] == [("a.pdf", "parse_limit")]
        assert [one.id for one in store.documents("p")] == ["b.docx"]
        assert store.check(deep=True) == []
