"""Bodies as clients really send them: what is not plain JSON of the right form is refused, never a fault of ours."""

import json
import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footnotary.service.problems import Problem
from footnotary.service.schemas.field_errors import PATTERN_REQUIREMENTS
from footnotary.service.strict_json import parse_strict_json

JSON = {"content-type": "application/json"}
GOOD = {"query": "What is cheating?", "project_id": "demo"}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"query": "\\ud800", "project_id": "demo"}', 400),
        (b'{"query": "a", "project_id": "\\udfff"}', 400),
        (b'{"\\ud800": "a", "query": "a", "project_id": "demo"}', 400),
        (b'{"query": NaN, "project_id": "demo"}', 400),
        (b'{"query": "a", "project_id": "demo", "k": Infinity}', 400),
        (b'{"query": "a", "project_id": "demo", "k": -Infinity}', 400),
        (b'{"query": "a", "project_id": "demo", "k": 1e999}', 400),
        (b'{"query": "a", "project_id": "demo", "k": 1' + b"0" * 5000 + b"}", 400),
        (b'{"query": "a", "query": "b", "project_id": "demo"}', 400),
        (b"[" * 100_000, 400),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, 400),
        (b"[" * 40 + b"]" * 40, 400),
        (json.dumps(GOOD).encode("utf-16"), 400),
        (b"\xef\xbb\xbf" + json.dumps(GOOD).encode(), 400),
        (b'{"query": "\xff", "project_id": "demo"}', 400),
        (b"", 422),
        (b"null", 422),
        (b"[]", 422),
        (b"42", 422),
        (b'"query"', 422),
        (b"{}", 422),
        (b'{"query": "a", "project_id": "demo"', 400),
        (b"{'query': 'a'}", 400),
        (b'{"query": "a", "project_id": "demo"} {}', 400),
        (b'{"query": "a\x00", "project_id": "demo"}', 400),
        (b'{"query": {"$gt": ""}, "project_id": "demo"}', 422),
        (b'{"query": "a", "project_id": ["demo"]}', 422),
        (b" " * 1_000_001, 413),
        (b'{"query": "' + b"x" * 1_100_000 + b'", "project_id": "demo"}', 413),
    ],
    ids=range(29),
)
def test_a_body_that_is_no_request_is_a_problem(client, body, status):
    response = client.post("/rag/query", content=body, headers=JSON)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "multipart/form-data; boundary=x"},
        {"content-type": "application/json; charset=utf-16"},
        {"content-type": "application/json", "content-encoding": "gzip"},
        {"content-type": "application/xml"},
        {"content-type": ""},
    ],
    ids=str,
)
def test_only_plain_json_is_taken(client, headers):
    response = client.post("/rag/query", content=json.dumps(GOOD), headers=headers)
    assert (response.status_code, response.json()["code"]) == (415, "media_type")


def test_the_usual_ways_to_name_json_are_taken(client):
    for kind in (
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
    ):
        response = client.post("/rag/query", content=json.dumps(GOOD), headers={"content-type": kind})
        assert response.status_code == 200, kind


def test_a_nul_and_other_odd_characters_in_a_question_are_a_question(client):
    for odd in (
        "What is\u0000 cheating?",
        "\u202eWhat is cheating?",
        "\U000e0041\u200bWhat?",
        "𝒲hat is cheating?",
        "\ufffe\uffff?",
    ):
        response = client.post("/rag/query", json={"query": odd, "project_id": "demo"})
        assert response.status_code == 200, ascii(odd)


def test_a_number_longer_than_python_reads_is_no_fault(client):
    long = "9" * 5_000
    given = {"answer": f"The fee is {long} [1].", "passages": [{"id": "a", "text": f"The fee is {long}."}]}
    response = client.post("/v1/verify", json=given)
    assert (response.status_code, response.json()["holds"]) == (200, True)
    question = {"query": f"What is section {'9' * 3_900}?", "project_id": "demo"}
    assert client.post("/rag/query", json=question).status_code == 200


def test_an_id_that_stands_for_two_texts_is_a_problem_that_names_the_passages(client):
    given = [{"id": "a", "text": "The fee is ten rupees."}, {"id": "b", "text": "Tea is free."}]
    asked = {
        "answer": "The fee is nine rupees [a].",
        "passages": [*given, {"id": "a", "text": "The fee is nine rupees."}],
    }
    response = client.post("/v1/verify", json=asked)
    assert (response.status_code, response.json()["code"]) == (422, "unusable")
    assert "Passages 1 and 3" in response.json()["detail"]
    again = client.post("/v1/verify", json=asked | {"passages": [*given, given[0]]})
    assert (again.status_code, again.json()["holds"]) == (200, False)


def test_a_body_without_a_length_is_counted_as_it_comes(client):
    def parts():
        for _ in range(30):
            yield b" " * 100_000

    response = client.post("/rag/query", content=parts(), headers=JSON)
    assert response.status_code == 413


@pytest.mark.parametrize("length", ["-1", "x", "1e3", "٣"])
def test_a_length_that_is_no_number_is_a_problem(client, length):
    response = client.post("/rag/query", content=b"{}", headers=JSON | {"content-length": length.encode()})
    assert response.status_code == 400


def test_problems_name_places_and_never_values(client):
    canary = "canary-5f2c"
    body = {"query": canary * 500, "project_id": "demo", canary: canary, "k": canary}
    for parameters, places in (("", {"", "/query", "/k"}), (f"?x={canary}", {"/x"})):
        response = client.post(f"/rag/query{parameters}", json=body, headers={"x-canary": canary})
        assert response.status_code == 422
        assert canary not in response.text
        assert {error["at"] for error in response.json()["errors"]} == places


@pytest.mark.parametrize(
    ("path", "body", "wrong"),
    [
        ("/rag/query", {"query": "", "project_id": "demo"}, {("/query", "must not be empty")}),
        ("/rag/query", GOOD | {"k": 99}, {("/k", "must be at most 20")}),
        ("/rag/query", GOOD | {"mode": "x"}, {("/mode", "must be 'answer' or 'retrieve'")}),
        ("/rag/query", {"query": "a", "colour": 1}, {
            ("/project_id", "is required"), ("/colour", "is not a field of this request")}),
        ("/v1/ask", {"question": "a", "project": "demo", "as_of": 7}, {
            ("/as_of", "must be a date such as 2020-01-31")}),
        ("/v1/ask", {"question": " ", "project": "demo", "profile": "Legal!"}, {
            ("/question", "must not be empty"),
            ("/profile", "must be the name of a profile: a small letter, then small letters, digits, - or _")}),
    ],
)  # fmt: skip
def test_an_invalid_field_is_named_with_what_it_must_be(client, path, body, wrong):
    errors = client.post(path, json=body).json()["errors"]
    assert {(error["at"], error["requirement"]) for error in errors} == wrong


def test_every_pattern_of_the_api_is_said_in_words(client):
    described = client.get("/openapi.json").text
    patterns = set(re.findall(r'"pattern":("(?:[^"\\]|\\.)*")', described))
    assert len(patterns) > 5
    header = "^[!-~]+$"  # of Idempotency-Key, which has a requirement of its own
    assert {json.loads(pattern) for pattern in patterns} - {header} <= set(PATTERN_REQUIREMENTS)


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"answer": "", "passages": []}, {"/answer"}),
        ({"answer": "a", "passages": [{"id": "a", "text": 5}]}, {"/passages/0/text"}),
        ({"claims": [{"text": "a", "cites": 7}], "passages": []}, {"/claims/0/cites"}),
    ],
)
def test_the_place_of_an_error_named_a_class_of_the_service(client, body, wrong):
    """Of the forms a body can have, only what is wrong with the one that was sent is named."""
    errors = client.post("/v1/verify", json=body).json()["errors"]
    assert {error["at"] for error in errors} == wrong


@pytest.mark.parametrize("given", [{}, {"answer": "A [a].", "claims": [{"text": "A.", "cites": ["a"]}]}])
def test_neither_or_both_of_answer_and_claims_were_two_contradictory_errors(client, given):
    problem = client.post("/v1/verify", json={"passages": [{"id": "a", "text": "A."}], **given}).json()
    (error,) = problem["errors"]
    assert error["code"] == "answer_or_claims"
    assert error["requirement"] == "must have exactly one of the fields answer and claims"


def test_a_problem_has_the_fields_of_rfc_9457_and_the_request_id(client):
    response = client.get("/no/such/place")
    body = response.json()
    assert {"type", "title", "status", "detail", "code", "request_id"} == set(body)
    assert body["status"] == response.status_code == 404
    assert body["request_id"] == response.headers["x-request-id"]


def test_a_fault_of_ours_says_nothing_of_itself(client, monkeypatch, caplog):
    from footnotary.service.routes import rag

    def broken(*_, **__):
        raise RuntimeError("canary-5f2c")

    monkeypatch.setattr(rag, "answer", broken)
    response = client.post("/rag/query", json=GOOD)
    assert (response.status_code, response.json()["code"]) == (500, "internal")
    assert "canary" not in response.text
    assert "canary" not in caplog.text
    assert any(record.message == "fault" for record in caplog.records)


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON_VALUES)
@settings(max_examples=200)
def test_what_json_can_say_is_read_as_it_was_written(value):
    assert parse_strict_json(json.dumps(value).encode()) == value


@given(st.binary(max_size=60))
@settings(max_examples=300)
def test_bytes_are_json_or_a_problem(body):
    with suppress(Problem):
        json.loads(json.dumps(parse_strict_json(body), allow_nan=False))
