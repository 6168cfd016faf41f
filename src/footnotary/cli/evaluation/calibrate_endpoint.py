"""`calibrate --endpoint`: fits a calibration for the log-probabilities of a model on a server, on labelled rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from footnotary.cli.evaluation.grounding import SCORES_FILE, write_errors_as_usage
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.cli.progress import progress_counter


def run_endpoint_calibration(
    target: Path, labelled: Sequence[Path], *, profile: str | None, report: Path | None, as_json: bool
) -> ExitCode:
    """Asks the model of the settings about every row, writes the calibration, and prints how good it is.

    With `report`, a folder, the model's replies are stored there, and an interrupted run resumes.
    """
    from footnotary.errors import UsageError
    from footnotary.evaluate.calibration.endpoint_calibration import (
        fit_task,
        languages_of,
        require_enough,
        score_rows_by,
    )
    from footnotary.evaluate.datasets.labelled_rows import dataset_sha256, read_rows
    from footnotary.evaluate.grounding.resumable_scores import open_score_file
    from footnotary.profiles.load import load_profile
    from footnotary.reader.language_model.calibration_file import calibration_content, model_name, prompt_sha256
    from footnotary.settings import load_settings
    from footnotary.wiring import open_uncalibrated_reader, verifier_server

    if target.suffix != ".json" or not target.parent.is_dir():
        raise UsageError(f"{target} cannot be written", hint="name a .json file in a folder that exists")
    settings = load_settings()
    model = model_name(verifier_server(settings))
    policy = load_profile(profile or settings.profile)
    rows = read_rows(labelled)
    claims = [row for row in rows if row.level != "question"]
    questions = [row for row in rows if row.level == "question"]
    if not claims or not questions:
        missing = "claims (claim, passages, label)" if questions else "questions (question, passages, answerable)"
        raise UsageError(f"there are no {missing} among the rows", hint="give rows with claims and rows with questions")
    require_enough("claims", claims)
    require_enough("questions", questions)
    reader = open_uncalibrated_reader(settings)
    with (
        open_score_file(report and report / SCORES_FILE, f"{model}, asked as {prompt_sha256()[:12]}") as kept,
        progress_counter("rows") as step,
    ):
        scored = score_rows_by([*claims, *questions], reader, kept, step)
    said, asked = scored[: len(claims)], scored[len(claims) :]
    support = fit_task("claims", said, policy.verification.entailment_threshold)
    answers = fit_task("questions", asked, policy.sufficiency.min_answerable)
    languages = languages_of(questions) or languages_of(claims)
    measured = {
        "rows_sha256": dataset_sha256(labelled),
        "claims": support.record(),
        "questions": answers.record(),
    }
    fitted = {"support": support.scaling, "answers": answers.scaling, "answers_together": answers.scaling}
    content = calibration_content(model, languages, fitted, measured)
    with write_errors_as_usage(target.parent):
        target.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    note(f'calibration: {target}; use it with verifier = "endpoint" and verifier_calibration = "{target}"')
    if as_json:
        print_json(content)
        return ExitCode.OK
    say(f"{model}, on the half of the rows it was not fitted on:")
    for name, one, accepted, refused in (
        ("claims", support, "unsupported accepted", "supported refused"),
        ("questions", answers, "unanswerable accepted", "answerable refused"),
    ):
        say(
            f"{name}: {one.measured_rows} rows, calibration error {one.calibration_error:.3f}; at {one.threshold:g} "
            f"{accepted} {one.wrongly_accepted:.1%}, {refused} {one.wrongly_refused:.1%}"
        )
    return ExitCode.OK
