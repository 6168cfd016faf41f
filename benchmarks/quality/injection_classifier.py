"""How often a sentence is classified as prompt injection: injections and statements outside the training data, and real texts.

    python -m benchmarks.quality.injection_classifier

By the product's own rule, with the trained reader and with words alone. What then gets out end to end is measured by
`benchmarks.service.injection_places` and `benchmarks.service.injection`. Writes benchmarks/results/quality/injection-classifier.md.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from pathlib import Path

from benchmarks.speed.answer_path import machine
from footnotary.injection.detection import instruction_spans
from footnotary.reader.shipped import injection_classifier_for
from footnotary.settings import load_settings
from harness.injection import public_texts
from harness.injection.trials import unseen_benign, unseen_injections

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))
RESULT = ROOT / "benchmarks" / "results" / "quality" / "injection-classifier.md"
EACH = 1_000


def sets() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for order in unseen_injections():
        found[f"injections by writers who saw neither rules nor training data, {order.language}"].append(
            order.attack.text
        )
    for case in unseen_benign():
        found[f"statements by the same writers, easily taken for injections, {case.language}"].append(case.statement)
    for label, kind in ((1, "orders"), (0, "prompts")):
        for name, text in public_texts.public_prompts(DATA, label, half=1):
            found[f"{kind} of {name}, the half not learned from"].append(text)
    for name, listed in public_texts.held_out_texts(DATA, EACH).items():
        found[f"sentences of {name}"] = listed
    return found


def main() -> None:
    if not DATA.is_dir():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        return
    reader = injection_classifier_for(load_settings().verifier)
    if reader is None:
        raise SystemExit("the settings put words in the place of the trained reader; there is nothing to compare")
    lines = [
        "# Sentences classified as prompt injection\n",
        f"`python -m benchmarks.quality.injection_classifier` on {machine()}. Reader: {reader.name}.\n",
        "| | sentences | with the reader | words alone |",
        "|---|--:|--:|--:|",
    ]
    for name, listed in sets().items():
        shares = [
            sum(bool(instruction_spans(text, by)) for text in listed) / len(listed)
            for by in (reader.is_injection, None)
        ]
        lines.append(f"| {name} | {len(listed):,} | {shares[0]:.1%} | {shares[1]:.1%} |")
        print(lines[-1], flush=True)
    RESULT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
