"""A document that is opened: its text, its pages, and how well a scan was read."""

from array import array

import pytest

from footnotary.domain.layout import Layout, Page
from footnotary.service.routes.document_text import text_pages
from tests.integration.service.test_documents import ACT, code, finished, sent
from tests.support.documents import pdf

PAGES = b"BT /F 12 Tf 20 300 Td (Whoever spits pays a fine of forty rupees.) Tj ET"


def text(client, name="act.txt", project="p", **params):
    return client.get(f"/v1/projects/{project}/document-text/{name}", params=params)


def test_the_text_of_a_document_is_read_in_parts(client):
    finished(client, sent(client))
    whole = text(client).json()
    assert "forty rupees" in whole["text"]
    assert (whole["start"], whole["next"], whole["pages"]) == (0, None, [])
    first = text(client, limit=10).json()
    rest = text(client, start=first["next"]).json()
    assert first["text"] + rest["text"] == whole["text"]
    assert first["characters"] == len(whole["text"])


def test_the_text_of_a_pdf_names_its_pages_and_each_can_be_seen(client):
    pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed")
    pytest.importorskip("PIL", reason="Pillow is not installed")
    finished(client, sent(client, "act.pdf", pdf(PAGES)))
    read = text(client, "act.pdf").json()
    (page,) = read["pages"]
    assert (page["page"], page["start"], page["end"]) == (1, 0, len(read["text"]))
    where = read["text"].index("forty")
    plain = client.get("/v1/projects/p/document-pages/act.pdf", params={"page": 1})
    marks = {"page": 1, "mark_start": where, "mark_end": where + 5}
    marked = client.get("/v1/projects/p/document-pages/act.pdf", params=marks)
    assert plain.headers["content-type"] == marked.headers["content-type"] == "image/png"
    assert plain.content != marked.content
    assert code(client.get("/v1/projects/p/document-pages/act.pdf", params={"page": 2})) == (404, "no_page")


def test_a_document_that_is_not_there_has_no_text_and_no_pages(client):
    finished(client, sent(client))
    assert code(text(client, "other.txt")) == (404, "not_found")
    assert code(text(client, project="other")) == (404, "unknown_project")
    assert code(client.get("/v1/projects/p/document-pages/act.txt", params={"page": 1})) == (404, "no_page")


def test_digital_text_has_no_quality_of_recognition(client):
    finished(client, sent(client, data=ACT))
    assert client.get("/v1/projects/p/documents/act.txt").json()["ocr"] is None


def test_every_page_is_listed_also_one_without_a_word():
    layout = Layout(
        (Page(1, 1), Page(1, 1), Page(1, 1, label="iii")),
        array("I", [5, 4, 1, 10, 4, 1, 20, 4, 3]),
        array("f", [0.0] * 12),
        array("b", [90, 70, -1]),
    )
    found = [(p.page, p.label, p.start, p.end, p.ocr_confidence) for p in text_pages(layout, 30)]
    assert found == [(1, None, 0, 20, 0.8), (2, None, 20, 20, None), (3, "iii", 20, 30, None)]
