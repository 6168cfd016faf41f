"""A service whose machine's clock jumps: run by `test_faults_clock.py` in a process whose clock is set by a file.

Prints as JSON what was seen after each jump.
"""

import http.client
import json
import mmap
import struct
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from footnotary.service.app import create_app
from footnotary.service.middleware.idempotency import ResponseCache
from footnotary.service.problems import Problem
from footnotary.service.rate_limits import RateLimiter
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from harness.service.listening import listening, wait_until

HOUR, YEAR = 3600, 365 * 86_400
# Summer time comes and goes, a battery is empty, and the 32 bits of a second count are over.
JUMPS = (0, HOUR, 0, -30 * YEAR, 0, 14 * YEAR, 80 * YEAR, -HOUR)


class Clock:
    """The offset of this process's wall clock."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), 8)

    def jump(self, seconds: int) -> None:
        self._shared[:8] = struct.pack("q", seconds)


def rates(clock: Clock) -> dict[str, object]:
    """A bucket that is empty stays so whatever the clock says, and fills all the same after it went back."""
    bucket, refused = RateLimiter(1), []
    bucket.take("a")
    for jump in JUMPS:
        clock.jump(jump)
        refused.append(not _taken(bucket))
    quick = RateLimiter(6_000)
    clock.jump(YEAR)
    while _taken(quick):
        pass
    clock.jump(-YEAR)
    ends = time.monotonic() + 10
    while not (filled := _taken(quick)) and time.monotonic() < ends:
        time.sleep(0.01)
    return {"refused": refused, "filled": filled}


def _taken(bucket: RateLimiter) -> bool:
    try:
        bucket.take("a")
    except Problem:
        return False
    return True


def replies(clock: Clock) -> dict[str, object]:
    """A reply is kept for its day, whatever the clock says."""
    kept, name, again = ResponseCache(), ("a", "key", "1"), []
    kept.begin(name, b"f")
    kept.end(name, {"status": 200, "headers": []}, b"said")
    for jump in JUMPS:
        clock.jump(jump)
        try:
            found = kept.begin(name, b"f")
        except Problem:  # it is taken for a new one
            found = None
        again.append(found is not None and found.body == b"said")
    return {"again": again}


def served(clock: Clock, home: Path) -> dict[str, object]:
    settings = load_settings({"verifier": "lexical", "home": home, "rate_per_minute": 0}, environ={})
    seen: list[dict[str, object]] = []
    body = {"question": "What is the punishment for cheating?", "project": "demo"}
    with listening(create_app(ServiceState(settings, HashEmbedder()))) as (host, port):

        def said(method: str, path: str, sent: bytes | None = None, **headers: str):
            connection = http.client.HTTPConnection(host, port, timeout=60)
            connection.request(method, path, sent, {"Content-Type": "application/json", **headers})
            response = connection.getresponse()
            found = response.status, json.loads(response.read()), response.getheader("idempotent-replayed")
            connection.close()
            return found

        for number, jump in enumerate(JUMPS):
            key = {"Idempotency-Key": str(number)}
            said("POST", "/v1/ask", json.dumps(body).encode(), **key)
            clock.jump(jump)
            kept = said("POST", "/v1/ask", json.dumps(body).encode(), **key)
            asked = said("POST", "/v1/ask", json.dumps({**body, "k": 5 + number}).encode())
            name = f"/v1/projects/p/documents?name=rule{number}.txt"
            sent = said("POST", name, b"Rule %d. Nobody may whistle." % number, **{"Content-Type": "text/plain"})
            job = f"/v1/jobs/{sent[1]['jobs'][0]['id'] if 'jobs' in sent[1] else sent[1]['id']}"
            wait_until(lambda job=job: said("GET", job)[1]["state"] not in ("queued", "running"))
            seen.append(
                {
                    "year": datetime.now(UTC).year,
                    "replayed": kept[2] == "true",
                    "status": (kept[0], asked[0], sent[0]),
                    "cited": asked[1]["outcome"]["citations"],
                    "job": said("GET", job)[1]["state"],
                }
            )
    return {"seen": seen}


def main(home: str, clock_file: str) -> None:
    clock = Clock(Path(clock_file))
    before = time.time()
    clock.jump(YEAR)
    found: dict[str, object] = {"jumped": time.time() - before > YEAR / 2}
    clock.jump(0)
    print(json.dumps(found | rates(clock) | replies(clock) | served(clock, Path(home))))


if __name__ == "__main__":
    main(*sys.argv[1:])
