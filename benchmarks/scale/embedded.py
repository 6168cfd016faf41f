"""The embedded store at 10,000, 100,000 and a million chunks: taking in, opening, searching; LanceDB on the same.

    python -m benchmarks.scale.embedded --n 10000 100000 1000000 [--peer-python PATH] [--work FOLDER]

Writes benchmarks/results/scale/scale.json and .md after every size, keeping what it has of other sizes. PATH is a Python that
has lancedb. Every phase runs in a process of its own. Exact and quick searches take turns on the same questions, so that
other load on the machine affects both; processor time is given next to wall time. With `--reuse`, only searches of the
store that an earlier run left in FOLDER are measured; `--as NAME` writes NAME.json and .md instead.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.ingest.documents import machine
from benchmarks.scale.passages import prepare, prepared
from benchmarks.scale.report import as_markdown
from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document, Labels, OffsetMap, Segment, Source
from footnotary.domain.identity import Span, sha256_hex
from footnotary.domain.query import Filters
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.retrieve.score_fusion import fuse
from footnotary.text.tokens import content_terms

RESULTS = Path(__file__).parents[1] / "results" / "scale"
PER_DOCUMENT, CANDIDATES, K = 1_000, 50, 10
NAME, DIMENSIONS, PROJECT, ANY = "footnotary-30m", 384, "law", Filters()
FREQUENT = content_terms("shall section act government person central")
DENSE_WEIGHT = 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--embedded", type=int, default=3_000, help="number of vectors of real passages")
    parser.add_argument("--peer-python", type=Path, help="a Python with lancedb")
    parser.add_argument("--work", type=Path, help="where to keep passages and stores between runs")
    parser.add_argument("--reuse", action="store_true", help="search the store in --work; ingest nothing")
    parser.add_argument("--keep", action="store_true", help="leave the store in --work for --reuse")
    parser.add_argument("--as", dest="name", default="scale", help="name of the result files")
    parser.add_argument("--phase", choices=tuple(PHASES), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.phase:
        print(json.dumps(PHASES[given.phase](given.work, given.n[0])))
        return
    with tempfile.TemporaryDirectory() as temporary:
        work: Path = given.work or Path(temporary)
        prepare(work, max(given.n), given.embedded)
        for count in given.n:
            for who, result in measured(work, count, given.peer_python, reuse=given.reuse, keep=given.keep):
                _keep(given.name, count, {who: result, "load": os.getloadavg()[0]}, given.embedded)


def measured(
    work: Path, count: int, peer: Path | None, *, reuse: bool = False, keep: bool = False
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Ours, then the peer's; what each leaves on disk is removed."""
    ingested = {} if reuse else _phase(work, count, "ingest")
    yield "ours", ingested | _phase(work, count, "cold") | _phase(work, count, "query")
    if not (reuse or keep):
        shutil.rmtree(work / "ours")
    if peer is not None:
        script = str(Path(__file__).with_name("lance_peer.py"))
        phases = ("ingest", "query")
        said = [_said([str(peer), script, phase, str(work), str(count), str(CANDIDATES)]) for phase in phases]
        shutil.rmtree(work / "lance")
        yield "LanceDB", said[0] | said[1]


def _phase(work: Path, count: int, phase: str) -> dict[str, Any]:
    module = [sys.executable, "-m", "benchmarks.scale.embedded"]
    return _said([*module, "--work", str(work), "--n", str(count), "--phase", phase])


def _said(command: list[str]) -> dict[str, Any]:
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def ingest(work: Path, count: int) -> dict[str, Any]:
    """From chunks and vectors to an index on disk that every search sees, the first pass included."""
    shutil.rmtree(work / "ours", ignore_errors=True)
    texts, vectors, _, _ = prepared(work, count)
    store = EmbeddedStore(work / "ours", NAME, DIMENSIONS)
    watch = Watch()
    start = 0
    bulk = store.bulk(PROJECT)
    bulk.__enter__()
    while some := list(islice(texts, PER_DOCUMENT)):
        document, chunks = written(start, some)
        rows = np.ascontiguousarray(vectors[start : start + len(some)])
        with watch:
            store.put(PROJECT, document, chunks, rows, f"D{start}")
        start += len(some)
    put_s = watch.wall_s
    with watch:
        bulk.__exit__(None, None, None)
    store.close()
    size = sum(path.stat().st_size for path in (work / "ours").rglob("*") if path.is_file())
    return {"ingest_s": watch.wall_s, "ingest_cpu_s": watch.cpu_s, "put_s": put_s, "disk_mb": size / 1e6}


def written(start: int, texts: list[str]) -> tuple[Document, list[Chunk]]:
    """A document of these passages, each a section of its own."""
    name, chunks, at = f"d{start}.txt", list[Chunk](), 0
    for n, text in enumerate(texts, start):
        labels = Labels(act=f"Act {start // PER_DOCUMENT}", section=str(n - start + 1))
        origin = OffsetMap((Segment(0, len(text), at, at),))
        span = Span(at, at + len(text))
        parts = (f"A{n}_0", name, text, span, (f"Act {start // PER_DOCUMENT}",), None, sha256_hex(text))
        chunks.append(Chunk(*parts, labels, "paragraph", origin))
        at += len(text)
    whole = "".join(texts)
    offsets = OffsetMap((Segment(0, len(whole), 0, 0),))
    return Document(name, Source(name, "text/plain", sha256_hex(whole), name), whole, (), offsets, Labels()), chunks


def cold(work: Path, count: int) -> dict[str, Any]:
    """Opening and the first search when no page of the store's files is in memory."""
    _, _, texts, vectors = prepared(work, count)
    terms = content_terms(texts[0])
    for path in (path for path in (work / "ours").rglob("*") if path.is_file()):
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)
    with (watch := Watch()):
        hybrid(EmbeddedStore(work / "ours", NAME, DIMENSIONS, read_only=True), terms, vectors[0])
    return {"open_cold_s": watch.wall_s, "open_cold_cpu_s": watch.cpu_s}


def query(work: Path, count: int) -> dict[str, Any]:
    _, _, texts, vectors = prepared(work, count)
    asked = [(content_terms(text), vector) for text, vector in zip(texts, vectors, strict=True)]
    began = time.perf_counter()
    store = EmbeddedStore(work / "ours", NAME, DIMENSIONS, read_only=True)
    hybrid(store, *asked[0])
    opened_s = time.perf_counter() - began
    for terms, vector in asked:  # every page that a search needs is in memory, every word of a question known
        hybrid(store, terms, vector)
    times = {
        "hybrid": timed([lambda t=t, v=v: hybrid(store, t, v) for t, v in asked]),
        "lexical": timed([lambda t=t: store.lexical(PROJECT, t, CANDIDATES, ANY) for t, _ in asked]),
        "frequent": timed([lambda: store.lexical(PROJECT, FREQUENT, CANDIDATES, ANY)] * 50),
    }
    memory = resident()
    exact = EmbeddedStore(work / "ours", NAME, DIMENSIONS, read_only=True, ann_min_chunks=count + 1)
    exact.dense(PROJECT, asked[0][1], CANDIDATES, ANY)
    quick_watch, exact_watch = Watch(), Watch()
    best, hits, hits_50 = list[list[int]](), 0, 0
    for _, vector in asked:
        with exact_watch:
            right = [hit.id for hit in exact.dense(PROJECT, vector, CANDIDATES, ANY)]
        with quick_watch:
            found = [hit.id for hit in store.dense(PROJECT, vector, CANDIDATES, ANY)]
        hits, hits_50 = hits + len({*right[:K]} & {*found[:K]}), hits_50 + len({*right} & {*found})
        best.append([int(id_[1:-2]) for id_ in right[:K]])
    (work / f"exact-{count}.json").write_text(json.dumps(best))
    times |= {"dense": quick_watch.said(), "exact": exact_watch.said()}
    recall = {"recall": hits / (K * len(asked)), "recall_50": hits_50 / (CANDIDATES * len(asked))}
    return {"open_s": opened_s, **memory, **recall, **times}


def hybrid(store: EmbeddedStore, terms: list[str], vector: Any) -> None:
    """All that happens between a question's vector and its ten passages."""
    lexical, dense = store.lexical_and_dense(PROJECT, terms, vector, CANDIDATES, ANY)
    store.chunks(PROJECT, [found.id for found in fuse(lexical, dense, DENSE_WEIGHT)[:K]])


class Watch:
    """Adds up what happens inside it."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self.used: list[float] = []

    def __enter__(self) -> None:
        self._began = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        self.took.append(time.perf_counter() - self._began[0])
        self.used.append(time.process_time() - self._began[1])

    wall_s = property(lambda self: sum(self.took))
    cpu_s = property(lambda self: sum(self.used))

    def said(self) -> dict[str, float]:
        ms = 1000 * np.array([self.took, self.used])
        p50, p99, cpu = np.median(ms[0]), np.quantile(ms[0], 0.99), np.median(ms[1])
        return {"p50": float(p50), "p99": float(p99), "cpu_p50": float(cpu)}


def timed(calls: list[Callable[[], object]]) -> dict[str, float]:
    watch = Watch()
    for call in calls:
        with watch:
            call()
    return watch.said()


def resident() -> dict[str, float]:
    """Megabytes in memory: all, and those that are not pages of files."""
    rows = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return {"rss_mb": int(rows["VmRSS"].split()[0]) / 1024, "own_mb": int(rows["RssAnon"].split()[0]) / 1024}


def _keep(name: str, count: int, result: dict[str, Any], embedded: int) -> None:
    path = RESULTS / f"{name}.json"
    record = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    sizes: dict[str, Any] = record.get("sizes", {})
    sizes[str(count)] = sizes.get(str(count), {}) | result
    record = {
        "command": "python -m benchmarks.scale.embedded --n 10000 100000 1000000 --peer-python PATH"
        if name == "scale"
        else f"python -m benchmarks.scale.embedded --n {count} --work FOLDER --reuse --as {name}",
        "machine": machine(),
        "embedded": embedded,
        "sizes": dict(sorted(sizes.items(), key=lambda item: int(item[0]))),
    }
    path.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    text = as_markdown(record)
    path.with_suffix(".md").write_text(text, "utf-8")
    print(text, flush=True)


def _phases() -> Iterator[tuple[str, Callable[[Path, int], dict[str, Any]]]]:
    yield "ingest", ingest
    yield "cold", cold
    yield "query", query


PHASES = dict(_phases())

if __name__ == "__main__":
    main()
