"""What a reader sees of an answer and of a refusal, and what keys and screen readers get."""

import base64
import json
import re

import pytest

from tests.e2e.page.conftest import ask, expect
from tests.e2e.page.stub_service import answered, refused, source, verdict

pytestmark = pytest.mark.server

PASSAGE = (
    "Section 420. Cheating.\nWhoever cheats 🏛 may be imprisoned for up to seven years, and shall be liable to fine."
)
PRISON = ("Cheating may be punished with up to seven years.", "IPC_420_0", PASSAGE, "imprisoned for up to seven years")
FINE = ("The offender shall be liable to fine.", "IPC_420_0", PASSAGE, "shall be liable to fine")
STORED = {
    "source": "Penal Code, Section 420 (Cheating)",
    "text": PASSAGE,
    "document": "penal.pdf",
    "page": 2,
    "page_label": "ii",
    "media_type": "application/pdf",
}


def test_an_answer_is_sentences_with_numbered_footnotes_and_their_verdicts(stub, opened):
    stub.outcome = answered(PRISON, FINE)
    entry = ask(opened.page, "What is the punishment for cheating?")
    expect(entry.get_by_role("heading", level=2)).to_have_text("What is the punishment for cheating?")
    claims = entry.locator(".claim")
    expect(claims.locator(".words")).to_have_text([PRISON[0], FINE[0]])
    expect(entry.locator(".numeral")).to_have_text(["1", "2"])
    expect(entry.locator(".note")).to_have_count(2)
    expect(claims.nth(0).get_by_text("Every number, with its unit")).to_be_hidden()
    claims.nth(0).get_by_text("Verified by 4 checks").click()
    expect(claims.nth(0).get_by_text("Every number, with its unit")).to_be_visible()
    assert opened.errors == []


def test_sentences_that_cite_the_same_words_share_a_footnote(stub, opened):
    stub.outcome = answered(PRISON, PRISON, FINE)
    entry = ask(opened.page, "?")
    expect(entry.locator(".numeral")).to_have_text(["1", "1", "2"])


def test_a_footnote_opens_the_source_next_to_the_answer_with_exactly_the_quote_marked(stub, opened):
    stub.outcome, stub.sources = answered(PRISON, FINE), {"IPC_420_0": STORED}
    entry = ask(opened.page, "?")
    entry.get_by_role("button", name="Footnote 1:").click()
    panel = opened.page.get_by_role("dialog", name="Penal Code, Section 420 (Cheating)")
    image = panel.get_by_role("img", name="Page ii of penal.pdf with the quote highlighted")
    expect(image).to_have_js_property("naturalWidth", 60)
    expect(panel.locator("mark")).to_have_text(PRISON[3])  # counted in characters, not in UTF-16 units
    start = PASSAGE.index(PRISON[3])
    assert ("picture", {"quote_start": str(start), "quote_end": str(start + len(PRISON[3]))}) in stub.heard
    expect(entry).to_be_visible()
    assert opened.errors == []


def test_a_page_image_can_be_enlarged(stub, opened):
    stub.outcome, stub.sources = answered(PRISON), {"IPC_420_0": STORED}
    ask(opened.page, "?").get_by_role("button", name="Footnote 1:").click()
    opened.page.get_by_role("button", name="Enlarge page ii").click()
    expect(opened.page.get_by_role("dialog", name="Page ii").get_by_role("img")).to_be_visible()


def test_a_source_that_was_replaced_since_says_so(stub, opened):
    gone = {"superseded": {"at": "2026-01-02T03:04:05+00:00", "by": "cd" * 32, "was_deleted": False}}
    stub.outcome, stub.sources = answered(PRISON), {"IPC_420_0": STORED | gone}
    ask(opened.page, "?").get_by_role("button", name="Footnote 1:").click()
    opened.page.get_by_text("Replaced on 2 Jan 2026").wait_for()
    # A page that is still being drawn says so at once: empty means that none was asked for.
    expect(opened.page.locator("#source .picture")).to_be_empty()


def test_a_source_not_in_force_is_flagged_where_it_is_cited(stub, opened):
    outcome = answered(PRISON)
    outcome["citation_details"][0]["validity"] = {
        "effective_from": "1860-10-06",
        "effective_to": "2024-06-30",
        "superseded_by": ["bns"],
        "in_force": False,
    }
    stub.outcome = outcome
    expect(ask(opened.page, "?").get_by_text("Not in force: effective until 30 June 2024")).to_be_visible()


def test_sources_that_disagree_stand_side_by_side(stub, opened):
    conflict = {
        "value_a": "7",
        "id_a": "A_1",
        "quote_a": "Seven years.",
        "value_b": "3",
        "id_b": "B_1",
        "quote_b": "Three.",
    }
    stub.outcome = refused("conflicting_sources", conflicts=[conflict])
    entry = ask(opened.page, "?")
    region = entry.get_by_role("region", name="Sources that disagree")
    expect(region.locator("blockquote")).to_have_text(["Seven years.", "Three."])


def test_a_refusal_says_the_exact_message_what_is_missing_and_what_came_nearest(stub, opened):
    stub.outcome, stub.sources = refused(nearest=("IPC_420_0",)), {"IPC_420_0": STORED}
    entry = ask(opened.page, "What is the speed limit?")
    expect(entry.locator(".refusal-message")).to_have_text(stub.outcome["answer"])
    expect(entry.get_by_text("A passage that answers the question")).to_be_visible()
    expect(entry.get_by_text("Nearest passages")).to_be_visible()
    expect(entry.locator(".passages .note-name")).to_have_text(["Penal Code, Section 420 (Cheating)"])
    entry.get_by_role("button", name="Penal Code, Section 420 (Cheating)").click()
    opened.page.get_by_role("dialog").get_by_text("Whoever cheats").wait_for()
    assert opened.errors == []


def test_one_can_look_further_than_a_refusal_without_anything_being_generated(stub, opened):
    stub.outcome, stub.sources = refused(), {f"X_{n}": STORED | {"source": f"Passage {n}"} for n in range(12)}
    entry = ask(opened.page, "What is the speed limit?")
    entry.get_by_role("button", name="Show more passages").click()
    entry.get_by_text("The closest passages").wait_for()
    expect(entry.locator(".passages li")).to_have_count(12)
    assert [what for what, _ in stub.heard if what in ("ask", "retrieve")] == ["ask", "retrieve"]


def test_a_rejected_draft_lists_the_checks_that_did_not_hold(stub, opened):
    stub.outcome = refused(
        "number_unsupported", verdicts=[verdict("numbers_are_supported", "fail"), verdict("roles_agree")]
    )
    entry = ask(opened.page, "?")
    entry.get_by_text("Details", exact=True).click()
    entry.get_by_text("Checks", exact=True).click()
    expect(entry.locator(".verdict-fail")).to_have_text(re.compile("^✗.*Every number, with its unit"))
    expect(entry.get_by_role("heading", name="The draft did not pass the checks")).to_be_visible()


def test_what_was_released_before_a_sentence_failed_stays_and_the_end_is_said(stub, opened):
    stub.outcome, stub.withheld = answered(PRISON), True
    entry = ask(opened.page, "?")
    expect(entry.locator(".claim")).to_have_count(1)
    expect(entry.get_by_text("The next sentence is not supported")).to_be_visible()


def test_the_chosen_project_profile_and_day_are_what_is_asked_of(stub, opened):
    page = opened.page
    page.get_by_label("Project").select_option("school")
    page.get_by_label("Profile").select_option("legal")
    page.get_by_text("Options").click()
    page.get_by_label("In force on").fill("2020-01-31")
    page.keyboard.press("Tab")
    ask(page, "When?")
    expect(page.get_by_text("Options (1)")).to_be_visible()
    asked = next(body for what, body in stub.heard if what == "ask")
    expected = {"question": "When?", "project": "school", "profile": "legal", "as_of": "2020-01-31", "stream": True}
    assert asked == expected | {"conversation": "new"}


def test_a_question_under_way_can_be_stopped(stub, opened):
    stub.pause_s = 600
    page = opened.page
    page.get_by_label("Your question").fill("?")
    page.get_by_label("Your question").press("Enter")
    page.locator(".steps li").first.wait_for()
    page.get_by_role("button", name="Stop").click()
    page.locator(".entry").get_by_text("Stopped. Nothing was delivered.").wait_for()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def test_a_question_asked_again_next_to_another_can_still_be_stopped(stub, opened):
    page = opened.page
    stub.asking_fails = (503, {"detail": "The service is at its limit."}, {})
    ask(page, "first")
    stub.asking_fails, stub.pause_s = None, 0.5
    page.get_by_label("Your question").fill("second")
    page.get_by_label("Your question").press("Enter")
    page.locator(".steps li").first.wait_for()
    stub.pause_s = 20
    page.get_by_role("button", name="Ask again").click()
    page.locator(".entry.is-refused").get_by_text("second").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.locator(".entry").get_by_text("Stopped. Nothing was delivered.").wait_for()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def test_a_question_sent_twice_while_the_page_loads_is_asked_once_as_it_stands_then(stub, opened):
    page, held = opened.page, []
    page.route("**/v1/profiles", lambda route: held.append(route))
    page.reload()
    field = page.get_by_label("Your question")
    field.fill("What is theft")
    field.press("Enter")
    field.press("?")
    field.press("Enter")
    wait_for(page, held)
    held[0].continue_()
    page.locator(".entry.is-refused").wait_for()
    page.wait_for_timeout(300)
    expect(page.locator(".entry .question")).to_have_text(["What is theft?"])
    assert [heard["question"] for what, heard in stub.heard if what == "ask"] == ["What is theft?"]


def test_a_page_opened_while_the_service_starts_loads_by_itself_and_asks_what_was_sent(stub, opened):
    page = opened.page
    page.route("**/v1/whoami", lambda route: route.abort())
    page.reload()
    expect(page.locator("#profile-says")).to_contain_text("Is it still running?")
    page.get_by_label("Your question").fill("What is theft?")
    page.get_by_label("Your question").press("Enter")
    page.unroute("**/v1/whoami")
    page.locator(".entry.is-refused").get_by_text("What is theft?").wait_for()
    expect(page.locator("#profile-says")).not_to_contain_text("Is it still running?")


def wait_for(page, held):
    while not held:
        page.wait_for_timeout(20)


def test_an_overloaded_service_is_said_with_the_time_to_wait(stub, opened):
    stub.asking_fails = (503, {"detail": "The service is at its limit."}, {"Retry-After": "7"})
    entry = ask(opened.page, "?")
    expect(entry.get_by_text("The service is at its limit. Try again in 7 seconds.")).to_be_visible()
    stub.asking_fails = None
    entry.get_by_role("button", name="Ask again").click()
    opened.page.locator(".entry.is-refused").wait_for()


def test_feedback_with_a_comment_reaches_the_service(stub, opened):
    stub.outcome = answered(PRISON)
    entry = ask(opened.page, "?")
    entry.get_by_role("button", name="Not right").click()
    entry.get_by_label("Comment").fill("seven, not ten")
    entry.get_by_role("button", name="Send").click()
    entry.get_by_text("Thank you.").wait_for()
    assert ("feedback", {"rating": "down", "comment": "seven, not ten"}) in stub.heard


def test_the_evidence_bundle_is_saved_as_a_file(stub, opened):
    stub.outcome = answered(PRISON)
    entry = ask(opened.page, "?")
    with opened.page.expect_download() as saved:
        entry.get_by_role("button", name="Evidence bundle").click()
    assert saved.value.suggested_filename.endswith(".bundle.json")


def test_the_page_is_driven_by_keys_alone(stub, opened):
    stub.outcome, stub.sources = answered(PRISON, FINE), {"IPC_420_0": STORED}
    page = opened.page
    page.get_by_role("link", name="Ask", exact=True).press("/")
    expect(page.get_by_label("Your question")).to_be_focused()
    entry = ask(page, "first?")
    entry.get_by_role("button", name="Footnote 1:").focus()
    page.keyboard.press("Enter")
    panel, keyboard = page.locator("#source"), page.get_by_role("dialog", name="Keyboard")
    expect(panel.locator("#source-title")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(panel.get_by_text("Footnote 2", exact=True)).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(panel.get_by_text("Footnote 1", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(entry.get_by_role("button", name="Footnote 1:")).to_be_focused()
    page.keyboard.press("?")
    expect(keyboard).to_be_visible()
    page.keyboard.press("Escape")
    expect(keyboard).to_be_hidden()
    page.keyboard.press("/")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("Your question")).to_have_value("first?")


def test_what_came_is_said_to_screen_readers(stub, opened):
    stub.outcome = answered(PRISON)
    ask(opened.page, "?")
    status = opened.page.locator("#polite")
    expect(status).to_contain_text("Answered in one sentence with one footnote.")
    expect(status).to_have_attribute("aria-live", "polite")
    stub.outcome = refused()
    ask(opened.page, "?")
    expect(status).to_contain_text("Refused. I cannot answer")


def test_an_answer_in_another_script_carries_its_language(stub, opened):
    stub.outcome = answered(("धोखाधड़ी दंडनीय है।", "A_1", "धोखाधड़ी दंडनीय है।", "दंडनीय"), query_analysis={"language": "hi"})
    entry = ask(opened.page, "क्या धोखाधड़ी दंडनीय है?")
    expect(entry.locator(".claims")).to_have_attribute("lang", "hi")


def test_a_service_that_does_not_stream_is_understood_as_well(stub, opened):
    stub.outcome = answered(PRISON)
    opened.page.route(
        "**/v1/ask", lambda route: route.fulfill(json={"answer_id": "ans_" + "b" * 26, "outcome": stub.outcome})
    )
    expect(ask(opened.page, "?").locator(".claim")).to_have_count(1)


def test_a_source_named_by_nothing_but_its_file_goes_by_that(stub, opened):
    stub.outcome = answered(PRISON)
    stub.outcome["sources"] = [source("IPC_420_0", PASSAGE, act=None, section=None, title=None)]
    expect(ask(opened.page, "?").locator(".note")).to_contain_text("penal.pdf")


def test_on_paper_the_footnotes_stand_with_their_quotes_and_nothing_to_click(stub, opened):
    stub.outcome = answered(PRISON)
    entry = ask(opened.page, "?")
    opened.page.emulate_media(media="print")
    expect(opened.page.locator(".top, .ask, .actions").filter(visible=True)).to_have_count(0)
    expect(entry.locator(".words")).to_be_visible()
    expect(entry.locator(".note-quote")).to_be_visible()


def test_sources_are_named_by_kind(stub, opened):
    book = source("M_1", PASSAGE, act="Mathematics", section="5.1", title="Progressions")
    book["metadata"] = {"kind": "textbook", "class_number": 10, "chapter": "5"}
    rule = source("H_1", PASSAGE, act="HIPAA", section="164.514", title="De-identification")
    rule["metadata"] = {"kind": "regulation"}
    stub.outcome = answered(("One.", "M_1", PASSAGE, "fine"), ("Two.", "H_1", PASSAGE, "fine"), sources=[book, rule])
    expect(ask(opened.page, "?").locator(".note-name")).to_have_text(
        [
            "Mathematics, Class 10, Chapter 5, Page 2 (Progressions)",
            "HIPAA, § 164.514, Page 2 (De-identification)",
        ]
    )


def test_the_whole_answer_can_be_copied_with_its_footnotes(stub, watch, address):
    stub.outcome = answered(PRISON)
    page = watch(address, permissions=["clipboard-read", "clipboard-write"]).page
    ask(page, "?").get_by_role("button", name="Copy with footnotes").click()
    expect(page.locator("#polite")).to_contain_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(
        f"{PRISON[0]} [1]\n\n[1] “{PRISON[3]}” (Penal Code, Section 420, Page 2 (Cheating)) [IPC_420_0]"
    )


QUOTED = {
    "quoted": True,
    "rejected": {
        "generator": "chat:any",
        "reason": "number_unsupported",
        "verdicts": [verdict("numbers_are_supported", "fail")],
    },
}


def test_a_quoted_answer_says_so_and_which_check_rejected_the_draft(stub, opened):
    stub.outcome = answered(PRISON, **QUOTED)
    entry = ask(opened.page, "?")
    expect(entry.get_by_text("Quoted from the documents.")).to_be_visible()
    entry.get_by_text("Checks that rejected the draft").click()
    expect(entry.locator(".notice .verdict-fail")).to_have_text(re.compile("^✗.*Every number, with its unit"))


def test_an_admin_can_read_the_rejected_draft(stub, opened):
    draft = {"claims": [{"text": "Ninety years – नब्बे <b>.", "cites": []}], "raw": ""}
    statement = {"predicate": {"content": {"rejected": {"draft": draft}}}}
    stub.bundle = {"payload": base64.b64encode(json.dumps(statement, ensure_ascii=False).encode()).decode()}
    stub.outcome = answered(PRISON, **QUOTED)
    entry = ask(opened.page, "?")
    entry.get_by_role("button", name="Show the rejected draft").click()
    expect(entry.locator("blockquote.rejected")).to_have_text("Ninety years – नब्बे <b>.")


def test_any_other_answer_says_nothing_of_quoting(stub, opened):
    stub.outcome = answered(PRISON)
    entry = ask(opened.page, "?")
    expect(entry.locator(".claim")).to_have_count(1)
    expect(entry.get_by_text("Quoted from the documents.")).to_have_count(0)
