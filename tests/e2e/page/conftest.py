"""A real browser in front of the page, with every request it makes written down."""

import contextlib
import select
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from tests.e2e.page.stub_service import StubService, stub_app

CHROMIUM = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
QUIET = [
    "--no-sandbox",  # tests run as root in containers
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
]
PATIENCE_MS = 30_000  # a machine with other work is slow, not wrong


@dataclass
class Watched:
    """A page under watch: what it asked for, and what went wrong in it."""

    page: Any
    address: str
    requests: list[str] = field(default_factory=list[str])
    errors: list[str] = field(default_factory=list[str])
    dialogs: list[str] = field(default_factory=list[str])

    @property
    def outbound(self) -> list[str]:
        """Requests to anywhere but the service; what a blob holds never left it."""
        own = (self.address, f"blob:{self.address}")
        return [url for url in self.requests if not url.startswith(own)]


@dataclass(frozen=True)
class Sink:
    """Listens and is never meant to hear: a connection to it, whatever made it, is what hostile texts are after."""

    listener: socket.socket

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/"

    def heard(self, within_s: float = 0) -> bool:
        """Whether anybody connected."""
        if not select.select([self.listener], [], [], within_s)[0]:
            return False
        self.listener.accept()[0].close()
        return True


@contextlib.contextmanager
def serving(app: Any) -> Iterator[str]:
    """The application on a free port of this machine, until the end of the block."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)


# One browser per module: as long as Playwright runs, nothing else in this thread can run an event loop of its own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    found = next((path for path in CHROMIUM if Path(path).exists()), None)
    if found is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    sync_api.expect.set_options(timeout=PATIENCE_MS)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def sink() -> Iterator[Sink]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield Sink(listener)


@pytest.fixture(scope="session")
def served() -> Iterator[tuple[StubService, str]]:
    stub = StubService()
    with serving(stub_app(stub)) as address:
        yield stub, address


@pytest.fixture
def stub(served: tuple[StubService, str]) -> StubService:
    """The service behind the page, as new."""
    served[0].__init__()
    return served[0]


@pytest.fixture
def address(stub: StubService, served: tuple[StubService, str]) -> str:
    return served[1]


@pytest.fixture
def watch(browser: Any) -> Iterator[Any]:
    """Opens an address in a fresh browser profile: `watch(address, width=390, color_scheme="dark")`.

    The page has loaded what there is to choose from, or asks for a key.
    """
    contexts: list[Any] = []

    def opened(address: str, *, width: int = 1280, height: int = 900, **options: Any) -> Watched:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        watched = Watched(page, address)
        context.on("request", lambda request: watched.requests.append(request.url))
        page.on("pageerror", lambda error: watched.errors.append(str(error)))
        page.on("console", lambda said: watched.errors.append(said.text) if said.type == "error" else None)
        page.on("dialog", lambda dialog: (watched.dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(address + "/")
        page.locator("#profile option, #sheet[open]").first.wait_for(state="attached")
        return watched

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def opened(watch: Any, address: str) -> Any:
    return watch(address)


def expect(what: Any) -> Any:
    """An assertion that waits until it holds: the page draws after the test has clicked."""
    from playwright.sync_api import expect as waiting

    return waiting(what)


def ask(page: Any, question: str) -> Any:
    """Asks, and gives the new entry once it is settled."""
    entries, field = page.locator(".entry"), page.get_by_label("Your question")
    before = entries.count()
    field.fill(question)
    field.press("Enter")
    expect(entries).to_have_count(before + 1)
    entry = entries.nth(before)
    expect(entry).not_to_have_attribute("aria-busy", "true")
    return entry
