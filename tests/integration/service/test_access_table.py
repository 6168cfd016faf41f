"""Every address × every role × another tenant, as a table: who may, who may not, and that nobody sees a neighbour.

A route that is not in the table fails the first test: whoever adds one says here who may use it.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from footnotary.service.app import create_app
from footnotary.service.auth.api_keys import ROLES, ApiKeyStore
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from tests.integration.service.conftest import CANARY

QUESTION = "What word opens the vault?"
NOWHERE = "nowhere"
OTHERS = "strongroom"


@dataclass(frozen=True)
class Row:
    """An address, the least role it takes (None: no key), and a request that is in order for project {project}."""

    method: str
    path: str
    role: str | None
    body: Any = None
    params: dict[str, str] = field(default_factory=dict)
    content: bytes | None = None
    tenant: str = "alpha"

    @property
    def id(self) -> str:
        return f"{self.method} {self.path}"

    def sent(
        self,
        client,
        project: str,
        headers: dict[str, str] | None = None,
        params: dict[str, str] | None = None,
        **names: str,
    ):
        filled = {"project": project, "name": "legal", "semantic_id": "vault_1_0", "document_id": "vault.txt"} | names
        filled |= {"model": project, "job_id": "job_" + "a" * 26, "answer_id": "ans_" + "a" * 26, "case": "1"}
        filled["conversation"] = "conv_" + "a" * 26

        def fill(value: Any) -> Any:
            return (
                {k: fill(v) for k, v in value.items()}
                if isinstance(value, dict)
                else value.format(**filled)
                if isinstance(value, str)
                else value
            )

        given: dict[str, Any] = {"headers": headers or {}, "params": fill(self.params) | (params or {})}
        if self.body is not None:
            given["json"] = fill(self.body)
        if self.content is not None:
            given["content"] = self.content
        return client.request(self.method, self.path.format(**filled), **given)


TABLE = [
    Row("GET", "/healthz", None),
    Row("GET", "/readyz", None),
    Row("GET", "/rag/health", None),
    Row("GET", "/metrics", "reader", tenant="local"),
    Row("GET", "/v1/whoami", "reader"),
    Row("GET", "/v1/profiles", "reader"),
    Row("GET", "/v1/profiles/{name}", "reader"),
    Row("POST", "/rag/query", "reader", {"query": QUESTION, "project_id": "{project}"}),
    Row("GET", "/rag/search", "reader", params={"query": QUESTION, "project_id": "{project}"}),
    Row("POST", "/v1/ask", "reader", {"question": QUESTION, "project": "{project}"}),
    Row("POST", "/v1/retrieve", "reader", {"query": QUESTION, "project": "{project}"}),
    Row("POST", "/v1/verify", "reader", {"answer": "A [1].", "passages": [{"id": "a", "text": "A."}]}),
    Row(
        "POST",
        "/v1/chat/completions",
        "reader",
        {"model": "{project}", "messages": [{"role": "user", "content": QUESTION}]},
    ),
    Row("POST", "/v1/responses", "reader", {"model": "{project}", "input": QUESTION}),
    Row("GET", "/v1/models", "reader"),
    Row("GET", "/v1/models/{model}", "reader"),
    Row("GET", "/v1/projects/{project}/sources/{semantic_id}", "reader"),
    Row("GET", "/v1/projects/{project}/sources/{semantic_id}/page.png", "reader"),
    Row("GET", "/v1/projects", "reader"),
    Row("POST", "/v1/projects", "writer", {"name": "{project}-made"}),
    Row("DELETE", "/v1/projects/{project}", "admin"),
    Row("GET", "/v1/projects/{project}/documents", "reader"),
    Row("POST", "/v1/projects/{project}/documents", "writer", params={"name": "a.txt"}, content=b"A text."),
    Row("GET", "/v1/projects/{project}/documents/{document_id}", "reader"),
    Row("DELETE", "/v1/projects/{project}/documents/{document_id}", "writer"),
    Row("GET", "/v1/projects/{project}/document-text/{document_id}", "reader"),
    Row("POST", "/v1/projects/{project}/flags", "admin", {"document": "{document_id}", "text": "No such sentence."}),
    Row("GET", "/v1/projects/{project}/document-conflicts/{document_id}", "reader"),
    Row("GET", "/v1/projects/{project}/document-pages/{document_id}", "reader", params={"page": "1"}),
    Row("GET", "/v1/projects/{project}/conversations", "reader"),
    Row("GET", "/v1/projects/{project}/conversations/{conversation}", "reader"),
    Row(
        "POST",
        "/v1/projects/{project}/conversation-exports",
        "reader",
        {"answers": ["ans_" + "a" * 26], "format": "markdown"},
    ),
    Row("GET", "/v1/answers/{answer_id}", "reader"),
    Row("GET", "/v1/answers/{answer_id}/bundle", "reader"),
    Row("POST", "/v1/answers/{answer_id}/feedback", "reader", {"rating": "up"}),
    Row("GET", "/v1/audit", "admin"),
    Row("GET", "/v1/audit/verify", "admin"),
    Row("GET", "/v1/audit/key", "reader"),
    Row("GET", "/v1/review", "admin"),
    Row("GET", "/v1/review/{case}", "admin"),
    Row("POST", "/v1/review/{case}", "admin", {"state": "dismissed"}),
    Row("GET", "/v1/feedback/export", "admin"),
    Row("GET", "/v1/jobs", "reader"),
    Row("GET", "/v1/jobs/{job_id}", "reader"),
    Row("DELETE", "/v1/jobs/{job_id}", "writer"),
]
BY_ID = {row.id: row for row in TABLE}


@pytest.fixture(scope="module")
def house(filled_home, tmp_path_factory) -> Iterator[tuple[TestClient, dict[tuple[str, str], str]]]:
    """One service for the whole table, and a key for each role of each tenant."""
    home = Path(shutil.copytree(filled_home, tmp_path_factory.mktemp("table") / "home"))
    ring = ApiKeyStore(home)
    tokens = {(tenant, role): ring.create(tenant, role)[1] for tenant in ("alpha", "beta", "local") for role in ROLES}
    ring.close()
    settings = load_settings({"verifier": "lexical", "home": home, "rate_per_minute": 0}, environ={})
    with TestClient(create_app(ServiceState(settings, HashEmbedder())), base_url="http://localhost") as client:
        yield client, tokens


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_every_address_of_the_service_is_in_the_table(house):
    client, _ = house
    paths = client.get("/openapi.json").json()["paths"]
    operations = {f"{method.upper()} {path}" for path, item in paths.items() for method in item}
    assert operations == set(BY_ID)
    for path, item in paths.items():
        for method, operation in item.items():
            (role,) = operation["security"][0]["HTTPBearer"] if "security" in operation else (None,)
            assert BY_ID[f"{method.upper()} {path}"].role == role


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.id)
def test_an_address_takes_the_roles_of_the_table_and_no_other(row, house):
    client, tokens = house
    for headers in ({}, bearer("fn_0123456789ab_" + "a" * 52)):
        response = row.sent(client, NOWHERE, headers)
        if row.role is None:
            assert response.status_code < 400
        else:
            assert (response.status_code, response.json()["code"]) == (401, "unauthenticated")
    for role in ROLES:
        response = row.sent(client, NOWHERE, bearer(tokens[row.tenant, role]))
        may = row.role is None or ROLES.index(role) >= ROLES.index(row.role)
        assert (response.status_code == 403) == (not may), (role, response.text)
        assert response.status_code != 401
        assert response.status_code < 500


@pytest.mark.parametrize(
    "row", [row for row in TABLE if "{project}" in f"{row.path}{row.body}{row.params}"], ids=lambda row: row.id
)
def test_another_tenant_s_project_is_one_that_is_not_there(row, house):
    client, tokens = house
    admin = bearer(tokens["beta", "admin"])
    there, nowhere = row.sent(client, OTHERS, admin), row.sent(client, NOWHERE, admin)
    assert there.status_code == nowhere.status_code
    assert CANARY not in there.text
    assert _told(there) == _told(nowhere)


MADE_BY_WRITING = ("POST /v1/projects", "POST /v1/projects/{project}/documents")
REFUSED = ("POST /rag/query", "POST /v1/ask")  # a question has an answer or a refusal: `collection_not_found`


def test_a_project_that_does_not_exist_is_not_found_and_those_of_the_caller_are_named(start):
    client = start()
    keys = client.app.state.service.keys
    alpha, beta = (bearer(keys.create(tenant, "admin")[1]) for tenant in ("alpha", "beta"))
    for row in TABLE:
        if "{project}" not in f"{row.path}{row.body}{row.params}" or row.id in (*MADE_BY_WRITING, *REFUSED):
            continue
        response = row.sent(client, "never made", alpha)
        code, names = (
            ("unknown_model", "demo, strongroom")
            if "model" in f"{row.body}"
            else ("unknown_project", "demo, strongroom.")
        )
        assert (response.status_code, response.json()["code"]) == (404, code), row.id
        assert f"does not exist; choose from {names}" in response.json()["detail"]
        assert "never" not in response.text
        assert OTHERS not in row.sent(client, "never made", beta).text


def test_a_caller_without_a_project_is_told_how_to_make_one(start):
    client = start()
    headers = bearer(client.app.state.service.keys.create("gamma", "reader")[1])
    detail = client.post("/v1/retrieve", json={"query": QUESTION, "project": "demo"}, headers=headers).json()["detail"]
    assert detail == (
        "This project does not exist; there is none yet: uploading a document to a new project creates it."
    )


def _told(response) -> Any:
    """What a response says, less what names the request itself."""
    told = response.json()
    if not isinstance(told, dict):
        return told
    ours = (
        "request_id",
        "answer_id",
        "bundle",
        "job",
        "jobs",
        "id",
        "accepted_at",
        "created_at",
        "query",
        "project",
        "project_id",
    )
    kept = {name: value for name, value in told.items() if name not in ours}
    return str(kept).replace(OTHERS, "PROJECT").replace(NOWHERE, "PROJECT")


def test_another_tenant_s_answers_records_and_jobs_are_not_there(house):
    client, tokens = house
    alpha, beta = bearer(tokens["alpha", "admin"]), bearer(tokens["beta", "admin"])
    asked = client.post("/v1/ask", json={"question": QUESTION, "project": OTHERS}, headers=alpha).json()
    sent = client.post(f"/v1/projects/{OTHERS}/documents?name=b.txt", content=b"Rule 8. B.", headers=alpha).json()
    addresses = [f"/v1/answers/{asked['answer_id']}", asked["bundle"], f"/v1/jobs/{sent['job']['id']}"]
    for address in addresses:
        assert client.get(address, headers=alpha).status_code == 200, address
        assert client.get(address, headers=beta).status_code == 404, address
    rated = client.post(f"{addresses[0]}/feedback", json={"rating": "down"}, headers=beta)
    assert rated.status_code == 404
    for address in ("/v1/audit", "/v1/jobs", "/v1/review", "/v1/feedback/export", "/v1/projects"):
        told = client.get(address, headers=beta).text
        assert asked["answer_id"] not in told
        assert sent["job"]["id"] not in told
        assert CANARY not in told


def test_the_counts_of_all_tenants_are_for_the_operator_alone(house):
    client, tokens = house
    for role in ROLES:
        assert client.get("/metrics", headers=bearer(tokens["alpha", role])).status_code == 403


def test_the_owner_does_find_it(house):
    client, tokens = house
    row = BY_ID["POST /v1/retrieve"]
    assert CANARY in row.sent(client, OTHERS, bearer(tokens["alpha", "reader"])).text
    assert CANARY not in row.sent(client, OTHERS, bearer(tokens["beta", "admin"])).text


def test_no_name_in_the_request_changes_the_tenant(house):
    client, tokens = house
    token = tokens["beta", "admin"]
    row = BY_ID["POST /v1/retrieve"]
    for extra in (
        {"X-Tenant": "alpha"},
        {"X-Tenant-Id": "alpha"},
        {"Tenant": "alpha"},
        {"X-Forwarded-User": "alpha"},
        {"Cookie": "tenant=alpha"},
    ):
        assert CANARY not in row.sent(client, OTHERS, bearer(token) | extra).text
    for name in ("tenant", "tenant_id", "scope", "key_id", "role"):
        response = client.post(
            "/v1/retrieve", json=row.body | {"project": OTHERS, name: "alpha"}, headers=bearer(token)
        )
        assert response.status_code == 422
        assert (
            CANARY
            not in client.post(
                f"/v1/retrieve?{name}=alpha", json=row.body | {"project": OTHERS}, headers=bearer(token)
            ).text
        )
    for project in (
        "alpha/strongroom",
        "../alpha/strongroom",
        "alpha:strongroom",
        "alpha\x00strongroom",
        "..%2falpha%2fstrongroom",
    ):
        assert (
            CANARY not in client.post("/v1/retrieve", json=row.body | {"project": project}, headers=bearer(token)).text
        )
