"""A conversation in the browser: turns stay, refer back, are edited, exported and reopened."""

import io
import zipfile

import pytest

from tests.e2e.page.conftest import ask, expect
from tests.e2e.page.stub_service import CONVERSATION, answered, refused, turn
from tests.e2e.page.test_answers import FINE, PRISON, STORED
from tests.e2e.page.test_with_the_service import service as service

pytestmark = pytest.mark.server

ANSWER = "ans_" + "a" * 26


def questions(page):
    return page.locator(".entry .question")


def asked(stub):
    return [body for what, body in stub.heard if what == "ask"]


def test_earlier_turns_stay_in_order_with_their_footnotes_and_are_sent_along(stub, opened):
    page = opened.page
    stub.outcome, stub.sources = answered(PRISON, FINE), {"IPC_420_0": STORED}
    first = ask(page, "What is the punishment for cheating?")
    stub.outcome, stub.asked_as = refused(), "What is the punishment for theft?"
    second = ask(page, "And for theft?")
    expect(questions(page)).to_have_text(["What is the punishment for cheating?", "And for theft?"])
    expect(second.locator(".asked-as")).to_have_text("Asked as: What is the punishment for theft?")
    expect(first.locator(".asked-as")).to_be_hidden()
    expect(second.locator(".question")).to_be_in_viewport()
    first.get_by_role("button", name="Footnote 2:").click()
    expect(page.locator("#source").get_by_text("Footnote 2", exact=True)).to_be_visible()
    follow_up = {"history": ["What is the punishment for cheating?"], "conversation": CONVERSATION, "follows": ANSWER}
    assert asked(stub)[1].items() >= follow_up.items()
    assert "history" not in asked(stub)[0]


def test_a_turn_is_edited_in_its_place_and_what_came_after_it_leaves(stub, opened):
    page = opened.page
    for question in ("one?", "two?", "three?"):
        entry = ask(page, question)
    page.locator(".entry").nth(1).get_by_role("button", name="Edit the question").click()
    field = page.get_by_role("textbox", name="Edit the question")
    expect(field).to_be_focused()
    expect(page.get_by_text("What was asked after it leaves this conversation")).to_be_visible()
    field.press("Escape")
    expect(page.get_by_role("button", name="Edit the question: two?")).to_be_focused()
    page.get_by_role("button", name="Edit the question: two?").press("Enter")
    field.fill("second?")
    field.press("Enter")
    expect(questions(page)).to_have_text(["one?", "second?"])
    expect(entry).to_have_count(0)
    expect(page.locator(".entry.is-refused")).to_have_count(2)
    assert asked(stub)[-1].items() >= {"question": "second?", "history": ["one?"], "follows": ANSWER}.items()


def test_the_first_question_edited_follows_nothing(stub, opened):
    page = opened.page
    ask(page, "one?").get_by_role("button", name="Edit the question").click()
    page.get_by_role("textbox", name="Edit the question").fill("first?")
    page.get_by_role("button", name="Ask again").click()
    expect(questions(page)).to_have_text(["first?"])
    expect(page.locator(".entry.is-refused")).to_have_count(1)
    assert asked(stub)[-1]["conversation"] == CONVERSATION
    assert asked(stub)[-1]["follows"] is None
    assert "history" not in asked(stub)[-1]


def test_a_new_conversation_starts_from_nothing(stub, opened):
    page = opened.page
    ask(page, "one?")
    page.get_by_role("link", name="Ask", exact=True).press("n")
    expect(page.locator(".entry")).to_have_count(0)
    expect(page.get_by_role("heading", name="What do your documents say?")).to_be_visible()
    expect(page.get_by_label("Your question")).to_be_focused()
    ask(page, "two?")
    page.get_by_role("button", name="New conversation").click()
    ask(page, "three?")
    assert [body["conversation"] for body in asked(stub)] == ["new", "new", "new"]
    assert all("history" not in body for body in asked(stub))


def test_another_project_is_another_conversation(stub, opened):
    page = opened.page
    ask(page, "one?")
    page.get_by_label("Project").select_option("school")
    expect(page.locator(".entry")).to_have_count(0)
    ask(page, "two?")
    assert asked(stub)[-1].items() >= {"project": "school", "conversation": "new"}.items()


def test_an_earlier_conversation_is_reopened_and_continued(stub, watch, address):
    stub.turns = [
        turn("What is cheating?", answered(PRISON)),
        turn("And theft?", refused(), asked_as="What is theft?", answer_id="ans_" + "d" * 26),
    ]
    page = watch(address).page
    page.get_by_role("button", name="What is cheating?").click()
    expect(questions(page)).to_have_text(["What is cheating?", "And theft?"])
    expect(page.locator(".asked-as").nth(1)).to_have_text("Asked as: What is theft?")
    expect(page.locator(".entry").first.get_by_role("button", name="Footnote 1:")).to_be_visible()
    ask(page, "Why?")
    wanted = {"conversation": CONVERSATION, "follows": "ans_" + "d" * 26}
    assert asked(stub)[-1].items() >= wanted.items()
    assert asked(stub)[-1]["history"] == ["What is cheating?", "And theft?"]


def test_a_reload_opens_the_conversation_again_and_the_list_has_it(stub, opened):
    page = opened.page
    ask(page, "What is cheating?")
    stub.turns = [turn("What is cheating?", answered(PRISON))]
    assert page.url.endswith(f"#ask/demo/{CONVERSATION}")
    page.reload()
    expect(questions(page)).to_have_text(["What is cheating?"])
    page.get_by_role("button", name="Earlier conversations").click()
    dialog = page.get_by_role("dialog", name="Earlier conversations")
    expect(dialog.get_by_role("button", name="What is cheating?")).to_contain_text("one question")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Earlier conversations")).to_be_focused()


def test_a_conversation_that_is_not_there_is_said(stub, opened):
    page = opened.page
    page.goto(f"{opened.address}/#ask/demo/conv_{'x' * 26}")
    expect(page.locator("#urgent")).to_contain_text("This conversation does not exist")
    expect(page.locator(".entry")).to_have_count(0)


@pytest.mark.parametrize(
    ("label", "form", "suffix"),
    [("Word (.docx)", "docx", ".docx"), ("Web page (.html)", "html", ".html"), ("Markdown (.md)", "markdown", ".md")],
)
def test_the_conversation_is_exported_by_the_service(stub, opened, label, form, suffix):
    page = opened.page
    expect(page.get_by_text("Export", exact=True)).to_be_hidden()
    ask(page, "What is / cheating?")
    page.get_by_text("Export", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name=label).click()
    assert saved.value.suggested_filename == f"What is cheating{suffix}"
    assert ("export", ("demo", {"answers": [ANSWER], "format": form})) in stub.heard


def test_a_profile_that_keeps_no_questions_is_asked_with_the_history_alone(stub, opened):
    stub.conversation = None
    ask(opened.page, "one?")
    ask(opened.page, "two?")
    assert asked(stub)[-1].items() >= {"conversation": "new", "history": ["one?"]}.items()
    assert "follows" not in asked(stub)[-1]


def test_a_conversation_that_no_log_keeps_is_not_given_up_by_one_key(stub, opened):
    page, stub.conversation = opened.page, None
    ask(page, "one?")
    page.get_by_role("link", name="Ask", exact=True).press("n")
    dialog = page.get_by_role("dialog", name="Start a new conversation?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.locator(".entry")).to_have_count(1)
    page.get_by_role("button", name="New conversation").click()
    dialog.get_by_role("button", name="New conversation").click()
    expect(page.locator(".entry")).to_have_count(0)


def test_the_focus_goes_to_the_new_turn_when_its_field_is_gone(stub, opened):
    page = opened.page
    ask(page, "one?").get_by_role("button", name="Edit the question").click()
    page.get_by_role("textbox", name="Edit the question").press("Enter")
    expect(page.locator(".entry")).to_be_focused()


def test_a_menu_closes_with_escape_and_gives_the_focus_back(stub, opened):
    page = opened.page
    ask(page, "one?")
    page.locator("#talk-export summary").press("Enter")
    expect(page.get_by_role("button", name="Word (.docx)")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Word (.docx)")).to_be_hidden()
    expect(page.locator("#talk-export summary")).to_be_focused()


def test_a_person_uploads_three_files_asks_five_questions_and_exports_them(service, watch):
    watched = watch(service)
    page = watched.page
    page.get_by_role("link", name="Add the first ones").click()
    page.get_by_role("button", name="New project").click()
    page.get_by_label("Name").fill("Tenancy")
    page.get_by_role("button", name="Create").click()
    page.get_by_text("No documents yet.").wait_for()
    rules = {
        "deposit.md": "# Deposit\n\nThe landlord shall return the security deposit within thirty days.",
        "repairs.md": "# Repairs\n\nThe landlord shall keep the roof in good repair.",
        "rent.md": "# Rent\n\nThe tenant shall pay the rent on the first day of each month.",
    }
    sent = [{"name": name, "mimeType": "text/markdown", "buffer": text.encode()} for name, text in rules.items()]
    page.locator("#files").set_input_files(sent)
    expect(page.locator(".upload.is-done")).to_have_count(3, timeout=60_000)
    expect(page.locator("#view-documents tbody tr")).to_have_count(3)
    page.get_by_role("link", name="Ask", exact=True).click()
    expect(page.get_by_text("Answers come from 3 documents")).to_be_visible()
    for question in (
        "When shall the landlord return the security deposit?",
        "Who shall keep the roof in good repair?",
        "When shall the tenant pay the rent?",
        "How high may a volcano be?",
        "What shall the landlord keep in good repair?",
    ):
        entry = ask(page, question)
    expect(page.locator(".entry")).to_have_count(5)
    answers = page.locator(".entry.is-answered")
    answers.first.locator(".numeral").first.click()
    expect(page.locator("#source mark")).to_contain_text("within thirty days")
    page.keyboard.press("Escape")
    answers.first.get_by_role("button", name="Not right").click()
    answers.first.get_by_label("Comment").fill("forty days")
    answers.first.get_by_role("button", name="Send").click()
    answers.first.get_by_text("Thank you.").wait_for()
    page.get_by_text("Export", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Word (.docx)").click()
    with zipfile.ZipFile(io.BytesIO(saved.value.path().read_bytes())) as archive:
        assert b"within thirty days" in archive.read("word/footnotes.xml")
    page.reload()
    expect(page.locator(".entry")).to_have_count(5)
    expect(entry.locator(".question")).to_have_text("What shall the landlord keep in good repair?")
    assert watched.outbound == []
    assert watched.errors == []
