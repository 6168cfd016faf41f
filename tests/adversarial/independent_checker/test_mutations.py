"""The seeded bugs of `benchmarks.verify_release.mutation` can be applied, and all requirements are pinned."""

from importlib.util import find_spec
from pathlib import Path

import pytest

import benchmarks.verify_release.__main__ as run
from benchmarks.verify_release.mutation.seeded_bugs import BUGS
from benchmarks.verify_release.promises import PROMISES
from benchmarks.verify_release.repeated_tests import SETS
from benchmarks.verify_release.supply_chain import check_pins, pins
from benchmarks.verify_release.tally import Tally

ROOT = Path(__file__).parents[3]


def test_there_are_enough_and_no_two_are_called_the_same():
    assert len({bug.name for bug in BUGS}) == len(BUGS) >= 50


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_each_changes_what_is_there_and_leaves_python(bug):
    source = Path(find_spec(bug.module).origin).read_text(encoding="utf-8")
    assert bug.old in source
    compile(source.replace(bug.old, bug.new), bug.module, "exec")
    assert all((ROOT / test.partition("::")[0]).exists() for test in bug.tests.split())


def test_each_promise_has_a_harness_and_a_bug_of_its_own():
    names = {bug.name for bug in BUGS}
    assert all(bug in names for _, bug in SETS.values())
    assert all(
        promise.seeded_bug_attempts > 0 and callable(promise.harness())
        for promise in PROMISES
        if promise.name != "streams"
    )


def test_batches_add_up():
    total = Tally()
    for _ in range(3):
        total.add(Tally(attempts=2, failed=1, notes=["x"], seen={"a": 2}))
    assert (total.attempts, total.failed, total.seen) == (6, 3, {"a": 6})


def test_every_requirement_is_pinned_with_a_hash():
    assert check_pins() == []


def test_a_requirement_without_a_version_is_noticed(tmp_path):
    (tmp_path / "loose.txt").write_text("numpy>=1.26\n", encoding="utf-8")
    with pytest.raises(ValueError, match="not a pinned version"):
        list(pins(tmp_path / "loose.txt"))


def test_a_harness_that_broke_has_not_found_its_bug():
    assert run._row(PROMISES[0], (Tally(attempts=1, failed=1, broken=True), 1.0), [])["seeded_bug_found"] is False
    assert run._row(PROMISES[0], (Tally(attempts=1, failed=1), 1.0), [])["seeded_bug_found"] is True
