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
from benchmarks.llm.peers.stored_reader import ConstantReader, StoredReader, xl_model
from benchmarks.llm.peers.systems import PEERS, running_peer
from benchmarks.quality.answering.asking import program_digest
from footnotary.reader.cascade import CascadeReader
from footnotary.reader.onnx_reader import OnnxReader
from footnotary.reader.shipped import open_verifier

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
) -> tuple[dict[str, list[PlayedOutcome]], dict[str, int]]:  # fmt: skip
    """The outcomes of each system, in the order of the questions, and how many requests had no recorded reply.

    Outcomes of ours are kept in the folder until the program, the replies or the table change.
    """
    found: dict[str, list[PlayedOutcome]] = {}
    missing: dict[str, int] = {}
    with RecordingServer(replies) as server:
        for name in systems:
            path = _kept_path(folder, name, replies, table)
            kept = {} if path is None else kept_outcomes(path)
            with opened_system(name, server, python, max_tokens, table) as system:
                found[name] = [_one(system, question, server, kept, path) for question in questions]
                if isinstance(system, FootnotarySystem) and system.stored is not None:
                    print(f"{name}: {system.stored.found} pairs known, {system.stored.missed} not", file=sys.stderr)
            missing[name], server.missing = server.missing, 0
            print(f"{name}: {len(found[name])} outcomes, {missing[name]} requests without a reply", file=sys.stderr)
    return found, missing


@contextmanager
def opened_system(
    name: str, server: RecordingServer, python: Path | None, max_tokens: int, table: Mapping[str, float] | None
) -> Iterator[AnsweringSystem]:
    if name not in PEERS:
        yield _ours(name, server.base_url, max_tokens, table)
    else:
        assert python is not None, "the peers need --peers-python"
        with running_peer(name, python, server.base_url, max_tokens) as peer:
            yield peer


def _ours(name: str, base_url: str, max_tokens: int, table: Mapping[str, float] | None) -> FootnotarySystem:
    if name != STORED:
        return FootnotarySystem(name, base_url, max_tokens)
    small, large = (open_verifier(tier) for tier in SHIPPED)
    assert isinstance(small, OnnxReader)
    assert isinstance(large, OnnxReader)
    stored = StoredReader(large, table or {}, xl_model())
    return FootnotarySystem("large", base_url, max_tokens, stored, CascadeReader(small, stored))


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
    if path is not None and len(replies) == len(server.calls):
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


def asking_readers(
    questions: Sequence[PeerQuestion], replies: Mapping[str, RecordedReply], max_tokens: int
) -> list[StoredReader]:
    """A reader that says yes to everything and one that always doubts, with what the gate and the checks asked them.

    A reader between the two asks a few others, which `StoredReader` counts.
    """
    readers = [StoredReader(ConstantReader(probability), {}, xl_model()) for probability in (1.0, DOUBT)]
    with RecordingServer(replies) as server:
        for reader in readers:
            system = FootnotarySystem("large", server.base_url, max_tokens, reader)
            for question in questions:
                system.answer(question)
    return readers
