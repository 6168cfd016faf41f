"""F6: raw requests with mutated bytes against a listening service: no 5xx, and no input echoed in an error."""

import tempfile
from importlib import resources
from pathlib import Path

from benchmarks.verify_release.tally import Tally
from footnotary.service.app import create_app
from footnotary.service.auth.api_keys import ApiKeyStore
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from harness.service.listening import listening
from harness.service.mutated_requests import send_mutated_requests

CORPUS = Path(str(resources.files("footnotary"))) / "demo_corpus"


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    with tempfile.TemporaryDirectory() as folder:
        ring = ApiKeyStore(Path(folder))
        _, token = ring.create("local", "admin")
        ring.close()
        given = {"verifier": "lexical", "home": Path(folder), "rate_per_minute": 0}
        state = ServiceState(load_settings(given, environ={}), HashEmbedder())
        for name in ("ipc_digest.txt", "hipaa_digest.txt"):
            state.tenant("local").corpus.ingest_text(name, (CORPUS / name).read_text(encoding="utf-8"), "demo")
        app = create_app(state)
        if seeded_bug:
            app.add_middleware(_FailsOnOtherMethods)
        with listening(app) as (host, port):
            storm = send_mutated_requests(host, port, count, seed, token, 8)
    tally = Tally(attempts=count, seen={f"status {status}": times for status, times in storm.seen.items()})
    for raw, reply in storm.faults + storm.echoes:
        tally.fault(f"{raw[:300]!r} -> {reply[:300]!r}")
    return tally


class _FailsOnOtherMethods:
    """Returns 500 for other methods, like an unchecked look-up."""

    def __init__(self, app) -> None:
        self._app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http" and scope["method"] not in ("GET", "POST"):
            await send({"type": "http.response.start", "status": 500, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        await self._app(scope, receive, send)
