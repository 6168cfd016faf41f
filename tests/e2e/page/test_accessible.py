"""Everybody can use it: no finding of axe in light or dark, on a desk or on a phone, in any state of the page."""

import pytest

from tests.e2e.page.conftest import ask, expect
from tests.e2e.page.stub_service import answered, document_conflict, refused, rejected, turn, verdict
from tests.e2e.page.test_answers import FINE, PRISON, STORED

axe_library = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
)

pytestmark = pytest.mark.server

LONG = "Pneumonoultramicroscopicsilicovolcanoconiosis" * 4
DOCUMENTS = [
    {
        "id": f"{LONG}.pdf",
        "title": LONG,
        "media_type": "application/pdf",
        "passages": 1234,
        "stored_at": "2026-11-15T09:00:00Z",
        "validity": {"effective_from": "2020-01-01"},
    }
]
RECORDS = [
    {
        "seq": 2,
        "at": "2026-11-15T09:00:00Z",
        "question": LONG,
        "profile": "legal",
        "outcome": "refused",
        "reason": "no_relevant_content",
        "answer_id": "a",
    },
    {
        "seq": 1,
        "at": "2026-11-15T08:00:00Z",
        "question": None,
        "profile": "legal",
        "outcome": "answered",
        "reason": None,
        "answer_id": "b",
    },
]
CONFLICT = {"quote_a": "Seven years.", "id_a": "A_1", "quote_b": "Three.", "id_b": "B_1"}


def answer_open(stub, page):
    stub.sources["IPC_420_0"] = STORED
    stub.outcome = answered(PRISON, FINE, conflicts=[CONFLICT])
    entry = ask(page, LONG)
    for disclosure in entry.locator("summary").all():
        disclosure.click()
    entry.get_by_role("button", name="Footnote 1:").click()
    page.get_by_role("img").wait_for()


def refusal(stub, page):
    stub.sources["IPC_420_0"] = STORED
    stub.outcome = refused(
        nearest=("IPC_420_0",), verdicts=[verdict("roles_agree", "fail", LONG), verdict("negation_agrees", "skip")]
    )
    entry = ask(page, "?")
    entry.get_by_text("Details", exact=True).click()
    entry.get_by_text("Checks", exact=True).click()
    entry.locator(".passages").wait_for()


def failure(stub, page):
    stub.asking_fails = (503, {"detail": "The service is at its limit."}, {"Retry-After": "7"})
    ask(page, "?")


def documents(stub, page):
    page.get_by_role("link", name="Documents", exact=True).click()
    page.locator("#view-documents tbody tr").wait_for()
    page.locator("#files").set_input_files([{"name": f"{LONG}.txt", "mimeType": "text/plain", "buffer": b"x"}])
    page.locator(".upload.is-done").wait_for()
    expect(page.locator("#view-documents tbody tr")).to_have_count(2)


def audit(stub, page):
    page.get_by_role("link", name="Audit").click()
    page.locator("#view-audit tbody tr").first.wait_for()
    page.get_by_role("button", name="Verify the chain").click()
    page.locator(".chain.is-intact").wait_for()


def review(stub, page):
    stub.cases = [rejected(LONG)]
    page.get_by_role("link", name="Review").click()
    page.locator(".case summary").first.click()
    page.get_by_text("Withheld: not delivered").wait_for()
    for disclosure in page.locator(".case-body summary").all():
        disclosure.click()


def shortcuts(stub, page):
    page.get_by_role("link", name="Ask", exact=True).press("?")  # in the field it would be a part of the question
    page.get_by_role("dialog", name="Keyboard").wait_for()


def options(stub, page):
    page.get_by_text("Options").click()
    page.get_by_label("In force on").wait_for()


def conversation(stub, page):
    stub.asked_as = LONG
    for question in ("first?", "second?", "third?"):
        ask(page, question)
    page.locator(".entry").nth(1).get_by_role("button", name="Edit the question").click()
    page.get_by_text("Export", exact=True).click()
    page.get_by_role("button", name="Word (.docx)").wait_for()


def earlier(stub, page):
    stub.turns = [turn(LONG, answered(PRISON))]
    ask(page, "?")
    page.get_by_role("button", name="Earlier conversations").click()
    page.get_by_role("dialog").get_by_role("button", name=LONG).wait_for()


def reader(stub, page):
    stub.pages = [{"page": 1, "label": None, "start": 0, "end": len(stub.text), "ocr_confidence": 0.5}]
    flag = {"kind": "injection", "text": LONG}
    stub.detail |= {"pages": 1, "ocr": {"words": 12, "confidence": 0.75, "doubtful": 3}, "flagged": [flag]}
    stub.detail["cleared"] = [flag]
    page.get_by_role("link", name="Documents", exact=True).click()
    page.locator("button.title").click()
    page.get_by_label("Search in this document").fill("fine")
    page.locator(".reader mark.is-current").wait_for()
    page.get_by_role("button", name="Show the page").click()
    page.get_by_role("img").wait_for()
    page.locator(".instructions li").first.wait_for()
    stub.conflicts = [document_conflict(LONG, LONG, "ten", LONG, answer_id="ans_1")]
    page.get_by_role("button", name="Look for conflicts with other documents").click()
    page.locator(".conflict-list li").wait_for()


def deletion(stub, page):
    page.get_by_role("link", name="Documents", exact=True).click()
    page.get_by_role("button", name="Delete project").click()
    page.get_by_role("dialog", name="Delete this project?").wait_for()


def hindi(stub, page):
    stub.turns = [turn(LONG, answered(PRISON))]
    page.get_by_label("Profile").select_option("tutor")
    page.locator("#question").fill("?")
    page.locator("#question").press("Enter")
    page.get_by_role("heading", name="दस्तावेज़ों में उत्तर नहीं है").wait_for()


STATES = [
    *(answer_open, refusal, failure, documents, audit, review, shortcuts, options),
    *(conversation, earlier, reader, deletion, hindi),
]


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
@pytest.mark.parametrize("width", [1280, 390], ids=["desk", "phone"])
def test_axe_finds_nothing_in_light_or_dark_and_nothing_runs_over_the_edge(stub, watch, address, state, width):
    stub.documents, stub.records = list(DOCUMENTS), list(RECORDS)
    page = watch(address, width=width, height=844, color_scheme="light", reduced_motion="reduce").page
    page.locator("#holdings-list li").first.wait_for()
    state(stub, page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_function("scheme => matchMedia(`(prefers-color-scheme: ${scheme})`).matches", arg=scheme)
        found = axe_library.Axe().run(page)
        assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    over = "[...document.querySelectorAll('dialog[open]')].filter(d => d.scrollWidth > d.clientWidth).length"
    assert page.evaluate(over) == 0


def test_the_chosen_colours_outlast_a_reload(stub, watch, address):
    page = watch(address, color_scheme="light").page
    body, background = page.locator("body"), "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Colours: system default").click()
    page.get_by_role("button", name="Colours: light").click()
    page.get_by_role("button", name="Colours: dark").wait_for()
    expect(body).not_to_have_css("background-color", light)
    dark = page.evaluate(background)
    page.reload()
    page.get_by_role("button", name="Colours: dark").wait_for()
    expect(body).to_have_css("background-color", dark)


def test_on_a_phone_the_source_is_a_sheet_over_the_answer_and_keeps_the_focus(stub, watch, address):
    page = watch(address, width=390, height=844, has_touch=True).page
    stub.sources["IPC_420_0"], stub.outcome = STORED, answered(PRISON)
    entry = ask(page, "?")
    entry.get_by_role("button", name="Footnote 1:").tap()
    panel = page.get_by_role("dialog")
    panel.get_by_role("img").wait_for()
    expect(page.locator("#source:modal")).to_be_visible()
    for _ in range(8):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.querySelector('#source').contains(document.activeElement) || document.activeElement === document.body"
        )
    panel.get_by_role("button", name="Close the source").tap()
    expect(entry.get_by_role("button", name="Footnote 1:")).to_be_focused()
