"""Approximate first passes with exact rescoring, side by side: recall, latency, build time, memory.

    python -m benchmarks.scale.ann_indexes vectors.npz --out results.json

Needs the libraries that are compared (usearch, hnswlib, faiss-cpu), and Footnotary only on the path: numpy is all that
its first pass takes. Each one runs in a process of its own with one thread. Times are processor time, which a busy
machine does not change much; memory is what the process has grown by. A first pass gives `--candidates` rows, which are
scored exactly; recall is of the exact best ten, and equals count.
"""

import argparse
import json
import multiprocessing
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

CANDIDATES, K = 200, 10
SHARE = "FIRST_PASS_SHARE"  # of the rows, for ours: processes of their own know it from here
Search = Callable[[Any], Any]


def usearch_hnsw(vectors: Any, candidates: int) -> tuple[Search, int]:
    from usearch.index import Index

    index = Index(ndim=vectors.shape[1], metric="ip", dtype="f16", connectivity=16, expansion_add=128)
    index.expansion_search = candidates
    index.add(np.arange(len(vectors)), vectors, threads=1)
    return lambda q: index.search(q, candidates, threads=1).keys, index.serialized_length


def usearch_int8(vectors: Any, candidates: int) -> tuple[Search, int]:
    from usearch.index import Index

    index = Index(ndim=vectors.shape[1], metric="cos", dtype="i8", connectivity=16, expansion_add=128)
    index.expansion_search = candidates
    index.add(np.arange(len(vectors)), vectors, threads=1)
    return lambda q: index.search(q, candidates, threads=1).keys, index.serialized_length


def hnswlib_hnsw(vectors: Any, candidates: int) -> tuple[Search, int]:
    import hnswlib

    index = hnswlib.Index(space="ip", dim=vectors.shape[1])
    index.init_index(max_elements=len(vectors), ef_construction=128, M=16)
    index.set_num_threads(1)
    index.add_items(vectors)
    index.set_ef(candidates)
    return lambda q: index.knn_query(q, candidates)[0][0], index.index_file_size()


def faiss_ivf(vectors: Any, candidates: int, probes: int = 64) -> tuple[Search, int]:
    import faiss

    faiss.omp_set_num_threads(1)
    lists = int(4 * len(vectors) ** 0.5)
    index = faiss.index_factory(vectors.shape[1], f"IVF{lists},SQ8", faiss.METRIC_INNER_PRODUCT)
    index.train(vectors[np.random.default_rng(7).choice(len(vectors), min(len(vectors), 40 * lists), replace=False)])
    index.add(vectors)
    index.nprobe = probes
    return lambda q: index.search(q[None, :], candidates)[1][0], len(faiss.serialize_index(index))


def exact(vectors: Any, candidates: int) -> tuple[Search, int]:
    return lambda q: np.argpartition(-(vectors @ q), candidates)[:candidates], 0


def ours(vectors: Any, candidates: int) -> tuple[Search, int]:
    from footnotary.index.embedded import ivf_build, ivf_index

    ivf_index.MIN_CANDIDATES = candidates
    ivf_index._PROBED_SHARE = float(os.environ.get(SHARE, ivf_index._PROBED_SHARE))
    first = ivf_build.build_ivf_index(vectors)
    assert first is not None
    arrays = (first.codes, first.fine_codes, first.rows, first.centres)
    return lambda q: first.proposed(q, K), sum(array.nbytes for array in arrays)


WAYS = {
    "exact scan (BLAS)": exact,
    "ours: groups and main axes": ours,
    "faiss IVF-SQ8, 64 probes": faiss_ivf,
    "usearch HNSW f16": usearch_hnsw,
    "usearch HNSW i8": usearch_int8,
    "hnswlib HNSW f32": hnswlib_hnsw,
}


def measured(name: str, path: Path, n: int, wide: int) -> dict[str, Any]:
    data = np.load(path)
    vectors, questions = data["vectors"][:n], data["questions"]
    least = [float(np.partition(vectors @ q, len(vectors) - K)[len(vectors) - K]) for q in questions]
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    search, size = WAYS[name](vectors, wide)
    built_s = time.process_time() - started
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    hits, took = 0, []
    for question, tenth in zip(questions, least, strict=True):
        begun = time.process_time()
        candidates = np.asarray(search(question)).astype(np.int64)
        candidates = candidates[candidates >= 0]
        top = candidates[np.argsort(-(vectors[candidates] @ question))[:K]]
        took.append(time.process_time() - begun)
        hits += int(np.count_nonzero(vectors[top] @ question >= tenth - 1e-6))  # equals are as good
    return {
        "way": name, "n": len(vectors), "recall": round(hits / (K * len(questions)), 4),
        "p50_ms": round(1000 * float(np.median(took)), 2), "p99_ms": round(1000 * float(np.quantile(took, 0.99)), 2),
        "build_s": round(built_s, 1), "memory_mb": round(grown / 1024), "file_mb": round(size / 1e6),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--n", type=int, default=100_000, help="Number of vectors to use.")
    parser.add_argument("--candidates", type=int, default=CANDIDATES)
    parser.add_argument("--share", type=float, help="Ours looks at this share of the rows.")
    parser.add_argument("--only", nargs="*", default=list(WAYS))
    given = parser.parse_args()
    if given.share:
        os.environ[SHARE] = str(given.share)
    results: list[dict[str, Any]] = []
    for name in given.only:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            results.append(pool.apply(measured, (name, given.vectors, given.n, given.candidates)))
        print(json.dumps(results[-1]), flush=True)
        given.out.write_text(json.dumps({"candidates": given.candidates, "k": K, "ways": results}, indent=1) + "\n")


if __name__ == "__main__":
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    main()
