"""C2: eight tenants put, delete, ask, search, list and look up in any order, with the same names for everything.

Nothing a tenant is told may hold a word that only another one has, and what is deleted is not found again.
"""

import random
import tempfile
from pathlib import Path

from starlette.testclient import TestClient

from benchmarks.prove.tally import Tally
from footnotary.service.app import create_app
from footnotary.service.keys import KeyRing
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
WORDS = {tenant: f"{tenant}quartz" for tenant in NAMES}
QUESTION = "What is the word of the vault?"
DO = ("put", "put", "delete", "ask", "ask", "search", "list", "source", "ask_other", "audit")


def tried(count: int, seed: int, planted: bool) -> Tally:
    tally, chance = Tally(), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        ring = KeyRing(Path(folder))
        keys = {tenant: {"Authorization": f"Bearer {ring.create(tenant, 'admin')[1]}"} for tenant in NAMES}
        ring.close()
        settings = load_settings({"home": Path(folder), "rate_per_minute": 0}, environ={})
        state = ServiceState(settings, HashEmbedder())
        if planted:  # one store for two of the tenants
            own = state.tenant
            state.tenant = lambda name: own("alpha" if name == "beta" else name)
        held: dict[str, set[str]] = {tenant: set() for tenant in NAMES}
        with TestClient(create_app(state), base_url="http://localhost") as client:
            for step in range(count):
                tally.tried += 1
                tenant, number, what = chance.choice(NAMES), chance.randrange(3), chance.choice(DO)
                wrong = _step(client, state, held[tenant], tenant, number, what, keys, step)
                tally.count(what)
                if wrong:
                    tally.fault(f"step {step}, {tenant} {what}: {wrong}")
    return tally


def _step(client, state, held: set[str], tenant: str, number: int, what: str, keys: dict, step: int) -> str:
    name, own, wrong = f"rule{number}.txt", keys[tenant], ""
    match what:
        case "put":
            said = f"Rule {number}. The word of the vault is {WORDS[tenant]}{number}, and the vault has {number} doors."
            state.tenant(tenant).corpus.ingest_text(name, said, "same")
            held.add(name)
            return ""
        case "delete":
            response = client.delete(f"/v1/projects/same/documents/{name}", headers=own)
            wrong = (
                "" if (response.status_code == 200) == (name in held) else "deleted what was not there, or not what was"
            )
            held.discard(name)
        case "ask" | "ask_other":
            body = {"question": QUESTION, "project": "same" if what == "ask" else "elsewhere"}
            again = {"Idempotency-Key": f"same-{step // 7}"} if what == "ask" else {}
            response = client.post("/v1/ask", json=body, headers=own | again)
        case "search":
            response = client.post("/v1/retrieve", json={"query": QUESTION, "project": "same"}, headers=own)
            found = {hit["metadata"]["filename"] for hit in response.json()["results"]}
            wrong = "" if found <= held else f"found {found - held}, which is deleted"
        case "list":
            response = client.get("/v1/projects/same/documents", headers=own)
            if held and {document["id"] for document in response.json()["documents"]} != held:
                wrong = "lists other documents"
        case "audit":
            response = client.get("/v1/audit", params={"limit": 5}, headers=own)
        case _:
            response = client.get(f"/v1/projects/same/sources/rule{number}_text_0", headers=own)
    if response.status_code >= 500:
        return f"status {response.status_code}"
    told = response.text.lower()
    foreign = [word for other, word in WORDS.items() if other != tenant and _stands_in(word, told)]
    return f"reads {foreign}" if foreign else wrong


def _stands_in(word: str, told: str) -> bool:
    """Whether a word is there by itself: `etaquartz` also ends `betaquartz` and `zetaquartz`."""
    at = told.find(word)
    while at >= 0:
        if not told[at - 1 : at].isalpha():
            return True
        at = told.find(word, at + 1)
    return False
