"""The page in Hindi, for pupils: every text of its own, chosen with the tutor profile."""

import re

import pytest

from footnotary.domain.verdict import Reason
from footnotary.profiles.load import load_profile
from footnotary.service.routes import web_page
from tests.e2e.page.conftest import ask, expect
from tests.e2e.page.stub_service import answered, refused, rejected
from tests.e2e.page.test_answers import PRISON

SCRIPTS = web_page.WEB_FOLDER / "scripts"
STRING = r'"((?:[^"\\\n]|\\.)*)"'
TRANSLATIONS = ("hindi.js", "hindi_records.js")
HINDI = {
    english: hindi
    for name in TRANSLATIONS
    for english, hindi in re.findall(
        rf"^  {STRING}: {STRING},$", (SCRIPTS / "shared" / name).read_text(encoding="utf-8"), re.M
    )
}
READS_LIKE_TEXT = re.compile(r"[A-Z][a-z]|[a-z]{2,} [a-z]{2,}")
# Keys of the keyboard, headers of HTTP, names, a command, and errors for whoever writes these scripts.
NOT_TRANSLATED = set(
    "Enter|Escape|Esc|ArrowUp|ArrowLeft|ArrowRight|Shift Enter|AbortError|Content-Type|Retry-After|Bearer|Footnotary"
    "|· Footnotary|Markdown|Word|English|footnotary keys create|must not be set from code"
    "|must not point to another host".split("|")
)
# The name of a source is as the service writes it, and so is the recorded wording of a verdict.
SOURCE_NAMES = {"Paragraph", "Section", "Page", "Class", "Chapter"}
RECORDED_WORDING = "/** Recorded texts"


def scripts() -> dict[str, str]:
    """The code of every script but the translations, without comments and imports."""
    found: dict[str, str] = {}
    for path in SCRIPTS.rglob("*.js"):
        if path.name not in TRANSLATIONS:
            text = path.read_text(encoding="utf-8").split(RECORDED_WORDING)[0]
            found[path.name] = re.sub(r"/\*\*.*?\*/|^ *//[^\n]*$|^import [^\n]*$", "", text, flags=re.M | re.S)
    return found


def literals(code: str) -> set[str]:
    """The strings of a script, and its templates without what is computed in them."""
    found: set[str] = set()
    open_parts = [""]  # what is open around this place: code in braces, or a template with its text so far
    at = 0
    while at < len(code):
        mark, is_template = code[at], open_parts[-1].startswith("`")
        if is_template and code.startswith("${", at):
            open_parts.append("{")
            at += 1
        elif is_template and mark == "`":
            found.add(open_parts.pop()[1:].strip())
        elif is_template:
            open_parts[-1] += mark
        elif mark == "`":
            open_parts.append("`")
        elif mark == "{":
            open_parts.append("{")
        elif mark == "}":
            open_parts.pop()
        elif mark == '"' and (said := re.compile(STRING).match(code, at)):
            found.add(said[1])
            at = said.end() - 1
        at += 1
    assert open_parts == [""]
    return found


def is_class_list(said: str, classes: set[str]) -> bool:
    return all(word in classes or "-" in word for word in said.split())


def page_texts() -> set[str]:
    """The English texts in the scripts and on the page itself, whether they are handed to be translated or not."""
    styles = "".join(path.read_text(encoding="utf-8") for path in (web_page.WEB_FOLDER / "styles").glob("*.css"))
    classes = set(re.findall(r"\.([a-z][\w-]*)", styles))
    found: set[str] = set()
    for code in scripts().values():
        for call in re.findall(r'\bt\(((?:[^()"`]|"(?:[^"\\]|\\.)*")*)', code):
            found |= set(re.findall(STRING, call))
        for pair in re.findall(rf'\bcount\([^"]*{STRING}, {STRING}', code):
            found |= set(pair)
        found |= {said for said in literals(code) if READS_LIKE_TEXT.search(said) and not is_class_list(said, classes)}
    html = (web_page.WEB_FOLDER / "index.html").read_text(encoding="utf-8")
    for tag, parts, inner in re.findall(r'(<[^>]*data-t="([^"]*)"[^>]*>)([^<]*)', html):
        for part in parts.split():
            found.add(inner.strip() if part == "text" else re.findall(rf'{part}="([^"]*)"', tag)[0])
    return found - {""} - NOT_TRANSLATED - SOURCE_NAMES


def test_every_text_of_the_page_has_its_hindi():
    texts = page_texts()
    assert len(texts) > 300
    assert texts - set(HINDI) == set()


@pytest.mark.parametrize(
    "code",
    [
        'h("p", {}, "Only an admin reads this.")',
        "fill(said, `Refused: ${plain(reason)}`)",
        'h("th", {}, "Outcome")',
        "`${one ? `No. ${one.seq} is decided` : 1}`",
    ],
)
def test_a_text_that_is_not_handed_to_be_translated_would_be_seen(code):
    assert any(READS_LIKE_TEXT.search(said) for said in literals(code))


def test_every_reason_of_a_refusal_has_its_hindi():
    assert {reason.value.replace("_", " ") for reason in Reason} - set(HINDI) == set()


def test_a_hindi_text_has_the_places_of_the_english_one():
    places = re.compile(r"\{\w+\}|%")
    for english, hindi in HINDI.items():
        assert sorted(places.findall(english)) == sorted(places.findall(hindi)), english


def test_the_tutor_profile_is_described_in_hindi():
    assert load_profile("tutor").description in HINDI


@pytest.mark.server
def test_the_tutor_profile_has_a_page_in_hindi_and_english_is_one_button_away(stub, watch, address):
    watched = watch(address)
    page = watched.page
    expect(page.locator("#language")).to_be_hidden()
    page.get_by_label("Profile").select_option("tutor")
    expect(page.locator("html")).to_have_attribute("lang", "hi")
    expect(page.get_by_role("heading", level=1)).to_have_text("आपके दस्तावेज़ क्या कहते हैं?")
    stub.outcome = answered(PRISON)
    page.get_by_label("आपका प्रश्न").fill("What?")
    page.get_by_label("आपका प्रश्न").press("Enter")
    expect(page.get_by_role("button", name="फ़ुटनोट सहित कॉपी करें")).to_be_visible()
    stub.outcome = refused()
    page.get_by_label("आपका प्रश्न").fill("Why?")
    page.get_by_label("आपका प्रश्न").press("Enter")
    expect(page.get_by_role("heading", name="दस्तावेज़ों में उत्तर नहीं है")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="The documents do not contain the answer")).to_be_visible()
    page.goto("about:blank")
    page.goto(f"{address}/")
    expect(page.locator("#language")).to_have_text("हिन्दी")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_label("Your question")).to_be_visible()
    assert watched.errors == []


@pytest.mark.server
def test_a_refusal_keeps_its_figures_in_the_details(stub, opened):
    sentence = "no passage is close enough to the question"
    measured = f"{sentence} (best score 0.16, threshold 0.3)"
    stub.outcome = refused(
        needed={"facet": "a passage that answers the question", "missing": sentence, "detail": measured, "nearest": []}
    )
    entry = ask(opened.page, "?")
    expect(entry.locator(".why")).not_to_contain_text("0.")
    expect(entry.get_by_text("threshold 0.3").first).to_be_hidden()
    entry.get_by_text("Details", exact=True).click()
    expect(entry.get_by_text("threshold 0.3").first).to_be_visible()
    expect(entry.get_by_text("no_relevant_content")).to_be_visible()


LATIN_WORDS = """() => {
  const said = [];
  const keep = (text) => { if (/[A-Za-z]{2,}/.test(text ?? "")) said.push(text.trim()); };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (element.closest("noscript, [hidden], #project, #profile, kbd")) continue;
    if (node.nodeType === Node.TEXT_NODE) keep(node.textContent);
    else for (const name of ["aria-label", "placeholder", "title", "data-name"]) keep(element.getAttribute(name));
  }
  return said;
}"""
# Names, and the words for the role and the tenant, which are in the API too.
SHOWN_AS_THEY_ARE = {"Footnotary", "Footnotary, प्रश्न पूछें", "English", "acme में admin के रूप में", "A1"}


@pytest.mark.server
def test_the_audit_and_the_review_are_in_hindi_to_the_last_word(stub, watch, address):
    at, answer = "2026-11-15T08:00:00Z", "a"
    known = {"at": at, "profile": "१", "answer_id": answer}
    stub.records = [
        known | {"seq": 3, "question": "कौन?", "outcome": "refused", "reason": "claim_uncited"},
        known | {"seq": 2, "question": None, "outcome": "answered", "reason": None},
        known | {"seq": 1, "question": None, "outcome": "loss", "reason": None},
    ]
    case = rejected("दस वर्ष।")
    stub.cases = [case | {"reason": "number_unsupported"}, case | {"id": 2, "seq": 8, "kind": "disputed"}]
    watched = watch(address)
    page = watched.page
    page.get_by_label("Profile").select_option("tutor")
    page.get_by_role("link", name="ऑडिट").click()
    expect(page.locator("#view-audit tbody tr")).to_have_count(3)
    expect(page.get_by_text("उत्तर नहीं दिया गया: वाक्य का संदर्भ नहीं")).to_be_visible()
    page.get_by_role("button", name="शृंखला जाँचें").click()
    expect(page.get_by_text("शृंखला सही है: 2 रिकॉर्ड।")).to_be_visible()
    assert set(page.evaluate(LATIN_WORDS)) <= SHOWN_AS_THEY_ARE
    page.get_by_role("link", name="समीक्षा").click()
    expect(page.get_by_text("मसौदा अस्वीकार हुआ: संख्या का आधार नहीं")).to_be_visible()
    page.locator(".case summary").first.click()
    expect(page.get_by_text("रोका गया: दिया नहीं गया")).to_be_visible()
    assert set(page.evaluate(LATIN_WORDS)) <= SHOWN_AS_THEY_ARE
    page.get_by_role("button", name="आधार नहीं है").click()
    expect(page.get_by_text("क्र. 7 पर निर्णय हो गया।")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Review")).to_be_visible()
    assert watched.errors == []
