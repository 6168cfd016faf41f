"""Questions over corpora, with the passages that Footnotary's retrieval finds: the same for every system.

The kinds, and which questions of them have no answer, are those of `benchmarks.quality.answering`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import islice
from pathlib import Path

from benchmarks.llm.peers.questions import PeerPassage, PeerQuestion
from benchmarks.quality.answering.asking import Bench, opened_bench
from benchmarks.quality.answering.public_sets import public_kinds
from benchmarks.quality.answering.trials import QuestionKind, TrialQuestion
from benchmarks.quality.encoder_sets import read
from footnotary.domain.chunk import Chunk
from footnotary.text.tokens import words

# The kind, and how many passages are given.
GIVEN = {"one passage": 10, "ten passages": 10, "penal code": 5, "policy passage": 5, "whole policy": 5, "handbook": 5}
GIVEN |= {"two passages joined": 10}
NAMES = {
    "one passage": "encyclopaedia, one passage",
    "ten passages": "encyclopaedia, ten passages",
    "penal code": "law",
    "whole policy": "policies",
    "handbook": "handbook",
}
MOST_CHARS = 9_000
QUOTE_SHARE = 0.8


def corpus_questions(
    data: Path, vectors: Path, counts: Mapping[str, tuple[int, int]], without: Set[str], part: str
) -> Iterator[PeerQuestion]:
    """As many questions with and without an answer as `counts` says of each kind, but none of those in `without`.

    A question counts as answerable only if a passage that answers it was found.
    """
    known = _known_answers(data)
    for kind in public_kinds(data):
        if kind.name not in counts:
            continue
        with opened_bench(kind, "lexical", vectors) as bench:
            for side, number in zip((True, False), counts[kind.name], strict=True):
                yield from islice(_of_side(kind, bench, side, known, without, part), number)


def _of_side(
    kind: QuestionKind,
    bench: Bench,
    side: bool,
    known: Mapping[str, tuple[str, ...]],
    without: Set[str],
    part: str,
) -> Iterator[PeerQuestion]:
    seen = set(without)
    for asked in kind.sampled(len(kind.questions), seed=8):
        if asked.answerable is not side or asked.question in seen:
            continue
        hits = bench.found(asked, GIVEN[kind.name]).hits[: GIVEN[kind.name]]
        chunks = [hit.chunk for hit in hits]
        answers = (asked.phrases or known.get(asked.question, ())) if side else ()
        gold = [chunk.id for chunk in chunks if side and _answers(chunk, asked, known)]
        if not chunks or bool(gold) is not side or sum(len(chunk.text) for chunk in chunks) > MOST_CHARS:
            continue
        seen.add(asked.question)
        passages = tuple(PeerPassage(chunk.id, chunk.text, _labels(chunk)) for chunk in chunks)
        name = NAMES.get(kind.name, kind.name)
        yield PeerQuestion(
            name, asked.question, side, passages, tuple(gold), answers, profile=asked.profile, part=part
        )  # fmt: skip


def _labels(chunk: Chunk) -> dict[str, str]:
    held = {name: getattr(chunk.labels, name) for name in ("act", "section", "title")}
    return {name: value for name, value in held.items() if value}


def _answers(chunk: Chunk, asked: TrialQuestion, known: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether a passage is of what answers and holds the answer: its wording, or most words of the quoted evidence."""
    if not {chunk.document_id, chunk.id.rsplit("_", 1)[0]} & asked.gold:
        return False
    if quotes := known.get(f"evidence {asked.question}"):
        return any(_share(quote, chunk.text) >= QUOTE_SHARE for quote in quotes)
    if asked.phrases:
        return any(" ".join(words(phrase)) in " ".join(words(chunk.text)) for phrase in asked.phrases)
    answers = known.get(asked.question, ())
    return any(_share(answer, chunk.text) >= QUOTE_SHARE for answer in answers) or not answers


def _share(part: str, whole: str) -> float:
    wanted, held = words(part), set(words(whole))
    return sum(word in held for word in wanted) / max(len(wanted), 1)


def _known_answers(data: Path) -> dict[str, tuple[str, ...]]:
    """Answers by question, and for the handbook also the evidence quoted for it."""
    law = read(data / "rag" / "in_domain_eval" / "ipc_qa_silver_section.dev.jsonl.gz")
    known: dict[str, tuple[str, ...]] = {row["question"]: (row["answer"],) for row in law}
    for row in read(data / "rag" / "gitlab_handbook_rag250" / "questions.jsonl"):
        quotes: Sequence[str] = [quote for found in row["retrieval"] for listed in found.values() for quote in listed]
        known[f"evidence {row['question']}"] = tuple(quotes)
    return known
