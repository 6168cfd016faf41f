"""What stands around every response: an id, security headers, ETags, no CORS; and the document that describes it all."""

import base64

import pytest

from footnotary.service.auth.api_keys import ApiKeyStore
from tests.integration.service.test_access_table import NOWHERE, TABLE

PRIVATE = ("/v1/whoami", "/rag/search?query=cheating&project_id=demo", "/v1/audit", "/v1/projects")


@pytest.mark.parametrize("path", ["/healthz", "/v1/whoami", "/nowhere", "/", "/openapi.json", "/v1/profiles"])
def test_every_response_has_an_id_and_the_security_headers(client, path):
    headers = client.get(path).headers
    assert headers["x-request-id"].startswith("req_")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers


@pytest.mark.parametrize("path", PRIVATE)
def test_no_cache_keeps_what_is_private(client, path):
    assert client.get(path).headers["cache-control"] in ("no-store", "private, no-cache")


def test_answers_are_never_cached(client):
    response = client.post("/v1/ask", json={"question": "What is cheating?", "project": "demo"})
    assert response.headers["cache-control"] == "no-store"


def test_other_sites_are_given_nothing_to_go_by(client):
    response = client.options(
        "/v1/ask",
        headers={"origin": "http://localhost", "access-control-request-method": "POST", "host": "localhost"},
    )
    assert response.status_code == 405
    for path in ("/v1/whoami", "/openapi.json", "/nowhere"):
        headers = client.get(path, headers={"origin": "http://localhost"}).headers
        assert not [name for name in headers if name.startswith("access-control")]


@pytest.mark.parametrize("path", ["/v1/profiles", "/v1/profiles/legal", "/v1/projects/demo/sources/IPC_420_0"])
def test_what_has_not_changed_is_not_sent_again(client, path):
    first = client.get(path)
    tag = first.headers["etag"]
    assert client.get(path).headers["etag"] == tag
    for asked in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = client.get(path, headers={"if-none-match": asked})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert client.get(path, headers={"if-none-match": '"other"'}).json() == first.json()


def test_a_source_that_has_changed_has_another_tag(client):
    corpus = client.app.state.service.tenant("local").corpus
    corpus.ingest_text("rule.txt", "Rule 1. The fee is 5 rupees.", "rules")
    source = client.post("/v1/retrieve", json={"query": "What is the fee?", "project": "rules"}).json()
    path = f"/v1/projects/rules/sources/{source['retrieved_semantic_ids'][0]}"
    tag = client.get(path).headers["etag"]
    corpus.ingest_text("rule.txt", "Rule 1. The fee is 6 rupees.", "rules")
    response = client.get(path, headers={"if-none-match": tag})
    assert response.status_code == 200
    assert "6 rupees" in response.json()["text"]
    assert [version["superseded_at"] is not None for version in response.json()["other_versions"]] == [True]


def test_a_method_that_is_not_allowed_gets_the_list_of_those_that_are(client):
    response = client.put("/v1/projects")
    assert (response.status_code, response.headers["allow"]) == (405, "GET, POST")


def test_a_source_never_discloses_paths(client, home):
    body = client.get("/v1/projects/demo/sources/IPC_420_0").text
    asked = client.post("/v1/ask", json={"question": "What is cheating?", "project": "demo", "profile": "legal"}).text
    assert str(home) not in body + asked


class TestBrowsers:
    """FAULTS F11: what pages of other sites can make a reader's browser do: nothing."""

    OTHERS = (
        "http://evil.example",
        "https://localhost.evil.example",
        "null",
        "http://localhost:1",
        "file://",
        "http://127.0.0.1",
    )

    @pytest.fixture
    def locked(self, home, start):
        ring = ApiKeyStore(home)
        token = ring.create("local", "admin")[1]
        ring.close()
        return start(), token

    @pytest.mark.parametrize("with_key", [True, False])
    def test_f11_every_answer_and_every_problem_keeps_caches_frames_and_other_sites_out(self, locked, with_key):
        client, token = locked
        for row in TABLE:
            for project in ("demo", NOWHERE) if row.method != "DELETE" else (NOWHERE,):
                given = {"Authorization": f"Bearer {token}"} if with_key else {}
                response = row.sent(client, project, given | {"Origin": "http://evil.example"})
                headers = response.headers
                assert headers["cache-control"] in ("no-store", "private, no-cache"), row.id
                assert "frame-ancestors 'none'" in headers["content-security-policy"], row.id
                assert headers["x-frame-options"] == "DENY", row.id
                assert headers["cross-origin-resource-policy"] == "same-origin", row.id
                assert headers["x-content-type-options"] == "nosniff", row.id
                assert "set-cookie" not in headers, row.id
                assert not [name for name in headers if name.startswith("access-control")], row.id
                if "etag" not in headers:
                    assert headers["cache-control"] == "no-store", row.id

    def test_f11_a_key_counts_as_a_bearer_token_and_nowhere_else(self, locked):
        client, token = locked
        pair = base64.b64encode(f"admin:{token}".encode()).decode()
        for given in (
            {"Cookie": f"Authorization=Bearer {token}; token={token}; session={token}"},
            {"X-Api-Key": token}, {"Api-Key": token}, {"X-Authorization": f"Bearer {token}"}, {"Proxy-Authorization": f"Bearer {token}"},
            {"Authorization": f"Basic {pair}"}, {"Authorization": token}, {"Authorization": f"Token {token}"},
        ):  # fmt: skip
            assert client.get("/v1/whoami", headers=given).status_code == 401, given
        for name in ("token", "key", "api_key", "access_token", "authorization"):
            assert client.get("/v1/whoami", params={name: token}).status_code == 401
        assert client.get("/v1/whoami", headers={"Authorization": f"Bearer {token}"}).status_code == 200

    @pytest.mark.parametrize("origin", OTHERS)
    def test_f11_without_keys_a_page_of_another_site_gets_nothing(self, client, origin):
        before = client.get("/v1/projects").json()
        for row in TABLE:
            if row.role is not None:
                response = row.sent(client, "demo", {"Origin": origin})
                assert (response.status_code, response.json()["code"]) == (403, "cross_site"), (row.id, origin)
        assert client.get("/v1/projects").json() == before

    def test_f11_without_keys_another_name_for_this_machine_gets_nothing(self, client):
        for host in (
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "0.0.0.0",
            "[::2]",
            "192.168.0.7",
        ):
            response = client.get("/v1/projects", headers={"Host": host})
            assert (response.status_code, response.json()["code"]) == (421, "misdirected"), host

    @pytest.mark.parametrize(
        "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
    )
    def test_f11_what_a_form_can_send_is_no_request(self, client, kind):
        body = b'{"name": "made-by-a-form", "x": "="}'
        response = client.post("/v1/projects", content=body, headers={"Content-Type": kind})
        assert response.status_code in (400, 415, 422), response.text
        assert "made-by-a-form" not in client.get("/v1/projects").text

    def test_f11_no_preflight_is_granted(self, locked):
        client, _ = locked
        for row in TABLE:
            asks = {
                "Origin": "http://evil.example",
                "Access-Control-Request-Method": row.method,
                "Access-Control-Request-Headers": "authorization",
            }
            response = type(row)("OPTIONS", row.path, row.role).sent(client, "demo", asks)
            assert response.status_code >= 400, row.id
            assert not [name for name in response.headers if name.startswith("access-control")], row.id


class TestDescription:
    @pytest.fixture
    def document(self, client):
        return client.get("/openapi.json").json()

    def operations(self, document):
        return [(f"{m} {p}", operation) for p, item in document["paths"].items() for m, operation in item.items()]

    def test_every_operation_says_what_it_is_for_and_what_may_go_wrong(self, document):
        for name, operation in self.operations(document):
            assert operation["summary"], name
            assert operation["tags"], name
            problems = {status for status in operation["responses"] if status >= "400"}
            assert problems, name
            assert ("401" in problems) == ("security" in operation), name

    def test_every_json_body_has_an_example_that_is_in_order(self, document, client):
        schemas = document["components"]["schemas"]
        tried = 0
        for name, operation in self.operations(document):
            schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            if schema is None:
                continue
            forms = schema.get("anyOf") or schema.get("oneOf") or [schema]
            named = forms[0]["$ref"].rsplit("/", 1)[1]
            example = schemas[named]["examples"][0]
            method, path = name.split(" ")
            path = path.replace("{answer_id}", "ans_" + "a" * 26).replace("{case}", "1")
            response = client.request(method.upper(), path, json=example)
            assert response.status_code in (200, 201, 404), (name, response.text)
            tried += 1
        assert tried >= 6

    def test_every_problem_has_an_example_of_its_own_form(self, document):
        seen = set()
        for name, operation in self.operations(document):
            for status, response in operation["responses"].items():
                if status < "400":
                    continue
                for code, example in response["content"]["application/problem+json"]["examples"].items():
                    assert example["value"]["code"] == code, name
                    assert str(example["value"]["status"]) == status, name
                    seen.add(code)
        assert {"unauthenticated", "forbidden", "invalid", "json_invalid", "rate_limited", "overloaded"} <= seen

    def test_no_vector_is_ever_returned(self, document):
        schemas = document["components"]["schemas"].values()
        names = {name for schema in schemas for name in schema.get("properties", {})}
        assert not names & {"vector", "vectors", "embedding", "embeddings"}


@pytest.mark.parametrize(
    ("method", "path", "status", "detail"),
    [
        ("GET", "/nowhere", 404, "There is no such route; GET /openapi.json lists them all."),
        ("GET", "/v1/ask", 405, "This route allows only POST."),
        ("POST", "/v1/projects/demo/documents/a.txt", 405, "This route allows only GET, DELETE."),
        (
            "GET",
            "/v1/profiles/none",
            404,
            "This profile does not exist; choose from default, legal, compliance, tutor.",
        ),
        ("GET", "/v1/projects/demo/documents/none.txt", 404, "This project has no such document; GET /v1/projects/"),
        ("GET", "/v1/projects/demo/sources/IPC_9999_0", 404, "This project has no such passage; GET /v1/projects/"),
        ("GET", "/v1/projects/demo/sources/IPC_420_0?quote=zebra", 404, "This passage does not contain this quote."),
        ("GET", f"/v1/jobs/job_{'a' * 26}", 404, "There is no such job; GET /v1/jobs lists them."),
        ("GET", f"/v1/answers/ans_{'a' * 26}", 404, "There is no such answer"),
        ("GET", "/v1/review/7", 404, "There is no such review case; GET /v1/review lists them."),
        ("GET", f"/v1/projects/demo/conversations/conv_{'a' * 26}", 404, "There is no such conversation; GET /v1/"),
    ],
)
def test_a_problem_says_what_was_not_found_and_what_there_is(client, method, path, status, detail):
    response = client.request(method, path)
    assert (response.status_code, response.json()["detail"][: len(detail)]) == (status, detail)


def test_a_body_sent_as_a_form_is_told_the_media_type_to_send(client):
    response = client.post(
        "/v1/ask", content='{"question": "a", "project": "demo"}', headers={"content-type": "text/plain"}
    )
    assert "with Content-Type: application/json" in response.json()["detail"]


def test_a_profile_as_model_without_its_project_says_so(client):
    body = {"model": "legal", "messages": [{"role": "user", "content": "What is cheating?"}]}
    refused = client.post("/v1/chat/completions", json=body).json()["footnotary"]
    assert refused["refusal_reason"] == "collection_not_found"
    assert refused["needed"]["explanation"] == "There is no project 'default' with documents."
