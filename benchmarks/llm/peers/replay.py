"""Plays recorded replies back: every system answers every question again, as it would with the model itself."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from benchmarks.llm.peers.model_server import RecordedReply, RecordingServer
from benchmarks.llm.peers.ours import FootnotarySystem, SystemOutcome
from benchmarks.llm.peers.questions import PeerQuestion
from benchmarks.llm.peers.stored_reader import ConstantReader, StoredReader
from benchmarks.llm.peers.systems import PEERS, running_peer
from benchmarks.quality.answering.asking import program_digest
from footnotary.profiles.load import load_profile
from footnotary.reader.shipped import reader_for

SHIPPED = ("small", "large")
STORED = "xl"
# Not an answer by any profile, and worth reading further.
DOUBT = 0.3


class AnsweringSystem(Protocol):
    def answer(self, question: PeerQuestion) -> SystemOutcome: ...


@dataclass(frozen=True, slots=True)
class PlayedOutcome:
    """An outcome with what its model read and wrote; `asked` is false where no model was asked."""

    key: str
    outcome: SystemOutcome
    asked: bool
    tokens_in: int = 0
    tokens_out: int = 0


def played(
    systems: Sequence[str], questions: Sequence[PeerQuestion], folder: Path, replies: Mapping[str, RecordedReply],
    python: Path | None, max_tokens: int, table: Mapping[str, float] | None = None,
) -> dict[str, list[PlayedOutcome]]:  # fmt: skip
    """The outcomes of each system, in the order of the questions. Those of ours are kept until the program changes."""
    found: dict[str, list[PlayedOutcome]] = {}
    with RecordingServer(replies) as server:
        for name in systems:
            path = _kept_path(folder, name, replies, table)
            kept = {} if path is None else kept_outcomes(path)
            with opened_system(name, server, python, max_tokens, table) as system:
                found[name] = [_one(system, question, server, kept, path) for question in questions]
                if isinstance(system, FootnotarySystem) and system.reader is not None:
                    print(f"{name}: {system.reader.found} pairs known, {system.reader.missed} not", file=sys.stderr)
            print(f"{name}: {len(found[name])} outcomes, {server.missing} requests without a reply", file=sys.stderr)
            server.missing = 0
    return found


@contextmanager
def opened_system(
    name: str, server: RecordingServer, python: Path | None, max_tokens: int, table: Mapping[str, float] | None
) -> Iterator[AnsweringSystem]:
    if name not in PEERS:
        tier = "large" if name == STORED else name
        base = reader_for(load_profile("default"), tier)
        assert base is not None
        reader = StoredReader(base, table or {}, STORED) if name == STORED else None
        yield FootnotarySystem(tier, server.base_url, max_tokens, reader)
    else:
        assert python is not None, "the peers need --peers-python"
        with running_peer(name, python, server.base_url, max_tokens) as peer:
            yield peer


def _one(
    system: AnsweringSystem, question: PeerQuestion, server: RecordingServer, kept: dict[str, PlayedOutcome],
    path: Path | None,
) -> PlayedOutcome:  # fmt: skip
    if question.key in kept:
        return kept[question.key]
    server.calls.clear()
    outcome = system.answer(question)
    replies = [server.replies[call.id] for call in server.calls if server.replies and call.id in server.replies]
    tokens = sum(reply.tokens_in for reply in replies), sum(reply.tokens_out for reply in replies)
    one = PlayedOutcome(question.key, outcome, bool(server.calls), *tokens)
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(one), ensure_ascii=False) + "\n")
    return one


def kept_outcomes(path: Path) -> dict[str, PlayedOutcome]:
    if not path.is_file():
        return {}
    found: dict[str, PlayedOutcome] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        outcome = SystemOutcome(**{**row["outcome"], "cited": tuple(row["outcome"]["cited"])})
        found[row["key"]] = PlayedOutcome(**{**row, "outcome": outcome})
    return found


def _kept_path(
    folder: Path, name: str, replies: Mapping[str, RecordedReply], table: Mapping[str, float] | None
) -> Path | None:
    if name in PEERS:
        return None
    held = json.dumps([sorted((key, reply.text) for key, reply in replies.items()), sorted((table or {}).items())])
    digest = hashlib.sha256(held.encode()).hexdigest()[:12]
    (folder / "outcomes").mkdir(parents=True, exist_ok=True)
    return folder / "outcomes" / f"{name}-{program_digest()}-{digest}.jsonl"


def asked_pairs(
    questions: Sequence[PeerQuestion], replies: Mapping[str, RecordedReply], max_tokens: int
) -> Iterator[dict[str, Any]]:
    """The pairs that the gate and the checks ask a reader that says yes to everything, and one that always doubts.

    A reader between the two asks a few others, which `StoredReader` counts.
    """
    seen: dict[str, dict[str, Any]] = {}
    with RecordingServer(replies) as server:
        for probability in (1.0, DOUBT):
            reader = StoredReader(ConstantReader(probability), {})
            system = FootnotarySystem("large", server.base_url, max_tokens, reader)
            for question in questions:
                system.answer(question)
            seen |= reader.pairs
    yield from seen.values()
