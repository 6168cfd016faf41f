"""A dataset's own passages as a project, so that its questions are asked of them and of nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from footnotary.corpus import Corpus
from footnotary.errors import BackendError
from footnotary.evaluate.questions import Dataset

# Names that no question can ask for by number: "section 5" must not find the fifth passage.
_ID = "P_n{}"


def with_project_ids(dataset: Dataset) -> Dataset:
    """The dataset with its questions naming passages as the project will."""
    ids = {passage.id: _ID.format(number) for number, passage in enumerate(dataset.passages)}
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


def take_in(dataset: Dataset, corpus: Corpus, folder: Path) -> str:
    """Puts the passages into a project of the dataset's name, and gives that name; done before, it is done at once."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "passages.jsonl"
    rows = (
        {"id": f"{_ID.format(n)}_0"} | ({"title": p.title} if p.title.strip() else {}) | {"text": p.text}
        for n, p in enumerate(dataset.passages)
    )
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    report = corpus.ingest([path], dataset.name)
    if report.failed or report.interrupted:
        why = report.failed[0].message if report.failed else "it was interrupted"
        raise BackendError(f"the passages of {dataset.name} do not go in: {why}", hint="check the dataset's texts")
    return dataset.name
