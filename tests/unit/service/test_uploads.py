"""Names of documents that are handed over: plain ones are kept, everything else is turned down without repeating it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.errors import UsageError
from footnotary.ingest.uploads import UploadStore, normalize_upload_name

BAD = [
    "",
    " ",
    ".",
    "..",
    "../../etc/passwd",
    "/etc/passwd",
    "C:\\Windows\\win.ini",
    "a/b.txt",
    "a\\b.txt",
    "nul",
    "CON.txt",
    "com1",
    ".bashrc",
    "a\x00b.txt",
    "a\nb.txt",
    "a\u202etxt.exe",
    "tag\U000e0041.txt",
    "\ud800.txt",
    "x" * 201,
]


@pytest.mark.parametrize("name", BAD, ids=range(len(BAD)))
def test_a_name_that_is_no_plain_file_name_is_turned_down(name):
    with pytest.raises(UsageError) as raised:
        normalize_upload_name(name)
    if name.strip(" ."):
        assert name not in str(raised.value), "a bad name is not repeated"


@pytest.mark.parametrize("name", ["ipc.pdf", "Act (1948), final.docx", "गणित 10.pdf", "क्‍ष.txt", "a..b", "no suffix"])
def test_a_plain_name_of_any_script_is_kept(name):
    assert normalize_upload_name(f" {name} ") == name


@given(st.text(max_size=250), st.text(min_size=1, max_size=60))
def test_whatever_the_name_its_file_lies_below_the_folder(tmp_path_factory, name, project):
    folder = tmp_path_factory.getbasetemp() / "uploads"
    try:
        kept = normalize_upload_name(name)
        path = UploadStore(folder).kept(project.encode("utf-8", "replace").decode(), kept)
    except UsageError:
        return
    assert path.resolve().parent.parent == folder.resolve()


def test_two_names_and_two_projects_never_share_a_file(tmp_path):
    uploads = UploadStore(tmp_path)
    kept = {uploads.kept(project, name) for project in ("p", "P", "q") for name in ("a.txt", "A.txt", "b.txt")}
    assert len(kept) == 9


def test_a_member_of_an_archive_is_looked_for_below_the_archive(tmp_path):
    uploads = UploadStore(tmp_path)
    assert uploads.original("p", "upload:acts.zip/ipc.pdf") == str(uploads.kept("p", "acts.zip") / "ipc.pdf")
    assert uploads.original("p", "upload:ipc.pdf") == str(uploads.kept("p", "ipc.pdf"))
    assert uploads.original("p", "/data/ipc.pdf") == "/data/ipc.pdf", "a file that was read in place stays where it is"
