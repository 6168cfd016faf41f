"""`calibrate --questions`: states how often a profile errs on labelled questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from footnotary.cli.evaluation.calibrate import overlay_path
from footnotary.cli.evaluation.grounding import write_errors_as_usage
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.cli.progress import progress_counter


def run_answer_calibration(
    questions: Sequence[Path], *, profile: str | None, out: Path | None, as_json: bool
) -> ExitCode:
    """Answers the questions from their passages, prints both shares of errors and writes the overlay."""
    from footnotary.evaluate.calibration.answer_risk import (
        answer_risk_toml,
        measure_answer_risk,
        read_question_sets,
    )
    from footnotary.profiles.load import load_profile
    from footnotary.settings import load_settings
    from footnotary.wiring import open_row_answerer

    settings = load_settings()
    name = profile or settings.profile
    policy = load_profile(name)
    target = overlay_path(out, name)
    rows, sets = read_question_sets(questions)
    with progress_counter("questions") as step:
        found = measure_answer_risk(rows, sets, open_row_answerer(policy, settings), step)
    toml = answer_risk_toml(found, policy, extends=name, folder=target.parent if target else Path.cwd())
    if target is not None:
        with write_errors_as_usage(target.parent):
            target.write_text(toml, encoding="utf-8")
        note(f"profile: {target}; use it with --profile {target}")
    if as_json:
        print_json(found.model_dump(mode="json") | {"overlay": toml})
    else:
        say(found.statement)
        say(f"threshold {found.threshold:g}, reader {found.reader or 'none'}")
        if target is None:
            say("\n" + toml.rstrip())
    return ExitCode.OK
