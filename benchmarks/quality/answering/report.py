"""The figures of a run: shares with 95 % bounds, and the tables that are kept with the command."""

from __future__ import annotations

import json
import os
import platform
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import median

from benchmarks.quality.answering.asking import TrialOutcome
from benchmarks.quality.answering.trials import QuestionKind

RESULTS = Path(__file__).parents[2] / "results" / "answering"
Z = 1.959964


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many, with Wilson's bounds at 95 %."""

    count: int
    of: int

    @property
    def bounds(self) -> tuple[float, float]:
        if not self.of:
            return 0.0, 1.0
        p, n = self.count / self.of, self.of
        middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z / (1 + Z * Z / n) * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def record(self) -> dict[str, float] | None:
        if not self.of:
            return None
        low, high = (round(100 * bound, 1) for bound in self.bounds)
        return {"count": self.count, "of": self.of, "%": round(100 * self.count / self.of, 1), "low": low, "high": high}

    def __str__(self) -> str:
        if not self.of:
            return "–"
        low, high = self.bounds
        return f"{100 * self.count / self.of:.0f} % ({100 * low:.0f}–{100 * high:.0f}) of {self.of}"


def share(outcomes: Sequence[TrialOutcome], counted: Sequence[bool]) -> Share:
    return Share(sum(counted), len(outcomes))


def figures(outcomes: Sequence[TrialOutcome]) -> dict[str, Share]:
    answerable = [outcome for outcome in outcomes if outcome.answerable]
    others = [outcome for outcome in outcomes if not outcome.answerable]
    answered = [outcome for outcome in answerable if outcome.answered]
    golden = [outcome for outcome in answered if outcome.cites_gold is not None]
    worded = [outcome for outcome in answered if outcome.says_answer is not None]
    return {
        "false answers": share(others, [outcome.answered for outcome in others]),
        "wrong refusals": share(answerable, [not outcome.answered for outcome in answerable]),
        "answers that cite gold": share(golden, [bool(outcome.cites_gold) for outcome in golden]),
        "answers with the answer's words": share(worded, [bool(outcome.says_answer) for outcome in worded]),
    }


def reasons(outcomes: Sequence[TrialOutcome]) -> Counter[str]:
    return Counter(outcome.reason for outcome in outcomes if outcome.answerable and not outcome.answered)


def close_ones(outcomes: Sequence[TrialOutcome]) -> dict[str, Share]:
    """False answers by how the question is close to one that is answered."""
    ways = sorted({outcome.close for outcome in outcomes if outcome.close and not outcome.answerable})
    found: dict[str, Share] = {}
    for way in ways:
        asked = [outcome for outcome in outcomes if outcome.close == way and not outcome.answerable]
        found[way] = share(asked, [outcome.answered for outcome in asked])
    return found


Results = Sequence[tuple[QuestionKind, Sequence[TrialOutcome]]]


def table(results: Results) -> list[str]:
    columns = ("false answers", "wrong refusals", "answers that cite gold", "answers with the answer's words")
    lines = [f"| kind | {' | '.join(columns)} | target | median s |", "|---" * (len(columns) + 3) + "|"]
    for kind, outcomes in results:
        held = figures(outcomes)
        limits = " / ".join("–" if value is None else f"≤ {100 * value:.0f}" for value in kind.target)
        seconds = median(outcome.seconds for outcome in outcomes) if outcomes else 0.0
        lines.append(f"| {kind.name} | {' | '.join(str(held[c]) for c in columns)} | {limits} | {seconds:.2f} |")
    lines += ["", "| kind | reasons of wrong refusals | false answers by closeness |", "|---|---|---|"]
    for kind, outcomes in results:
        refused = ", ".join(f"{reason} {count}" for reason, count in reasons(outcomes).most_common())
        close = ", ".join(f"{way} {held.count}/{held.of}" for way, held in close_ones(outcomes).items())
        lines.append(f"| {kind.name} | {refused or '–'} | {close or '–'} |")
    return lines


def write(results: Results, command: str, tier: str) -> None:
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    kinds = {
        kind.name: {
            "about": kind.about,
            **{name: held.record() for name, held in figures(outcomes).items()},
            "reasons of wrong refusals": dict(reasons(outcomes)),
            "false answers by closeness": {way: held.record() for way, held in close_ones(outcomes).items()},
            "median s": round(median(outcome.seconds for outcome in outcomes), 2) if outcomes else None,
            **({"failed": failed(outcomes)} if kind.own else {}),
        }
        for kind, outcomes in results
    }
    record = {"command": command, "machine": machine, "tier": tier, "kinds": kinds}
    name = "answering" if tier == "large" else f"answering-{tier}"
    (RESULTS / f"{name}.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    abouts = [f"- {kind.name}: {kind.about}." for kind, _ in results]
    lines = ["# Question answering end to end\n", f"`{command}` on {machine}, tier `{tier}`.\n"]
    lines += [
        "Shares with 95 % bounds (Wilson). False answers are of unanswerable questions, wrong refusals of answerable"
    ]
    lines += ["ones; the target is for these two.\n", *table(results), "", *abouts]
    (RESULTS / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def failed(outcomes: Sequence[TrialOutcome]) -> list[str]:
    """The questions of a set of our own that went wrong, for reading."""
    return [
        f"{'answered' if outcome.answered else outcome.reason}: {outcome.question}"
        for outcome in outcomes
        if outcome.answered != outcome.answerable
    ]
