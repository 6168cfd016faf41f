"""`eval grounding`: measures the verifier's verdicts on labelled rows; rows scored in an earlier run are reused."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.cli.progress import progress_counter
from footnotary.errors import UsageError

if TYPE_CHECKING:
    from footnotary.evaluate.grounding.evaluation import GroundingEvaluation

SCORES_FILE = "scores.jsonl"
_SHOWN_METRICS = ("balanced_accuracy", "unsupported_f1", "auroc", "calibration_error")


def run_grounding(
    datasets: Sequence[Path],
    *,
    profile: str | None,
    threshold: float | None,
    out: Path | None,
    limit: int | None,
    jobs: int,
    fail_under: Sequence[str],
    as_json: bool,
) -> ExitCode:
    """Scores, measures and reports; exit code 4 if a gate was missed, 1 if interrupted or no row could be scored."""
    from footnotary.evaluate.datasets.labelled_rows import read_rows
    from footnotary.evaluate.grounding.evaluation import (
        data_digest,
        evaluate_grounding,
        score_rows,
        scorer_identity,
        split_scorable,
    )
    from footnotary.evaluate.grounding.report import grounding_report_record, write_grounding_report
    from footnotary.evaluate.grounding.resumable_scores import open_score_file
    from footnotary.evaluate.grounding.thresholds import failed_grounding_gates, parse_grounding_gate
    from footnotary.profiles.load import load_profile
    from footnotary.settings import load_settings
    from footnotary.wiring import open_row_scorers

    gates = [parse_grounding_gate(text) for text in fail_under]
    settings = load_settings()
    name = profile or settings.profile
    policy = load_profile(name)
    scorers = open_row_scorers(name, settings)
    rows, skipped = split_scorable(read_rows(datasets, limit), answerability=scorers.reader is not None)
    verifier = scorers.claims.name
    opens = partial(open_row_scorers, name, settings) if jobs > 1 else lambda: scorers
    with (
        open_score_file(out and out / SCORES_FILE, scorer_identity(verifier, policy)) as kept,
        progress_counter("claims") as step,
    ):
        try:
            score_rows(rows, kept, opens, jobs=jobs, step=step)
        except KeyboardInterrupt:
            done = sum(row in kept for row in rows)
            on = "run the same command to continue" if out else "use --out to make a run resumable"
            note(f"interrupted: {done} of {len(rows)} rows are scored; {on}")
            return ExitCode.FAILURE
        limit_used = policy.verification.entailment_threshold if threshold is None else threshold
        found = evaluate_grounding(rows, kept, verifier=verifier, profile=policy, threshold=limit_used, skipped=skipped)
    about = {"rows": len(rows), "rows_sha256": data_digest(rows), "limit": limit}
    missed = failed_grounding_gates(found, gates)
    if out is not None:
        with write_errors_as_usage(out):
            write_grounding_report(out, found, about)
    if as_json:
        print_json(grounding_report_record(found, about) | {"gates_missed": missed})
    else:
        show_evaluation(found)
    if out is not None:
        note(f"report: {out / 'report.html'}")
    for text in missed:
        note(f"gate missed: {text}")
    if missed:
        return ExitCode.VIOLATION
    return ExitCode.OK if rows else ExitCode.FAILURE


def show_evaluation(found: GroundingEvaluation) -> None:
    """Prints the table: datasets, their tasks indented, and the mean."""
    from footnotary.evaluate.grounding.report import head, skipped_lines, table_rows

    say(f"profile {found.profile}, threshold {found.threshold:g}, verifier: {found.verifier}; percent, 95 % intervals")
    rows = [head(_SHOWN_METRICS)]
    rows += [
        [f"  {cells[0]}" if kind == "inner" else cells[0], *cells[1:]]
        for kind, cells in table_rows(found, _SHOWN_METRICS)
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows if len(rows) > 1 else ():
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        say("  ".join([row[0].ljust(widths[0]), *cells]).rstrip())
    for text in skipped_lines(found):
        note(f"skipped: {text}")
    if len(rows) == 1:
        note("no row was scored")


@contextmanager
def write_errors_as_usage(folder: Path) -> Generator[None]:
    """Turns a failed write into a `UsageError`."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error}", hint="choose another folder") from None
