"""Drives the Firefox of the system over WebDriver BiDi, which it speaks itself: no driver, no patched browser."""

import contextlib
import json
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PATIENCE_S = 40.0
FIREFOX = ("/usr/bin/firefox-esr", "/usr/bin/firefox")
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "ArrowRight": "\ue014", "ArrowLeft": "\ue012"}
# Nothing but the page is loaded: no updates, no telemetry, no start page.
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "ui.prefersReducedMotion": 1,
}


@dataclass
class Firefox:
    """One browsing context, and every error it reported."""

    socket: Any
    context: str = ""
    number: int = 0
    errors: list[str] = field(default_factory=list[str])

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            reply = json.loads(self.socket.recv(timeout=PATIENCE_S))
            if reply.get("id") == self.number:
                assert reply["type"] == "success", f"{method}: {reply.get('error')}: {reply.get('message')}"
                return reply["result"]
            if reply.get("method") == "log.entryAdded" and reply["params"]["level"] == "error":
                self.errors.append(reply["params"]["text"])

    def open(self, url: str, width: int = 1280, height: int = 900) -> None:
        self.send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})
        self.send("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def value(self, expression: str) -> Any:
        """What an expression gives, as JSON data; a promise is waited for."""
        said = self.send(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})))()",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert said["type"] == "success", f"{expression}: {said}"
        result = said["result"]
        return json.loads(result["value"]) if result["type"] == "string" else None

    def wait(self, expression: str, patience_s: float = PATIENCE_S) -> Any:
        """Waits until an expression is true, and gives what it is then."""
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            if found := self.value(expression):
                return found
            time.sleep(0.1)
        raise AssertionError(f"never true: {expression}")

    def node(self, selector: str) -> dict[str, Any]:
        self.wait(f"!!document.querySelector({json.dumps(selector)})")
        found = self.send(
            "browsingContext.locateNodes", context=self.context, locator={"type": "css", "value": selector}
        )
        return {"sharedId": found["nodes"][0]["sharedId"]}

    def click(self, selector: str) -> None:
        element = self.node(selector)
        self.value(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        origin = {"type": "element", "element": element}
        pressed = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": pressed}
        self.send("input.performActions", context=self.context, actions=[mouse])

    def press(self, keys: str) -> None:
        """Presses a key by its name, or types a text letter by letter."""
        letters = [KEYS[keys]] if keys in KEYS else list(keys)
        strokes = [{"type": kind, "value": letter} for letter in letters for kind in ("keyDown", "keyUp")]
        self.send(
            "input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": strokes}]
        )

    def choose_files(self, selector: str, *files: Path) -> None:
        paths = [str(path) for path in files]
        self.send("input.setFiles", context=self.context, element=self.node(selector), files=paths)


@contextlib.contextmanager
def firefox(executable: str, profile: Path) -> Iterator[Firefox]:
    """A headless Firefox with a profile of its own, until the end of the block."""
    from websockets.sync.client import connect

    written = "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
    (profile / "user.js").write_text(written, encoding="utf-8")
    command = [executable, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stderr is not None
            found = (re.search(r"BiDi listening on (ws://\S+)", line) for line in process.stderr)
            address = next(match.group(1) for match in found if match)
            with connect(f"{address}/session", max_size=None, open_timeout=PATIENCE_S) as socket:
                browser = Firefox(socket)
                browser.send("session.new", capabilities={})
                browser.send("session.subscribe", events=["log.entryAdded"])
                browser.context = browser.send("browsingContext.create", type="tab")["context"]
                yield browser
        finally:
            process.terminate()
            process.wait(30)
