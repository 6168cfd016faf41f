"""The name of a document: one for each, in lists, in answers and in sources."""

from contextlib import closing

import pytest

from footnotary.app.source_lookup import find_source
from footnotary.render.citation_styles import full_source_name
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.wiring import build_corpus, open_store
from tests.support.documents import W, docx, paragraph

POOL = b"""<html><head><title>Riverside Pool - Hours and prices</title></head><body><h1>Riverside Pool</h1>
<h2>Hours</h2><p>The pool opens at nine.</p><h2>Prices</h2><p>Adults pay five pounds.</p></body></html>"""
TENANCY = b"""TENANCY AGREEMENT

1. Parties
The Landlord is Brightwell Lettings of 14 Mill Lane. The Tenant is Maria Lopez.

2. Rent
The rent is 895 pounds a month, payable in advance by the Tenant.

3. Deposit
The Tenant shall pay a deposit of 1,030 pounds on signing.
"""
HIRE = docx(
    paragraph("Bicycle Hire: Terms of Hire", "Heading1"),
    paragraph("Deposit", "Heading2"),
    paragraph("A deposit of 100 euros is taken."),
    paragraph("Cancellation", "Heading2"),
    paragraph("Cancellation is free."),
    **{"word_styles.xml": f"<w:styles {W}/>".encode()},
)
FLEET = b"# Fleet\n\nTwo vans are kept.\n\n# Budget\n\nFuel costs 900 euros.\n"


@pytest.fixture
def named(tmp_path):
    """Ingests one file: its title in lists, and the names of its passages in answers and when they are shown."""

    def names(name, data):
        (tmp_path / name).write_bytes(data)
        settings = load_settings({"home": tmp_path / "home"}, environ={})
        with closing(open_store(settings, HashEmbedder())) as store:
            report = build_corpus(settings, store, HashEmbedder()).ingest([tmp_path / name], "p")
            assert [one.document_id for one in report.added] == [name]
            (document,) = store.documents("p")
            chunks = store.chunks("p", store.passage_ids("p", document.id))
            answered = [full_source_name(c.labels, c.page, c.document_id, c.section) for c in chunks]
            return document.title, answered, [find_source(store, "p", chunk.id).name for chunk in chunks]

    return names


def test_a_passage_had_another_name_in_an_answer_than_when_it_was_shown(named):
    title, answered, shown = named("opening-hours.html", POOL)
    assert title == "Riverside Pool"
    assert answered == shown == ["Riverside Pool, Hours", "Riverside Pool, Prices"]


def test_a_contract_was_named_by_its_file_in_one_passage_and_by_its_title_in_the_next(named):
    title, answered, shown = named("tenancy.txt", TENANCY)
    assert title == "TENANCY AGREEMENT"
    assert answered == shown
    assert [name.split(",")[0] for name in answered] == ["TENANCY AGREEMENT"] * len(answered)


def test_a_section_that_is_called_like_the_file_gave_the_document_a_second_name(named):
    title, answered, shown = named("fleet.md", FLEET)
    assert title == "Fleet"
    assert answered == shown == ["Fleet", "Fleet, Budget"]


def test_a_heading_of_word_was_not_read_where_the_file_declares_no_styles(named):
    title, answered, shown = named("bike-hire.docx", HIRE)
    assert title == "Bicycle Hire: Terms of Hire"
    assert answered == shown == ["Bicycle Hire: Terms of Hire, Deposit", "Bicycle Hire: Terms of Hire, Cancellation"]
