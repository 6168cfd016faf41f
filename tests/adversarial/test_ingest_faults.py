"""Hostile and broken files: each is a clean failure with a reason, and the file beside it is taken in all the same.

There is no ingest of addresses on the web, so nothing can be made to fetch from an inner network (D5).
"""

import ast
import os
import signal
import stat
import threading
import time
import zipfile
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import footnotary
from footnotary.corpus import Corpus
from footnotary.errors import BackendError, FootnotaryError, IndexMismatch
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.ingest.sandbox.protocol import ParseLimits
from footnotary.ingest.sandbox.worker_pool import ParserPool
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from tests.support.documents import docx, paragraph, pdf_bomb, zipped

GOOD = "The good file has a few words of its own."


def take_in(folder, *, limits=None, start=None, store=None):
    """Ingests a folder, with a good file beside what is in it, under limits."""
    (folder / "good.txt").write_text(GOOD)
    given = {"start": start} if start else {}
    workers = partial(ParserPool, limits, count=2, **given)
    report = Corpus(store or DictStore(), HashEmbedder(), workers=workers).ingest([folder], "p")
    assert "good.txt" in [Path(entry.path).name for entry in report.added], "other files go on"
    return report


def reasons(report):
    left = (*report.failed, *report.skipped)
    assert all(entry.message for entry in left)
    return {Path(entry.path).name: entry.reason for entry in left}


def parsing_html_by(code):
    """A child whose parser for HTML does something else."""
    return (
        "import os, signal, time, footnotary.ingest.parser_selection as p; "
        f"p.PARSERS = {{**p.PARSERS, 'text/html': lambda data, encoding: {code}}}; "
        "from footnotary.ingest.sandbox.worker import main; main()"
    )


def children():
    """The processes that this one has started and that are still there."""
    return {entry.name for entry in Path("/proc").iterdir() if entry.name.isdecimal() and parent(entry) == os.getpid()}


def parent(process):
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0


# D1


@pytest.mark.parametrize("megabytes", [300, 700])
def test_d1_a_pdf_that_swells_is_a_failure_of_its_own(tmp_path, megabytes):
    pytest.importorskip("pypdfium2")
    (tmp_path / "bomb.pdf").write_bytes(pdf_bomb(megabytes))
    assert (tmp_path / "bomb.pdf").stat().st_size < 10_000
    assert reasons(take_in(tmp_path)) == {"bomb.pdf": "parse_limit"}


# D2


def overlapping():
    """Two names for one stretch of data: the second entry of the directory points at the first one's content."""
    data = bytearray(zipped({"a.txt": b"x" * 100, "b.txt": b"y" * 100}))
    second = data.rfind(b"PK\x01\x02")
    data[second + 42 : second + 46] = (0).to_bytes(4, "little")
    return bytes(data)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("ratio.zip", zipped({"zeros.txt": bytes(30_000_000)}), "parse_limit"),
        ("ratio.docx", docx(**{"word_document.xml": bytes(30_000_000)}), "parse_limit"),
        ("many.zip", zipped({f"{n}.txt": b"" for n in range(10_001)}), "parse_limit"),
        ("overlap.zip", overlapping(), "parse_limit"),
        ("cut.zip", zipped({"a.txt": b"words"})[:-10], "broken_file"),
        ("empty.zip", zipped({}), "no_text"),
    ],
)
def test_d2_archives_that_swell_overlap_or_are_cut_are_rejected(tmp_path, name, data, reason):
    (tmp_path / name).write_bytes(data)
    assert reasons(take_in(tmp_path)) == {name: reason}


def test_d2_the_whole_of_an_archive_is_limited_not_only_each_file(tmp_path, monkeypatch):
    (tmp_path / "total.zip").write_bytes(zipped({f"{n}.txt": os.urandom(25_000).hex().encode() for n in range(5)}))
    small = "import footnotary.ingest.parse.zip_archive as a; a.MAX_TOTAL_BYTES = 200_000; "
    report = take_in(tmp_path, start=small + "from footnotary.ingest.sandbox.worker import main; main()")
    assert reasons(report) == {"total.zip": "parse_limit"}


def test_d2_an_archive_within_an_archive_is_not_opened(tmp_path):
    inner = zipped({"inner.txt": b"Words within."})
    (tmp_path / "outer.zip").write_bytes(zipped({"inner.zip": inner, "beside.txt": b"Words beside."}))
    report = take_in(tmp_path)
    assert reasons(report) == {"inner.zip": "nested_archive"}
    assert "outer.zip/beside.txt" in [entry.document_id for entry in report.added]


# D3

LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("prolog", [LAUGHS, OUTSIDE])
def test_d3_entities_in_a_docx_are_refused_and_nothing_outside_is_read(tmp_path, prolog):
    (tmp_path / "xxe.docx").write_bytes(docx("<w:p><w:r><w:t>&a;</w:t></w:r></w:p>", prolog=prolog))
    assert reasons(take_in(tmp_path)) == {"xxe.docx": "unsafe_xml"}


def test_d3_an_entity_that_nobody_declares_stays_as_it_is_written(tmp_path):
    (tmp_path / "odd.docx").write_bytes(docx("<w:p><w:r><w:t>Some words &passwd; more</w:t></w:r></w:p>"))
    store = DictStore()
    take_in(tmp_path, store=store)
    assert [chunk.text for chunk in store.chunks("p", ["Odd_text_0"])] == ["Some words &passwd; more"]


# D4

NAMES = {
    "../up.txt": "unsafe_path",
    "a/../../up.txt": "unsafe_path",
    "/etc/absolute.txt": "unsafe_path",
    "C:/drive.txt": "unsafe_path",
    "..\\up.txt": "unsafe_path",
    "nul.txt": "unsafe_path",
    "com1.txt": "unsafe_path",
}


@pytest.mark.parametrize(("name", "reason"), NAMES.items())
def test_d4_a_name_that_leads_elsewhere_is_not_ingested(tmp_path, name, reason):
    (tmp_path / "a.zip").write_bytes(zipped({name: b"Words.", "fine.txt": b"Fine words."}))
    report = take_in(tmp_path)
    assert [entry.reason for entry in report.failed] == [reason]
    assert {entry.document_id for entry in report.added} == {"a.zip/fine.txt", "good.txt"}


@pytest.mark.parametrize("mode", [stat.S_IFLNK | 0o777, stat.S_IFCHR | 0o666, stat.S_IFIFO | 0o666])
def test_d4_links_and_devices_in_an_archive_are_not_ingested(tmp_path, mode):
    held = BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        info = zipfile.ZipInfo("passwd.txt")
        info.external_attr = mode << 16
        archive.writestr(info, "/etc/passwd")
        archive.writestr("nul\x00hidden.txt", "Words.") if mode == stat.S_IFIFO else None
    (tmp_path / "a.zip").write_bytes(held.getvalue())
    assert [entry.reason for entry in take_in(tmp_path).failed] == ["unsafe_path"]


def test_d4_hidden_and_system_files_of_an_archive_are_passed_over(tmp_path):
    members = {
        "__MACOSX/._a.txt": b"x",
        ".git/config": b"x",
        "b/.DS_Store": b"x",
        "Thumbs.db": b"x",
        "a.txt": b"Words.",
    }
    (tmp_path / "a.zip").write_bytes(zipped(members))
    report = take_in(tmp_path)
    assert reasons(report) == {}
    assert {entry.document_id for entry in report.added} == {"a.zip/a.txt", "good.txt"}


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/proc/self/mem", "a\0b.txt"])
def test_d4_devices_and_impossible_names_are_no_files(path):
    if path.startswith("/") and not Path(path).exists():
        pytest.skip(f"there is no {path} here")
    (left,) = Corpus(DictStore(), HashEmbedder()).ingest([Path(path)], "p").failed
    assert left.reason in ("not_a_file", "unreadable", "not_found", "no_text")


# D5


def test_d5_no_part_of_ingest_can_open_a_connection():
    package = Path(footnotary.__file__).parent
    for path in [package / "corpus.py", *(package / "ingest").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & {"socket", "urllib", "http", "requests", "httpx", "ssl"}


# D6


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("time.sleep(600)", "parse_timeout"),
        ("os.kill(os.getpid(), signal.SIGSTOP)", "parse_timeout"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "parser_crashed"),
        ("os._exit(3)", "parser_crashed"),
        ("bytearray(8 << 30)", "parse_limit"),
        ("os.abort()", "parse_limit"),
        ("b'x' * 3_000_000", "parse_limit"),
        ("[0 for _ in iter(int, 1) if False]", "parse_limit"),
        ("1 / 0", "parse_failed"),
        ("(_ for _ in ()).throw(RecursionError())", "parse_failed"),
    ],
)
def test_d6_a_parser_that_hangs_crashes_or_swells_fails_its_file_alone(tmp_path, code, reason):
    (tmp_path / "bad.html").write_text("<!doctype html><html><body><p>Some words.</p></body></html>")
    (tmp_path / "fine.docx").write_bytes(docx(paragraph("Fine words.")))
    stall_s = 4.0 if reason == "parse_timeout" else 60.0
    limits = ParseLimits(cpu_s=1, stall_s=stall_s, output_bytes=2_000_000)
    report = take_in(tmp_path, limits=limits, start=parsing_html_by(code))
    assert reasons(report) == {"bad.html": reason}
    assert "fine.docx" in [entry.document_id for entry in report.added]


def test_d6_a_slow_parser_is_not_taken_for_one_that_hangs(tmp_path):
    (tmp_path / "slow.html").write_text("<!doctype html><html><body><p>Slow words.</p></body></html>")
    slow = (
        "import time, footnotary.ingest.parser_selection as p; from footnotary.ingest.parse_context import report_page_done; old = p.PARSERS; "
        "p.PARSERS = {**old, 'text/html': lambda d, e: [(time.sleep(1), report_page_done(n, 5)) for n in range(5)] "
        "and old['text/html'](d, e)}; from footnotary.ingest.sandbox.worker import main; main()"
    )
    report = take_in(tmp_path, limits=ParseLimits(stall_s=4.0), start=slow)
    assert reasons(report) == {}
    assert reasons(take_in(tmp_path, limits=ParseLimits(stall_s=4.0, total_s=3.0), start=slow)) == {
        "slow.html": "parse_timeout"
    }


def test_d6_nothing_that_a_child_sends_makes_types_of_others(tmp_path):
    (tmp_path / "bad.html").write_text("<!doctype html><html><body><p>Some words.</p></body></html>")
    report = take_in(tmp_path, start=parsing_html_by("__import__('pathlib').Path('/etc/passwd')"))
    assert reasons(report) == {"bad.html": "parse_failed"}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")
def test_d6_an_interruption_ends_the_children_at_once(tmp_path):
    (tmp_path / "a.html").write_text("<!doctype html><html><body><p>Some words.</p></body></html>")
    before = children()
    workers = partial(ParserPool, start=parsing_html_by("time.sleep(600)"))
    # A shell lets what it starts in the background ignore the signal that the test sends.
    handled = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(2.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    try:
        report = Corpus(DictStore(), HashEmbedder(), workers=workers).ingest([tmp_path], "p")
    finally:
        signal.signal(signal.SIGINT, handled)
    assert report.interrupted
    assert time.monotonic() - started < 60
    assert children() <= before


# D7


def test_d7_files_are_what_their_bytes_say(tmp_path):
    store = DictStore()
    (tmp_path / "page.pdf").write_text("<!doctype html><html><body><p>A web page by a false name.</p></body></html>")
    (tmp_path / "letter.txt").write_bytes(docx(paragraph("A letter by a false name.")))
    (tmp_path / "plain.docx").write_text("Plain words by a false name.")
    (tmp_path / "noise.pdf").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "sheet.docx").write_bytes(zipped({"xl/workbook.xml": b"<x/>"}))
    report = take_in(tmp_path, store=store)
    types = {document.id: document.media_type.rpartition(".")[2] for document in store.documents("p")}
    assert types == {
        "page.pdf": "text/html",
        "letter.txt": "document",
        "plain.docx": "text/plain",
        "good.txt": "text/plain",
    }
    assert reasons(report) == {"noise.pdf": "unsupported_type", "sheet.docx": "broken_file"}


def test_d7_a_pdf_that_ends_as_an_archive_is_read_as_what_it_begins_as(tmp_path):
    (tmp_path / "both.pdf").write_bytes(b"%PDF-1.4\n" + zipped({"inner.txt": b"Words within."}))
    report = take_in(tmp_path)
    assert [entry.document_id for entry in report.added] == ["good.txt"]
    assert set(reasons(report)) == {"both.pdf"}


# D9


def test_d9_the_same_archive_twice_changes_nothing(tmp_path):
    (tmp_path / "a.zip").write_bytes(zipped({"one.txt": b"One.", "two.docx": docx(paragraph("Two."))}))
    store = DictStore()
    take_in(tmp_path, store=store)
    before = store.documents("p")
    report = Corpus(store, HashEmbedder()).ingest([tmp_path], "p")
    assert (len(report.unchanged), len(report.added), report.failed) == (3, 0, ())
    assert store.documents("p") == before


def test_d9_two_archives_of_one_name_keep_their_members_apart(tmp_path):
    for folder, words in (("x", b"First words."), ("y", b"Second words.")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.zip").write_bytes(zipped({"one.txt": words}))
    store = DictStore()
    for folder in ("x", "y"):
        Corpus(store, HashEmbedder()).ingest([tmp_path / folder / "a.zip"], "p")
    assert [document.id for document in store.documents("p")] == ["a.zip/one.txt", "y/a.zip/one.txt"]


def test_d9_racing_ingests_of_one_file_leave_one_document(tmp_path):
    (tmp_path / "a.docx").write_bytes(docx(paragraph("The same words.")))
    embedder = HashEmbedder()
    store = EmbeddedStore(tmp_path / "home", embedder_name=embedder.name, dimensions=embedder.dimensions)
    errors = []

    def ingest():
        try:
            Corpus(store, embedder).ingest([tmp_path / "a.docx"], "p")
        except FootnotaryError as error:
            errors.append(error)

    threads = [threading.Thread(target=ingest) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [document.id for document in store.documents("p")] == ["a.docx"]
    assert all(isinstance(error, BackendError) for error in errors)
    assert list(store.check(deep=True)) == []
    store.close()


# D10


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("empty.txt", b"", "no_text"),
        ("blank.docx", docx(paragraph("   ")), "no_text"),
        ("empty.html", b"<!doctype html><html><body></body></html>", "no_text"),
        ("empty.docx", b"PK\x03\x04", "broken_file"),
    ],
)
def test_d10_a_file_without_text_is_an_error_never_silent(tmp_path, name, data, reason):
    (tmp_path / name).write_bytes(data)
    assert reasons(take_in(tmp_path)) == {name: reason}


def test_d10_a_document_of_too_many_passages_is_refused_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("footnotary.ingest.chunking.chunk_builder._MAX_CHUNKS", 50)
    (tmp_path / "many.md").write_text("".join(f"# {n} Heading\n\nWords of {n}.\n\n" for n in range(60)))
    assert reasons(take_in(tmp_path)) == {"many.md": "too_large"}


def test_d10_a_long_text_is_parsed_in_a_child_too(tmp_path):
    (tmp_path / "long.txt").write_text("Words upon words.\n" * 80_000)
    report = take_in(tmp_path, limits=ParseLimits(output_bytes=100_000))
    assert reasons(report) == {"long.txt": "parse_limit"}


# D11


class Failing(HashEmbedder):
    def __init__(self, spoil):
        super().__init__()
        self.spoil = spoil

    def embed_passages(self, texts):
        return self.spoil(super().embed_passages(texts))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda vectors: vectors * np.float32("nan"),
        lambda vectors: np.full_like(vectors, np.inf),
        lambda vectors: vectors * 0,
        lambda vectors: vectors[:, :-1],
        lambda vectors: vectors[:-1],
    ],
    ids=["NaN", "infinite", "zero", "short", "too few"],
)
def test_d11_vectors_that_are_no_vectors_store_nothing(tmp_path, spoil):
    embedder = Failing(spoil)
    store = EmbeddedStore(tmp_path / "home", embedder_name=embedder.name, dimensions=embedder.dimensions)
    (tmp_path / "a.txt").write_text("Some words.")
    with pytest.raises(BackendError):
        Corpus(store, embedder).ingest([tmp_path / "a.txt"], "p")
    assert list(store.documents("p")) == []
    report = Corpus(store, HashEmbedder()).ingest([tmp_path / "a.txt"], "p")
    assert len(report.added) == 1
    store.close()


# D12


def test_d12_an_index_of_another_embedder_is_not_mixed(tmp_path):
    first, second = HashEmbedder(64), HashEmbedder(32)
    store = EmbeddedStore(tmp_path / "home", embedder_name=first.name, dimensions=first.dimensions)
    (tmp_path / "a.txt").write_text("Some words.")
    Corpus(store, first).ingest([tmp_path / "a.txt"], "p")
    store.close()
    with pytest.raises(IndexMismatch) as raised:
        EmbeddedStore(tmp_path / "home", embedder_name=second.name, dimensions=second.dimensions)
    assert first.name in str(raised.value)
    assert raised.value.hint
