"""How sure the large verifier must be to override the check of copied sentences: verdicts at several thresholds.

    python -m benchmarks.quality.ablation.override [--per-label N] [--cache FILE]

Each claim is scored once and decided again at every threshold. Model probabilities are kept in the cache file of the
ablation. Writes benchmarks/results/quality/ablation/override.md.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.quality.ablation.findings import StoredProbabilities, find_all
from benchmarks.quality.ablation.fusion import refusals
from benchmarks.quality.guards import (  # fmt: skip
    DATA,
    DEMANDING,
    FREE,
    GROUNDING,
    PROFILE,
    RESULTS,
    Item,
    blind_items,
    grounding_items,
    machine,
    statute_items,
)
from footnotary import load_profile
from footnotary.models.model_packages import locate_model
from footnotary.reader.onnx_reader import OnnxReader

THRESHOLDS = (0.8, 0.9, 0.95, 0.98)
STATUTE_CHANGES = 10


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--per-label", type=int, default=80, help="claims of each label of a public set")
    arguments.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir(), "footnotary-ablation.jsonl"))
    options = arguments.parse_args()
    policy = load_profile(PROFILE).verification
    by = StoredProbabilities(OnnxReader(locate_model("verifier-large")), options.cache)
    lines = ["# From which probability on a model overrides the check of copied sentences", ""]
    lines += [f"`python -m benchmarks.quality.ablation.override --per-label {options.per_label}`, {machine()}, profile `{PROFILE}`.", ""]  # fmt: skip
    lines += ["Corrupted claims caught / faithful claims refused, in %, with the large verifier.", ""]
    lines += [f"| set | {' | '.join(map(str, THRESHOLDS))} |", "|---|" + "---|" * len(THRESHOLDS)]
    for name, items in sets(options.per_label).items():
        found = [find_all(item) for item in items]
        tried = (policy.model_copy(update={"override_threshold": threshold}) for threshold in THRESHOLDS)
        lines.append(f"| {name} | {' | '.join(refusals(found, one, by) for one in tried)} |")
        print(lines[-1], flush=True)
    (RESULTS / "ablation" / "override.md").write_text("\n".join(lines) + "\n", "utf-8")


def sets(per_label: int) -> dict[str, list[Item]]:
    dev = DATA / "grounding" / "dev"
    return {
        "held-out": blind_items(),
        "free wording": blind_items(FREE),
        "demanding": blind_items(DEMANDING),
        "statutes": statute_items(STATUTE_CHANGES),
    } | {name: grounding_items(dev / f"{name}.dev.jsonl.gz", per_label) for name in GROUNDING}


if __name__ == "__main__":
    main()
