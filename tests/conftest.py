"""Most tests hold rules to their promises, and run without the trained judge; `judged` ones run with it."""

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: no test is timed.
settings.register_profile("footnotary", deadline=None)
settings.load_profile("footnotary")


@pytest.fixture(autouse=True)
def judge(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that a test starts inherit the choice."""
    if request.node.get_closest_marker("judged") is None:
        monkeypatch.setenv("FOOTNOTARY_JUDGE", "words")
    else:
        monkeypatch.delenv("FOOTNOTARY_JUDGE", raising=False)
    return
