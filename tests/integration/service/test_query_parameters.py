"""Query parameters that a route does not have, or that are given twice, are rejected and named, never ignored."""

import pytest

from footnotary.service.problems import OPENAI_PATHS
from tests.integration.service.test_access_table import TABLE

KEYED = [row for row in TABLE if row.role is not None and not row.path.startswith(OPENAI_PATHS)]


@pytest.fixture
def parameters(client):
    """The names of the query parameters of a route, by the OpenAPI document."""
    paths = client.get("/openapi.json").json()["paths"]
    return lambda row: sorted(
        parameter["name"]
        for parameter in paths[row.path][row.method.lower()].get("parameters", ())
        if parameter["in"] == "query"
    )


def test_every_route_rejects_an_unknown_query_parameter_and_names_its_own(client, parameters):
    for row in KEYED:
        response = row.sent(client, "demo", params={"projekt": "demo"})
        assert response.status_code == 422, (row.id, response.text)
        (error,) = response.json()["errors"]
        assert (error["in"], error["at"], error["code"]) == ("query", "/projekt", "unknown_parameter")
        names = ", ".join(parameters(row))
        own = f"choose from {names}" if names else "it has none"
        assert error["requirement"] == f"is not a query parameter of this route; {own}"
        assert error["requirement"] in response.json()["detail"]


def test_a_repeated_query_parameter_is_rejected(client):
    response = client.get("/rag/search?query=cheating&project_id=demo&project_id=other")
    assert response.status_code == 422
    assert response.json()["errors"] == [
        {"in": "query", "at": "/project_id", "code": "repeated_parameter", "requirement": "must be given only once"}
    ]


def test_a_parameter_that_takes_a_list_may_be_repeated(client):
    url = "/v1/projects/demo/documents?name=new.txt&supersedes=ipc_digest.txt&supersedes=hipaa_digest.txt"
    assert client.post(url, content=b"Rule 1. A new text.").status_code == 202


def test_the_name_of_an_unknown_parameter_is_not_repeated_if_it_is_not_a_plain_one(client):
    response = client.get("/v1/projects", params={"<script>": "1"})
    assert response.status_code == 422
    assert "script" not in response.text


def test_a_request_without_a_key_is_told_that_first(start):
    client = start()
    client.app.state.service.keys.create("alpha", "reader")
    assert client.get("/v1/projects?projekt=demo").status_code == 401


def test_the_page_and_probes_take_any_parameter(client):
    for path in ("/", "/static/scripts/main.js", "/healthz", "/readyz", "/rag/health", "/openapi.json"):
        assert client.get(f"{path}?v=2").status_code == 200, path


def test_the_routes_of_openai_s_api_take_the_parameters_of_other_servers(client):
    assert client.get("/v1/models?api-version=2024-06-01").status_code == 200
