"""`eval compare`: compares two runs on the same questions, metric by metric, with confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from footnotary.cli.evaluation.grounding import write_errors_as_usage
from footnotary.cli.evaluation.run import show_table
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.errors import UsageError


def run_comparison(
    first: Path, second: Path, *, out: Path | None, fail_worse: Sequence[str], as_json: bool
) -> ExitCode:
    """Compares and reports; exit code 4 if a metric named in `fail_worse` is significantly worse in the second run."""
    from footnotary.evaluate.answers.comparison import (
        compare_runs,
        comparison_record,
        head,
        is_worse,
        read_run,
        table,
        write_comparison,
    )
    from footnotary.evaluate.answers.metrics import measure_of

    found = compare_runs(read_run(first), read_run(second))
    unknown = [name for name in fail_worse if name not in found.differences]
    if unknown:
        raise UsageError(
            f"{unknown[0]!r} is not measured in both runs", hint=f"choose from {', '.join(found.differences)}"
        )
    neutral = [name for name in fail_worse if measure_of(name).better is None]
    if neutral:
        raise UsageError(
            f"{neutral[0]!r} has no better or worse direction", hint="choose another metric for --fail-worse"
        )
    worse = [name for name in fail_worse if is_worse(name, found.differences[name])]
    if out is not None:
        with write_errors_as_usage(out):
            write_comparison(out, found, (str(first), str(second)))
    if as_json:
        print_json(comparison_record(found) | {"worse": worse})
    else:
        say(f"{found.questions:,} questions in both runs; {found.left_out:,} in only one run are left out")
        if found.expected_otherwise:
            say(f"{found.expected_otherwise:,} questions with different expected answers are left out too")
        show_table([head(), *table(found)])
        say(f"{len(found.changed):,} questions have a different outcome")
    if out is not None:
        note(f"report: {out / 'comparison.html'}")
    for name in worse:
        note(f"worse: {name}")
    return ExitCode.VIOLATION if worse else ExitCode.OK
