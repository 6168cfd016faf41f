"""Retrieval as the product does it, on the question sets of the data folder, next to plain BM25.

    python -m benchmarks.quality.retrieval [--embedder default|fast] [--vectors FOLDER]

Prints a table and writes benchmarks/results/retrieval/retrieval-<embedder>.json and .md. Without the data folder (FOOTNOTARY_DATA, or
../shared/data next to the repository) it prints a message and measures nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections import defaultdict
from pathlib import Path

from benchmarks.quality.encoder_sets import Bm25, Collection, collections, ndcg
from benchmarks.quality.product import PROJECT, open_cached_embedder, product
from footnotary.domain.query import Scope
from footnotary.text.tokens import content_terms

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))
K = 10


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--embedder", default="default")
    arguments.add_argument("--vectors", type=Path)
    arguments.add_argument("--only", help="one set, by name; nothing is written")
    options = arguments.parse_args()
    if not DATA.is_dir():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        return
    embedder = open_cached_embedder(options.embedder, options.vectors)
    rows: dict[str, dict[str, float]] = {}
    counts: dict[str, int] = defaultdict(int)
    for collection in collections(DATA):
        if options.only not in (None, collection.name):
            continue
        for name, value in measured(collection, embedder).items():
            row = rows.setdefault(collection.name, defaultdict(float))
            row[name] += value * len(collection.questions)
        counts[collection.name] += len(collection.questions)
        print(
            collection.name, {k: round(v / counts[collection.name] * 100, 1) for k, v in rows[collection.name].items()}
        )
    table = {
        name: {"questions": counts[name], **{k: round(100 * v / counts[name], 1) for k, v in row.items()}}
        for name, row in rows.items()
    }
    if options.only is None:
        write(options.embedder, table)


def measured(collection: Collection, embedder) -> dict[str, float]:
    """Means over the questions: nDCG@10, Hit@1 and Hit@5 of the product, and of BM25 over whole passages."""
    names = {f"D_{n}_0" if not p.section else p.id: p.id for n, p in enumerate(collection.passages)}
    rows = [
        {"id": given, "section": p.section or str(n), "title": p.heading, "text": p.text}
        for n, (given, p) in enumerate(zip(names, collection.passages, strict=True))
    ]
    bases = {given.rsplit("_", 1)[0]: own for given, own in names.items()}
    bm25 = Bm25([p.terms(1) for p in collection.passages])
    totals: dict[str, float] = defaultdict(float)
    with product(rows, embedder, "legal", k=50) as engine:
        for question, relevant in zip(collection.questions, collection.relevant, strict=True):
            found = [own_passage(hit.chunk.id, bases) for hit in engine.search(question, Scope(PROJECT)).hits]
            ours = list(dict.fromkeys(found))
            order = bm25.scores(content_terms(question)).argsort(kind="stable")[::-1][:K]
            plain = [collection.passages[i].id for i in order]
            for name, ranked in (("ours", ours), ("bm25", plain)):
                totals[f"{name} nDCG@10"] += ndcg([relevant.get(one, 0.0) for one in ranked], relevant.values())
                totals[f"{name} Hit@1"] += bool(set(ranked[:1]) & set(relevant))
                totals[f"{name} Hit@5"] += bool(set(ranked[:5]) & set(relevant))
    embedder.save()
    return {name: total / len(collection.questions) for name, total in totals.items()}


def own_passage(chunk_id: str, bases: dict[str, str]) -> str:
    """The passage that a chunk was cut from; what States amended has an id of its own below its section's."""
    while chunk_id not in bases:
        chunk_id = chunk_id.rpartition("_")[0]
    return bases[chunk_id]


def write(embedder: str, table: dict[str, dict[str, float]]) -> None:
    command = f"python -m benchmarks.quality.retrieval --embedder {embedder}"
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    results = ROOT / "benchmarks" / "results" / "retrieval"
    record = {"command": command, "machine": machine, "sets": table}
    (results / f"retrieval-{embedder}.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    columns = ["questions", *(f"{who} {what}" for what in ("nDCG@10", "Hit@1", "Hit@5") for who in ("ours", "bm25"))]
    lines = [
        f"# Retrieval, embedder `{embedder}`\n",
        f"`{command}` on {machine}.\n",
        f"| set | {' | '.join(columns)} |",
    ]
    lines.append("|---" * (len(columns) + 1) + "|")
    lines += [f"| {name} | {' | '.join(str(row[c]) for c in columns)} |" for name, row in table.items()]
    (results / f"retrieval-{embedder}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
