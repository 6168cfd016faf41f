"""Most tests run in lexical mode; those marked `trained` run with the trained models."""

import io
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from footnotary.service.observability.json_logs import configure_logs

# A busy machine is no fault of the code: no test is timed. One commit has one result: new examples are looked for with
# HYPOTHESIS_PROFILE=explore, and kept with @example.
settings.register_profile("footnotary", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "footnotary"))


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


@pytest.fixture
def logs() -> Iterator[io.StringIO]:
    """The logs of this process as the service writes them; the loggers are put back as they were."""
    stream = io.StringIO()
    loggers = [logging.getLogger(name) for name in ("", "footnotary", "uvicorn.access")]
    before = [(logger, logger.handlers[:], logger.level, logger.disabled) for logger in loggers]
    configure_logs(stream)
    yield stream
    for logger, handlers, level, disabled in before:
        logger.handlers, logger.disabled = handlers, disabled
        logger.setLevel(level)
