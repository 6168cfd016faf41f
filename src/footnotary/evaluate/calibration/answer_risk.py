"""How often the answer pipeline errs on labelled questions.

Answers where there is none, refusals where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Labels, OffsetMap
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.identity import Span, sha256_hex
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.engine import answer_from
from footnotary.errors import UsageError
from footnotary.evaluate.calibration.calibrated_profile import overlay_head, percent, toml_string
from footnotary.evaluate.datasets.labelled_rows import LabelledRow, dataset_sha256, read_rows
from footnotary.evaluate.statistics.binomial import upper_bound
from footnotary.gate.intent import understand
from footnotary.ports import Check, Generator, Reader
from footnotary.profiles.risk import AnswerRisk, RiskSet
from footnotary.profiles.schema import Profile

CONFIDENCE = 0.95
_SCOPE = Scope("rows", as_of=date(2000, 1, 1))


@dataclass(frozen=True, slots=True)
class RowAnswerer:
    """Answers labelled questions from the passages of their rows, with the whole answer pipeline."""

    profile: Profile
    generator: Generator
    checks: Sequence[tuple[str, Check]]
    reader: Reader | None

    def is_answered(self, row: LabelledRow) -> bool:
        """Whether an answer would be delivered. Every passage counts as found, in the order of the row."""
        hits = [_hit(f"P_{number}", text) for number, text in enumerate(row.passages, 1) if text.strip()]
        evidence = Evidence(understand(row.claim, _SCOPE, self.profile), tuple(hits))
        outcome = answer_from(
            evidence, self.generator, self.profile, self.checks, lambda _: ("", ""), reader=self.reader
        )
        return isinstance(outcome, Answer)


def read_question_sets(paths: Sequence[Path]) -> tuple[tuple[LabelledRow, ...], tuple[RiskSet, ...]]:
    """The labelled questions of these files, and what identifies each file. Raises `UsageError` for other rows."""
    rows: list[LabelledRow] = []
    sets: list[RiskSet] = []
    for path in paths:
        found = read_rows([path])
        if other := next((row for row in found if row.level != "question"), None):
            raise UsageError(f"{path}: row {other.id!r} labels a claim", hint='set "level": "question" on questions')
        rows += found
        name = path.name.removesuffix(".gz").removesuffix(".jsonl")
        sets.append(RiskSet(name=name, rows=len(found), sha256=dataset_sha256([path])))
    return tuple(rows), tuple(sets)


def measure_answer_risk(
    rows: Sequence[LabelledRow],
    sets: Sequence[RiskSet],
    answerer: RowAnswerer,
    step: Callable[[int, int], None] | None = None,
) -> AnswerRisk:
    """Both shares of errors on these rows with their bounds, and the statement in words.

    Raises `UsageError` without rows of both kinds: one share alone says nothing.
    """
    labels = [row.supported for row in rows]
    if not any(labels) or all(labels):
        raise UsageError("the questions are all of one kind", hint="give answerable and unanswerable ones")
    answered: list[bool] = []
    for number, row in enumerate(rows, 1):
        answered.append(answerer.is_answered(row))
        if step is not None:
            step(number, len(rows))
    said = list(zip(labels, answered, strict=True))
    false = share_with_bounds(said.count((False, True)), labels.count(False))
    wrong = share_with_bounds(said.count((True, False)), labels.count(True))
    threshold, reader = answerer.profile.sufficiency.min_answerable, answerer.reader
    on = ", ".join(f"{one.name} ({one.rows} rows)" for one in sets)
    statement = (
        f"false answers {_bounded(false)}, wrong refusals {_bounded(wrong)}, with bounds at {percent(CONFIDENCE)} "
        f"confidence, on data like {on}, drafted by {answerer.generator.name}"
    )
    return AnswerRisk(
        statement=statement,
        threshold=threshold,
        reader=reader.name if reader else "",
        false_answers=false,
        wrong_refusals=wrong,
        sets=tuple(sets),
    )


def share_with_bounds(errors: int, rows: int, confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """A share and its exact (Clopper-Pearson) two-sided bounds, rounded outwards to four digits."""
    each = (1 + confidence) / 2
    low = 1 - upper_bound(rows - errors, rows, each)
    high = upper_bound(errors, rows, each)
    return round(errors / rows, 4), max(round(low - 5e-5, 4), 0.0), min(round(high + 5e-5, 4), 1.0)


def answer_risk_toml(found: AnswerRisk, base: Profile, *, extends: str, folder: Path) -> str:
    """The TOML of a profile that extends `base` and states these errors, to be saved in `folder`."""
    sets = ", ".join(
        f"{{ name = {toml_string(one.name)}, rows = {one.rows}, sha256 = {toml_string(one.sha256)} }}"
        for one in found.sets
    )
    lines = [
        *overlay_head(base, extends, folder, "Errors on labelled questions are stated under [risk.answers]."),
        "",
        "[sufficiency]",
        f"min_answerable = {found.threshold!r}",
        "",
        "[risk.answers]",
        f"statement = {toml_string(found.statement)}",
        f"threshold = {found.threshold!r}",
        f"reader = {toml_string(found.reader)}",
        f"false_answers = {list(found.false_answers)!r}",
        f"wrong_refusals = {list(found.wrong_refusals)!r}",
        f"sets = [{sets}]",
    ]
    return "\n".join(lines) + "\n"


def _bounded(share: tuple[float, float, float]) -> str:
    value, low, high = (percent(round(part, 3)) for part in share)
    return f"{value} ({low} to {high})"


def _hit(cited: str, text: str) -> Hit:
    chunk = Chunk(
        id=cited,
        document_id=cited,
        text=text,
        span=Span(0, len(text)),
        section=(),
        page=None,
        digest=sha256_hex(text.encode("utf-8", "replace")),
        labels=Labels(),
        kind="paragraph",
        origin=OffsetMap(()),
    )
    return Hit(chunk, 1.0)
