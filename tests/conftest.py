"""Most tests hold rules to their promises, and run without the trained judge; `judged` ones run with it."""

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: no test is timed.
settings.register_profile("footnotary", deadline=None)
settings.load_profile("footnotary")


@pytest.fixture(autouse=True)
def verifier(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that a test starts inherit the choice."""
    if request.node.get_closest_marker("judged") is None:
        monkeypatch.setenv("FOOTNOTARY_VERIFIER", "lexical")
    else:
        monkeypatch.delenv("FOOTNOTARY_VERIFIER", raising=False)
    return


@pytest.fixture(autouse=True)
def warned_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A former name warns once per process; here once per test, so that none of ours goes unnoticed."""
    monkeypatch.setattr("footnotary.deprecated._warned", set())
