"""Raw requests spoiled at random: never a fault of ours, never a word of the request in a problem.

The long run of 100,000 is `python -m benchmarks.faults.mutated_requests`.
"""

import pytest

from footnotary.service.app import create_app
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from harness.service.listening import listening
from harness.service.mutated_requests import exchanged, good_requests, send_mutated_requests

pytestmark = pytest.mark.server

TRIED = 1_500


@pytest.fixture
def address(home):
    state = ServiceState(
        load_settings({"verifier": "lexical", "home": home, "rate_per_minute": 0}, environ={}), HashEmbedder()
    )
    with listening(create_app(state)) as address:
        yield address


def test_the_requests_that_are_spoiled_are_good_ones(address):
    for raw in good_requests():
        assert exchanged(*address, raw).status == 200, raw


def test_a_spoiled_request_is_answered_or_refused_and_never_a_fault(address, caplog):
    storm = send_mutated_requests(*address, TRIED, seed=20_261_115)
    assert storm.faults == []
    assert storm.echoes == []
    assert storm.seen[200] > 50
    assert sum(count for status, count in storm.seen.items() if status in (400, 404, 405, 413, 415, 422)) > 300
    assert exchanged(*address, good_requests()[0]).status == 200
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
