"""C2: eight tenants ingest, delete, ask, search, list and look up in random order, with the same names for everything.

No response may contain a word that only another tenant has, and deleted documents are not found again.
"""

import asyncio
import random
import tempfile
from pathlib import Path

from benchmarks.verify_release.service.in_process_client import InProcessClient
from benchmarks.verify_release.tally import Tally
from footnotary.service.app import create_app
from footnotary.service.auth.api_keys import ApiKeyStore
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
WORDS = {tenant: f"{tenant}quartz" for tenant in NAMES}
QUESTION = "What is the word of the vault?"
OPERATIONS = ("put", "put", "delete", "ask", "ask", "search", "list", "source", "ask_other", "audit")


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    return asyncio.run(_run_attempts(count, seed, seeded_bug))


async def _run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    tally, rng = Tally(), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        ring = ApiKeyStore(Path(folder))
        keys = {tenant: {"Authorization": f"Bearer {ring.create(tenant, 'admin')[1]}"} for tenant in NAMES}
        ring.close()
        settings = load_settings({"verifier": "lexical", "home": Path(folder), "rate_per_minute": 0}, environ={})
        state = ServiceState(settings, HashEmbedder())
        if seeded_bug:  # two tenants share one store
            own = state.tenant
            state.tenant = lambda name: own("alpha" if name == "beta" else name)
        held: dict[str, set[str]] = {tenant: set() for tenant in NAMES}
        app = create_app(state)
        async with app.router.lifespan_context(app):
            client = InProcessClient(app)
            for step in range(count):
                tally.attempts += 1
                tenant, number, what = rng.choice(NAMES), rng.randrange(3), rng.choice(OPERATIONS)
                wrong = await _step(client, state, held[tenant], tenant, number, what, keys, step)
                tally.count(what)
                if wrong:
                    tally.fault(f"step {step}, {tenant} {what}: {wrong}")
    return tally


async def _step(
    client: InProcessClient, state, held: set[str], tenant: str, number: int, what: str, keys: dict, step: int
) -> str:
    name, own, wrong = f"rule{number}.txt", keys[tenant], ""
    match what:
        case "put":
            said = f"Rule {number}. The word of the vault is {WORDS[tenant]}{number}, and the vault has {number} doors."
            state.tenant(tenant).corpus.ingest_text(name, said, "same")
            held.add(name)
            return ""
        case "delete":
            response = await client.request("DELETE", f"/v1/projects/same/documents/{name}", own)
            wrong = (
                ""
                if (response.status == 200) == (name in held)
                else "deleted a document that did not exist, or kept one that did"
            )
            held.discard(name)
        case "ask" | "ask_other":
            body = {"question": QUESTION, "project": "same" if what == "ask" else "elsewhere"}
            again = {"Idempotency-Key": f"same-{step // 7}"} if what == "ask" else {}
            response = await client.request("POST", "/v1/ask", own | again, body)
        case "search":
            response = await client.request("POST", "/v1/retrieve", own, {"query": QUESTION, "project": "same"})
            # A project is gone with its last document.
            hits = [] if response.status == 404 and not held else response.content["results"]
            found = {hit["metadata"]["filename"] for hit in hits}
            wrong = "" if found <= held else f"found deleted documents {found - held}"
        case "list":
            response = await client.request("GET", "/v1/projects/same/documents", own)
            if held and {document["id"] for document in response.content["documents"]} != held:
                wrong = "lists other documents"
        case "audit":
            response = await client.request("GET", "/v1/audit?limit=5", own)
        case _:
            response = await client.request("GET", f"/v1/projects/same/sources/Rule{number}_text_0", own)
            wrong = (
                ""
                if (response.status == 200) == (name in held)
                else "showed a document that does not exist, or not one that does"
            )
    if response.status >= 500:
        return f"status {response.status}"
    body_text = response.text.lower()
    foreign = [word for other, word in WORDS.items() if other != tenant and _contains_word(body_text, word)]
    return f"reads {foreign}" if foreign else wrong


def _contains_word(text: str, word: str) -> bool:
    """Whether the text has the whole word: `etaquartz` also ends `betaquartz` and `zetaquartz`."""
    at = text.find(word)
    while at >= 0:
        if not text[at - 1 : at].isalpha():
            return True
        at = text.find(word, at + 1)
    return False
