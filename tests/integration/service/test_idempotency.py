"""Idempotency-Key: the same again gets the same, another request with the key is a problem, two at once are one."""

import asyncio
import threading

import pytest
from starlette.responses import JSONResponse

from footnotary.service.auth.api_keys import ApiKeyStore
from footnotary.service.auth.authentication import OPEN_CREDENTIAL
from footnotary.service.middleware.idempotency import IdempotencyMiddleware, ResponseCache
from footnotary.service.problems import Problem
from footnotary.service.rate_limits import RateLimiter
from harness.service.listening import wait_until

ASK = {"question": "What is cheating?", "project": "demo", "profile": "legal"}


def post(client, key, body=ASK, path="/v1/ask", **headers):
    return client.post(path, json=body, headers={"Idempotency-Key": key, **headers})


def test_a_repetition_gets_the_same_response_and_is_marked(client):
    first, second = post(client, "one"), post(client, "one")
    assert first.status_code == second.status_code == 200
    assert second.json() == first.json()
    assert "idempotent-replayed" not in first.headers
    assert second.headers["idempotent-replayed"] == "true"
    assert second.headers["x-request-id"] != first.headers["x-request-id"]
    assert post(client, "two").json()["answer_id"] != first.json()["answer_id"]


def test_another_body_or_address_with_the_key_is_a_problem(client):
    post(client, "one")
    for response in (
        post(client, "one", ASK | {"question": "What is theft?"}),
        post(client, "one", path="/v1/ask?x=1"),
        post(client, "one", {"query": "a", "project_id": "demo"}, "/rag/query"),
    ):
        assert (response.status_code, response.json()["code"]) == (422, "key_reused")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/ask", ASK),
        ("/v1/retrieve", {"query": "What is cheating?", "project": "demo", "profile": "legal"}),
        ("/rag/query", {"query": "What is cheating?", "project_id": "demo", "policy_profile": "legal"}),
        (
            "/v1/chat/completions",
            {"model": "demo@legal", "messages": [{"role": "user", "content": "What is cheating?"}]},
        ),
    ],
)
def test_what_is_deleted_is_not_cited_by_a_repetition(client, path, body):
    first = post(client, "one", body, path)
    assert "IPC_415" in first.text
    held = client.get("/v1/projects/demo/documents").json()["documents"]
    cited = next(document["id"] for document in held if "ipc" in document["id"])
    assert client.delete(f"/v1/projects/demo/documents/{cited}").is_success
    again = post(client, "one", body, path)
    assert "IPC_415" not in again.text
    assert "idempotent-replayed" not in again.headers
    assert post(client, "one", body, path).text == again.text


def test_a_document_that_is_sent_again_is_ingested_again(client):
    row = {"id": "R_1_0", "text": "Rule 1 says that the first day is free."}
    jobs = []
    for _ in range(2):
        response = post(client, "one", row, "/v1/projects/p/documents?name=rows.jsonl")
        assert response.status_code == 202
        assert "idempotent-replayed" not in response.headers
        jobs.append(response.json()["job"]["id"])
        wait_until(lambda: client.get(f"/v1/jobs/{jobs[-1]}").json()["state"] == "done")
        assert client.delete("/v1/projects/p/documents/rows.jsonl").is_success
    assert jobs[0] != jobs[1]


def test_a_document_of_one_who_may_send_none_is_not_read(home, start):
    ring = ApiKeyStore(home)
    _, token = ring.create("alpha", "reader")
    ring.close()
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "one", "Content-Type": "application/json"}

    def parts():
        for _ in range(30):
            yield b" " * 1_000_000

    url = "/v1/projects/demo/documents?name=rows.jsonl"
    response = start(max_body_mb=1).post(url, content=parts(), headers=headers)
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")


def test_what_failed_may_be_tried_again_with_the_key(client):
    assert post(client, "one", ASK | {"profile": "nonesuch"}).status_code == 404
    assert post(client, "one").status_code == 200


def test_the_same_request_at_the_same_time_is_answered_once(client, monkeypatch):
    from footnotary.service.routes import ask

    entered, gate, real = threading.Event(), threading.Event(), ask.answer

    def slow(*given):
        entered.set()
        assert gate.wait(60)
        return real(*given)

    monkeypatch.setattr(ask, "answer", slow)
    got = []
    thread = threading.Thread(target=lambda: got.append(post(client, "one")))
    thread.start()
    assert entered.wait(60)
    response = post(client, "one")
    gate.set()
    thread.join()
    assert (response.status_code, response.json()["code"]) == (409, "in_progress")
    assert response.headers["retry-after"]
    assert post(client, "one").json() == got[0].json()


def test_no_credential_is_given_what_another_one_asked(home, start):
    ring = ApiKeyStore(home)
    tokens = [
        ring.create(tenant, role)[1] for tenant, role in (("alpha", "reader"), ("beta", "reader"), ("alpha", "admin"))
    ]
    ring.close()
    client = start()
    ids = {post(client, "one", Authorization=f"Bearer {token}").json()["answer_id"] for token in tokens}
    assert len(ids) == 3


def test_a_key_that_is_none_is_a_problem(client):
    for key in ("", "x" * 256, "a\tb"):
        response = post(client, key)
        assert response.status_code == 422, key


def test_a_revoked_key_gets_no_repetition(home, start):
    ring = ApiKeyStore(home)
    key, token = ring.create("alpha", "reader")
    client = start()
    assert post(client, "one", Authorization=f"Bearer {token}").status_code == 200
    ring.revoke(key.id)
    ring.close()
    assert post(client, "one", Authorization=f"Bearer {token}").status_code == 401


def passed(path, times=2):
    """How often requests with the same key get to what is behind the middleware."""
    reached = []

    async def behind(scope, receive, send):
        reached.append((await receive())["body"])
        await JSONResponse({})(scope, receive, send)

    async def mark(_):
        return ()

    async def requests():
        layer = IdempotencyMiddleware(behind, ResponseCache(), mark, RateLimiter(0))
        headers = [(b"idempotency-key", b"one"), (b"content-type", b"application/json")]
        scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}

        async def receive():
            return {"type": "http.request", "body": b"{}", "more_body": False}

        async def send(_):
            pass

        for _ in range(times):
            await layer({**scope, "state": {"credential": OPEN_CREDENTIAL}}, receive, send)

    asyncio.run(requests())
    return len(reached)


def test_calls_of_tools_and_documents_are_never_answered_from_before():
    assert passed("/v1/ask") == 1
    assert passed("/mcp") == passed("/v1/projects/p/documents") == 2


START = {"type": "http.response.start", "status": 200, "headers": []}


class TestReplies:
    def keep(self, replies, name, body=b"x"):
        assert replies.begin(name, b"f") is None
        replies.end(name, START, body)

    def test_a_reply_is_kept_for_a_day(self):
        now = [0.0]
        replies = ResponseCache(lambda: now[0])
        self.keep(replies, ("t", "k", "1"))
        now[0] = 86_399
        assert replies.begin(("t", "k", "1"), b"f") is not None
        now[0] = 86_401
        assert replies.begin(("t", "k", "1"), b"other") is None

    def test_the_oldest_go_when_there_are_too_many_bytes(self):
        replies = ResponseCache(lambda: 0.0, max_bytes=10)
        for number in range(4):
            self.keep(replies, ("t", "k", str(number)), b"1234")
        assert replies.begin(("t", "k", "0"), b"f") is None
        assert replies.begin(("t", "k", "3"), b"f") is not None

    def test_what_is_forgotten_is_not_given_and_what_took_its_place_is(self):
        replies, name = ResponseCache(lambda: 0.0, max_bytes=10), ("t", "k", "1")
        self.keep(replies, name, b"12345678")
        old = replies.begin(name, b"f")
        replies.forget(name, old)
        self.keep(replies, name, b"87654321")
        replies.forget(name, old)
        assert replies.begin(name, b"f").body == b"87654321"

    def test_a_broken_off_reply_is_not_kept(self):
        replies = ResponseCache(lambda: 0.0)
        assert replies.begin(("t", "k", "1"), b"f") is None
        with pytest.raises(Problem):
            replies.begin(("t", "k", "1"), b"f")
        replies.end(("t", "k", "1"), None, b"")
        assert replies.begin(("t", "k", "1"), b"f") is None
