"""FAULTS B10: no vector leaves by any address, under any name or in any packing: texts could be made from it again."""

import base64
import json
import re
import struct
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from footnotary.service.app import create_app
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from tests.integration.service.conftest import CORPUS
from tests.integration.service.test_access_table import TABLE

NAMES = re.compile(r"vector|embedding|dense_values|quantiz|centroid", re.IGNORECASE)
QUESTION = "What is the punishment for cheating?"
# Boxes and spans are objects; nothing that is told is a list of so many plain numbers.
MOST_NUMBERS = 4


class Recording(HashEmbedder):
    """Keeps every vector it gives."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[list[float]] = []

    def embed_passages(self, texts):
        vectors = super().embed_passages(texts)
        self.given += vectors.tolist()
        return vectors

    def embed_question(self, text):
        vector = super().embed_question(text)
        self.given.append(vector.tolist())
        return vector


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    embedder = Recording()
    settings = load_settings(
        {"verifier": "lexical", "home": tmp_path_factory.mktemp("vectors") / "home", "rate_per_minute": 0}, environ={}
    )
    with TestClient(create_app(ServiceState(settings, embedder)), base_url="http://localhost") as client:
        corpus = client.app.state.service.tenant("local").corpus
        text = (CORPUS / "ipc_digest.txt").read_text(encoding="utf-8")
        assert not corpus.ingest_text("ipc_digest.txt", text, "demo").failed
        yield client, embedder


@pytest.fixture
def client(house):
    return house[0]


def names_in(schema: Any) -> set[str]:
    """Every name of a property, at any depth of a schema."""
    if isinstance(schema, list):
        return set().union(*map(names_in, schema))
    if not isinstance(schema, dict):
        return set()
    inner = schema.get("properties")
    own = set(inner) if isinstance(inner, dict) else set()
    return own.union(*map(names_in, schema.values()))


def numeric_lists(schema: Any) -> list[Any]:
    """Every array of plain numbers in a schema."""
    if isinstance(schema, list):
        return [found for one in schema for found in numeric_lists(one)]
    if not isinstance(schema, dict):
        return []
    items = schema.get("items")
    own = [schema] if isinstance(items, dict) and items.get("type") == "number" else []
    return own + [found for one in schema.values() for found in numeric_lists(one)]


def told(value: Any) -> set[str]:
    """What in a response is, or could be, a vector."""
    if isinstance(value, dict):
        named = {name for name in value if NAMES.search(name)}
        return named.union(*map(told, value.values())) if value else named
    if isinstance(value, list):
        numbers = [one for one in value if isinstance(one, float)]
        own = {f"{len(numbers)} numbers"} if len(numbers) > MOST_NUMBERS else set()
        return own.union(*map(told, value))
    return set()


def packings(values: list[float]) -> list[bytes]:
    """A vector as it might be packed: some of its numbers as text, and its bytes in base64 or hexadecimal."""
    packed = [struct.pack(f"<{len(values)}{kind}", *values) for kind in "fed"]
    plain = [repr(value).encode() for value in values if len(repr(value)) > 12][:4]
    # The last letters of a part of base64 depend on what follows.
    coded = [base64.b64encode(one[:96])[:-4] for one in packed]
    return plain + coded + [one[:48].hex().encode() for one in packed]


def test_b10_no_schema_of_a_response_has_room_for_a_vector(client):
    document = client.get("/openapi.json").json()
    schemas = [document["components"]["schemas"], document["paths"]]
    names = names_in(schemas)
    assert {"citations", "score", "algorithm"} <= names, "the names are found at every depth"
    assert not {name for name in names if NAMES.search(name)}
    assert not numeric_lists(schemas)


def test_b10_no_response_of_any_address_holds_a_vector(house):
    client, embedder = house
    answer = client.post("/v1/ask", json={"question": QUESTION, "project": "demo", "profile": "legal"}).json()
    names = {"semantic_id": answer["outcome"]["citations"][0], "document_id": "ipc_digest.txt"}
    hunted = [pack for vector in embedder.given for pack in packings(vector)]
    assert len(embedder.given) > 10
    looked = 0
    for row in sorted(TABLE, key=lambda row: row.method == "DELETE"):
        # Deletions last, and each of something that is not there: the others are to have something to tell.
        project = "nowhere" if row.method == "DELETE" else "demo"
        sent = replace(row, path=row.path.replace("{answer_id}", answer["answer_id"]))
        response = sent.sent(client, project, **names)
        assert not any(pack in response.content for pack in hunted), row.id
        if response.headers.get("content-type", "").startswith(("application/json", "application/problem+json")):
            body = response.json()
            assert not told(body), (row.id, told(body))
            looked += response.status_code == 200
            if isinstance(body, dict) and "payload" in body:
                inner = base64.b64decode(body["payload"])
                assert not told(json.loads(inner)), row.id
                assert not any(pack in inner for pack in hunted)
    assert looked > 15


def test_b10_a_stream_holds_no_vector_either(client):
    events = client.post("/v1/ask", json={"question": QUESTION, "project": "demo", "stream": True}).text
    found = [json.loads(line[5:]) for line in events.splitlines() if line.startswith("data:")]
    assert found
    assert not any(told(one) for one in found)


def test_a_vector_would_be_seen():
    assert told({"a": [{"b": [0.1, 0.2, 0.3, 0.4, 0.5]}]})
    assert told({"a": [{"embedding": "AAAA"}]})
    assert not told({"a": [{"score": 0.5}, {"score": 0.25}], "b": [1, 2, 3, 4, 5, 6]})
    vector = [0.123456789012345] * 64
    for packed in (
        base64.b64encode(struct.pack("<64f", *vector)),
        json.dumps(vector).encode(),
        struct.pack("<64e", *vector).hex().encode(),
    ):
        assert any(pack in packed for pack in packings(vector))
    assert numeric_lists({"x": {"type": "array", "items": {"type": "number"}}})
    assert names_in([{"anyOf": [{"properties": {"vector": {}}}]}]) == {"vector"}
