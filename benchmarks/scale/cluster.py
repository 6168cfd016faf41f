"""Three Qdrant servers on loopback next to the embedded store: ingest, questions, a node killed, other shards while asked.

    python -m benchmarks.scale.cluster [--n 300000] [--seconds 30] [--work FOLDER]

Both stores hold the same passages and vectors and are asked the same questions, in turns. All three servers share this
machine with the client, so figures of the cluster are those of one machine that does four machines' work: compare the
phases with each other. Writes benchmarks/results/scale/cluster.json and .md. With `--work`, prepared passages are kept.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.ingest.documents import machine
from benchmarks.scale.embedded import ANY, CANDIDATES, DENSE_WEIGHT, DIMENSIONS, NAME, PER_DOCUMENT, PROJECT, written
from benchmarks.scale.passages import prepare, prepared
from benchmarks.verify_release.durability.cluster_nodes import SPREAD, cluster, wait_whole
from footnotary.errors import FootnotaryError
from footnotary.index.circuit_breaker import CircuitBreaker
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.index.manifest import Manifest
from footnotary.index.qdrant.point_types import ClusterSharding
from footnotary.index.qdrant.server import QdrantServer
from footnotary.index.qdrant.store import QdrantStore
from footnotary.retrieve.score_fusion import fuse
from footnotary.testing.qdrant_process import QdrantProcess
from footnotary.text.tokens import content_terms

RESULTS = Path(__file__).parents[1] / "results" / "scale"
OTHER_SHARDS = ClusterSharding(shards=9, replicas=2)
CLIENTS = (1, 8)
K, TIMEOUT_S, TRIES = 10, 60.0, 120

Question = tuple[list[str], Any]
Store = EmbeddedStore | QdrantStore


@dataclass
class Phase:
    """What clients saw while they asked: seconds of each answered question, and what failed."""

    took: list[float] = field(default_factory=list[float])
    failed: list[str] = field(default_factory=list[str])
    wall_s: float = 0.0

    def figures(self) -> dict[str, Any]:
        milliseconds = 1000 * np.array(self.took or [np.nan])
        return {
            "answered": len(self.took),
            "failed": len(self.failed),
            "per_second": len(self.took) / self.wall_s,
            "median_ms": float(np.percentile(milliseconds, 50)),
            "p99_ms": float(np.percentile(milliseconds, 99)),
            "failures": sorted(set(self.failed))[:3],
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=300_000)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--embedded", type=int, default=3_000, help="number of vectors of real passages")
    parser.add_argument("--work", type=Path, help="where to keep prepared passages between runs")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as closed:
        folder = Path(temporary)
        work = given.work or folder / "passages"
        prepare(work, given.n, given.embedded)
        record: dict[str, Any] = {
            "command": f"python -m benchmarks.scale.cluster --n {given.n} --seconds {given.seconds:g}",
            "machine": machine(),
            "passages": given.n,
            "load": os.getloadavg()[0],
        }
        nodes = closed.enter_context(cluster(folder / "nodes"))
        stores: dict[str, Store] = {
            "embedded": closed.enter_context(closing(EmbeddedStore(folder / "ours", NAME, DIMENSIONS))),
            "cluster": closed.enter_context(closing(through(nodes[0], folder / "tenant"))),
        }
        record["ingest"] = {name: ingest(store, work, given.n) for name, store in stores.items()}
        record["whole"] = wait_whole(nodes) or "yes"
        record |= measured(nodes, stores, questions(work, given.n), given.seconds, folder)
    (RESULTS / "cluster.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    (RESULTS / "cluster.md").write_text(as_markdown(record), "utf-8")
    print(as_markdown(record))


def through(node: QdrantProcess, folder: Path, spread: ClusterSharding = SPREAD) -> QdrantStore:
    """The tenant's store through one node; waits while the first collection is created."""
    server = QdrantServer(node.url, timeout_s=TIMEOUT_S, spread=spread, breaker=CircuitBreaker(failures=10**9))
    for _ in range(TRIES):
        try:
            return QdrantStore(server, "cluster", folder, Manifest(NAME, DIMENSIONS))
        except FootnotaryError:
            time.sleep(0.5)
    raise SystemExit("the cluster did not become ready")


def ingest(store: Store, work: Path, count: int) -> dict[str, float]:
    """Documents of a thousand passages, one after another."""
    texts, vectors, _, _ = prepared(work, count)
    began, start = time.perf_counter(), 0
    with ExitStack() as bulk:
        if isinstance(store, EmbeddedStore):
            bulk.enter_context(store.bulk(PROJECT))
        while some := list(islice(texts, PER_DOCUMENT)):
            document, chunks = written(start, some)
            rows = np.ascontiguousarray(vectors[start : start + len(some)])
            store.put(PROJECT, document, chunks, rows, f"D{start}")
            start += len(some)
    took = time.perf_counter() - began
    return {"seconds": took, "passages_per_second": count / took}


def questions(work: Path, count: int) -> list[Question]:
    _, _, texts, vectors = prepared(work, count)
    return [(content_terms(text), vector) for text, vector in zip(texts, vectors, strict=True)]


def measured(
    nodes: Sequence[QdrantProcess], stores: dict[str, Store], asked: list[Question], seconds: float, folder: Path
) -> dict[str, Any]:
    phases: dict[str, Any] = {}
    for clients in CLIENTS:
        for name, store in stores.items():
            asking([store], asked[:20], clients, 2.0)  # loads what a search needs
            phases[f"{name}, {clients} client{'s' * (clients > 1)}"] = asking(
                [store], asked, clients, seconds
            ).figures()
    agreed = agreement(stores, asked)
    # From now on clients reach the cluster through the two nodes that are not killed, as through a proxy.
    entries = [through(node, folder / f"tenant{at}") for at, node in enumerate(nodes[:2])]
    with ExitStack() as closed:
        for entry in entries:
            closed.enter_context(closing(entry))
        phases["a node killed"] = while_asked(entries, asked, seconds, nodes[2].kill)
        nodes[2].start()
        nodes[2].wait_ready()
        began = time.perf_counter()
        whole = wait_whole(nodes)
        recovery = {"seconds": time.perf_counter() - began, "whole": whole or "yes"}
        resharded = closed.enter_context(closing(through(nodes[0], folder / "tenant", OTHER_SHARDS)))
        changes: list[float] = []

        def reindex() -> None:
            start = time.perf_counter()
            resharded.reindex(PROJECT)
            changes.append(time.perf_counter() - start)

        phases["other shards made"] = while_asked(entries, asked, 5.0, reindex)
    return {
        "phases": phases,
        "agreement": agreed,
        "recovery": recovery,
        "reindex": {"seconds": changes[0], "shards": [SPREAD.shards, OTHER_SHARDS.shards]},
    }


def while_asked(
    stores: Sequence[Store], asked: list[Question], seconds: float, event: Callable[[], None]
) -> dict[str, Any]:
    """Clients ask for a while, then while something happens, and as long again afterwards."""
    over = threading.Event()
    phases: list[Phase] = []
    clients = threading.Thread(target=lambda: phases.append(asking(stores, asked, CLIENTS[-1], None, over)))
    clients.start()
    time.sleep(seconds / 2)
    event()
    time.sleep(seconds / 2)
    over.set()
    clients.join()
    return phases[0].figures()


def asking(
    stores: Sequence[Store],
    asked: list[Question],
    clients: int,
    seconds: float | None,
    over: threading.Event | None = None,
) -> Phase:
    """Clients ask one question after another, each through one of the stores, for some seconds or until `over` is set."""
    phase, stop = Phase(), over or threading.Event()

    def ask(number: int) -> None:
        for terms, vector in _forever(asked, number):
            if stop.is_set():
                return
            began = time.perf_counter()
            try:
                found = hybrid(stores[number % len(stores)], terms, vector)
            except FootnotaryError as error:
                phase.failed.append(f"{type(error).__name__}: {error.message[:80]}")
                continue
            if len(found) != K:
                phase.failed.append(f"{len(found)} passages instead of {K}")
            phase.took.append(time.perf_counter() - began)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(clients)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    if seconds is not None:
        time.sleep(seconds)
        stop.set()
    for thread in threads:
        thread.join()
    phase.wall_s = time.perf_counter() - began
    return phase


def _forever(asked: list[Question], start: int) -> Iterator[Question]:
    place = start * 7
    while True:
        yield asked[place % len(asked)]
        place += 1


def hybrid(store: Store, terms: list[str], vector: Any) -> list[str]:
    """All that happens between a question's vector and its ten passages."""
    lexical, dense = store.lexical_and_dense(PROJECT, terms, vector, CANDIDATES, ANY)
    return [chunk.id for chunk in store.chunks(PROJECT, [hit.id for hit in fuse(lexical, dense, DENSE_WEIGHT)[:K]])]


def agreement(stores: dict[str, Store], asked: list[Question]) -> float:
    """The share of the embedded store's ten best by vector, searched exactly or by its ANN index, that the cluster finds."""
    same = 0
    for _, vector in asked:
        ours, theirs = ({hit.id for hit in store.dense(PROJECT, vector, K, ANY)} for store in stores.values())
        same += len(ours & theirs)
    return same / (K * len(asked))


def as_markdown(record: dict[str, Any]) -> str:
    ingested, recovery, reindexed = record["ingest"], record["recovery"], record["reindex"]
    lines = [
        "# Three Qdrant servers next to the embedded store\n",
        f"Made by `{record['command']}` on {record['machine']}; load at the start {record['load']:.1f}. {record['passages']:,} passages",
        f"of 384 dimensions, {reindexed['shards'][0]} shards in two replicas. All servers and the client share two cores: compare phases.\n",
        "| | embedded | cluster |",
        "|---|--:|--:|",
        f"| ingest without embedding, passages/s | {ingested['embedded']['passages_per_second']:,.0f} | {ingested['cluster']['passages_per_second']:,.0f} |\n",
        "Hybrid search of ten passages, with their texts:\n",
        "| phase | answered | failed | questions/s | median ms | 99th percentile ms |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, found in record["phases"].items():
        lines.append(
            f"| {name} | {found['answered']:,} | {found['failed']} | {found['per_second']:.1f} | {found['median_ms']:.0f} | {found['p99_ms']:.0f} |"
        )
    lines += [
        "",
        f"Of the embedded store's ten best by vector the cluster finds {record['agreement']:.1%}. The killed node had all its shards again",
        f"{recovery['seconds']:.0f} s after it was started; every replica active: {recovery['whole']}. Another number of shards",
        f"({reindexed['shards'][1]}), made with `reindex` while questions were asked, took {reindexed['seconds']:.0f} s.",
    ]
    failures = sorted({one for found in record["phases"].values() for one in found["failures"]})
    if failures:
        lines += ["", "Failures: " + "; ".join(failures) + "."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
