"""A calibrated profile: the statement in words, and the TOML that sets its threshold."""

from __future__ import annotations

import json
import os
from pathlib import Path

from footnotary.evaluate.calibration.risk_control import CalibrationResult, RiskLimit, ThresholdTest
from footnotary.profiles.load import BUILT_IN
from footnotary.profiles.schema import Profile


def risk_target_text(limit: RiskLimit) -> str:
    """At most 2 % unsupported claims delivered, confidence 95 %."""
    most, sure = percent(limit.max_unsupported), percent(limit.confidence)
    return f"at most {most} unsupported claims delivered, confidence {sure}"


def calibration_statement(found: CalibrationResult, sha256: str) -> str:
    """The guarantee that was established, or what would be needed to establish it."""
    data = f"{found.rows} rows" + (f" of {found.groups} groups" if found.groups < found.rows else "")
    if found.chosen is not None:
        return f"{risk_target_text(found.limit)}, on data like the calibration set: {data}, sha256 {sha256}"
    if found.more_rows is None:
        need = "at every threshold a larger share was unsupported, so more rows of this kind would not help"
    else:
        need = f"if the shares stay as they are, about {found.more_rows:,} more labelled rows would be needed"
    return f"no threshold provably keeps {risk_target_text(found.limit)}, on these {data}; {need}"


def calibrated_profile_toml(
    found: CalibrationResult,
    chosen: ThresholdTest,
    base: Profile,
    *,
    extends: str,
    folder: Path,
    verifier: str,
    sha256: str,
) -> str:
    """The TOML of a profile that extends `base` (by name, or by the path it was read from), to be saved in `folder`."""
    tested = f"{chosen.unsupported} of {chosen.delivered} delivered rows unsupported"
    lines = [
        f"# Tested on the rows that did not choose the threshold: {tested}, upper bound {chosen.upper_bound:.2%}.",
        *overlay_head(base, extends, folder, f"Calibrated: {risk_target_text(found.limit)}."),
        "",
        "[verification]",
        f"entailment_threshold = {chosen.threshold!r}",
        "",
        "[risk]",
        f"max_unsupported = {found.limit.max_unsupported!r}",
        f"confidence = {found.limit.confidence!r}",
        f"statement = {toml_string(calibration_statement(found, sha256))}",
        f"threshold = {chosen.threshold!r}",
        f"verifier = {toml_string(verifier)}",
        f"rows = {found.rows}",
        f"sha256 = {toml_string(sha256)}",
    ]
    return "\n".join(lines) + "\n"


def overlay_head(base: Profile, extends: str, folder: Path, what: str) -> list[str]:
    """The first lines of a profile in `folder` that extends `base`, by name or by the path it was read from."""
    if extends not in BUILT_IN:
        extends = Path(os.path.relpath(Path(extends).resolve(), folder.resolve())).as_posix()
    name = base.name if base.name.endswith("-calibrated") else f"{base.name[:53]}-calibrated"
    return [
        "# Written by `footnotary calibrate`; run it again when weights, profile or kind of answers change.",
        f"name = {toml_string(name)}",
        f"extends = {toml_string(extends)}",
        f"description = {toml_string(f'{base.description} {what}')}",
    ]


def toml_string(value: str) -> str:
    # TOML accepts JSON's escapes, but requires DEL to be escaped as well.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def percent(share: float) -> str:
    return f"{round(100 * share, 6):g} %"
