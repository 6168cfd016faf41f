"""E6: SIGTERM under load: the server completes accepted requests and exits with 0 in time."""

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from benchmarks.verify_release.tally import Tally
from footnotary.audit.chain_verification import IntactChain
from footnotary.audit.log import AuditLog
from footnotary.cli.questions.demo import corpus_folder
from footnotary.settings import load_settings
from footnotary.wiring import audit_head, opened, tenant_folder

ASKERS = 6
GRACE_S = 30
BODY = json.dumps({"question": "What is the punishment for cheating?", "project": "demo"})


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    tally, rng = Tally(), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(
            {"verifier": "lexical", "home": Path(folder), "embedder": "fast", "project": "demo"}, environ={}
        )
        with opened(settings) as open_:
            open_.corpus.ingest([corpus_folder()], "demo")
        for _ in range(count):
            tally.attempts += 1
            answered: list[str] = []
            wrong = _round(folder, rng, signal.SIGKILL if seeded_bug else signal.SIGTERM, answered, tally)
            wrong += _unrecorded(tenant_folder(settings) / "audit.db", audit_head(settings), answered)
            if wrong:
                tally.fault("; ".join(wrong[:3]))
            tally.count("answers", len(answered))
    return tally


def _unrecorded(place: Path, head: Path, answered: list[str]) -> list[str]:
    if not place.exists():
        return ["an answer was delivered without a record"] if answered else []
    with closing(AuditLog(place, head, read_only=True)) as log:
        lost = any(log.find(answer_id) is None for answer_id in answered)
        broken = not isinstance(log.verify(), IntactChain)
    return [
        *(["an answer was delivered without a record"] if lost else []),
        *(["the log does not verify"] if broken else []),
    ]


def _round(home: str, rng: random.Random, stop: signal.Signals, answered: list[str], tally: Tally) -> list[str]:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {
        "FOOTNOTARY_HOME": home, "FOOTNOTARY_EMBEDDER": "fast", "FOOTNOTARY_RATE_PER_MINUTE": "0", "FOOTNOTARY_ANSWER_CACHE": "off",
    }  # fmt: skip
    command = [sys.executable, "-c", "from footnotary.cli.main import main; main()", "serve", "--port", str(port)]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wrong: list[str] = []
    try:
        if not _ready(port):
            return ["it did not start"]
        over = threading.Event()
        askers = [threading.Thread(target=_ask, args=(port, over, answered, wrong, tally)) for _ in range(ASKERS)]
        for asker in askers:
            asker.start()
        time.sleep(0.05 + rng.random())
        server.send_signal(stop)
        started = time.monotonic()
        try:
            status = server.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            status = None
        over.set()
        for asker in askers:
            asker.join()
        if status != 0:
            wrong.append(f"exited with {status} after {time.monotonic() - started:.1f} s")
    finally:
        if server.poll() is None:
            server.kill()
            server.wait()
    return wrong


def _ready(port: int) -> bool:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
                connection.request("GET", "/healthz")
                if connection.getresponse().status == 200:
                    return True
        except OSError:
            time.sleep(0.05)
    return False


def _ask(port: int, over: threading.Event, answered: list[str], wrong: list[str], tally: Tally) -> None:
    while not over.is_set():
        response = None
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=GRACE_S)) as connection:
                connection.request("POST", "/v1/ask", BODY, {"Content-Type": "application/json"})
                response = connection.getresponse()
                said = json.loads(response.read())
        except ValueError:
            wrong.append("a truncated response")
        except http.client.IncompleteRead:
            wrong.append("an incomplete response")
        except (OSError, http.client.HTTPException):
            tally.count("rejected")  # before any byte of a response: the client knows it was not processed
            time.sleep(0.02)
        else:
            if response.status == 200:
                answered.append(said["answer_id"])
            elif response.status not in (429, 503):
                wrong.append(f"status {response.status}")
