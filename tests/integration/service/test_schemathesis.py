"""The service against its own OpenAPI document: what it takes, answers and refuses is as described.

`FOOTNOTARY_SCHEMATHESIS_EXAMPLES=200 pytest tests/integration/service/test_schemathesis.py` looks longer.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from footnotary.service.app import create_app
from footnotary.service.auth.api_keys import ApiKeyStore
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from harness.service.listening import listening

pytestmark = pytest.mark.server

HERE = Path(__file__).parent
SEED = os.environ.get("FOOTNOTARY_SCHEMATHESIS_SEED", "1")
EXAMPLES = os.environ.get("FOOTNOTARY_SCHEMATHESIS_EXAMPLES", "2")


def test_every_operation_is_as_described(home):
    ring = ApiKeyStore(home)
    _, token = ring.create("local", "admin")
    ring.close()
    state = ServiceState(
        load_settings({"verifier": "lexical", "home": home, "rate_per_minute": 0}, environ={}), HashEmbedder()
    )
    with listening(create_app(state)) as (host, port):
        environment = os.environ | {
            "FOOTNOTARY_TEST_KEY": token,
            "NO_PROXY": "127.0.0.1",
            "PYTHONPATH": str(HERE.parents[1]),
            "SCHEMATHESIS_HOOKS": "tests.integration.service.support.schemathesis_hooks",
        }
        command = [Path(sys.executable).with_name("schemathesis"), "--config-file", HERE / "schemathesis.toml", "run"]
        options = ["--checks", "all", "--phases", "examples,coverage,fuzzing", "--max-examples", EXAMPLES, "--no-color"]
        options += ["--seed", SEED, "--generation-database", "none"]
        run = subprocess.run(
            [*command, f"http://{host}:{port}/openapi.json", *options, "--continue-on-failure"],
            env=environment, capture_output=True, text=True, timeout=900, check=False,
        )  # fmt: skip
    assert run.returncode == 0, run.stdout[:20_000]
