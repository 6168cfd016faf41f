"""What stands around every response: an id, security headers, ETags, no CORS; and the document that describes it all."""

import pytest

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


def test_a_method_that_is_not_taken_is_told_all_that_are(client):
    response = client.put("/v1/projects")
    assert (response.status_code, response.headers["allow"]) == (405, "GET, POST")


def test_a_source_never_tells_where_files_lie(client, home):
    body = client.get("/v1/projects/demo/sources/IPC_420_0").text
    asked = client.post("/v1/ask", json={"question": "What is cheating?", "project": "demo", "profile": "legal"}).text
    assert str(home) not in body + asked


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
            named = schema.get("anyOf", [schema])[0]["$ref"].rsplit("/", 1)[1]
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
