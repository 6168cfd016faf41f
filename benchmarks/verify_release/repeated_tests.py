"""Promises that the test suite covers with real components: the tests run again here, and must fail with a seeded bug."""

import os
import re
import subprocess
import sys

from benchmarks.verify_release.mutation.seeded_bugs import BUGS
from benchmarks.verify_release.tally import Tally

# For each promise: its tests, and the seeded bug that they must find (see `mutation/seeded_bugs.py`).
SETS = {
    "model_faults": (
        ["tests/integration/test_openai_model.py", "tests/integration/service/faults/test_http_edge_cases.py"],
        "finish_reason",
    ),
    "bombs": (["tests/adversarial/test_ingest_faults.py"], "NaN vectors are stored"),
    "model_output": (["tests/integration/service/faults/test_model_output.py"], "citations_resolve"),
    "store": (["tests/integration/test_store_crash.py"], "no_catch_up"),
    "qdrant": (["tests/integration/qdrant"], "passages that no record names are found"),
    "browser": (
        ["tests/e2e/page/test_hostile_content.py", "tests/e2e/page/test_files.py"],
        "strings become markup in the page",
    ),
    "memory": (["tests/integration/test_out_of_memory.py"], "want of memory is passed over in silence"),
    "clock": (
        ["tests/integration/service/faults/test_clock.py", "tests/unit/service/test_jobs.py"],
        "rates follow the wall clock",
    ),
    "concurrency": (["tests/integration/service/faults/test_concurrency.py"], "threads take over each other's tenant"),
    "questions": (
        [
            "tests/integration/service/faults/test_oracle.py",
            "tests/integration/service/faults/test_questions.py",
            "tests/integration/service/faults/test_no_answer.py",
            "tests/integration/service/faults/test_poisoned.py",
            "tests/integration/service/faults/test_vectors.py",
            "tests/integration/service/test_headers.py",
            "tests/integration/cli/test_terminal.py",
        ],
        "refused drafts tell their details",
    ),
    "connections": (
        ["tests/adversarial/network/test_connections.py", "tests/adversarial/network/test_raw_requests.py"],
        "half a head has no deadline",
    ),
    "permissions": (
        ["tests/integration/test_private_files.py", "tests/unit/service/test_shared_state.py"],
        "new files are readable by everyone",
    ),
    "quotes": (["tests/integration/test_quotes_lead_back.py"], "bytes are counted one too far"),
    "access": (
        ["tests/integration/service/test_access_table.py", "tests/integration/service/test_idempotency.py"],
        "any_key",
    ),
}


def run_attempts(name: str, seeded_bug: bool) -> Tally:
    paths, bug = SETS[name]
    if seeded_bug:
        (tests,) = [one.tests.split() for one in BUGS if one.name == bug]
        # Only the tests that are expected to find the bug, if the set has such: the others would only take time.
        paths = [test for path in paths for test in tests if test.startswith(path)] or paths
    # `-q` only once: given twice, pytest omits the line with the counts.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(["-x"] if seeded_bug else []), *paths]
    environment = os.environ | {
        "FOOTNOTARY_TEST_QDRANT_WHOLE": "1",
        "FOOTNOTARY_CONNECTIONS": "400",
        "FOOTNOTARY_D8_EXAMPLES": "25",
    }
    if seeded_bug:
        command += ["-p", "benchmarks.verify_release.mutation.pytest_plugin"]
        environment["FOOTNOTARY_SEEDED_BUG"] = bug
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=1500)
    counts = {
        word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|errors?|skipped)", done.stdout[-400:])
    }
    failed = counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0)
    tally = Tally(attempts=counts.get("passed", 0) + failed, seen={"skipped": counts.get("skipped", 0)})
    for line in done.stdout.splitlines():
        if line.startswith(("FAILED", "ERROR")):
            tally.fault(line)
    tally.failed = failed or (1 if done.returncode not in (0, 5) else 0)
    if done.returncode not in (0, 1, 5):
        tally.notes.append(done.stdout[-1500:] + done.stderr[-500:])
    if not tally.attempts:
        tally.skipped = "all of its tests were skipped here" if counts.get("skipped") else "no tests ran"
    return tally
