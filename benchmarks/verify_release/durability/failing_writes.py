"""E2: the n-th write or sync of a process that stores documents fails with EIO, ENOSPC or EDQUOT (injected by strace).

Everything acknowledged must be complete afterwards, and the store must work again.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.verify_release.durability.killed_ingest import CHUNKS, document, opened
from benchmarks.verify_release.tally import Tally
from footnotary.errors import FootnotaryError
from footnotary.testing.search_queries import all_ids

CALLS = "write,pwrite64,fsync,fdatasync,ftruncate,rename"
ERRORS = ("EIO", "ENOSPC", "EDQUOT")
DOCUMENTS = 3
LAST = 220  # a run without faults makes about as many of these calls


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    if shutil.which("strace") is None:
        return Tally(skipped="strace is not installed")
    tally, rng = Tally(), random.Random(seed)
    for _ in range(count):
        error, nth = rng.choice(ERRORS), rng.randint(1, LAST)
        with tempfile.TemporaryDirectory() as folder:
            opened(Path(folder)).close()
            acknowledged = _run_with_fault(Path(folder), error, nth, seeded_bug)
            tally.attempts += 1
            wrong = _inspect(Path(folder), acknowledged)
            if wrong:
                tally.fault(f"{error} at call {nth}: {wrong}")
            tally.count("all stored" if len(acknowledged) == DOCUMENTS else "some refused")
    return tally


def _run_with_fault(folder: Path, error: str, nth: int, seeded_bug: bool) -> set[int]:
    injected = ["-e", f"trace={CALLS}", "-e", f"inject={CALLS}:error={error}:when={nth}"]
    command = [
        sys.executable,
        "-m",
        "benchmarks.verify_release.durability.failing_writes",
        str(folder),
        "seeded-bug" if seeded_bug else "",
    ]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", *injected, *command],
        capture_output=True,
        env=environment,
        timeout=120,
    )
    return {int(number) for number in done.stdout.split()}


def _inspect(folder: Path, acknowledged: set[int]) -> str:
    try:
        store = opened(folder)
        held = {document.id: document.chunks for document in store.documents("law")}
        if lost := [number for number in acknowledged if held.get(f"doc{number:05}") != CHUNKS]:
            return f"acknowledged but missing: {lost}"
        if any(chunks != CHUNKS for chunks in held.values()):
            return "a document is partial"
        if len(all_ids(store)) != CHUNKS * len(held):
            return "the vector index has other passages"
        if problems := store.check(deep=True):
            return problems[0]
        document(77).put_into(store)
        if len(all_ids(store)) != CHUNKS * (len(held) + 1):
            return "a later document is not found"
        store.close()
    except FootnotaryError as error:
        return f"afterwards: {error}"
    return ""


def main(folder: str, seeded_bug: str) -> None:
    """Stores documents and writes the numbers of those stored, with a system call that is not failed."""
    store = None
    for number in range(DOCUMENTS):
        try:
            store = store or opened(Path(folder))
            document(number).put_into(store)
        except FootnotaryError:
            if not seeded_bug:
                continue
        os.writev(1, [f"{number}\n".encode()])


if __name__ == "__main__":
    main(*sys.argv[1:])
