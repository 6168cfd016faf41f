"""What the names of models mean where projects have the same names."""

import pytest

from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.wiring import build_corpus, open_store

LEAVE = "Every worker has eighteen days of paid leave in each year."
QUESTION = "How many days of leave does a worker have?"
RESERVED = ["guard", "guard@legal", "guard@home", "legal", "tutor", "demo@legal"]


@pytest.fixture
def named_projects(home):
    """Projects with reserved names, made on the command line; each says how many days its own leave has."""
    settings = load_settings({"verifier": "lexical", "home": home}, environ={})
    store = open_store(settings, HashEmbedder())
    corpus = build_corpus(settings, store, HashEmbedder())
    for name in ("guard", "legal", "demo@legal", "team@home"):
        corpus.ingest_text(f"{name}.txt", f"Section 1. Leave of {name}. Every worker has two days of leave.", name)
    store.close()


def chat(client, model, **more):
    body = {"model": model, "messages": [{"role": "user", "content": QUESTION}], **more}
    return client.post("/v1/chat/completions", json=body)


@pytest.mark.parametrize("name", RESERVED)
def test_a_project_could_be_created_under_the_name_of_a_model(client, name):
    for response in (
        client.post("/v1/projects", json={"name": name}),
        client.post(f"/v1/projects/{name}/documents", files={"file": ("leave.txt", LEAVE.encode())}),
    ):
        assert (response.status_code, response.json()["code"]) == (422, "invalid")
        assert "must not be the name of a model: guard, a profile, or NAME@PROFILE" in response.json()["detail"]
    assert [one["name"] for one in client.get("/v1/projects").json()["projects"]] == ["demo"]


@pytest.mark.parametrize("name", ["guards", "Legal", "team@home", "default"])
def test_other_names_are_free(client, name):
    assert client.post("/v1/projects", json={"name": name}).status_code == 201


@pytest.mark.usefixtures("named_projects")
def test_a_project_took_the_place_of_the_guard_model(client):
    reply = chat(client, "guard", documents=[{"id": "HR_7", "text": LEAVE}])
    assert reply.status_code == 200, reply.text
    assert [one["id"] for one in reply.json()["footnotary"]["citation_details"]] == ["HR_7"]
    assert client.post("/v1/projects/guard/documents", files={"file": ("a.txt", LEAVE.encode())}).status_code == 202


@pytest.mark.usefixtures("named_projects")
@pytest.mark.parametrize(
    ("model", "project", "profile"),
    [
        ("legal", "demo", "legal"),
        ("demo@legal", "demo", "legal"),
        ("legal@compliance", "legal", "compliance"),
        ("demo@legal@tutor", "demo@legal", "tutor"),
        ("team@home", "team@home", "default"),
    ],
)
def test_a_project_took_the_place_of_a_profile(start, model, project, profile):
    client = start(project="demo")
    said = chat(client, model).json()["footnotary"]
    assert said["profile"] == profile
    (record,) = client.get("/v1/audit").json()["records"]
    assert record["project"] == project


@pytest.mark.usefixtures("named_projects")
def test_models_were_listed_twice_and_under_names_that_mean_something_else(client):
    names = [model["id"] for model in client.get("/v1/models").json()["data"]]
    assert names == ["demo", "team@home", "default", "legal", "compliance", "tutor", "guard"]
