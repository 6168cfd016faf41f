"""A project follows a folder: added, changed, renamed and deleted files, and nothing beside it."""

import os
import zipfile

import pytest

from footnotary.app.watched_folder import WatchedFolder
from footnotary.cli.library.watch import follow
from footnotary.corpus import Corpus
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder

BELLS = "# Bells\n\nBells ring at noon every single day.\n"
GATES = "# Gates\n\nThe gates close at nine in the evening.\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "notes").mkdir()
    return tmp_path / "notes"


@pytest.fixture
def watched(folder):
    return WatchedFolder(folder, "p", Corpus(DictStore(), HashEmbedder()))


def sync(watched):
    report = watched.sync(watched.state())
    assert not watched.differs(watched.state())
    return report


def held(watched):
    return {document.id: document.sha256 for document in watched.corpus.documents("p")}


def test_added_changed_and_deleted_files_are_followed(watched, folder):
    (folder / "bells.md").write_text(BELLS)
    (folder / "sub").mkdir()
    (folder / "sub" / "gates.md").write_text(GATES)
    assert len(sync(watched).ingested.added) == 2
    assert set(held(watched)) == {"bells.md", "sub/gates.md"}
    before = held(watched)["bells.md"]
    (folder / "bells.md").write_text(BELLS.replace("noon", "midnight"))
    assert watched.differs(watched.state())
    assert [entry.document_id for entry in sync(watched).ingested.replaced] == ["bells.md"]
    assert held(watched)["bells.md"] != before
    (folder / "sub" / "gates.md").unlink()
    assert sync(watched).deleted == ("sub/gates.md",)
    assert set(held(watched)) == {"bells.md"}


def test_a_file_that_is_only_touched_is_compared_by_its_content(watched, folder):
    (folder / "bells.md").write_text(BELLS)
    sync(watched)
    os.utime(folder / "bells.md", (1, 1))
    report = sync(watched).ingested
    assert (len(report.unchanged), report.added, report.replaced) == (1, (), ())


def test_a_renamed_file_is_not_lost_as_a_duplicate_of_itself(watched, folder):
    (folder / "bells.md").write_text(BELLS)
    sync(watched)
    (folder / "bells.md").rename(folder / "chimes.md")
    assert sync(watched).deleted == ("bells.md",)
    assert set(held(watched)) == {"chimes.md"}


@pytest.mark.parametrize("change", ["deleted", "changed"])
def test_a_copy_is_stored_when_the_file_it_copies_goes(watched, folder, change):
    (folder / "a.md").write_text(BELLS)
    (folder / "b.md").write_text(BELLS)
    sync(watched)
    assert set(held(watched)) == {"a.md"}
    if change == "deleted":
        (folder / "a.md").unlink()
    else:
        (folder / "a.md").write_text(GATES)
    sync(watched)
    assert "b.md" in held(watched)


def test_files_deleted_while_nobody_watched_are_noticed_at_the_start(watched, folder):
    for name, text in (("bells.md", BELLS), ("gates.md", GATES)):
        (folder / name).write_text(text)
    watched.corpus.ingest([folder], "p")
    (folder / "gates.md").unlink()
    report = sync(watched)
    assert (report.deleted, len(report.ingested.unchanged)) == (("gates.md",), 1)


def test_documents_from_elsewhere_are_not_touched(watched, folder, tmp_path):
    other = tmp_path / "other.md"
    other.write_text(GATES)
    watched.corpus.ingest([other], "p")
    watched.corpus.ingest_text("told.md", "# Told\n\nA rule that somebody told.", "p")
    other.unlink()
    (folder / "bells.md").write_text(BELLS)
    assert sync(watched).deleted == ()
    assert set(held(watched)) == {"other.md", "told.md", "bells.md"}


def test_a_folder_that_is_suddenly_empty_deletes_nothing(watched, folder):
    """A disk that is not mounted looks like this."""
    (folder / "bells.md").write_text(BELLS)
    sync(watched)
    (folder / "bells.md").unlink()
    assert sync(watched).emptied
    folder.rmdir()
    assert watched.sync(watched.state()).emptied
    assert set(held(watched)) == {"bells.md"}


def test_a_member_that_left_its_archive_is_deleted(watched, folder):
    def pack(**members):
        with zipfile.ZipFile(folder / "all.zip", "w") as archive:
            for name, text in members.items():
                archive.writestr(f"{name}.md", text)

    pack(bells=BELLS, gates=GATES)
    sync(watched)
    assert len(held(watched)) == 2
    pack(bells=BELLS)
    (lost,) = sync(watched).deleted
    assert "gates" in lost
    assert len(held(watched)) == 1


def test_hidden_files_and_other_types_do_not_wake_it(watched, folder):
    (folder / "bells.md").write_text(BELLS)
    sync(watched)
    (folder / ".bells.md.swp").write_text("x")
    (folder / "run.log").write_text("x")
    assert not watched.differs(watched.state())


def test_a_file_is_taken_only_after_it_has_rested(watched, folder):
    """Pieces of a file arrive between looks; no half of it is ingested."""
    sync(watched)
    pieces = iter(["# Bells\n\nBells ring", "# Bells\n\nBells ring at noon", BELLS, None, None])
    seen = []

    def arrive(_):
        if "p" in watched.corpus.projects():
            seen.append(held(watched).get("bells.md"))
        piece = next(pieces, "end")
        if piece == "end":
            raise KeyboardInterrupt
        if piece is not None:
            (folder / "bells.md").write_text(piece)

    with pytest.raises(KeyboardInterrupt):
        follow(watched, 0.1, arrive)
    assert len(set(seen)) == 1
    assert watched.corpus.documents("p")[0].id == "bells.md"
