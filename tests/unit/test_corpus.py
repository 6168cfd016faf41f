"""The ingest line: what is added, left alone, replaced, refused, and what a folder may hold."""

import os
from contextlib import contextmanager
from pathlib import Path

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.query import Filters, Reference
from footnotary.errors import BackendError, IndexMismatch, UnknownProject, UsageError
from footnotary.index.label_matching import fold_label
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from tests.support.documents import docx, paragraph

ACT = "ACT: Test Act, 1999\nCODE: T\n\nSection 1. Title.\nThis is the Test Act.\n\nSection 2. Extent.\nIt covers all.\n"


class CountingEmbedder(HashEmbedder):
    def __init__(self):
        super().__init__()
        self.embedded = 0

    def embed_passages(self, texts):
        self.embedded += len(texts)
        return super().embed_passages(texts)


@pytest.fixture
def store():
    return DictStore()


@pytest.fixture
def embedder():
    return CountingEmbedder()


@pytest.fixture
def corpus(store, embedder):
    return Corpus(store, embedder, max_bytes=100_000)


def write(path, text=ACT):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def reasons(entries):
    return {Path(entry.path).name: entry.reason for entry in entries}


def document_ids(store):
    return [document.id for document in store.documents("p")]


def test_a_file_is_added_and_its_chunks_can_be_cited(corpus, store, tmp_path):
    report = corpus.ingest([write(tmp_path / "act.txt")], "p")
    assert [(entry.document_id, entry.chunks) for entry in report.added] == [("act.txt", 2)]
    assert report.chunks == 2
    assert [chunk.id for chunk in store.chunks("p", ["T_1_0", "T_2_0"])] == ["T_1_0", "T_2_0"]
    (document,) = corpus.documents("p")
    assert (document.code, document.title) == ("T", "Test Act, 1999")


@pytest.mark.parametrize("as_given", [str, Path])
def test_one_path_is_a_file_and_not_a_list_of_characters_one_of_which_is_the_working_directory(
    corpus, store, tmp_path, monkeypatch, as_given
):
    write(tmp_path / "leave.md")
    write(tmp_path / "secret.txt")
    monkeypatch.chdir(tmp_path)
    report = corpus.ingest(as_given("leave.md"), "p")
    assert (document_ids(store), report.failed) == (["leave.md"], ())


@pytest.mark.parametrize("paths", [None, 5, [5], b"leave.md"])
def test_what_is_no_path_is_a_usage_error(corpus, store, paths):
    with pytest.raises(UsageError, match="neither a path nor a list of paths"):
        corpus.ingest(paths, "p")
    assert not store.projects()


def test_the_same_file_again_is_unchanged_and_not_embedded_again(corpus, embedder, tmp_path):
    path = write(tmp_path / "act.txt")
    corpus.ingest([path], "p")
    once = embedder.embedded
    report = corpus.ingest([path], "p")
    assert (len(report.unchanged), len(report.added), embedder.embedded) == (1, 0, once)


def test_the_same_content_under_another_name_is_a_duplicate(corpus, store, tmp_path):
    corpus.ingest([write(tmp_path / "a.txt")], "p")
    report = corpus.ingest([write(tmp_path / "b.txt")], "p")
    assert report.unchanged[0].duplicate_of == "a.txt"
    assert document_ids(store) == ["a.txt"]
    assert report.chunks == 0


def test_a_changed_file_is_replaced_and_its_ids_stay(corpus, store, tmp_path):
    path = write(tmp_path / "act.txt")
    corpus.ingest([path], "p")
    write(path, ACT + "\nSection 3. New.\nA new section.\n")
    report = corpus.ingest([path], "p")
    assert [entry.document_id for entry in report.replaced] == ["act.txt"]
    assert len(store.chunks("p", ["T_1_0", "T_2_0", "T_3_0"])) == 3


def test_a_file_whose_content_another_document_has_now_leaves_nothing_stale(corpus, store, tmp_path):
    a, b = write(tmp_path / "a.txt"), write(tmp_path / "b.txt", "Other words.")
    corpus.ingest([a, b], "p")
    write(b)
    assert corpus.ingest([b], "p").unchanged[0].duplicate_of == "a.txt"
    assert document_ids(store) == ["a.txt"]


@pytest.mark.parametrize(
    ("one", "other"), [("Fees.txt", "fees.txt"), ("caf\u00e9.txt", "cafe\u0301.txt"), ("a b.txt", "a  b.txt")]
)
def test_names_that_differ_in_case_or_form_alone_are_two_documents_of_which_one_can_be_left_out(
    corpus, store, tmp_path, one, other
):
    paths = [write(tmp_path / one, "The fee is ten coins."), write(tmp_path / other, "The fee is twelve coins.")]
    if len(list(tmp_path.iterdir())) < 2:
        pytest.skip("the file system takes them for one file")
    assert len(corpus.ingest(paths, "p").added) == 2
    ids = document_ids(store)
    assert len({fold_label(document_id) for document_id in ids}) == 2
    for hidden in ids:
        found = store.lexical("p", ["fee"], 10, Filters(without=frozenset({hidden})))
        assert [chunk.document_id for chunk in store.chunks("p", [hit.id for hit in found])] == [
            document_id for document_id in ids if document_id != hidden
        ]
    assert len(corpus.ingest(paths, "p").unchanged) == 2
    write(paths[1], "The fee is thirteen coins.")
    report = corpus.ingest(paths, "p")
    assert ([Path(entry.path).name for entry in report.replaced], len(report.unchanged)) == ([other], 1)


def test_one_bad_file_does_not_stop_the_others(corpus, store, tmp_path):
    write(tmp_path / "good.txt")
    write(tmp_path / "empty.txt", " \n\n ")
    write(tmp_path / "bad.jsonl", '{"text": "x"}\n{oops\n')
    (tmp_path / "cut.txt").write_bytes("धारा".encode()[:-1])
    write(tmp_path / "large.txt", "x " * 60_000)
    report = corpus.ingest([tmp_path], "p")
    assert [entry.document_id for entry in report.added] == ["good.txt"]
    assert reasons(report.failed) == {
        "empty.txt": "no_text",
        "bad.jsonl": "bad_record",
        "cut.txt": "wrong_encoding",
        "large.txt": "too_large",
    }
    assert all(entry.message and entry.hint for entry in report.failed)


def test_a_file_that_went_bad_keeps_its_earlier_version(corpus, store, tmp_path):
    path = write(tmp_path / "act.txt")
    corpus.ingest([path], "p")
    write(path, "   ")
    assert reasons(corpus.ingest([path], "p").failed) == {"act.txt": "no_text"}
    assert document_ids(store) == ["act.txt"]


def test_what_is_no_document_is_skipped_in_a_folder_and_fails_by_name(corpus, tmp_path):
    binary = tmp_path / "image.gif"
    binary.write_bytes(b"GIF89a")
    write(tmp_path / "code.py", "print()")
    report = corpus.ingest([tmp_path], "p")
    assert reasons(report.skipped) == {"image.gif": "unsupported_type", "code.py": "unsupported_type"}
    assert reasons(corpus.ingest([binary], "p").failed) == {"image.gif": "unsupported_type"}
    assert len(corpus.ingest([tmp_path / "code.py"], "p").added) == 1


def test_a_missing_file_is_reported_with_its_path(corpus, tmp_path):
    (left,) = corpus.ingest([tmp_path / "nowhere.txt"], "p").failed
    assert (left.reason, left.path) == ("not_found", str(tmp_path / "nowhere.txt"))


def test_folders_are_walked_in_order_without_hidden_files(corpus, tmp_path):
    write(tmp_path / "b" / "two.txt", "Two words.")
    write(tmp_path / "a.txt", "One word.")
    write(tmp_path / ".hidden" / "x.txt", "Hidden words.")
    write(tmp_path / ".x.txt", "Hidden words.")
    assert [entry.document_id for entry in corpus.ingest([tmp_path], "p").added] == ["a.txt", "b/two.txt"]


def test_links_that_leave_the_folder_are_not_followed(corpus, tmp_path):
    secret = write(tmp_path / "outside" / "secret.txt", "Secret words.")
    inside = tmp_path / "inside"
    write(inside / "a.txt", "Open words.")
    (inside / "link.txt").symlink_to(secret)
    (inside / "folder").symlink_to(secret.parent)
    report = corpus.ingest([inside], "p")
    assert [entry.document_id for entry in report.added] == ["a.txt"]
    assert reasons(report.skipped) == {"link.txt": "outside_folder"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_rejected_and_not_waited_for(corpus, tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    assert reasons(corpus.ingest([tmp_path / "pipe.txt"], "p").failed) == {"pipe.txt": "not_a_file"}
    assert reasons(corpus.ingest([tmp_path], "p").skipped) == {"pipe.txt": "not_a_file"}


def test_two_files_of_one_name_are_distinguished_by_their_folders(corpus, store, tmp_path):
    one, two = write(tmp_path / "x" / "a.txt", "First words."), write(tmp_path / "y" / "a.txt", "Second words.")
    corpus.ingest([one], "p")
    corpus.ingest([two], "p")
    assert document_ids(store) == ["a.txt", "y/a.txt"]
    write(two, "Second words, changed.")
    assert corpus.ingest([two], "p").replaced[0].document_id == "y/a.txt"


def test_a_file_that_moved_keeps_its_id(corpus, store, tmp_path):
    old = write(tmp_path / "x" / "a.txt", "First words.")
    corpus.ingest([old], "p")
    old.unlink()
    new = write(tmp_path / "y" / "a.txt", "First words, changed.")
    assert corpus.ingest([new], "p").replaced[0].document_id == "a.txt"


def test_two_years_of_one_act_get_ids_of_their_own(corpus, store, tmp_path):
    corpus.ingest([write(tmp_path / "one.txt")], "p")
    corpus.ingest([write(tmp_path / "two.txt", ACT.replace("1999", "2005"))], "p")
    assert store.owners("p", ["T_1_0", "T2005_1_0"]) == {"T_1_0": "one.txt", "T2005_1_0": "two.txt"}
    corpus.delete("p", "one.txt")
    corpus.ingest([write(tmp_path / "two.txt", ACT.replace("1999", "2005") + "More of it.")], "p")
    assert store.owners("p", ["T2005_1_0"]) == {"T2005_1_0": "two.txt"}
    assert len(store.lookup("p", Reference("1", "T"), Filters())) == 1


def test_a_text_is_known_by_its_name(corpus, store):
    assert corpus.ingest_text("notes.md", "# One\n\nWords.", "p").added[0].document_id == "notes.md"
    assert corpus.ingest_text("notes.md", "# One\n\nOther words.", "p").replaced[0].document_id == "notes.md"
    assert [chunk.text for chunk in store.chunks("p", ["Notes_One_0"])] == ["One\n\nOther words."]
    assert corpus.ingest_text("half", "\ud800", "p").failed[0].reason == "wrong_encoding"


def test_projects_are_kept_apart(corpus):
    corpus.ingest_text("a", "Words.", "one")
    corpus.ingest_text("a", "Words.", "two")
    assert corpus.delete("one", "a") is True
    assert [document.id for document in corpus.documents("two")] == ["a"]
    with pytest.raises(UnknownProject, match="nowhere"):
        corpus.documents("nowhere")
    with pytest.raises(UnknownProject):
        corpus.delete("nowhere", "a")
    with pytest.raises(UsageError):
        corpus.ingest_text("a", "Words.", "")


def test_an_interruption_keeps_what_is_done_and_says_so(corpus, store, tmp_path):
    for name in ("a", "b", "c"):
        write(tmp_path / f"{name}.txt", f"The words of {name}.")

    def stop_at_b(step):
        if step.stage == "embedding" and step.path.endswith("b.txt"):
            raise KeyboardInterrupt

    report = corpus.ingest([tmp_path], "p", progress=stop_at_b)
    assert report.interrupted
    assert document_ids(store) == ["a.txt"] == [entry.document_id for entry in report.added]
    again = corpus.ingest([tmp_path], "p")
    assert (len(again.unchanged), len(again.added), again.interrupted) == (1, 2, False)


def test_progress_reports_every_file_and_its_outcome(corpus, tmp_path):
    write(tmp_path / "a.txt")
    write(tmp_path / "b.txt", " ")
    steps = []
    corpus.ingest([tmp_path], "p", progress=steps.append)
    assert [(step.number, step.stage, step.outcome) for step in steps] == [
        (1, "reading", None),
        (1, "embedding", None),
        (1, "done", "added"),
        (2, "reading", None),
        (2, "done", "failed"),
    ]
    assert {step.total for step in steps} == {2}


@pytest.mark.parametrize("error", [BackendError("down", retryable=True), IndexMismatch("another embedder")])
def test_what_no_document_is_to_blame_for_is_raised(store, tmp_path, error):
    class Broken(HashEmbedder):
        def embed_passages(self, texts):
            raise error

    with pytest.raises(type(error)):
        Corpus(store, Broken()).ingest([write(tmp_path / "a.txt")], "p")
    assert store.documents("p") == []


def test_a_fault_in_a_parser_is_that_files_failure_alone(corpus, monkeypatch, tmp_path):
    def broken(data, encoding):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("footnotary.ingest.parser_selection.PARSERS", {"text/plain": broken})
    (left,) = corpus.ingest([write(tmp_path / "a.txt")], "p").failed
    assert (left.reason, "ZeroDivisionError" in left.message) == ("parse_failed", True)


def test_a_store_that_can_take_many_at_once_is_recognised(embedder, tmp_path):
    class Bulk(DictStore):
        told = ()

        @contextmanager
        def bulk(self, project):
            self.told = (*self.told, project)
            yield

    store = Bulk()
    Corpus(store, embedder).ingest([write(tmp_path / "a.txt")], "p")
    assert store.told == ("p",)


def held(store):
    found = store.lexical("p", ["fee", "pay", "pays"], 10, Filters())
    return store.chunks("p", [scored.id for scored in found])


def test_a_copy_of_what_a_file_had_before_is_not_lost_when_the_file_is_read_again(corpus, store, tmp_path):
    write(tmp_path / "rules.txt", "The fee is ten coins.")
    corpus.ingest([tmp_path], "p")
    write(tmp_path / "old-rules.txt", "The fee is ten coins.")
    write(tmp_path / "rules.txt", "The fee is twelve coins.")
    report = corpus.ingest([tmp_path], "p")
    assert [entry.document_id for entry in report.added] == ["old-rules.txt"]
    assert [entry.document_id for entry in report.replaced] == ["rules.txt"]
    assert sorted(chunk.text for chunk in held(store)) == ["The fee is ten coins.", "The fee is twelve coins."]


def test_two_files_that_change_places_are_both_kept(corpus, store, tmp_path):
    write(tmp_path / "a.txt", "The fee is ten coins.")
    write(tmp_path / "b.txt", "Gulls pay nothing.")
    corpus.ingest([tmp_path], "p")
    write(tmp_path / "a.txt", "Gulls pay nothing.")
    write(tmp_path / "b.txt", "The fee is ten coins.")
    corpus.ingest([tmp_path], "p")
    assert sorted((chunk.document_id, chunk.text) for chunk in held(store)) == [
        ("a.txt", "Gulls pay nothing."),
        ("b.txt", "The fee is ten coins."),
    ]


def test_what_a_document_embeds_and_was_not_read_is_in_the_report(corpus, tmp_path):
    file = tmp_path / "act.docx"
    file.write_bytes(docx(paragraph("The fee is ten."), '<w:altChunk r:id="rId5"/>'))
    (taken,) = corpus.ingest([file], "p").added
    assert [said.partition(";")[0] for said in taken.left_out] == ["1 embedded file"]


@pytest.mark.parametrize("name", ["a/b", "..", " a", "a ", "a\\b", "a\nb", "x" * 101])
def test_a_new_project_had_a_name_that_no_url_can_have(corpus, store, name):
    with pytest.raises(UsageError, match="is not a valid name for a new project") as raised:
        corpus.ingest_text("act.txt", ACT, name)
    assert raised.value.hint.startswith("use at most 100 characters without a slash")
    assert list(store.projects()) == []
    corpus.ingest_text("act.txt", ACT, "छुट्टी 2024")
    assert list(store.projects()) == ["छुट्टी 2024"]
