"""`calibrate`: chooses the threshold that keeps a stated risk, on the user's own labelled answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from footnotary.cli.evaluation.grounding import SCORES_FILE, write_errors_as_usage
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.cli.progress import progress_counter


def run_calibration(
    labelled: Sequence[Path],
    *,
    profile: str | None,
    risk: float | None,
    confidence: float | None,
    out: Path | None,
    report: Path | None,
    jobs: int,
    as_json: bool,
) -> ExitCode:
    """Chooses the threshold, prints the guarantee and writes the overlay; exit code 3 if none keeps the risk."""
    from footnotary.evaluate.calibration.calibrated_profile import calibrated_profile_toml, calibration_statement
    from footnotary.evaluate.calibration.report import calibration_record, caveat, write_calibration
    from footnotary.evaluate.calibration.risk_control import LabelledScore, RiskLimit, calibrate_threshold
    from footnotary.evaluate.datasets.labelled_rows import dataset_sha256, read_rows
    from footnotary.evaluate.grounding.evaluation import score_rows, scorer_identity
    from footnotary.evaluate.grounding.resumable_scores import open_score_file
    from footnotary.profiles.load import load_profile
    from footnotary.settings import load_settings
    from footnotary.wiring import open_row_scorers

    settings = load_settings()
    name = profile or settings.profile
    policy = load_profile(name)
    limit = RiskLimit(
        policy.risk.max_unsupported if risk is None else risk,
        policy.risk.confidence if confidence is None else confidence,
    )
    target = overlay_path(out, name)
    read = read_rows(labelled)
    rows = [row for row in read if row.level != "question"]
    if len(rows) < len(read):
        note(f"left out: {len(read) - len(rows)} rows of level question, which label answerability, not claims")
    scorers = open_row_scorers(name, settings)
    verifier = scorers.claims.name
    opens = partial(open_row_scorers, name, settings) if jobs > 1 else lambda: scorers
    with (
        open_score_file(report and report / SCORES_FILE, scorer_identity(verifier, policy)) as kept,
        progress_counter("claims") as step,
    ):
        try:
            score_rows(rows, kept, opens, jobs=jobs, step=step)
        except KeyboardInterrupt:
            on = "run the same command to continue" if report else "use --report to make a run resumable"
            note(f"interrupted: {sum(row in kept for row in rows)} of {len(rows)} rows are scored; {on}")
            return ExitCode.FAILURE
        scored = [LabelledScore(kept[row].value, row.supported, f"{row.dataset}/{row.group}") for row in rows]
    # Calibration never lowers the profile's threshold: what the profile refuses stays refused.
    floor = policy.verification.entailment_threshold
    found = calibrate_threshold(scored, limit, floor)
    sha256 = dataset_sha256(labelled)
    said = calibration_statement(found, sha256)
    if report is not None:
        with write_errors_as_usage(report):
            write_calibration(report, found, scored, said=said, verifier=verifier, floor=floor)
        note(f"report: {report / 'calibration.html'}")
    toml = ""
    if found.chosen is not None:
        folder = target.parent if target else Path.cwd()
        toml = calibrated_profile_toml(
            found, found.chosen, policy, extends=name, folder=folder, verifier=verifier, sha256=sha256
        )
    if target is not None and toml:
        with write_errors_as_usage(target.parent):
            target.write_text(toml, encoding="utf-8")
        note(f"profile: {target}; use it with --profile {target}")
    if as_json:
        print_json(calibration_record(found, said=said, verifier=verifier) | {"overlay": toml or None})
    else:
        say(said)
        if found.chosen is not None:
            t = found.chosen
            say(f"threshold {t.threshold:g}: {t.unsupported} of {t.delivered} test rows delivered were unsupported")
            note(caveat(found))
            if target is None:
                say("\n" + toml.rstrip())
    return ExitCode.OK if found.chosen is not None else ExitCode.REFUSED


def overlay_path(out: Path | None, profile: str) -> Path | None:
    """Where the calibrated profile goes. Raises `UsageError` where it cannot, or would overwrite the one it extends."""
    from footnotary.errors import UsageError

    if out is None:
        return None
    if out.suffix != ".toml":
        raise UsageError(f"{out} is not a profile file name", hint="end it with .toml, so that --profile finds it")
    if not out.parent.is_dir():
        raise UsageError(f"{out.parent} does not exist", hint="create the folder first")
    if out.exists() and Path(profile).exists() and out.samefile(profile):
        raise UsageError(f"{out} is the profile being calibrated", hint="write the overlay to another file")
    return out
