"""Whether a question gets the parts and the document that a reader would give it.

    python -m benchmarks.quality.questions.understanding [--show]

`question_parts.jsonl` has the questions with their parts, `named_documents.jsonl` the small documents they are asked of.
Prints how many are wrongly split, wrongly not split, or read with other words, and how many name a document that is not
found, or another one. `--show` lists them.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from footnotary.corpus import Corpus
from footnotary.domain.query import Scope
from footnotary.gate.intent import understand_in
from footnotary.ports import Store
from footnotary.profiles.load import load_profile
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder

HERE = Path(__file__).parent
PROJECT = "questions"

PartsResult = Literal["right", "wrongly split", "wrongly not split", "other words"]
NameResult = Literal["right", "not found", "found another"]


@dataclass(frozen=True, slots=True)
class Understanding:
    """How one question was understood, against how it was meant."""

    question: str
    parts: tuple[str, ...]
    named: tuple[str, ...]
    parts_result: PartsResult
    name_result: NameResult


def read_rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def documents() -> Store:
    """A store with the small documents."""
    store = DictStore()
    corpus = Corpus(store, HashEmbedder())
    for row in read_rows("named_documents.jsonl"):
        corpus.ingest_text(row["file"], row["text"], PROJECT)
    return store


def measure() -> list[Understanding]:
    store, profile = documents(), load_profile("default")
    results: list[Understanding] = []
    for row in read_rows("question_parts.jsonl"):
        query = understand_in(store, row["question"], Scope(PROJECT), profile)
        parts = tuple(facet.text for facet in query.facets)
        named = query.named.ids if query.named else ()
        results.append(
            Understanding(
                row["question"], parts, named, _score_parts(parts, row["parts"]), _score_name(named, row["named"])
            )
        )
    return results


def _score_parts(parts: tuple[str, ...], meant: list[str]) -> PartsResult:
    if len(parts) != len(meant):
        return "wrongly split" if len(parts) > len(meant) else "wrongly not split"
    return "right" if [part.casefold() for part in parts] == [part.casefold() for part in meant] else "other words"


def _score_name(named: tuple[str, ...], meant: list[str]) -> NameResult:
    if list(named) == meant:
        return "right"
    return "found another" if named else "not found"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="list the questions understood otherwise")
    show = parser.parse_args().show
    results = measure()
    print(f"{len(results)} questions")
    print("parts:", dict(Counter(one.parts_result for one in results)))
    print("documents:", dict(Counter(one.name_result for one in results)))
    for one in results if show else ():
        if (one.parts_result, one.name_result) != ("right", "right"):
            print(f"- {one.question}\n  {one.parts_result}; {one.name_result}: {list(one.parts)} {list(one.named)}")


if __name__ == "__main__":
    main()
