"""E1: a process that stores documents is killed at random moments; what it acknowledged is complete in every index.

Several kills hit the same store, so that the remains of one are there for the next.
"""

import os
import random
import signal
import tempfile
import time
from pathlib import Path

from benchmarks.verify_release.child_process import run_in_child
from benchmarks.verify_release.tally import Tally
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.testing.sample_documents import EMBEDDER, SampleDocument, SamplePassage, make_document
from footnotary.testing.search_queries import all_ids, search_lexical

KILLS_PER_STORE = 10
CHUNKS = 5


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    tally, rng = Tally(), random.Random(seed)
    while tally.attempts < count:
        with tempfile.TemporaryDirectory() as folder:
            held = 0
            for _ in range(min(KILLS_PER_STORE, count - tally.attempts)):
                tally.attempts += 1
                acknowledged = held + _killed(Path(folder), held, rng, seeded_bug)
                found = _inspect_in_child(Path(folder), acknowledged)
                if found["wrong"]:
                    tally.fault(f"{found['wrong']} (acknowledged {acknowledged}, found {found['documents']})")
                    break
                tally.count("acknowledged documents", acknowledged - held)
                held = found["documents"]
    return tally


def document(number: int) -> SampleDocument:
    said = [
        SamplePassage(f"D{number}_{i}_0", f"Passage {i} of document {number} says word{number}.") for i in range(CHUNKS)
    ]
    return make_document(f"doc{number:05}", said)


def opened(folder: Path) -> EmbeddedStore:
    return EmbeddedStore(folder / "tenant", EMBEDDER.name, EMBEDDER.dimensions)


def _killed(folder: Path, start: int, rng: random.Random, seeded_bug: bool) -> int:
    """The number of documents a child had acknowledged when it was killed."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        store = opened(folder)
        for number in range(start, start + 1000):
            if seeded_bug:  # acknowledged before it is stored
                os.write(writer, b".")
            document(number).put_into(store)
            if not seeded_bug:
                os.write(writer, b".")
        os._exit(0)
    os.close(writer)
    seen = len(os.read(reader, 1)) if rng.random() < 0.8 else 0
    time.sleep(rng.random() * rng.choice((0.005, 0.05, 0.15)))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while piece := os.read(reader, 65_536):
        seen += len(piece)
    os.close(reader)
    return seen


def _inspect_in_child(folder: Path, acknowledged: int) -> dict:
    """What another process finds in the store."""
    found = run_in_child(lambda: _inspect(folder, acknowledged))
    return {"documents": 0, "wrong": found["error"]} if "error" in found else found


def _inspect(folder: Path, acknowledged: int) -> dict:
    store = opened(folder)
    documents = store.documents("law")
    wrong = ""
    if len(documents) not in (acknowledged, acknowledged + 1):
        wrong = "documents are missing, or too many"
    elif any(document.chunks != CHUNKS for document in documents):
        wrong = "a document is partial"
    elif len(all_ids(store)) != CHUNKS * len(documents):
        wrong = "the vector index has other passages"
    elif acknowledged and f"D{acknowledged - 1}_0_0" not in search_lexical(store, f"word{acknowledged - 1}", 10):
        wrong = "the last acknowledged document is not found by its words"
    elif problems := store.check(deep=True):
        wrong = problems[0]
    store.close()
    return {"documents": len(documents), "wrong": wrong}
