"""A service's state over a small act, with the quick embedder."""

import pytest

from footnotary.service.state import ServiceState
from footnotary.settings import load_settings

ACT = """ACT: Indian Penal Code, 1860
CODE: IPC
KIND: act

Section 379. Punishment for theft.
Whoever commits theft shall be punished with imprisonment of either description for a term which may extend to three years, or with fine, or with both.

Section 420. Cheating and dishonestly inducing delivery of property.
Whoever cheats and thereby dishonestly induces the person deceived to deliver any property shall be punished with imprisonment for a term which may extend to seven years, and shall also be liable to fine.
"""


def filled(home, *tenants):
    state = ServiceState(
        load_settings(
            {"verifier": "lexical", "home": home, "embedder": "fast", "project": "law", "profile": "legal"}, {}, home
        )
    )
    for tenant in tenants:
        assert not state.tenant(tenant).corpus.ingest_text("ipc.txt", ACT, "law").failed
    return state


@pytest.fixture
def state(tmp_path):
    state = filled(tmp_path / "home", "local")
    yield state
    state.close()
