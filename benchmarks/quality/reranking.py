"""Quality and cost of reranking the first passages with a verifier.

    python -m benchmarks.quality.reranking small|large [--questions N] [--embedder NAME] [--vectors FOLDER] [--kept FOLDER]

Searches as the product does on a sample of each English question set, lets a shipped verifier read the first passages and
measures nDCG@10 and Hit@1 before and after, for several weights of its score. `--kept` caches its scores between
runs. Writes the verifier's part of benchmarks/results/retrieval/reranking.json and .md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.quality.answers import learned_passages
from benchmarks.quality.encoder_sets import Collection, Passage, collections, ndcg, read
from benchmarks.quality.product import PROJECT, CachingEmbedder, open_cached_embedder, product
from benchmarks.quality.retrieval import own_passage
from footnotary.domain.evidence import Evidence
from footnotary.domain.query import Scope
from footnotary.models.model_packages import locate_model
from footnotary.ports import PassageText
from footnotary.profiles.load import load_profile
from footnotary.reader.onnx_reader import OnnxReader
from footnotary.reader.passage_text import passage_text
from footnotary.reader.shipped import SHIPPED_VERIFIERS
from footnotary.retrieve.reranking import rerank

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))
PROFILE = "legal"
READ = 5
FOUND = 20
POOL = 40
WEIGHTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 2.0, 10.0)


@dataclass(frozen=True, slots=True)
class RerankCandidates:
    """One question with what was found for it, as the passages of the set, and the gains of those that are relevant."""

    collection: str
    evidence: Evidence
    own: Mapping[str, str]
    relevant: Mapping[str, float]

    def figures(self, evidence: Evidence) -> tuple[float, float]:
        """nDCG@10 and Hit@1 of the passages in this order."""
        order = list(dict.fromkeys(self.own[hit.chunk.id] for hit in evidence.hits))
        gains = [self.relevant.get(one, 0.0) for one in order]
        return ndcg(gains, self.relevant.values()), float(bool(gains and gains[0] > 0))


class CachedVerifier:
    """A verifier whose scores are cached in a file, with the processor time of each pair."""

    def __init__(self, reader: OnnxReader, folder: Path | None) -> None:
        self.name, self.languages, self._reader = reader.name, reader.languages, reader
        self._path = None if folder is None else folder / f"{reader.name}.jsonl"
        self._said: dict[str, tuple[float, float]] = {}
        if self._path is not None and self._path.is_file():
            self._said = {key: (p, s) for key, p, s in map(json.loads, self._path.read_text("utf-8").splitlines())}

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        return [self.said(question, passages)[0] for question, passages in pairs]

    def said(self, question: str, passages: Sequence[PassageText]) -> tuple[float, float]:
        """The probability and the seconds."""
        key = hashlib.sha256("\0".join((question, *map(str, passages))).encode()).hexdigest()
        if key not in self._said:
            started = time.process_time()
            chance = self._reader.answers([(question, passages)])[0]
            self._said[key] = chance, time.process_time() - started
            if self._path is not None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, *self._said[key]]) + "\n")
        return self._said[key]


def english_sets(data: Path) -> Iterator[Collection]:
    """The encoder comparison sets that the verifiers can read, without the half of SQuAD 2 they were trained on first."""
    seen = learned_passages(data)
    for collection in collections(data):
        if collection.language != "en":
            continue
        text = {passage.id: " ".join(passage.text.split()) for passage in collection.passages}
        new = [i for i, gains in enumerate(collection.relevant) if not any(text.get(one) in seen for one in gains)]
        yield replace(
            collection,
            questions=tuple(collection.questions[i] for i in new),
            relevant=tuple(collection.relevant[i] for i in new),
        )
    yield _health_claims(data)


def _health_claims(data: Path) -> Collection:
    """Claims about health to be found the passages that support them."""
    ids: dict[str, str] = {}
    relevant: dict[str, dict[str, float]] = defaultdict(dict)
    for name in ("healthver", "covidfact"):
        for row in read(data / "grounding" / "dev" / f"{name}.dev.jsonl.gz"):
            text = row["premise"] if isinstance(row["premise"], str) else " ".join(row["premise"])
            passage = ids.setdefault(text, f"H{len(ids)}")
            if row["label"] == 1:
                relevant[row["claim"]][passage] = 1.0
    passages = tuple(Passage(name, "", text) for text, name in ids.items())
    return Collection("health claims", "nDCG@10", "en", passages, tuple(relevant), tuple(relevant.values()))


def searched(collection: Collection, embedder: CachingEmbedder) -> list[RerankCandidates]:
    """A pool of the questions, evenly over the set, as the product answers them before anything is reordered."""
    names = {f"D_{n}_0" if not p.section else p.id: p.id for n, p in enumerate(collection.passages)}
    rows = [
        {"id": given, "section": p.section or str(n), "title": p.heading, "text": p.text}
        for n, (given, p) in enumerate(zip(names, collection.passages, strict=True))
    ]
    bases = {given.rsplit("_", 1)[0]: own for given, own in names.items()}
    chosen = range(0, len(collection.questions), max(1, -(-len(collection.questions) // POOL)))
    found: list[RerankCandidates] = []
    with product(rows, embedder, PROFILE, k=FOUND) as engine:
        for i in chosen:
            evidence = engine.search(collection.questions[i], Scope(PROJECT))
            own = {hit.chunk.id: own_passage(hit.chunk.id, bases) for hit in evidence.hits}
            found.append(RerankCandidates(collection.name, evidence, own, collection.relevant[i]))
    return found


def measured(
    asked: Sequence[RerankCandidates], reader: CachedVerifier, weight: float
) -> dict[str, tuple[float, float]]:
    """nDCG@10 and Hit@1 in percent, for each set; with weight 0 the verifier is not called."""
    policy = load_profile(PROFILE).retrieval.model_copy(
        update={"rerank": READ if weight else 0, "rerank_weight": weight}
    )
    by_set: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for one in asked:
        hits, _ = rerank(one.evidence.query, one.evidence.hits, policy, reader)
        by_set[one.collection].append(one.figures(replace(one.evidence, hits=hits)))
    return {name: (_mean([ndcg for ndcg, _ in rows]), _mean([hit for _, hit in rows])) for name, rows in by_set.items()}


def seconds(asked: Sequence[RerankCandidates], reader: CachedVerifier) -> float:
    """Processor seconds for one question, the mean over those that are reranked."""
    policy = load_profile(PROFILE).retrieval.model_copy(update={"rerank": READ})
    spent = 0.0
    read_again = 0
    for one in asked:
        if rerank(one.evidence.query, one.evidence.hits, policy, reader)[1] == "done":
            pairs = [(one.evidence.query.text, (passage_text(hit.chunk),)) for hit in one.evidence.hits[:READ]]
            spent += sum(reader.said(*pair)[1] for pair in pairs)
            read_again += 1
    return spent / max(read_again, 1)


def _mean(values: Sequence[float]) -> float:
    return 100 * sum(values) / len(values)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("reader", choices=sorted(SHIPPED_VERIFIERS))
    arguments.add_argument("--questions", type=int, default=POOL, help=f"of each set, at most {POOL}")
    arguments.add_argument("--embedder", default="default", help="a shipped one, or a folder of weights")
    arguments.add_argument("--vectors", type=Path)
    arguments.add_argument("--kept", type=Path)
    options = arguments.parse_args()
    if not DATA.is_dir():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        return
    embedder = open_cached_embedder(options.embedder, options.vectors)
    by_name: dict[str, list[RerankCandidates]] = defaultdict(list)
    for collection in english_sets(DATA):  # the known items come one act at a time
        by_name[collection.name] += searched(collection, embedder)
    asked = [one for rows in by_name.values() for one in _sample(rows, options.questions)]
    reader = CachedVerifier(OnnxReader(locate_model(SHIPPED_VERIFIERS[options.reader])), options.kept)
    figures = {"as found": measured(asked, reader, 0.0)}
    for weight in WEIGHTS:
        figures[f"{weight:g}"] = measured(asked, reader, weight)
        print(weight, {name: round(figure[0], 1) for name, figure in figures[f"{weight:g}"].items()})
    write(
        options.reader,
        {
            "command": f"python -m benchmarks.quality.reranking {options.reader} --questions {options.questions} "
            f"--embedder {Path(options.embedder).name}",
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
            "embedder": embedder.name,
            "weights": reader.name,
            "questions": {name: sum(one.collection == name for one in asked) for name in by_name},
            "cpu_s": seconds(asked, reader),
            "figures": figures,
        },
    )


def _sample(rows: Sequence[RerankCandidates], count: int) -> list[RerankCandidates]:
    """Some questions of a set, evenly spread and shuffled; a smaller sample is a part of a larger one."""
    spread = list(rows[:: max(1, -(-len(rows) // POOL))])
    random.Random(1).shuffle(spread)
    return spread[:count]


def write(size: str, record: Mapping[str, Any]) -> None:
    """Replaces the verifier's earlier part."""
    results = ROOT / "benchmarks" / "results" / "retrieval"
    path = results / "reranking.json"
    records = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    records = dict(sorted({**records, size: record}.items()))
    path.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    lines = [
        "# Passages reranked by a verifier\n",
        f"nDCG@10 / Hit@1 in percent on a sample of each set. The first {READ} passages of what the product finds are read; the rows are the weights of",
        "the verifier's log-odds relative to the logarithm of the rank (`retrieval.rerank_weight`). Multi-part questions and questions that name a provision by its",
        "number are counted, and not reordered. The verifiers were trained on rows of the sets that the health claims come from, as claims, and on questions on",
        "passages of SQuAD 2, of which XQuAD's may be some. Time is processor time for one question that is reordered, on a machine with other work.\n",
    ]
    for name, one in records.items():
        counts = one["questions"]
        lines += [
            f"## verifier-{name}: {one['cpu_s']:.2f} s\n",
            f"`{one['command']}` with {one['weights']} and {one['embedder']} on {one['machine']}.\n",
            f"| weight | {' | '.join(f'{each} ({n})' for each, n in counts.items())} | mean |",
            "|---" * (len(counts) + 2) + "|",
            *(
                f"| {weight} | {' | '.join('{:.1f} / {:.1f}'.format(*row[each]) for each in counts)} | "
                f"{' / '.join(f'{sum(row[each][i] for each in counts) / len(counts):.1f}' for i in (0, 1))} |"
                for weight, row in one["figures"].items()
            ),
            "",
        ]
    (results / "reranking.md").write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
