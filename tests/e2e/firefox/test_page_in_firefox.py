"""The page in Firefox over the real service: the whole way of a first-time user, and axe at both widths."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.firefox.bidi import FIREFOX, Firefox, firefox
from tests.e2e.page.test_with_the_service import QUESTION
from tests.e2e.page.test_with_the_service import service as service

pytestmark = pytest.mark.server

ACT = """# Model Tenancies Act

The landlord shall return the security deposit within thirty days.

The tenant shall pay the rent on the first day of each month.
"""


@pytest.fixture
def browser(tmp_path) -> Iterator[Firefox]:
    pytest.importorskip("websockets", reason="websockets is not installed: pip install websockets")
    found = next((path for path in FIREFOX if Path(path).exists()), None)
    if found is None:
        pytest.skip("Firefox is not installed: apt-get install firefox-esr")
    profile = tmp_path / "profile"
    profile.mkdir()
    with firefox(found, profile) as browser:
        yield browser


def button(browser: Firefox, name: str, within: str = "body") -> str:
    """A selector for the button with a text."""
    found = (
        f"[...document.querySelectorAll({json.dumps(within + ' button')})].find((one) => one.checkVisibility() && "
        f"one.textContent.trim() === {json.dumps(name)})?.setAttribute('data-wanted', {json.dumps(name)}) ?? 1"
    )
    browser.value(found)
    return f"[data-wanted={json.dumps(name)}]"


def ask(browser: Firefox, question: str) -> None:
    before = browser.value("document.querySelectorAll('.entry').length")
    browser.click("#question")
    browser.press(question)
    browser.press("Enter")
    browser.wait(f"document.querySelectorAll('.entry:not([aria-busy])').length === {before + 1}")


def axe_findings(browser: Firefox) -> list[str]:
    library = pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    source = next(Path(library.__file__).parent.rglob("axe.min.js")).read_text(encoding="utf-8")
    browser.send("script.evaluate", expression=source, target={"context": browser.context}, awaitPromise=False)
    return browser.value("axe.run().then((found) => found.violations.map((one) => `${one.id}: ${one.nodes[0].html}`))")


def test_a_first_time_user_gets_along_in_firefox(service, browser, tmp_path):
    act = tmp_path / "act.md"
    act.write_text(ACT, encoding="utf-8")
    browser.open(f"{service}/#documents")
    browser.wait("!!document.querySelector('.head-actions button')")
    browser.click(button(browser, "New project"))
    browser.wait("document.querySelector('#sheet').open")
    browser.press("Tenancy")
    browser.press("Enter")
    browser.wait("document.querySelector('#project').value === 'Tenancy'")
    browser.choose_files("#files", act)
    browser.wait("!!document.querySelector('.upload.is-done')", 90)
    browser.click("button.title")
    browser.wait("document.querySelector('#sheet .reader-text')?.textContent.includes('thirty days')")
    browser.press("Escape")
    browser.value("void (location.hash = '#ask')")
    ask(browser, QUESTION)
    assert "within thirty days" in browser.value("document.querySelector('.entry .words').textContent")
    browser.click(".numeral")
    browser.wait("document.querySelector('#source mark')?.textContent.includes('thirty days')")
    browser.press("Escape")
    browser.wait("document.activeElement.className === 'numeral'")
    ask(browser, "How high may a volcano be?")
    browser.wait("!!document.querySelector('.entry.is-refused .nearest button')")
    assert browser.value("document.querySelectorAll('.entry').length") == 2
    conversation = browser.value("location.hash")
    assert "conv_" in conversation
    for width in (1280, 390):
        browser.open("about:blank")
        browser.open(f"{service}/{conversation}", width)
        browser.wait("document.querySelectorAll('.entry.is-answered').length === 1")
        assert axe_findings(browser) == []
        assert browser.value("document.documentElement.scrollWidth") <= width
    browser.click(".entry .edit")
    browser.wait("document.activeElement.matches('.editor textarea')")
    browser.press("Escape")
    browser.wait("document.activeElement.matches('.edit')")
    assert browser.errors == []


def test_the_tutor_page_is_in_hindi_in_firefox(service, browser):
    browser.open(service)
    browser.wait("document.querySelectorAll('#profile option').length > 1")
    chosen = "(e) => { e.value = 'tutor'; e.dispatchEvent(new Event('change', { bubbles: true })); return 1; }"
    browser.value(f"({chosen})(document.querySelector('#profile'))")
    browser.wait("document.documentElement.lang === 'hi'")
    assert "आपके दस्तावेज़" in browser.value("document.querySelector('h1').textContent")
    assert axe_findings(browser) == []
    assert browser.errors == []
