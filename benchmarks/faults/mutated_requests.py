"""100,000 raw requests with mutated bytes against a running service: `python -m benchmarks.faults.mutated_requests`.

Nothing may be answered with 5xx, and no problem may repeat a word of the request. Writes
`benchmarks/results/faults/http-mutations.json`.
"""

import argparse
import json
import logging
import resource
import tempfile
import time
from importlib import resources
from pathlib import Path

from footnotary.service.app import create_app
from footnotary.service.auth.api_keys import ApiKeyStore
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from harness.service.listening import listening
from harness.service.mutated_requests import send_mutated_requests

RESULT = Path(__file__).parents[1] / "results" / "faults" / "http-mutations.json"
CORPUS = Path(str(resources.files("footnotary"))) / "demo_corpus"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--requests", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--threads", type=int, default=16)
    given = options.parse_args()
    logged: list[str] = []
    logging.getLogger("footnotary").addHandler(_ErrorLogHandler(logged))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        ring = ApiKeyStore(home)
        _, token = ring.create("local", "admin")
        ring.close()
        state = ServiceState(
            load_settings({"verifier": "lexical", "home": home, "rate_per_minute": 0}, environ={}), HashEmbedder()
        )
        for name in ("ipc_digest.txt", "hipaa_digest.txt"):
            state.tenant("local").corpus.ingest_text(name, (CORPUS / name).read_text(encoding="utf-8"), "demo")
        with listening(create_app(state)) as (host, port):
            started = time.monotonic()
            storm = send_mutated_requests(host, port, given.requests, given.seed, token, given.threads)
            took_s = time.monotonic() - started
    result = {
        "requests": given.requests,
        "seed": given.seed,
        "seconds": round(took_s, 1),
        "statuses": {str(status): count for status, count in sorted(storm.seen.items(), key=lambda item: str(item[0]))},
        "server_errors": len(storm.faults),
        "problems_that_repeat_the_request": len(storm.echoes),
        "faults_logged": len(logged),
        "bound_95": round(3 / given.requests, 6),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    print(json.dumps(result, indent=2))
    for raw, reply in (storm.faults + storm.echoes)[:5]:
        print(ascii(raw[:400]), ascii(reply[:400]))
    if given.requests >= 100_000:
        RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 1 if storm.faults or storm.echoes or logged else 0


class _ErrorLogHandler(logging.Handler):
    def __init__(self, logged: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._logged = logged

    def emit(self, record: logging.LogRecord) -> None:
        self._logged.append(f"{record.getMessage()} {getattr(record, 'kind', '')} {getattr(record, 'place', '')}")


if __name__ == "__main__":
    raise SystemExit(main())
