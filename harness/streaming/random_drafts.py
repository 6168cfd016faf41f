"""Random drafts through one service and its recorder: for tests and benchmarks."""

import random
from dataclasses import dataclass

import httpx

from footnotary.testing.chat_server import ChatExchange, claims, replies
from harness.streaming.live_service import BAD, GOOD, QUESTION, Live, served

# The same false sentence with other words around it, and good ones made false by a word or a number.
MUTANTS = (BAD, f"{GOOD[0][:-1]}, and {BAD}", f"{BAD[:-1]} as section 420 says.", f'"{BAD}"', f"{GOOD[1]} {BAD}")
FORMS = ("ask", "chat")


@dataclass(frozen=True, slots=True)
class StreamCounts:
    """How many streams were read, how many were answered or withheld, and what leaked."""

    streams: int
    answered: int
    withheld: int
    leaked: tuple[str, ...]


def stream_random_drafts(home, rounds: int, seed: int = 0) -> StreamCounts:
    """Streams `rounds` random drafts, each in whole and claim by claim, in both forms."""
    rng = random.Random(seed)
    draft: list[str] = []

    def says(exchange: ChatExchange) -> None:
        replies(claims(*((text, [1]) for text in draft)))(exchange)

    answered = withheld = 0
    with served(home, says, rate_per_minute=0, answer_cache="off") as live, httpx.Client(timeout=60) as http:
        for _ in range(rounds):
            for profile in ("legal", "byclaim"):
                draft[:] = [rng.choice(rng.choice((GOOD, MUTANTS))) for _ in range(rng.randint(1, 5))]
                text = _read(http, live, rng.choice(FORMS), profile)
                answered += '"complete":true' in text and "refus" not in text
                withheld += '"complete":false' in text
        return StreamCounts(rounds * 2, answered, withheld, tuple(live.leaked()))


def _read(http: httpx.Client, live: Live, form: str, profile: str) -> str:
    if form == "ask":
        body = {"question": QUESTION, "project": "law", "profile": profile, "stream": True}
        return http.post(f"{live.url}/v1/ask", json=body).raise_for_status().text
    body = {"model": f"law@{profile}", "messages": [{"role": "user", "content": QUESTION}], "stream": True}
    return http.post(f"{live.url}/v1/chat/completions", json=body).raise_for_status().text
