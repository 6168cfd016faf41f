"""FAULTS C7, C8, F10: many callers at once, over real connections. Each gets what is its own, while it is there."""

import http.client
import itertools
import json
import os
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from footnotary.service.app import create_app
from footnotary.service.auth.api_keys import ApiKeyStore
from footnotary.service.middleware.connection_table import ConnectionLimits
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from harness.service.listening import listening

CONNECTIONS = int(os.environ.get("FOOTNOTARY_CONNECTIONS", "100"))
QUESTION = "What is the word of the vault?"
ASKED = {"question": QUESTION, "project": "same"}

pytestmark = pytest.mark.server


class Said(NamedTuple):
    status: int
    text: str

    @property
    def body(self) -> Any:
        return json.loads(self.text)


class Caller:
    """One connection that is kept open, used by whoever has a token."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._connection = http.client.HTTPConnection(*address, timeout=300)

    def close(self) -> None:
        self._connection.close()

    def __call__(self, method: str, path: str, token: str, body: object = None, **headers: str) -> Said:
        sent = None if body is None else json.dumps(body)
        own = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers}
        self._connection.request(method, path, sent, own)
        response = self._connection.getresponse()
        return Said(response.status, response.read().decode())


@contextmanager
def serving(home: Path, **given: object) -> Iterator[tuple[ServiceState, tuple[str, int]]]:
    settings = load_settings({"verifier": "lexical", "home": home, "rate_per_minute": 0, **given}, environ={})
    state = ServiceState(settings, HashEmbedder())
    # All connections come from one address, and a busy machine may keep them waiting.
    limits = ConnectionLimits(per_client=2 * CONNECTIONS, idle_timeout_s=300)
    with listening(create_app(state), limits) as address:
        yield state, address


def tokens(home: Path, *tenants: str) -> dict[str, str]:
    with closing(ApiKeyStore(home)) as ring:
        return {tenant: ring.create(tenant, "admin")[1] for tenant in tenants}


def rule(word: str, number: int) -> str:
    return f"Rule {number}. The word of the vault is {word}{number}, and the vault has {number} doors."


# -- C7 --------------------------------------------------------------------------------------------------------------


def test_c7_connections_at_once_in_the_name_of_two_tenants_show_neither_the_other_s_words(home):
    words = {"alpha": "amberquartz", "beta": "basaltquartz"}
    keys = tokens(home, *words)
    together = threading.Barrier(CONNECTIONS)

    with serving(home, concurrency=CONNECTIONS, max_concurrency=2 * CONNECTIONS) as (state, address):
        for tenant, word in words.items():
            state.tenant(tenant).corpus.ingest_text("rule.txt", rule(word, 1), "same")

        def connection(number: int) -> Counter[str]:
            seen: Counter[str] = Counter()
            with closing(Caller(address)) as call:
                together.wait(300)
                # The same connection speaks for one tenant and then for the other.
                for step, (tenant, word) in enumerate(itertools.islice(itertools.cycle(words.items()), number % 2, 4)):
                    (other,) = set(words.values()) - {word}
                    token = keys[tenant]
                    match (number + step) % 5:
                        case 0:
                            said = call("POST", "/v1/ask", token, ASKED | {"k": 5 + number % 3})
                        case 1:
                            said = call("POST", "/v1/ask", token, ASKED, **{"Idempotency-Key": f"{tenant}-{number}"})
                        case 2:
                            said = call("POST", "/v1/retrieve", token, {"query": QUESTION, "project": "same"})
                        case 3:
                            said = call("GET", "/v1/whoami", token)
                            assert said.body["tenant"] == tenant
                        case _:
                            said = call("POST", "/rag/query", token, {"query": QUESTION, "project_id": "same"})
                    assert said.status == 200, said
                    assert other not in said.text.lower(), (tenant, said.text)
                    seen["own"] += word in said.text.lower()
                    seen["said"] += 1
            return seen

        with ThreadPoolExecutor(CONNECTIONS) as pool:
            seen = sum(pool.map(connection, range(CONNECTIONS)), Counter[str]())
        assert seen["own"] >= seen["said"] // 2, "what was asked for was not there to be shown"
        with closing(Caller(address)) as call:
            for tenant, word in words.items():
                records = call("GET", "/v1/audit?limit=100", keys[tenant])
                (other,) = set(words.values()) - {word}
                assert records.body["records"]
                assert other not in records.text.lower()


# -- C8 --------------------------------------------------------------------------------------------------------------


def test_c8_after_the_200_of_a_delete_nobody_is_shown_the_document_again_nor_after_a_restart(home):
    key = tokens(home, "alpha")["alpha"]
    rounds, askers = 4, 4
    word = "cobaltquartz"
    shown: list[str] = []
    answered: Counter[bool] = Counter()

    with serving(home, answer_cache="on") as (state, address):
        corpus = state.tenant("alpha").corpus
        corpus.ingest_text("other.txt", "Rule 90. The gate of the yard is shut at nine.", "same")
        with closing(Caller(address)) as call:
            for number in range(rounds):
                corpus.ingest_text(f"rule{number}.txt", rule(word, number), "same")
                # Twice, so that it is in the cache of answers.
                for _ in range(2):
                    assert f"{word}{number}" in call("POST", "/v1/ask", key, ASKED).text.lower()
                gone, over = threading.Event(), threading.Event()

                def ask(number=number, gone=gone, over=over) -> None:
                    with closing(Caller(address)) as own:
                        while not over.is_set():
                            was_gone = gone.is_set()
                            for path, body in (
                                ("/v1/ask", ASKED),
                                ("/v1/retrieve", {"query": QUESTION, "project": "same"}),
                            ):
                                said = own("POST", path, key, body)
                                assert said.status in (200, 409, 503), said
                                answered[was_gone] += 1
                                if was_gone and f"{word}{number}" in said.text.lower():
                                    shown.append(said.text)

                with ThreadPoolExecutor(askers) as pool:
                    asking = [pool.submit(ask) for _ in range(askers)]
                    try:
                        assert call("DELETE", f"/v1/projects/same/documents/rule{number}.txt", key).status == 200
                        gone.set()
                        for _ in range(3):
                            assert word not in call("POST", "/v1/ask", key, ASKED).text.lower()
                    finally:
                        over.set()
                    for one in asking:
                        one.result()
    assert shown == []
    with serving(home, answer_cache="on") as (_, address), closing(Caller(address)) as call:
        for path, body in (("/v1/ask", ASKED), ("/v1/retrieve", {"query": QUESTION, "project": "same"})):
            said = call("POST", path, key, body)
            assert said.status == 200
            assert word not in said.text.lower()
        listed = call("GET", "/v1/projects/same/documents", key)
        assert [document["id"] for document in listed.body["documents"]] == ["other.txt"]


# -- F10 -------------------------------------------------------------------------------------------------------------


def flooded(home: Path, requests: int, flooders: int = 24, **given: object) -> tuple[Counter[str], Counter[str]]:
    """What a tenant that asks without end is told, and what two others are told that ask one thing after the other."""
    keys = tokens(home, "alpha", "beta", "local")
    asked = {"question": "What is the punishment for cheating?", "project": "demo"}
    loud, quiet, over = Counter[str](), Counter[str](), threading.Event()
    begun = threading.Barrier(flooders + 3)
    guard = threading.Lock()

    def told(said: Said, into: Counter[str]) -> None:
        with guard:
            into["answered" if said.status == 200 else said.body["code"]] += 1

    with serving(home, answer_cache="off", **given) as (_, address):

        def flood() -> None:
            with closing(Caller(address)) as call:
                begun.wait(60)
                while not over.is_set():
                    told(call("POST", "/v1/ask", keys["alpha"], asked), loud)

        def ask(tenant: str) -> None:
            with closing(Caller(address)) as call:
                begun.wait(60)
                for _ in range(requests):
                    told(call("POST", "/v1/ask", keys[tenant], asked), quiet)

        with ThreadPoolExecutor(flooders + 2) as pool:
            flooding = [pool.submit(flood) for _ in range(flooders)]
            asking = [pool.submit(ask, tenant) for tenant in ("beta", "local")]
            begun.wait(60)
            try:
                for one in asking:
                    one.result()
            finally:
                over.set()
            for one in flooding:
                one.result()
    return loud, quiet


def test_f10_a_tenant_that_floods_is_held_to_its_share_and_the_others_are_all_answered(home):
    loud, quiet = flooded(home, 8, concurrency=3, max_concurrency=9)
    assert quiet == {"answered": 16}
    assert loud["too_many_at_once"] > 0
    assert loud["overloaded"] == 0, "one tenant alone filled the house"


def test_f10_a_tenant_that_floods_uses_up_its_own_bucket_only(home):
    loud, quiet = flooded(home, 8, flooders=16, rate_per_minute=60, concurrency=8, max_concurrency=24)
    assert quiet == {"answered": 16}
    assert loud["rate_limited"] > 0
