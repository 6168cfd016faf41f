"""Writes the made rows: python -m training.verifier.generated --out FILE.jsonl.gz --seed 7"""

import argparse
import gzip
import json
import os
from pathlib import Path
from random import Random

from training.verifier.generated.build import Maker, Row, unsaid_in_act
from training.verifier.generated.contrasts import contrast_rows
from training.verifier.generated.equivalents import equivalent_rows
from training.verifier.generated.injections import order_rows
from training.verifier.generated.lists import enumerations, list_rows
from training.verifier.generated.records import record_rows
from training.verifier.generated.sentence_grammar import role_rows
from training.verifier.generated.shortcut_check import report
from training.verifier.generated.sources import act_texts, acts, gdpr, grounding, usable


def make(data: Path, seed: int, scale: float) -> list[Row]:
    """All rows, shuffled, without repeated (premise, claim) pairs."""
    rng = Random(seed)
    maker = Maker(rng)
    law = list(acts(data))
    others = [*gdpr(data), *grounding(data, rng)]
    rows: list[Row] = list(unsaid_in_act(law, int(7000 * scale), rng))
    order = [*rng.sample(law, int(min(len(law), 26000) * scale)), *others]
    rng.shuffle(order)
    recent: dict[str, list[str]] = {}
    for passage in order:
        if passage.domain != "law" and rng.random() > scale:
            continue
        elsewhere = recent.setdefault(passage.source, [])
        rows.extend(maker.rows(passage, elsewhere, 1 if rng.random() < 0.55 else 2))
        elsewhere.extend(s for s in passage.sentences[:2] if usable(s))
        del elsewhere[:-40]
    for passage in [*law, *others]:
        if rng.random() < scale and len(passage.sentences) <= 40:
            rows.extend(maker.role_rows(passage, recent.get(passage.source, [])))
    lists = [(group, found) for group, text in act_texts(data) for found in enumerations(text)]
    rows.extend(list_rows(lists[: int(len(lists) * scale)], rng))
    filler = [s for p in rng.sample(others, 400) for s in p.sentences if usable(s)]
    own = [
        (role_rows(int(24000 * scale), rng, filler), "made_roles"),
        (record_rows(int(14000 * scale), rng), "made_records"),
        (contrast_rows(int(24000 * scale), rng, filler), "made_contrasts"),
        (equivalent_rows(int(18000 * scale), rng, filler), "made_equivalents"),
        (order_rows(int(8000 * scale), rng, filler), "made_orders"),
    ]
    for made, source in own:
        rows.extend(
            {"premise": p, "claim": c, "label": label, "kind": kind, "source": source, "group": f"{source}:{i // 8}"}
            for i, (p, c, label, kind) in enumerate(made)
        )
    unique = {(str(r["premise"]), str(r["claim"])): r for r in rows}
    out = list(unique.values())
    rng.shuffle(out)
    return out


def main() -> None:
    """Read the sources, write the rows, print the check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("FOOTNOTARY_DATA", "../shared/data")))
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full size, for a quick look")
    args = parser.parse_args()
    rows = make(args.data, args.seed, args.scale)
    with gzip.open(args.out, "wt", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(report(rows))


if __name__ == "__main__":
    main()
