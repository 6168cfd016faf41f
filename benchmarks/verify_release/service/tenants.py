"""C2: eight tenants put, delete, ask, search, list and look up in any order, with the same names for everything.

Nothing a tenant is told may hold a word that only another one has, and what is deleted is not found again.
"""

import asyncio
import random
import tempfile
from pathlib import Path

from benchmarks.verify_release.service.in_process_client import Asked
from benchmarks.verify_release.tally import Tally
from footnotary.service.api_keys import ApiKeyStore
from footnotary.service.app import create_app
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
WORDS = {tenant: f"{tenant}quartz" for tenant in NAMES}
QUESTION = "What is the word of the vault?"
DO = ("put", "put", "delete", "ask", "ask", "search", "list", "source", "ask_other", "audit")


def tried(count: int, seed: int, planted: bool) -> Tally:
    return asyncio.run(_tried(count, seed, planted))


async def _tried(count: int, seed: int, planted: bool) -> Tally:
    tally, chance = Tally(), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        ring = ApiKeyStore(Path(folder))
        keys = {tenant: {"Authorization": f"Bearer {ring.create(tenant, 'admin')[1]}"} for tenant in NAMES}
        ring.close()
        settings = load_settings({"verifier": "lexical", "home": Path(folder), "rate_per_minute": 0}, environ={})
        state = ServiceState(settings, HashEmbedder())
        if planted:  # one store for two of the tenants
            own = state.tenant
            state.tenant = lambda name: own("alpha" if name == "beta" else name)
        held: dict[str, set[str]] = {tenant: set() for tenant in NAMES}
        app = create_app(state)
        async with app.router.lifespan_context(app):
            client = Asked(app)
            for step in range(count):
                tally.tried += 1
                tenant, number, what = chance.choice(NAMES), chance.randrange(3), chance.choice(DO)
                wrong = await _step(client, state, held[tenant], tenant, number, what, keys, step)
                tally.count(what)
                if wrong:
                    tally.fault(f"step {step}, {tenant} {what}: {wrong}")
    return tally


async def _step(
    client: Asked, state, held: set[str], tenant: str, number: int, what: str, keys: dict, step: int
) -> str:
    name, own, wrong = f"rule{number}.txt", keys[tenant], ""
    match what:
        case "put":
            said = f"Rule {number}. The word of the vault is {WORDS[tenant]}{number}, and the vault has {number} doors."
            state.tenant(tenant).corpus.ingest_text(name, said, "same")
            held.add(name)
            return ""
        case "delete":
            response = await client.told("DELETE", f"/v1/projects/same/documents/{name}", own)
            wrong = "" if (response.status == 200) == (name in held) else "deleted what was not there, or not what was"
            held.discard(name)
        case "ask" | "ask_other":
            body = {"question": QUESTION, "project": "same" if what == "ask" else "elsewhere"}
            again = {"Idempotency-Key": f"same-{step // 7}"} if what == "ask" else {}
            response = await client.told("POST", "/v1/ask", own | again, body)
        case "search":
            response = await client.told("POST", "/v1/retrieve", own, {"query": QUESTION, "project": "same"})
            found = {hit["metadata"]["filename"] for hit in response.content["results"]}
            wrong = "" if found <= held else f"found {found - held}, which is deleted"
        case "list":
            response = await client.told("GET", "/v1/projects/same/documents", own)
            if held and {document["id"] for document in response.content["documents"]} != held:
                wrong = "lists other documents"
        case "audit":
            response = await client.told("GET", "/v1/audit?limit=5", own)
        case _:
            response = await client.told("GET", f"/v1/projects/same/sources/Rule{number}_text_0", own)
            wrong = "" if (response.status == 200) == (name in held) else "shows what is not there, or not what is"
    if response.status >= 500:
        return f"status {response.status}"
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
