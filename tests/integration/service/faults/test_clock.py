"""FAULTS E8: the wall clock jumps back and forth, by an hour and by decades, past 2038. Only what people read follows it."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from footnotary.audit.chain_verification import IntactChain
from footnotary.audit.log import AuditLog
from footnotary.settings import load_settings
from footnotary.wiring import audit_head, open_audit_signer, tenant_folder
from tests.integration.service.support.clock_jumps import JUMPS

# In place of the C library's: the kernel's clock with an offset that another process, or the same one, may set.
SHIM = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile long *offset;
__attribute__((constructor)) static void begin(void) {
    int file = open(getenv("TEST_CLOCK"), O_RDONLY);
    void *shared = mmap(0, 8, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (shared != MAP_FAILED) offset = shared;
}
int clock_gettime(clockid_t id, struct timespec *now) {
    int failed = syscall(SYS_clock_gettime, id, now);
    if (!failed && offset && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) now->tv_sec += *offset;
    return failed;
}
int gettimeofday(struct timeval *now, void *zone) {
    struct timespec found;
    int failed = clock_gettime(CLOCK_REALTIME, &found);
    now->tv_sec = found.tv_sec, now->tv_usec = found.tv_nsec / 1000;
    return failed;
}
time_t time(time_t *now) {
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (now) *now = found.tv_sec;
    return found.tv_sec;
}
"""

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(sys.platform != "linux" or shutil.which("gcc") is None, reason="needs Linux and a C compiler"),
]


@pytest.fixture(scope="module")
def jumped(filled_home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict, Path]:
    """What a service saw whose clock jumped, and its home."""
    folder = tmp_path_factory.mktemp("clock")
    home = Path(shutil.copytree(filled_home, folder / "home"))
    (folder / "shim.c").write_text(SHIM)
    (folder / "offset").write_bytes(bytes(8))
    shim = folder / "shim.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", shim, folder / "shim.c"], check=True)
    script = "import sys; from tests.integration.service.support.clock_jumps import main; main(*sys.argv[1:])"
    if "FOOTNOTARY_SEEDED_BUG" in os.environ:
        script = f"import benchmarks.verify_release.mutation.pytest_plugin; {script}"
    done = subprocess.run(
        [sys.executable, "-c", script, str(home), str(folder / "offset")],
        env=os.environ | {"LD_PRELOAD": str(shim), "TEST_CLOCK": str(folder / "offset")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert found["jumped"], "the clock did not jump"
    return found, home


def test_e8_limits_of_rate_follow_no_wall_clock(jumped):
    assert jumped[0]["refused"] == [True] * len(JUMPS)
    assert jumped[0]["filled"], "after the clock was set back, the bucket waits for it"


def test_e8_a_repeated_request_is_known_whatever_the_clock_says(jumped):
    found, _ = jumped
    assert found["again"] == [True] * len(JUMPS)
    assert [one["replayed"] for one in found["seen"]] == [True] * len(JUMPS)


def test_e8_questions_are_answered_and_files_indexed_in_any_year(jumped):
    seen = jumped[0]["seen"]
    assert min(one["year"] for one in seen) < 2000
    assert max(one["year"] for one in seen) > 2100
    assert [one["status"] for one in seen] == [[200, 200, 202]] * len(JUMPS)
    assert {tuple(one["cited"]) for one in seen} == {("IPC_417_0",)}
    assert {one["job"] for one in seen} == {"done"}


def test_e8_records_keep_their_order_and_the_log_is_intact(jumped):
    settings = load_settings({"verifier": "lexical", "home": jumped[1]}, environ={})
    with closing(AuditLog(tenant_folder(settings) / "audit.db", audit_head(settings), read_only=True)) as log:
        records = log.records(limit=1000)
        signer = open_audit_signer(settings)
        assert isinstance(log.verify(signer.public if signer else None), IntactChain)
    assert [record.seq for record in records] == list(range(1, len(records) + 1))
    said = [record.says["at"] for record in records]
    assert len(said) == 2 * len(JUMPS)
    assert said != sorted(said), "the clock was not the records' own"
