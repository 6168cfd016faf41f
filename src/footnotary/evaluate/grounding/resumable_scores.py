"""Scores stored in a file as they are computed, so that an interrupted run resumes where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from footnotary.evaluate.datasets.labelled_rows import LabelledRow
from footnotary.evaluate.grounding.scoring import Score
from footnotary.evaluate.reporting.resumable_lines import JsonRecord, open_resumable_file


class ScoreFile:
    """The scores of one verifier, by the key of their row: a row that was changed is scored again."""

    def __init__(self, found: dict[str, Score], keep: Callable[[Mapping[str, object]], None]) -> None:
        self._found = found
        self._keep = keep

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, row: LabelledRow) -> bool:
        return row.key in self._found

    def __getitem__(self, row: LabelledRow) -> Score:
        return self._found[row.key]

    def add(self, row: LabelledRow, score: Score) -> None:
        """Stores the score; once this returns, it survives the end of the process."""
        self._found[row.key] = score
        record: dict[str, object] = {"key": row.key, "id": row.id, "dataset": row.dataset, "score": score.value}
        self._keep(record | ({"sentences": score.sentences} if score.sentences else {}))


@contextmanager
def open_score_file(path: Path | None, verifier: str) -> Generator[ScoreFile]:
    """The scores at `path` if they are of `verifier`, else none; without a path they are only kept in memory."""
    found: dict[str, Score] = {}

    def take(record: JsonRecord) -> None:
        score = Score(float(record["score"]), tuple(map(float, record.get("sentences", ()))))
        found[str(record["key"])] = score

    with open_resumable_file(path, {"kind": "footnotary scores", "verifier": verifier}, take) as keep:
        yield ScoreFile(found, keep)
