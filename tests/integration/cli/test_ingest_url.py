"""`footnotary ingest URL`: off by default; with an allowed host the page is indexed, kept, and replaced by itself."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from footnotary.cli.library import web_ingest
from footnotary.cli.library.web_download import DownloadedFile
from footnotary.cli.main import app
from footnotary.errors import UsageError
from footnotary.ingest.uploads import UploadStore
from footnotary.settings import load_settings
from footnotary.wiring import opened_store, tenant_folder

URL = "https://rules.example.org/leave"
PAGE = "<html><body><h1>Leave</h1><p>Every worker has {} days of paid leave in each year.</p></body></html>"


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("FOOTNOTARY_HOME", str(tmp_path))
    monkeypatch.setenv("FOOTNOTARY_EMBEDDER", "fast")
    return tmp_path


def web(monkeypatch, text):
    def downloaded(url, policy):
        assert policy.allows("rules.example.org")
        return DownloadedFile(url, "rules.example.org_leave.html", text.encode())

    monkeypatch.setenv("FOOTNOTARY_INGEST_HOSTS", "*.example.org")
    monkeypatch.setattr(web_ingest, "download", downloaded)


def test_no_host_is_allowed_until_one_is_named(home):
    done = CliRunner().invoke(app, ["ingest", URL])
    assert isinstance(done.exception, UsageError)
    assert "rules.example.org is not an allowed host" in done.exception.message


def test_a_page_is_indexed_next_to_files_and_replaced_by_its_url(home, monkeypatch, tmp_path):
    note = tmp_path / "note.md"
    note.write_text("# Bells\n\nBells ring at noon every single day.\n")
    web(monkeypatch, PAGE.format("eighteen"))
    first = CliRunner().invoke(app, ["ingest", URL, str(note), "-p", "p"])
    assert "2 added" in first.output, first.output
    web(monkeypatch, PAGE.format("twenty"))
    assert "1 replaced" in CliRunner().invoke(app, ["ingest", URL, "-p", "p"]).output
    settings = load_settings({"project": "p"})
    with opened_store(settings, read_only=True) as store:
        documents = {document.id: document.path for document in store.documents("p")}
    assert set(documents) == {"rules.example.org_leave.html", "note.md"}
    kept = UploadStore.of_tenant(tenant_folder(settings)).original("p", documents["rules.example.org_leave.html"])
    assert "twenty" in Path(kept).read_text(encoding="utf-8")


def test_a_page_that_cannot_be_fetched_is_reported_like_a_file(home, monkeypatch):
    monkeypatch.setenv("FOOTNOTARY_INGEST_HOSTS", "rules.invalid")
    done = CliRunner().invoke(app, ["ingest", "https://rules.invalid/x"])
    assert done.exit_code == 1
    assert "1 failed" in done.output
    assert "its name does not resolve" in done.output
