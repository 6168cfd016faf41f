"""FAULTS C: tenants that come and go in any order, with the same names for everything, never see each other."""

import io
import json
import logging
import os
import random
from urllib.parse import quote

import pytest

from footnotary.service.auth.api_keys import ApiKeyStore
from footnotary.service.observability.json_logs import JsonLogFormatter
from footnotary.service.observability.metrics import Telemetry
from footnotary.service.observability.opentelemetry_tracing import Tracing

STEPS = int(os.environ.get("FOOTNOTARY_STEPS", "120"))
TENANTS = ("alpha", "beta", "gamma")
WORDS = {tenant: f"{tenant}quartz" for tenant in TENANTS}
QUESTION = "What is the word of the vault?"


def rule(tenant: str, number: int) -> str:
    return f"Rule {number}. The word of the vault is {WORDS[tenant]}{number}, and the vault has {number} doors."


@pytest.fixture
def house(home, start):
    with_keys = ApiKeyStore(home)
    headers = {tenant: {"Authorization": f"Bearer {with_keys.create(tenant, 'admin')[1]}"} for tenant in TENANTS}
    with_keys.close()
    return start(), headers


def foreign(text: str, tenant: str) -> list[str]:
    return [word for other, word in WORDS.items() if other != tenant and word in text.lower()]


def test_c2_no_interleaving_of_ingest_delete_and_question_shows_a_tenant_another_s_words(house):
    client, headers = house
    chance = random.Random(2)
    held: dict[str, set[str]] = {tenant: set() for tenant in TENANTS}
    state = client.app.state.service
    for step in range(STEPS):
        tenant = chance.choice(TENANTS)
        number = chance.randrange(3)
        name, own = f"rule{number}.txt", headers[tenant]
        match chance.choice(("put", "put", "delete", "ask", "ask", "search", "list", "source")):
            case "put":
                state.tenant(tenant).corpus.ingest_text(name, rule(tenant, number), "same")
                held[tenant].add(name)
                continue
            case "delete":
                response = client.delete(f"/v1/projects/same/documents/{name}", headers=own)
                assert (response.status_code == 200) == (name in held[tenant])
                held[tenant].discard(name)
            case "ask":
                body = {"question": QUESTION, "project": "same"}
                response = client.post("/v1/ask", json=body, headers=own | {"Idempotency-Key": f"same-{step // 7}"})
            case "search":
                response = client.post("/v1/retrieve", json={"query": QUESTION, "project": "same"}, headers=own)
            case "list":
                response = client.get("/v1/projects/same/documents", headers=own)
                if held[tenant]:
                    assert {d["id"] for d in response.json()["documents"]} == held[tenant]
            case _:
                response = client.get(f"/v1/projects/same/sources/rule{number}_text_0", headers=own)
        assert response.status_code < 500, response.text
        assert not foreign(response.text, tenant), (step, tenant, response.text)


def test_c4_the_same_names_keys_and_questions_of_two_tenants_never_meet(house):
    client, headers = house
    state = client.app.state.service
    for tenant in TENANTS:
        state.tenant(tenant).corpus.ingest_text("rule.txt", rule(tenant, 1), "same")
    said = {}
    for tenant in TENANTS * 2:  # the second time from the cache and the store of repeated requests
        body = {"question": QUESTION, "project": "same"}
        response = client.post("/v1/ask", json=body, headers=headers[tenant] | {"Idempotency-Key": "one-key"})
        assert WORDS[tenant] in response.json()["outcome"]["answer"].lower()
        assert not foreign(response.text, tenant)
        said.setdefault(tenant, response.json()["answer_id"])
        assert said[tenant] == response.json()["answer_id"]
    for tenant in TENANTS:
        records = client.get("/v1/audit", headers=headers[tenant])
        assert len(records.json()["records"]) == 1
        assert not foreign(records.text, tenant)
        for other in TENANTS:
            found = client.get(f"/v1/answers/{said[other]}", headers=headers[tenant])
            assert found.status_code == (200 if other == tenant else 404)


def test_c4_one_tenant_that_used_up_its_rate_leaves_the_others_theirs(home, start):
    ring = ApiKeyStore(home)
    tokens = {tenant: ring.create(tenant, "reader")[1] for tenant in ("alpha", "beta")}
    ring.close()
    client = start(rate_per_minute=30)

    def status(tenant: str) -> int:
        return client.get("/v1/whoami", headers={"Authorization": f"Bearer {tokens[tenant]}"}).status_code

    assert 429 in [status("alpha") for _ in range(20)]
    assert status("beta") == 200


ODD = [
    "' OR '1'='1", "'; DROP TABLE chunks; --", '" OR ""="', "x') UNION SELECT * FROM keys --", "%' AND 1=0 UNION ALL SELECT NULL--",
    'demo" OR "', "demo* NEAR vault", "text:* AND NOT x", "(a OR b", 'title:"x', "a^5 ~2 [a TO z]", "{!lucene}", "\\u0027", "`id`", "$(id)",
    "{{7*7}}", "tenant:alpha", "../../alpha", "..%2f..%2falpha", "alpha/vault", "local\x00alpha", "*", "?", "%", "_", "&tenant=alpha", "A" * 190,
]  # fmt: skip


def test_c6_what_looks_like_a_query_is_only_words(house):
    client, headers = house
    own = headers["beta"]
    before = client.get("/v1/projects", headers=own).json()
    for odd in ODD:
        quoted = quote(odd.replace("\x00", ""), safe="")
        for response in (
            client.post("/v1/ask", json={"question": odd, "project": "demo"}, headers=own),
            client.post("/v1/ask", json={"question": QUESTION, "project": odd}, headers=own),
            client.post("/v1/retrieve", json={"query": f"cheating {odd}", "project": "demo"}, headers=own),
            client.get("/v1/jobs", params={"project": odd}, headers=own),
            client.get("/v1/projects/demo/documents", params={"after": odd}, headers=own),
            client.delete(f"/v1/projects/demo/documents/{quoted}", headers=own),
        ):
            assert response.status_code < 500, (odd, response.text)
            assert not foreign(response.text, "beta")
            assert "zephyrquartz" not in response.text
    assert client.get("/v1/projects", headers=own).json() == before


def test_c9_scores_say_nothing_of_what_other_tenants_hold(house):
    client, headers = house
    search = {"query": "What is the punishment for cheating?", "project": "demo"}

    def scores() -> list:
        return [
            (hit["semantic_id"], hit["score"])
            for hit in client.post("/v1/retrieve", json=search, headers=headers["beta"]).json()["results"]
        ]

    alone = scores()
    corpus = client.app.state.service.tenant("alpha").corpus
    for number in range(5):
        corpus.ingest_text(f"{number}.txt", f"Rule {number}. Cheating cheating punishment cheating.", "demo")
    assert scores() == alone


def test_b7_no_question_document_or_key_is_in_logs_metrics_spans_or_problems(home, start, monkeypatch):
    otel = pytest.importorskip("opentelemetry.sdk.trace")
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    spans, provider = InMemorySpanExporter(), otel.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    monkeypatch.setattr("footnotary.service.state.Telemetry", lambda tracing: Telemetry(Tracing(provider)))
    stream, root = io.StringIO(), logging.getLogger()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLogFormatter())
    root.addHandler(handler)
    logging.getLogger("footnotary").setLevel(logging.DEBUG)
    try:
        ring = ApiKeyStore(home)
        token = ring.create("local", "admin")[1]
        ring.close()
        client = start()
        own = {"Authorization": f"Bearer {token}"}
        canary = "canarybird"
        client.post(
            f"/v1/projects/{canary}/documents", files={"file": (f"{canary}.txt", f"{canary} sings.")}, headers=own
        )
        problems = [
            client.post(
                "/v1/ask",
                json={"question": f"What does {canary} sing?", "project": canary, "unknown_field": canary},
                headers=own,
            ),
            client.post("/v1/ask", content=b'{"' + canary.encode(), headers=own | {"content-type": "application/json"}),
            client.get(f"/v1/{canary}", headers=own),
            client.get(f"/v1/projects/{canary}/sources/{canary}", headers=own),
            client.post("/v1/ask", json={}, headers={"Authorization": f"Bearer {canary}"}),
            client.post(f"/v1/projects/{canary}/documents?name=../{canary}", content=b"x", headers=own),
        ]
        client.post("/v1/ask", json={"question": f"What does {canary} sing?", "project": canary}, headers=own)
        told = [response.text for response in problems]
        assert all(response.status_code >= 400 for response in problems)
        told += [client.get("/metrics", headers=own).text, stream.getvalue()]
        told += [span.to_json() for span in spans.get_finished_spans()]
    finally:
        root.removeHandler(handler)
    assert stream.getvalue()
    assert json.loads(stream.getvalue().splitlines()[0])["event"]
    for text in told:
        assert canary not in text
        assert token not in text
        assert token.rsplit("_", 1)[-1] not in text
