"""Most tests run in lexical mode; those marked `trained` run with the trained models."""

from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: no test is timed.
settings.register_profile("footnotary", deadline=None)
settings.load_profile("footnotary")


# Whole components on disks, sockets and in browsers: `make test` runs one smoke test of each, `make test-all` all.
SLOW_FOLDERS = ("adversarial", "e2e", "integration")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    tests = Path(__file__).parent
    for item in items:
        folder = item.path.relative_to(tests).parts[0] if item.path.is_relative_to(tests) else ""
        if folder in SLOW_FOLDERS and item.get_closest_marker("smoke") is None:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def verifier(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that a test starts inherit the choice."""
    if request.node.get_closest_marker("trained") is None:
        monkeypatch.setenv("FOOTNOTARY_VERIFIER", "lexical")
    else:
        monkeypatch.delenv("FOOTNOTARY_VERIFIER", raising=False)
    return


@pytest.fixture(autouse=True)
def warned_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A former name warns once per process; here once per test, so that none of ours goes unnoticed."""
    monkeypatch.setattr("footnotary.deprecated._warned", set())
