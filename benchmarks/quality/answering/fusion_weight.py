"""How often the right passage is found with other weights of the dense list.

    python -m benchmarks.quality.answering.fusion_weight [--weights 0.25 0.5] [--limit N]

Questions in lay words on our own documents (training/reader/written), on the Penal Code and on encyclopaedic passages:
the share whose document is among the first 1, 3 and 10. Writes benchmarks/results/retrieval/fusion-weight.md.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from benchmarks.quality.encoder_sets import read
from footnotary import Scope, open_corpus, open_engine
from footnotary.domain.query import Filters
from footnotary.gate.intent import understand_in
from footnotary.retrieve.score_fusion import fuse

ROOT = Path(__file__).parents[3]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))
RESULT = ROOT / "benchmarks" / "results" / "retrieval" / "fusion-weight.md"
WRITTEN = ROOT / "training" / "reader" / "written" / "documents.jsonl.gz"
FIRST = (1, 3, 10)
CANDIDATES, MOST_WORDS = 100, 350


def texts_and_questions(data: Path) -> Iterator[tuple[str, dict[str, tuple[str, str]], list[tuple[str, str]]]]:
    """(set, title and text by name, questions with the name of the text that answers)."""
    documents = [json.loads(line) for line in gzip.decompress(WRITTEN.read_bytes()).splitlines()]
    texts = {f"doc{n}": (one["title"], " ".join(one["sentences"])) for n, one in enumerate(documents)}
    asked = [(q["q"], f"doc{n}") for n, one in enumerate(documents) for q in one["questions"] if q["answer"]]
    yield "documents, lay words", texts, asked
    sections = map(json.loads, (data / "corpora/in_codes_civictech/ipc.jsonl").read_text("utf-8").splitlines())
    texts = {row["id"]: (f"{row['act']}: {row['title']}", row["text"]) for row in sections if row["text"].strip()}
    rows = read(data / "rag" / "in_domain_eval" / "ipc_qa_silver_section.dev.jsonl.gz")
    yield "Penal Code", texts, [(row["question"], row["gold_id"]) for row in rows]
    rows = read(data / "rag" / "xquad_en_hi" / "xquad_en.jsonl.gz")
    texts = {row["para_id"]: (row["title"].replace("_", " "), row["passage"]) for row in rows}
    yield "encyclopaedic", texts, [(row["question"], row["para_id"]) for row in rows]


def places(
    home: Path, project: str, texts: dict[str, tuple[str, str]], asked: list[tuple[str, str]], weights: list[float]
) -> dict[float, list[int]]:
    """For each weight, the place of the right document for each question."""
    folder = home / project
    folder.mkdir(parents=True)
    for name, (title, text) in texts.items():
        body = " ".join(text.split()[:MOST_WORDS])
        (folder / f"{name}.txt").write_text(f"TITLE: {title}\nLANGUAGE: en\n\n{body}\n", encoding="utf-8")
    open_corpus(home=home / "index").ingest([folder], project)
    engine = open_engine(home=home / "index")
    found: dict[float, list[int]] = defaultdict(list)
    for question, gold in asked:
        query = understand_in(engine.store, question, Scope(project, as_of=date(2026, 1, 1)), engine.profile)
        vector = engine.embedder.embed_question(query.facets[0].text)
        lexical = engine.store.lexical(project, query.facets[0].terms, CANDIDATES, Filters())
        dense = engine.store.dense(project, vector, CANDIDATES, Filters())
        chunks = engine.store.chunks(project, list({scored.id for scored in (*lexical, *dense)}))
        documents = {chunk.id: chunk.document_id for chunk in chunks}
        for weight in weights:
            order = list(dict.fromkeys(documents[one.id] for one in fuse(lexical, dense, weight)))
            found[weight].append(order.index(f"{gold}.txt") if f"{gold}.txt" in order else CANDIDATES)
    engine.store.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=float, nargs="+", default=[0.25, 0.4, 0.5, 0.6, 0.75])
    parser.add_argument("--limit", type=int, default=300)
    options = parser.parse_args()
    heads = " | ".join(f"weight {weight:g}" for weight in options.weights)
    first = ", ".join(map(str, FIRST))
    lines = [f"| set, right document among the first {first}, % | questions | {heads} |"]
    lines.append("|---|--:|" + "---|" * len(options.weights))
    with tempfile.TemporaryDirectory() as scratch:
        for number, (name, texts, asked) in enumerate(texts_and_questions(DATA)):
            asked = random.Random(1).sample(asked, min(options.limit, len(asked)))
            found = places(Path(scratch), f"set{number}", texts, asked, options.weights)
            shares = (
                " / ".join(f"{100 * sum(place < n for place in found[weight]) / len(asked):.1f}" for n in FIRST)
                for weight in options.weights
            )
            lines.append(f"| {name} | {len(asked)} | {' | '.join(shares)} |")
            print(lines[-1], flush=True)
    command = f"`python -m benchmarks.quality.answering.fusion_weight --limit {options.limit}` on {platform.machine()}"
    RESULT.write_text("\n".join(["# Weight of the dense list", "", command, "", *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
