"""A dataset's own passages as a project, so that its questions are answered from them and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from footnotary.corpus import Corpus
from footnotary.errors import BackendError
from footnotary.evaluate.datasets.questions import Dataset

# Ids that no question can refer to by number: "section 5" must not find the fifth passage.
_PASSAGE_ID = "P_n{}"


def with_project_ids(dataset: Dataset) -> Dataset:
    """The dataset with the passage ids of its questions replaced by those of the project."""
    ids = {passage.id: _PASSAGE_ID.format(number) for number, passage in enumerate(dataset.passages)}
    return replace(
        dataset,
        questions=tuple(
            replace(
                question,
                relevant={ids.get(name, name): gain for name, gain in question.relevant.items()},
                without=tuple(ids.get(name, name) for name in question.without),
            )
            for question in dataset.questions
        ),
    )


def ingest_passages(dataset: Dataset, corpus: Corpus, folder: Path) -> str:
    """Ingests the passages into a project named after the dataset and returns that name; a repeat is a no-op."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "passages.jsonl"
    rows = (
        {"id": f"{_PASSAGE_ID.format(n)}_0"} | ({"title": p.title} if p.title.strip() else {}) | {"text": p.text}
        for n, p in enumerate(dataset.passages)
    )
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    report = corpus.ingest([path], dataset.name)
    if report.failed or report.interrupted:
        why = report.failed[0].message if report.failed else "interrupted"
        raise BackendError(f"cannot ingest the passages of {dataset.name}: {why}", hint="check the dataset's texts")
    return dataset.name
