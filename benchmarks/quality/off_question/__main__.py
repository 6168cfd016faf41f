"""Refused drafts that are true to their passage: those that answer another question, and right answers.

    python -m benchmarks.quality.off_question [--tier small large lexical] [--rows FILE ...] [--profile NAME] [--show]

Runs the check `answer_addresses_question` of a profile with the readers of both tiers and in lexical mode, over the
adversarial rows (harness/adversarial/question_drafts.jsonl) and the held-out ones (benchmarks/quality/questions). Without
--rows it writes benchmarks/results/quality/off-question.json and .md. A row has `question`, `passage`, `headings`,
`answer`, `label` (`on`, `off`) and `kind`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.answering.report import Share
from footnotary.domain.verdict import Verdict
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.reader.shipped import LEXICAL, SHIPPED_VERIFIERS, reader_for
from footnotary.verify.question.addresses_question import answer_addresses_question
from harness.adversarial.question_drafts import OWN_ROWS, QuestionDraft, question_drafts

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "benchmarks" / "results" / "quality"
HELD_OUT = ROOT / "benchmarks" / "quality" / "questions" / "off_question_drafts.jsonl"
# Both errors at other thresholds than the profile's; a reader keeps its scores, so that these cost nothing more.
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)


@dataclass(frozen=True, slots=True)
class CheckedRows:
    """The verdicts on the rows of one file, by one tier at one threshold."""

    rows: Sequence[QuestionDraft]
    verdicts: Sequence[Verdict]

    def refused(self, *, on: bool, kind: str | None = None) -> Share:
        chosen = [
            verdict.status != "pass"
            for row, verdict in zip(self.rows, self.verdicts, strict=True)
            if row.on is on and kind in (None, row.kind)
        ]
        return Share(sum(chosen), len(chosen))

    @property
    def kinds(self) -> list[str]:
        return sorted({row.kind for row in self.rows})


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument(
        "--tier", nargs="+", choices=(*SHIPPED_VERIFIERS, LEXICAL), default=["small", "large", LEXICAL]
    )
    arguments.add_argument("--rows", nargs="+", type=Path, help="files of rows to use instead of ours")
    arguments.add_argument("--profile", default="default")
    arguments.add_argument("--show", action="store_true", help="print the rows with the wrong verdict")
    options = arguments.parse_args()
    profile = load_profile(options.profile)
    files = options.rows or [OWN_ROWS, HELD_OUT]
    sets = {path.stem: question_drafts(path) for path in files}
    found = {name: {tier: at_thresholds(rows, tier, profile) for tier in options.tier} for name, rows in sets.items()}
    text = report(found, profile)
    print(text)
    if options.show:
        show(found, profile)
    if not options.rows and set(options.tier) == {*SHIPPED_VERIFIERS, LEXICAL}:
        RESULTS.mkdir(parents=True, exist_ok=True)
        (RESULTS / "off-question.md").write_text(text + "\n", encoding="utf-8")
        record = json.dumps(records(found, profile), indent=1) + "\n"
        (RESULTS / "off-question.json").write_text(record, encoding="utf-8")


def at_thresholds(rows: Sequence[QuestionDraft], tier: str, profile: Profile) -> dict[float, CheckedRows]:
    """The verdicts at the profile's threshold and at others; in lexical mode there is one."""
    reader = reader_for(profile, tier)
    own = profile.verification.addresses_threshold
    refusals = (profile.refusal.en, profile.refusal.hi)
    found: dict[float, CheckedRows] = {}
    for threshold in sorted({own, *THRESHOLDS}) if reader is not None else (own,):
        check = answer_addresses_question(reader, lambda _, same=threshold: same, refusals)
        found[threshold] = CheckedRows(rows, [check(row.submission()) for row in rows])
    return found


Found = dict[str, dict[str, dict[float, CheckedRows]]]


def report(found: Found, profile: Profile) -> str:
    own = profile.verification.addresses_threshold
    lines = [
        "# Drafts that answer another question",
        "",
        f"Refused by `answer_addresses_question`, profile `{profile.name}`, threshold {own:.2f}, with 95 % bounds. Every",
        "draft is true to its passage. Made by `python -m benchmarks.quality.off_question`.",
        "",
    ]
    for name, tiers in found.items():
        lines += [f"## `{name}`", "", "| kind | " + " | ".join(f"{t}: off / right" for t in tiers) + " |"]
        lines.append("|---|" + "---|" * len(tiers))
        for kind in (*next(iter(tiers.values()))[own].kinds, None):
            cells = (
                f"{run[own].refused(on=False, kind=kind)} / {run[own].refused(on=True, kind=kind)}"
                for run in tiers.values()
            )
            lines.append(f"| {kind or '**all**'} | " + " | ".join(cells) + " |")
        lines += [
            "",
            "| threshold | " + " | ".join(f"{t}: off / right" for t in tiers) + " |",
            "|---|" + "---|" * len(tiers),
        ]
        for threshold in sorted({t for run in tiers.values() for t in run}):
            cells = (
                f"{run[threshold].refused(on=False)} / {run[threshold].refused(on=True)}" if threshold in run else ""
                for run in tiers.values()
            )
            lines.append(f"| {threshold:.2f} | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines).rstrip()


def records(found: Found, profile: Profile) -> dict[str, object]:
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    readers = {
        tier: reader.name if (reader := reader_for(profile, tier)) else None for tier in next(iter(found.values()))
    }
    return {
        "command": "python -m benchmarks.quality.off_question",
        "machine": machine,
        "profile": profile.name,
        "threshold": profile.verification.addresses_threshold,
        "readers": readers,
        "refused": {
            name: {
                tier: {
                    f"{threshold:.2f}": {
                        kind or "all": {
                            "off": run.refused(on=False, kind=kind).record(),
                            "right": run.refused(on=True, kind=kind).record(),
                        }
                        for kind in (*run.kinds, None)
                    }
                    for threshold, run in runs.items()
                }
                for tier, runs in tiers.items()
            }
            for name, tiers in found.items()
        },
    }


def show(found: Found, profile: Profile) -> None:
    for name, tiers in found.items():
        for tier, runs in tiers.items():
            run = runs[profile.verification.addresses_threshold]
            for row, verdict in zip(run.rows, run.verdicts, strict=True):
                if (verdict.status == "pass") is not row.on:
                    label = "right, refused" if row.on else "off, passed"
                    print(f"{name}, {tier}, {row.kind}, {label}: {row.question} -> {row.answer} ({verdict.detail})")


if __name__ == "__main__":
    main()
