"""Documents, uploads, projects, the audit log and keys in the browser."""

import pytest

from tests.e2e.page.conftest import ask, expect
from tests.e2e.page.stub_service import rejected

pytestmark = pytest.mark.server

DOCUMENT = {
    "id": "penal.pdf",
    "title": "Penal Code",
    "media_type": "application/pdf",
    "passages": 511,
    "stored_at": "2026-11-15T09:00:00Z",
}


def view(page, name):
    page.get_by_role("link", name=name, exact=True).click()


def test_a_project_says_what_it_holds_before_anything_is_asked(stub, watch, address):
    stub.documents = [DOCUMENT]
    page = watch(address).page
    expect(page.get_by_text("Answers come from one document")).to_be_visible()
    expect(page.get_by_text("Penal Code")).to_be_visible()


def test_a_file_is_sent_with_progress_and_then_listed(stub, opened):
    page, stub.is_slow = opened.page, True
    view(page, "Documents")
    page.locator("#files").set_input_files([{"name": "act.txt", "mimeType": "text/plain", "buffer": b"Section 1."}])
    page.get_by_role("progressbar", name="Progress of act.txt").wait_for()
    stub.is_slow = False
    expect(page.locator(".upload.is-done .upload-state")).to_have_text("✓ 3 passages")
    page.get_by_role("row").filter(has_text="act.txt").wait_for()
    assert ("upload", ("demo", "act.txt", b"Section 1.")) in stub.heard


def test_files_can_be_dropped(stub, opened):
    page = opened.page
    view(page, "Documents")
    file = page.evaluate_handle(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["Section 1."], "dropped.txt"));
          return data;
        }"""
    )
    page.locator(".drop").dispatch_event("drop", {"dataTransfer": file})
    page.get_by_role("row").filter(has_text="dropped.txt").wait_for()


def test_a_document_is_deleted_only_after_it_was_confirmed(stub, watch, address):
    stub.documents = [DOCUMENT]
    page = watch(address).page
    view(page, "Documents")
    page.get_by_role("button", name="Delete Penal Code").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Delete Penal Code").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_text("No documents yet.").wait_for()
    assert [name for what, name in stub.heard if what == "delete"] == ["penal.pdf"]


def test_a_new_project_is_made_and_chosen(stub, opened):
    page = opened.page
    view(page, "Documents")
    page.get_by_role("button", name="New project").click()
    page.get_by_label("Name").fill("Contracts")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("#project")).to_have_value("Contracts")


@pytest.mark.parametrize(("role", "buttons"), [("reader", 0), ("writer", 1), ("admin", 2)])
def test_the_page_offers_what_the_role_may_do(stub, watch, address, role, buttons):
    stub.documents, stub.role = [DOCUMENT], role
    page = watch(address).page
    view(page, "Documents")
    page.locator("tbody tr").wait_for()
    expect(page.locator("#view-documents .head-actions button")).to_have_count(buttons)
    expect(page.locator(".drop")).to_have_count(0 if role == "reader" else 1)


def test_the_audit_log_is_listed_and_its_chain_checked(stub, watch, address):
    stub.records = [
        {
            "seq": 1,
            "at": "2026-11-15T08:00:00Z",
            "question": "Who?",
            "profile": "legal",
            "outcome": "answered",
            "reason": None,
            "answer_id": "a",
        },
        {
            "seq": 2,
            "at": "2026-11-15T09:00:00Z",
            "question": None,
            "profile": "legal",
            "outcome": "refused",
            "reason": "claim_uncited",
            "answer_id": "b",
        },
    ]
    page = watch(address).page
    view(page, "Audit")
    expect(page.locator("tbody th")).to_have_text(["2", "1"])
    expect(page.get_by_text("Refused: claim uncited")).to_be_visible()
    expect(page.get_by_text("not stored")).to_be_visible()
    page.get_by_role("button", name="Verify the chain").click()
    page.get_by_text("The chain is intact: 2 records").wait_for()
    stub.chain = {"intact": False, "records": 2, "losses": [], "seq": 2, "why": "the hash does not fit"}
    page.get_by_role("button", name="Verify the chain").click()
    page.get_by_text("The chain is broken at record 2: the hash does not fit").wait_for()


def test_a_rejected_draft_is_looked_at_and_decided_and_says_that_it_was_not_delivered(stub, watch, address):
    stub.cases = [rejected("Ten years.")]
    page = watch(address).page
    view(page, "Review")
    page.locator(".case summary").first.click()
    page.get_by_text("Withheld: not delivered").wait_for()
    expect(page.locator(".draft .claim").get_by_text("Ten years.").first).to_be_visible()
    page.get_by_label("Note").fill("seven")
    page.get_by_role("button", name="Not supported").click()
    page.get_by_text("No. 7 is decided.").wait_for()
    assert ("decided", {"state": "kept", "supported": False, "note": "seven"}) in stub.heard


@pytest.mark.parametrize("name", ["audit", "review"])
def test_who_is_no_admin_is_not_shown_the_way_to_the_log_or_the_cases(stub, watch, address, name):
    stub.role = "writer"
    page = watch(address).page
    expect(page.locator(f"[data-view={name}]")).to_be_hidden()
    page.goto(f"{address}/#{name}")
    page.get_by_text("Only an admin of this tenant").wait_for()


def test_what_was_sent_before_the_page_was_opened_is_still_followed(stub, watch, address):
    stub.running = "earlier.pdf"
    page = watch(address).page
    view(page, "Documents")
    page.locator(".upload.is-done").filter(has_text="earlier.pdf").wait_for()


def test_a_file_can_be_called_off(stub, watch, address):
    stub.running, stub.is_slow = "long.pdf", True
    page = watch(address).page
    view(page, "Documents")
    page.get_by_role("button", name="Cancel long.pdf").click()
    page.locator(".upload").get_by_text("Cancelled").wait_for()


def test_a_key_is_asked_for_where_one_is_wanted_and_forgotten_with_the_tab(stub, watch, address):
    stub.key = "fn_abc_0123456789"
    watched = watch(address)
    page = watched.page
    dialog = page.get_by_role("dialog", name="Sign in")
    field = dialog.get_by_label("Key")
    field.fill("fn_wrong_000000")
    field.press("Enter")
    dialog.get_by_text("This key is not valid").wait_for()
    field.press("Escape")  # which leads nowhere: the field is still there to be filled
    field.fill(stub.key)
    field.press("Enter")
    page.get_by_role("button", name="Signed in as admin of acme").wait_for()
    ask(page, "?")
    assert page.evaluate("[sessionStorage.length, Object.values(localStorage).join()]")[0] == 1
    assert stub.key not in page.evaluate("Object.values(localStorage).join()")
    assert not any(stub.key in url for url in watched.requests)
    page.get_by_role("button", name="Signed in as admin of acme").click()
    page.get_by_role("button", name="Sign out").click()
    dialog.wait_for()
    assert page.evaluate("sessionStorage.length") == 0


def test_a_key_revoked_while_the_page_is_open_is_asked_for_again(stub, watch, address):
    stub.key = "fn_abc_0123456789"
    page = watch(address).page
    page.get_by_role("textbox", name="Key").fill(stub.key)
    page.get_by_role("textbox", name="Key").press("Enter")
    page.get_by_text("There are no documents here yet").wait_for()  # the last thing it asks for by itself
    page.locator("#profile option").first.wait_for(state="attached")
    stub.key = "fn_new_0123456789"
    view(page, "Documents")
    page.get_by_role("dialog", name="Sign in").wait_for()


def test_a_service_that_is_gone_is_said(stub, opened):
    opened.page.route("**/v1/ask", lambda route: route.abort())
    expect(ask(opened.page, "?").get_by_text("Is it still running?")).to_be_visible()
