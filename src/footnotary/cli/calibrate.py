"""`calibrate`: chooses the threshold that keeps a stated risk, on the user's own labelled answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from footnotary.cli.evaluation import SCORES, written
from footnotary.cli.exits import Exit
from footnotary.cli.progress import counted
from footnotary.cli.terminal import emit_json, note, say


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
) -> Exit:
    """Chooses the threshold, prints the guarantee and writes the overlay; exit code 3 if none keeps the risk."""
    from footnotary.evaluate.calibration import Labelled, Limit, calibrated
    from footnotary.evaluate.calibration_report import calibration_record, caveat, write_calibration
    from footnotary.evaluate.grounding import identity, judge_rows
    from footnotary.evaluate.kept_scores import kept_scores
    from footnotary.evaluate.overlay import overlay, statement
    from footnotary.evaluate.rows import read_rows, sha256_of
    from footnotary.profiles.load import load_profile
    from footnotary.settings import load_settings
    from footnotary.wiring import open_judges

    settings = load_settings()
    name = profile or settings.profile
    policy = load_profile(name)
    limit = Limit(
        policy.risk.max_unsupported if risk is None else risk,
        policy.risk.confidence if confidence is None else confidence,
    )
    target = _overlay_path(out, name)
    read = read_rows(labelled)
    rows = [row for row in read if row.level != "question"]
    if len(rows) < len(read):
        note(f"left out: {len(read) - len(rows)} rows of level question, which label answerability, not claims")
    judges = open_judges(name, settings)
    judge = judges.claims.name
    opens = partial(open_judges, name, settings) if jobs > 1 else lambda: judges
    with kept_scores(report and report / SCORES, identity(judge, policy)) as kept, counted("claims") as step:
        try:
            judge_rows(rows, kept, opens, jobs=jobs, step=step)
        except KeyboardInterrupt:
            on = "run the same command to continue" if report else "use --report to make a run resumable"
            note(f"interrupted: {sum(row in kept for row in rows)} of {len(rows)} rows are scored; {on}")
            return Exit.FAILURE
        scored = [Labelled(kept[row].value, row.supported, f"{row.dataset}/{row.group}") for row in rows]
    # Calibration never lowers the profile's threshold: what the profile refuses stays refused.
    floor = policy.verification.entailment_threshold
    found = calibrated(scored, limit, floor)
    sha256 = sha256_of(labelled)
    said = statement(found, sha256)
    if report is not None:
        with written(report):
            write_calibration(report, found, scored, said=said, judge=judge, floor=floor)
        note(f"report: {report / 'calibration.html'}")
    toml = ""
    if found.chosen is not None:
        folder = target.parent if target else Path.cwd()
        toml = overlay(found, found.chosen, policy, extends=name, folder=folder, verifier=judge, sha256=sha256)
    if target is not None and toml:
        with written(target.parent):
            target.write_text(toml, encoding="utf-8")
        note(f"profile: {target}; use it with --profile {target}")
    if as_json:
        emit_json(calibration_record(found, said=said, judge=judge) | {"overlay": toml or None})
    else:
        say(said)
        if found.chosen is not None:
            t = found.chosen
            say(f"threshold {t.threshold:g}: {t.unsupported} of {t.delivered} test rows delivered were unsupported")
            note(caveat(found))
            if target is None:
                say("\n" + toml.rstrip())
    return Exit.OK if found.chosen is not None else Exit.REFUSED


def _overlay_path(out: Path | None, profile: str) -> Path | None:
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
