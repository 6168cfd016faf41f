"""Leaves every check out in turn, all of a kind, and every rule inside a check, and says what that changes.

    python -m benchmarks.quality.ablation [--per-kind N] [--large-per-kind N] [--cache FILE]

Runs in lexical mode and with both shipped verifiers, on our own and held-out claims and, with the data folder
(FOOTNOTARY_DATA, or ../shared/data next to the repository), on changed statutes, public grounding sets and Hindi. Each
check is run and each pair shown to a model once; every leave-out recombines what was found as the product's decision
does, and the recombined verdict of the whole product is compared with the product's own on every claim. Model
probabilities are kept in the cache file. Writes benchmarks/results/quality/ablation/ablation.json and .md.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np

from benchmarks.quality.ablation.claim_sets import claim_sets
from benchmarks.quality.ablation.findings import ClaimFindings, StoredProbabilities, find_all, supported_by_product
from benchmarks.quality.ablation.leave_outs import Booleans, Effect, effect, is_supported, leave_outs
from benchmarks.quality.ablation.parts import PARTS, left_out
from benchmarks.quality.guards import PROFILE, RESULTS, Item, machine
from footnotary import load_profile
from footnotary.models.model_packages import locate_model
from footnotary.profiles.schema import Verification
from footnotary.reader.onnx_reader import OnnxReader

Effects = dict[str, dict[str, Effect]]
TIERS = ("small", "large")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--per-kind", type=int, default=40, help="statute changes a kind, public claims a label")
    arguments.add_argument("--large-per-kind", type=int, default=8, help="the same with the large verifier")
    arguments.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir(), "footnotary-ablation.jsonl"))
    options = arguments.parse_args()
    started = time.perf_counter()
    found: dict[str, Effects] = {}
    for mode in ("lexical", *TIERS):
        by = (
            None
            if mode == "lexical"
            else StoredProbabilities(OnnxReader(locate_model(f"verifier-{mode}")), options.cache)
        )
        found[mode] = ablation(options.large_per_kind if mode == "large" else options.per_kind, by)
        print(f"{mode}: {time.perf_counter() - started:.0f} s", flush=True)
    command = (
        f"python -m benchmarks.quality.ablation --per-kind {options.per_kind} --large-per-kind {options.large_per_kind}"
    )
    text = report(found, command)
    print(text)
    rows = {m: {s: {r: e.as_json() for r, e in rows.items()} for s, rows in sets.items()} for m, sets in found.items()}
    about = {"command": command, "machine": machine(), "profile": PROFILE}
    (RESULTS / "ablation" / "ablation.json").write_text(json.dumps(about | rows, indent=1) + "\n", "utf-8")
    (RESULTS / "ablation" / "ablation.md").write_text(text, "utf-8")


def ablation(per_kind: int, by: StoredProbabilities | None) -> Effects:
    """By set and by what is left out; "nothing" is the whole product."""
    policy = load_profile(PROFILE)
    found: Effects = {}
    for name, items in claim_sets(per_kind).items():
        verdicts = partial(_verdicts, _found(tuple(items)), policy.verification, by)
        faithful = np.array([item.faithful for item in items])
        whole = verdicts(frozenset())
        said = np.array([supported_by_product(item, policy, by) for item in items])
        if (whole != said).any():
            at = int(np.flatnonzero(whole != said)[0])
            raise SystemExit(f"{name}: the recombined verdict on {items[at].claim!r} is not the product's")
        found[name] = {"nothing": effect(faithful, whole, whole)}
        found[name] |= {row: effect(faithful, whole, verdicts(without)) for row, without in leave_outs().items()}
        for part in PARTS:
            without_part = _verdicts(_found(tuple(items), part), policy.verification, by, frozenset())
            found[name][part] = effect(faithful, whole, without_part)
    return found


@cache
def _found(items: tuple[Item, ...], part: str | None = None) -> list[ClaimFindings]:
    """What the checks find without a part of theirs; kept, because every mode asks."""
    if part is None:
        return [find_all(item) for item in items]
    with left_out(part):
        return [find_all(item) for item in items]


def _verdicts(
    claims: Sequence[ClaimFindings], policy: Verification, by: StoredProbabilities | None, without: frozenset[str]
) -> Booleans:
    return np.array([is_supported(claim, without, policy, by) for claim in claims])


def report(found: dict[str, Effects], command: str) -> str:
    lines = ["# What each check adds, measured by leaving it out", ""]
    lines += [f"`{command}`, {machine()}, profile `{PROFILE}`.", ""]
    lines += [
        "Corrupted claims caught / faithful claims refused, in %. In brackets the change against the whole product with the "
        "95 % interval of a paired bootstrap, where a claim changed at all.",
        "",
    ]
    for mode, sets in found.items():
        lines += [f"## {'Lexical mode' if mode == 'lexical' else f'With the {mode} verifier'}", ""]
        lines += [f"| left out | {' | '.join(sets)} |", "|---|" + "---|" * len(sets)]
        for row in next(iter(sets.values())):
            lines.append(f"| {row} | {' | '.join(_cell(effects[row]) for effects in sets.values())} |")
        lines.append("")
    return "\n".join(lines)


def _cell(e: Effect) -> str:
    text = f"{e.caught} / {e.refused}"
    changes = [
        f"{change:+} [{low:+}, {high:+}]" if (change, low, high) != (0, 0, 0) else "0"
        for change, low, high in (e.caught_change, e.refused_change)
    ]
    return text if changes == ["0", "0"] else f"{text} ({' / '.join(changes)})"


if __name__ == "__main__":
    main()
