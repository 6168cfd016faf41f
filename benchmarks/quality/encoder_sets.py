"""The question sets that encoders are compared on, read in place from the data folder, and what is measured."""

from __future__ import annotations

import gzip
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from footnotary.text.references.provisions import references
from footnotary.text.tokens import content_terms

HEADING_REPEATS = 3
MOST_NAMED = 3
# The two large codes are left out: they take as long to embed as all other sets and add little.
KNOWN_ITEM_ACTS = ("CPA", "COW", "DPDP", "HMA", "POSH", "RTI")
K1, B = 1.2, 0.75
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Passage:
    """What is searched: a heading, a text, and the provision's number where it has one."""

    id: str
    heading: str
    text: str
    section: str = ""

    @property
    def embedded(self) -> str:
        return f"{self.heading}\n{self.text}" if self.heading and not self.text.startswith(self.heading) else self.text

    def terms(self, repeats: int) -> list[str]:
        """The text's terms and the heading's (with the number) `repeats` times, even if the text begins with it."""
        within = int(bool(self.heading) and self.text.startswith(self.heading))
        return content_terms(f"{self.section} {self.heading}") * (repeats - within) + content_terms(self.text)


@dataclass(frozen=True, slots=True)
class Collection:
    """Passages, questions and for each question the gain of each relevant passage."""

    name: str
    measure: str
    language: str
    passages: tuple[Passage, ...]
    questions: tuple[str, ...]
    relevant: tuple[Mapping[str, float], ...]


def collections(data: Path) -> Iterator[Collection]:
    """Every set of the comparison; the known items come one act at a time."""
    for name in ("cranfield", "cisi", "cacm"):
        yield _with_judgments(data / "retrieval" / name)
    yield _penal_code(data)
    yield from _known_items(data)
    for language in ("en", "hi"):
        yield _xquad(data, language)


def read(path: Path) -> list[dict[str, Any]]:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def _with_judgments(folder: Path) -> Collection:
    gains: dict[str, dict[str, float]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question, passage, gain = line.split("\t")
        if float(gain) > 0:
            gains[question][passage] = float(gain)
    asked = [row for row in read(folder / "queries.jsonl") if row["_id"] in gains]
    return Collection(
        name=folder.name,
        measure="nDCG@10",
        language="en",
        passages=tuple(Passage(r["_id"], r.get("title", ""), r["text"]) for r in read(folder / "corpus.jsonl.gz")),
        questions=tuple(row["text"] for row in asked),
        relevant=tuple(gains[row["_id"]] for row in asked),
    )


def sections(rows: Iterable[Mapping[str, Any]]) -> tuple[Passage, ...]:
    return tuple(Passage(row["id"], row.get("title") or "", row["text"], row["section"]) for row in rows)


def _penal_code(data: Path) -> Collection:
    asked = read(data / "rag" / "in_domain_eval" / "ipc_qa_silver_section.dev.jsonl.gz")
    passages = sections(read(data / "corpora" / "law_mix" / "ipc_1860.jsonl"))
    return Collection(
        "ipc", "Hit@1", "en", passages, tuple(r["question"] for r in asked), tuple({r["gold_id"]: 1.0} for r in asked)
    )


def _known_items(data: Path) -> Iterator[Collection]:
    by_act: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in read(data / "rag" / "in_domain_eval" / "known_item_titles.jsonl.gz"):
        by_act[row["corpus"]].append(row)
    held = read(data / "corpora" / "in_acts" / "curated_en_sections.jsonl.gz")
    for act in KNOWN_ITEM_ACTS:
        asked = by_act[act]
        passages = sections(row for row in held if row["code"] == act)
        questions = tuple(row["question"] for row in asked)
        yield Collection("known item", "Hit@1", "en", passages, questions, tuple({r["gold_id"]: 1.0} for r in asked))


def _xquad(data: Path, language: str) -> Collection:
    rows = read(data / "rag" / "xquad_en_hi" / f"xquad_{language}.jsonl.gz")
    texts = {row["para_id"]: row["passage"] for row in rows}
    return Collection(
        name=f"xquad {language}",
        measure="nDCG@10",
        language=language,
        passages=tuple(Passage(name, "", text) for name, text in texts.items()),
        questions=tuple(row["question"] for row in rows),
        relevant=tuple({row["para_id"]: 1.0} for row in rows),
    )


class Bm25:
    """BM25 over terms, with Lucene's idf; a term asked twice counts twice."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        lengths = np.array([len(document) for document in documents], dtype=float)
        norms = K1 * (1 - B + B * lengths / lengths.mean())
        postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, document in enumerate(documents):
            for term, count in Counter(document).items():
                postings[term].append((place, count * (K1 + 1) / (count + norms[place])))
        self._size = len(documents)
        self._weights = {
            term: (
                np.array([place for place, _ in found]),
                np.array([w for _, w in found]) * math.log(1 + (self._size - len(found) + 0.5) / (len(found) + 0.5)),
            )
            for term, found in postings.items()
        }

    def scores(self, terms: Sequence[str]) -> Scores:
        total = np.zeros(self._size)
        for term in terms:
            if term in self._weights:
                places, weights = self._weights[term]
                total[places] += weights
        return total


def named_first(collection: Collection, scores: Scores) -> Scores:
    """The same scores with the provisions a question names by number above all others.

    A question that names many, "sections 255 to 263", says where to look and not which of them answers it.
    """
    place = {passage.section.upper(): number for number, passage in enumerate(collection.passages) if passage.section}
    raised = scores.copy()
    for row, question in enumerate(collection.questions):
        named = {reference.section.upper() for reference, _ in references(question)}
        if len(named) <= MOST_NAMED:
            raised[row, [place[section] for section in named if section in place]] += 1000.0
    return raised


def measured(collection: Collection, scores: Scores) -> dict[str, NDArray[np.float64]]:
    """nDCG@10, Hit@1 and Hit@5 of each question; equal scores count in the order of the passages."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :10]
    ids = [passage.id for passage in collection.passages]
    found = [
        [gains.get(ids[place], 0.0) for place in row] for row, gains in zip(order, collection.relevant, strict=True)
    ]
    return {
        "nDCG@10": np.array(
            [ndcg(gains, best.values()) for gains, best in zip(found, collection.relevant, strict=True)]
        ),
        "Hit@1": np.array([float(gains[0] > 0) for gains in found]),
        "Hit@5": np.array([float(any(gains[:5])) for gains in found]),
    }


def ndcg(found: Sequence[float], relevant: Iterable[float], depth: int = 10) -> float:
    """Discounted gain of the passages found, as a share of the best that could be."""
    return _discounted(found[:depth]) / _discounted(sorted(relevant, reverse=True)[:depth])


def _discounted(gains: Iterable[float]) -> float:
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))
