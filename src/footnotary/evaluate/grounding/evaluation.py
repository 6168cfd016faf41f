"""Grounding evaluation on labelled rows: score the rows without a stored score, then measure per dataset and task."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from footnotary import __version__
from footnotary.evaluate.datasets.labelled_rows import LabelledRow
from footnotary.evaluate.grounding.resumable_scores import ScoreFile
from footnotary.evaluate.grounding.scoring import RowScorers, score_concurrently
from footnotary.evaluate.statistics.bootstrap import BootstrappedMeasures, Estimate, bootstrap_measures, mean_over_sets
from footnotary.profiles.schema import Profile

NO_ANSWERABILITY = "no answerability model is installed"
SENTENCE_TASK = "sentences of responses"

ScoringProgressCallback = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class GroundingMeasures:
    """One dataset, or one task of it, measured. `task` is empty for the dataset as a whole."""

    dataset: str
    task: str
    scores: tuple[float, ...]
    labels: tuple[bool, ...]
    measured: BootstrappedMeasures


@dataclass(frozen=True, slots=True)
class SkippedRows:
    """Rows that could not be scored, and why: they are not part of any measure."""

    dataset: str
    task: str
    rows: int
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class GroundingEvaluation:
    """The content of a report. `mean` is over datasets, each with equal weight."""

    verifier: str
    profile: str
    profile_digest: str
    threshold: float
    sets: tuple[GroundingMeasures, ...]
    tasks: tuple[GroundingMeasures, ...]
    mean: Mapping[str, Estimate]
    skipped: tuple[SkippedRows, ...]


def scorer_identity(verifier: str, profile: Profile) -> str:
    """Identifies what produces the scores: version, weights and policy. Scores of two identities are never mixed."""
    return f"footnotary {__version__}, {verifier}, profile {profile.name} {profile.digest[:16]}"


def score_rows(
    rows: Sequence[LabelledRow],
    kept: ScoreFile,
    opens: Callable[[], RowScorers],
    *,
    jobs: int = 1,
    step: ScoringProgressCallback | None = None,
) -> None:
    """Stores a score for every row in `kept`; rows that have one are not scored again. `step` gets (done, total)."""
    todo = [row for row in rows if row not in kept]
    done = len(rows) - len(todo)
    if step is not None:
        step(done, len(rows))
    if not todo:
        return
    for row, score in score_concurrently(todo, opens, jobs):
        kept.add(row, score)
        done += 1
        if step is not None:
            step(done, len(rows))


def split_scorable(
    rows: Sequence[LabelledRow], *, answerability: bool
) -> tuple[tuple[LabelledRow, ...], tuple[SkippedRows, ...]]:
    """The rows that can be scored, and the others with the reason why not."""
    if answerability:
        return tuple(rows), ()
    left: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        if row.level == "question":
            left[row.dataset, row.task] += 1
    skipped = tuple(SkippedRows(dataset, task, count, NO_ANSWERABILITY) for (dataset, task), count in left.items())
    return tuple(row for row in rows if row.level != "question"), skipped


def evaluate_grounding(
    rows: Sequence[LabelledRow],
    kept: ScoreFile,
    *,
    verifier: str,
    profile: Profile,
    threshold: float,
    skipped: Sequence[SkippedRows],
) -> GroundingEvaluation:
    """The measures of rows that all have a score."""
    by_set: dict[str, list[LabelledRow]] = defaultdict(list)
    for row in rows:
        by_set[row.dataset].append(row)
    sets = tuple(_measure_rows(dataset, "", found, kept, threshold) for dataset, found in by_set.items())
    tasks: list[GroundingMeasures] = []
    for dataset, found in by_set.items():
        names = sorted({row.task for row in found})
        if len(names) > 1:
            tasks += [_measure_rows(dataset, t, [r for r in found if r.task == t], kept, threshold) for t in names]
        if any(row.sentences for row in found):
            tasks.append(_measure_sentences(dataset, found, kept, threshold))
    mean = mean_over_sets([part.measured for part in sets])
    return GroundingEvaluation(
        verifier, profile.name, profile.digest, threshold, sets, tuple(tasks), mean, tuple(skipped)
    )


def data_digest(rows: Sequence[LabelledRow]) -> str:
    """A digest of the measured rows, labels included, independent of their order."""
    lines = sorted(f"{row.dataset}\t{row.id}\t{row.key}\t{int(row.label)}" for row in rows)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _measure_rows(
    dataset: str, task: str, rows: Sequence[LabelledRow], kept: ScoreFile, threshold: float
) -> GroundingMeasures:
    scores = tuple(kept[row].value for row in rows)
    labels = tuple(row.supported for row in rows)
    return GroundingMeasures(
        dataset, task, scores, labels, bootstrap_measures(scores, labels, [row.group for row in rows], threshold)
    )


def _measure_sentences(
    dataset: str, rows: Sequence[LabelledRow], kept: ScoreFile, threshold: float
) -> GroundingMeasures:
    triples = [
        (score, bool(label), row.group)
        for row in rows
        if row.sentences
        for score, (_, _, label) in zip(kept[row].sentences, row.sentences, strict=True)
    ]
    scores, labels, groups = (tuple(column) for column in zip(*triples, strict=True))
    return GroundingMeasures(
        dataset, SENTENCE_TASK, scores, labels, bootstrap_measures(scores, labels, groups, threshold)
    )
