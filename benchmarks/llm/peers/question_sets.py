"""The questions of a run: the comparison's, 60 of a kind, and those for a study of drafts."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace
from pathlib import Path

from benchmarks.llm.peers.corpus_sets import NAMES, corpus_questions
from benchmarks.llm.peers.passage_sets import attack_questions, multihop_questions
from benchmarks.llm.peers.questions import PeerQuestion

# Questions with and without an answer, by kind.
DRAFTS = {
    "one passage": (95, 45),
    "ten passages": (50, 20),
    "penal code": (100, 20),
    "policy passage": (70, 25),
    "handbook": (40, 20),
    "two passages joined": (40, 15),
}
MULTIHOP = (40, 20)
IN_TEXT = 150


def comparison(data: Path, vectors: Path, count: int) -> Iterator[PeerQuestion]:
    """`count` questions of each kind: half of them without an answer in the passages, and attacks."""
    yield from corpus_questions(data, vectors, dict.fromkeys(NAMES, (count // 2, count // 2)), frozenset(), "peers")
    yield from attack_questions(data, count)


def for_drafts(data: Path, vectors: Path, without: Set[str]) -> list[PeerQuestion]:
    """Questions for drafts of Footnotary alone, none of those in `without`; some once more in text form."""
    found = [
        *corpus_questions(data, vectors, DRAFTS, without, "drafts"),
        *multihop_questions(data, *MULTIHOP, "drafts"),
    ]
    every = max(1, len(found) // IN_TEXT)
    return found + [replace(question, form="text") for question in found[::every]][:IN_TEXT]
