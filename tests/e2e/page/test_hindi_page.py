"""The page in Hindi, for pupils: every text of its own, chosen with the tutor profile."""

import re

import pytest

from footnotary.profiles.load import load_profile
from footnotary.service.routes import web_page
from tests.e2e.page.conftest import ask, expect
from tests.e2e.page.stub_service import answered, refused
from tests.e2e.page.test_answers import PRISON

SCRIPTS = web_page.WEB_FOLDER / "scripts"
STRING = r'"((?:[^"\\]|\\.)*)"'
# The log, the review and the texts themselves: an admin reads them, in English.
ENGLISH_ONLY = {"audit.js", "review.js", "texts.js", "hindi.js"}
HINDI = dict(re.findall(rf"^  {STRING}: {STRING},$", (SCRIPTS / "shared/hindi.js").read_text(encoding="utf-8"), re.M))


def page_texts() -> set[str]:
    """The English texts that the scripts and the page hand to `t` or `count`."""
    found: set[str] = set()
    for path in SCRIPTS.rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        if path.name in ENGLISH_ONLY:
            continue
        for call in re.findall(r'\bt\(((?:[^()"`]|"(?:[^"\\]|\\.)*")*)', text):
            found |= set(re.findall(STRING, call))
        for pair in re.findall(rf'\bcount\([^"]*{STRING}, {STRING}', text):
            found |= set(pair)
        if path.name == "words.js":
            found |= {said for said in re.findall(STRING, text.split("/** Recorded texts")[0]) if " " in said}
    html = (web_page.WEB_FOLDER / "index.html").read_text(encoding="utf-8")
    for tag, parts, inner in re.findall(r'(<[^>]*data-t="([^"]*)"[^>]*>)([^<]*)', html):
        for part in parts.split():
            found.add(inner.strip() if part == "text" else re.findall(rf'{part}="([^"]*)"', tag)[0])
    return found - {""}


def test_every_text_of_the_page_has_its_hindi():
    texts = page_texts()
    assert len(texts) > 200
    assert texts - set(HINDI) == set()


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
    figures = "the best passage scores 0.16, 0.30 asked"
    stub.outcome = refused(needed={"facet": "a passage about what is asked", "missing": figures, "nearest": []})
    entry = ask(opened.page, "?")
    expect(entry.locator(".why")).not_to_contain_text("0.")
    expect(entry.get_by_text("below the threshold 0.30").first).to_be_hidden()
    entry.get_by_text("Details", exact=True).click()
    expect(entry.get_by_text("below the threshold 0.30").first).to_be_visible()
    expect(entry.get_by_text("no_relevant_content")).to_be_visible()
