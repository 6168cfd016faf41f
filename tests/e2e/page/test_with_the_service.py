"""The page over the real service: from a file on the reader's desk to a footnote on its page, and the record of it."""

import json
from collections.abc import Iterator

import pytest

from footnotary.service.app import create_app
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from tests.e2e.page.conftest import ask, expect, serving
from tests.e2e.page.test_hostile_content import assert_harmless
from tests.support.documents import pdf

pytestmark = pytest.mark.server

LINES = [
    "THE MODEL TENANCIES ACT, 2024",
    "1. Security deposit. The security deposit shall not exceed two months' rent.",
    "2. Return of the deposit. The landlord shall return the security deposit within thirty days.",
    "3. Repairs. The landlord shall keep the structure of the premises in good repair.",
]
HOSTILE = """# Model Tenancies Act

The landlord shall return the security deposit within thirty days ![x](SINKa.png) <img src=SINKb.png onerror=alert(1)>.

The tenant shall pay the rent on the first day of each month <script>fetch("SINK")</script> [x](SINKc).
"""
QUESTION = "When shall the landlord return the security deposit?"


@pytest.fixture
def service(tmp_path) -> Iterator[str]:
    settings = load_settings({"verifier": "lexical", "home": tmp_path / "home"}, environ={})
    with serving(create_app(ServiceState(settings, HashEmbedder()))) as address:
        yield address


def send(page, project, name, data):
    page.get_by_role("link", name="Documents", exact=True).click()
    page.get_by_role("button", name="New project").click()
    page.get_by_label("Name").fill(project)
    page.get_by_role("button", name="Create").click()
    expect(page.locator("#project")).to_have_value(project)
    page.get_by_text("No documents yet.").wait_for()
    page.locator("#files").set_input_files([{"name": name, "mimeType": "application/octet-stream", "buffer": data}])
    page.locator(".upload.is-done").wait_for(timeout=60_000)
    page.get_by_role("link", name="Ask", exact=True).click()


@pytest.mark.smoke
def test_from_a_file_to_a_footnote_on_its_page_and_the_record_of_it(service, watch):
    pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed")
    pytest.importorskip("PIL", reason="Pillow is not installed")
    drawn = "".join(f"BT /F 9 Tf 20 {360 - 24 * n} Td ({line}) Tj ET\n" for n, line in enumerate(LINES))
    watched = watch(service)
    page = watched.page
    send(page, "Tenancy", "act.pdf", pdf(drawn.encode()))
    entry = ask(page, QUESTION)
    expect(entry.locator(".words").first).to_contain_text("within thirty days")
    expect(entry.locator(".claim summary").first).to_contain_text("Verified by")
    entry.locator(".numeral").first.click()
    panel = page.get_by_role("dialog")
    panel.get_by_role("img").wait_for()
    expect(panel.locator("mark")).to_contain_text("within thirty days")
    page.wait_for_function("() => document.querySelector('#source img').naturalWidth > 400")
    page.keyboard.press("Escape")
    with page.expect_download() as saved:
        entry.get_by_role("button", name="Evidence bundle").click()
    assert set(json.loads(saved.value.path().read_text())) >= {"payload", "payloadType", "signatures"}
    entry.get_by_role("button", name="Helpful").click()
    entry.get_by_role("button", name="Send").click()
    entry.get_by_text("Thank you.").wait_for()

    refused = ask(page, "How high may a volcano be?")
    refused.locator(".refusal-message").wait_for()
    page.get_by_role("link", name="Audit").click()
    page.locator("#view-audit tbody tr").nth(1).wait_for()
    page.get_by_role("button", name="Verify the chain").click()
    page.get_by_text("The chain is intact: 2 records.").wait_for()
    assert watched.outbound == []
    assert watched.errors == []


def test_a_hostile_document_is_answered_from_and_does_nothing(service, watch, sink):
    watched = watch(service)
    send(watched.page, "Hostile", "act.md", HOSTILE.replace("SINK", sink.address).encode())
    entry = ask(watched.page, QUESTION)
    entry.locator(".numeral").first.click()
    watched.page.locator("#source .passage").wait_for()
    assert_harmless(watched, sink)


@pytest.mark.parametrize("name", ['the "new" act.md', "100%22 cotton & more+.md", "नियम #1?.md"])
def test_a_file_keeps_its_name_whatever_stands_in_it(service, watch, name):
    page = watch(service).page
    send(page, "Names", name, HOSTILE.encode())
    held = page.request.get(f"{service}/v1/projects/Names/documents").json()["documents"]
    assert [document["name"] for document in held] == [name]


def test_a_service_with_keys_lets_the_page_in_by_a_key_and_shows_a_reader_no_log(tmp_path, watch):
    settings = load_settings({"verifier": "lexical", "home": tmp_path / "home"}, environ={})
    state = ServiceState(settings, HashEmbedder())
    _, token = state.keys.create("acme", "reader")
    with serving(create_app(state)) as service:
        watched = watch(service)
        page = watched.page
        page.get_by_role("textbox", name="Key").fill(token)
        page.get_by_role("textbox", name="Key").press("Enter")
        page.get_by_role("button", name="Signed in as reader of acme").wait_for()
        page.locator("#profile option").first.wait_for(state="attached")
        expect(page.get_by_role("link", name="Audit")).to_be_hidden()
        page.get_by_role("link", name="Documents", exact=True).click()
        page.get_by_text("There is no project yet.").wait_for()


def test_the_page_carries_the_headers_of_the_service(service, watch):
    headers = watch(service).page.request.get(service + "/").headers
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
