"""E3: files cannot grow while an outcome is recorded. No answer is delivered without its record; then all works again."""

import random
import resource
import signal
import tempfile
from contextlib import closing
from importlib import resources
from pathlib import Path

from starlette.testclient import TestClient

from benchmarks.verify_release.tally import Tally
from footnotary.audit.chain_verification import IntactChain
from footnotary.audit.log import AuditLog
from footnotary.errors import BackendError
from footnotary.service.app import create_app
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.wiring import audit_head, tenant_folder

CORPUS = Path(str(resources.files("footnotary"))) / "demo_corpus"
QUESTION = "What is the punishment for cheating?"


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    tally, rng = Tally(), random.Random(seed)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if seeded_bug:
        _seed_bug()
    answered: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        given = {"verifier": "lexical", "home": Path(folder), "rate_per_minute": 0, "answer_cache": "off"}
        settings = load_settings(given, environ={})
        state = ServiceState(settings, HashEmbedder())
        state.tenant("local").corpus.ingest_text("ipc.txt", (CORPUS / "ipc_digest.txt").read_text("utf-8"), "demo")
        with TestClient(create_app(state), base_url="http://localhost") as client:
            for number in range(count):
                tally.attempts += 1
                _ask(client, answered, tally, _file_size_limit(tenant_folder(settings), rng) if number % 3 else None)
        with closing(AuditLog(tenant_folder(settings) / "audit.db", audit_head(settings), read_only=True)) as log:
            for answer_id in answered:
                if log.find(answer_id) is None:
                    tally.fault(f"the answer {answer_id} was delivered without a record")
            if not isinstance(log.verify(), IntactChain):
                tally.fault("the log does not verify afterwards")
    return tally


def _file_size_limit(folder: Path, rng: random.Random) -> int:
    """A file size limit near the size of the log's journal."""
    journal = folder / "audit.db-wal"
    size = journal.stat().st_size if journal.exists() else 4096
    return max(size + rng.randint(-8192, 8192), 1024)


def _ask(client: TestClient, answered: list[str], tally: Tally, limit: int | None) -> None:
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard if limit is None else limit, hard))
    try:
        response = client.post("/v1/ask", json={"question": QUESTION, "project": "demo"})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    tally.count(f"status {response.status_code}")
    if response.status_code == 200:
        answered.append(response.json()["answer_id"])
    elif response.status_code != 503 or "imprison" in response.text:
        tally.fault(f"{response.status_code}: {response.text}")
    elif limit is None:
        tally.fault("the error persists although there is room again")


def _seed_bug() -> None:
    """A log that returns an earlier record if it cannot write one."""
    written = AuditLog.append
    kept = []

    def append(self, entry):
        try:
            kept.append(written(self, entry))
        except BackendError:
            return kept[-1]
        return kept[-1]

    AuditLog.append = append
