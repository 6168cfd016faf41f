"""Makes the screenshots of the web page in the documentation, from a real service in real Chromium.

    python -m benchmarks.service.screenshots [--out docs/images]

It uploads three made-up files to an empty service, asks questions as a first-time user would, and writes
`page-*.png`, each below 200 KB.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from footnotary.service.app import create_app
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from harness.service.listening import listening

OUT = Path(__file__).parents[2] / "docs" / "images"
CHROMIUM = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
MAX_BYTES = 200_000
PATIENCE_MS = 120_000
DESK, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}

SECTIONS = (
    ("Short title", "This Act may be called the Model Residential Tenancies Act, 2024."),
    ("Agreement in writing", "No premises shall be let except by an agreement in writing."),
    ("Security deposit", "The security deposit shall not exceed two months' rent."),
    (
        "Return of the security deposit",
        "The landlord shall return the security deposit to the tenant within thirty days after the tenant gives up "
        "possession of the premises. The landlord may deduct from it only unpaid rent and the cost of repairing damage "
        "beyond fair wear and tear.",
    ),
    ("Repairs", "The landlord shall keep the structure and the roof of the premises in good repair."),
    ("Entry", "The landlord shall not enter the premises without a notice in writing of twenty-four hours."),
)
GUIDE = """# Guide for tenants

## Moving in

Make a list of every fault of the flat on the first day and send it to the landlord.

## Pets

A tenant may keep a cat or a small dog with the consent of the landlord.
"""
HOUSE_RULES = """# House rules

## Quiet hours

Music must not be heard in other flats from 10 p.m. to 6 a.m.

## Bicycles

Bicycles are kept in the cellar.
"""
QUESTIONS = (
    "When must the landlord return the security deposit?",
    "Who must keep the roof in good repair?",
    "What is the fine for loud music?",
)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", type=Path, default=OUT, help="the folder to write to")
    out: Path = arguments.parse_args().out
    found = next((path for path in CHROMIUM if Path(path).exists()), None)
    if found is None:
        arguments.error("Chromium is not installed: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings({"home": Path(folder) / "home"}, environ={})
        with listening(create_app(ServiceState(settings))) as (host, port), sync_playwright() as playwright:
            expect.set_options(timeout=PATIENCE_MS)
            browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
            shots = _Shots(browser, f"http://{host}:{port}", out)
            shots.take()
            browser.close()


class _Shots:
    """One visit to an empty service, photographed on the way."""

    def __init__(self, browser: Browser, address: str, out: Path) -> None:
        self.browser = browser
        self.address = address
        self.out = out

    def take(self) -> None:
        page = self._page(DESK)
        self._upload(page)
        self._save(page, "page-documents")
        self._read(page)
        self._save(page, "page-document")
        page.get_by_role("button", name="Close").click()
        page.get_by_role("link", name="Ask", exact=True).click()
        self._ask(page, QUESTIONS[0])
        self._ask(page, QUESTIONS[1])
        page.locator(".entry").first.locator(".numeral").first.click()
        page.locator("#source img").wait_for()
        page.wait_for_timeout(1500)
        self._save(page, "page-answer")
        page.keyboard.press("Escape")
        self._ask(page, QUESTIONS[2])
        page.locator(".nearest .passages").wait_for()
        page.mouse.move(0, 0)
        page.wait_for_timeout(500)
        self._save(page, "page-refusal")
        phone = self._page(PHONE, "dark", page.url)
        phone.locator(".entry").nth(2).wait_for()
        phone.locator(".entry").first.evaluate("(entry) => entry.scrollIntoView()")
        self._save(phone, "page-phone")
        pupil = self._page(PHONE)
        pupil.locator("#profile").select_option("tutor")
        pupil.locator("html[lang=hi]").wait_for(state="attached")
        pupil.wait_for_timeout(500)
        self._save(pupil, "page-hindi")

    def _page(self, size: Any, scheme: Any = "light", url: str | None = None) -> Page:
        context = self.browser.new_context(
            viewport=size, color_scheme=scheme, reduced_motion="reduce", device_scale_factor=1.25
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(url or self.address)
        page.locator("#profile option").first.wait_for(state="attached")
        return page

    def _upload(self, page: Page) -> None:
        page.get_by_role("link", name="Documents", exact=True).click()
        page.get_by_role("button", name="New project").click()
        page.get_by_label("Name").fill("Tenancy law")
        page.get_by_role("button", name="Create").click()
        page.get_by_text("No documents yet.").wait_for()
        files = {"act.pdf": self._act(), "guide.md": GUIDE.encode(), "house-rules.md": HOUSE_RULES.encode()}
        page.locator("#files").set_input_files(
            [{"name": name, "mimeType": "application/octet-stream", "buffer": data} for name, data in files.items()]
        )
        expect(page.locator(".upload.is-done")).to_have_count(len(files))
        expect(page.locator("tbody tr")).to_have_count(len(files))

    def _act(self) -> bytes:
        """The act as a PDF, printed by the browser."""
        body = "".join(f"<p>{n}. {title}.&mdash;{text}</p>" for n, (title, text) in enumerate(SECTIONS, 1))
        printer = self.browser.new_page()
        printer.set_content(f"<h1>THE MODEL RESIDENTIAL TENANCIES ACT, 2024</h1>{body}")
        try:
            return printer.pdf(format="A5", margin={"top": "2cm", "left": "2cm", "right": "2cm", "bottom": "2cm"})
        finally:
            printer.close()

    def _read(self, page: Page) -> None:
        page.locator("button.title").first.click()
        page.get_by_label("Search in this document").fill("security deposit")
        page.locator(".reader mark.is-current").wait_for()
        page.get_by_role("button", name="Show the page").first.click()
        page.locator(".reader-image img").wait_for()
        page.wait_for_timeout(500)
        page.locator(".sheet").evaluate("(sheet) => sheet.scrollTo(0, 0)")

    def _ask(self, page: Page, question: str) -> None:
        before = page.locator(".entry").count()
        page.get_by_label("Your question").fill(question)
        page.get_by_label("Your question").press("Enter")
        expect(page.locator(".entry:not([aria-busy])")).to_have_count(before + 1)

    def _save(self, page: Page, name: str) -> None:
        data = smallest(page.screenshot(), (256, 128, 64, 32))
        self.out.mkdir(parents=True, exist_ok=True)
        (self.out / f"{name}.png").write_bytes(data)
        print(f"{name}.png: {len(data) / 1000:.0f} KB", flush=True)


def smallest(picture: bytes, colours: tuple[int, ...]) -> bytes:
    """The picture with as many colours as fit into the limit. Raises `ValueError` if it does not fit at all."""

    image = Image.open(io.BytesIO(picture)).convert("RGB")
    for number in colours:
        data = _png(image.quantize(number, dither=Image.Dither.NONE))
        if len(data) < MAX_BYTES:
            return data
    raise ValueError(f"a screenshot of {image.width} x {image.height} pixels does not fit into {MAX_BYTES} bytes")


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    main()
