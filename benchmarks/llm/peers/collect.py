"""Collects the requests that every system sends to its model, so that a model can answer them anywhere, once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.llm.peers import ours
from benchmarks.llm.peers.model_server import ModelCall, RecordingServer
from benchmarks.llm.peers.questions import PeerQuestion
from benchmarks.llm.peers.systems import PEERS, running_peer


def collected(
    questions: Iterable[PeerQuestion], python: Path | None, max_tokens: int, systems: Collection[str]
) -> Iterator[dict[str, Any]]:
    """One row for each request: the call, who made it (`system`) and for which question (`key`).

    Every system asks its model once for a question; anything else is an error, since a second request would depend on
    the reply to the first.
    """
    asked = list(questions)
    compared = [question for question in asked if question.part == "peers"]
    with RecordingServer() as server:
        if ours.NAME in systems:
            yield from _calls(ours.NAME, asked, server, lambda q: ours.requested(q, server.base_url, max_tokens))
        for name in PEERS:
            if python is not None and name in systems:
                with running_peer(name, python, server.base_url, max_tokens) as peer:
                    yield from _calls(name, compared, server, peer.answer)


def _calls(
    system: str, questions: Iterable[PeerQuestion], server: RecordingServer, ask: Callable[[PeerQuestion], object]
) -> Iterator[dict[str, Any]]:
    for question in questions:
        server.calls.clear()
        reply = ask(question)
        if len(server.calls) != 1:
            raise SystemExit(f"{system} sent {len(server.calls)} requests for {question.key}: {reply}")
        yield request_row(server.calls[0], system, question)
    print(f"{system}: done", file=sys.stderr)


def request_row(call: ModelCall, system: str, question: PeerQuestion) -> dict[str, Any]:
    return {**call.row(), "part": question.part, "system": system, "key": question.key}
