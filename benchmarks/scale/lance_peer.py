"""LanceDB on the same passages, in a Python of its own that needs only lancedb: `lance_peer.py FOLDER N CANDIDATES`.

Prints one object in JSON. Ingest is adding all rows and building both indexes, until the first search can use them.
Searching is with as many probes and refined candidates as bring recall near ours.
"""

import json
import resource
import shutil
import sys
import time
from itertools import islice
from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa

BATCH, INDEX_FROM = 20_000, 50_000
FREQUENT = "shall section act government person central"


def rss_mb() -> float:
    rows = Path("/proc/self/status").read_text().splitlines()
    return next(int(row.split()[1]) / 1024 for row in rows if row.startswith("VmRSS"))


def cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def batches(folder: Path, count: int):
    vectors = np.load(folder / "vectors.npy", mmap_mode="r")
    with (folder / "texts.jsonl").open(encoding="utf-8") as lines:
        for start in range(0, count, BATCH):
            texts = [json.loads(line) for line in islice(lines, min(BATCH, count - start))]
            rows = np.ascontiguousarray(vectors[start : start + len(texts)])
            column = pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), rows.shape[1])
            ids = pa.array(range(start, start + len(texts)), pa.int64())
            yield pa.table({"id": ids, "text": pa.array(texts), "vector": column})


def ingest(folder: Path, count: int) -> dict:
    shutil.rmtree(folder / "lance", ignore_errors=True)
    base = lancedb.connect(folder / "lance")
    wall, cpu, table = 0.0, 0.0, None
    for batch in batches(folder, count):
        began, began_cpu = time.perf_counter(), cpu_s()
        if table is None:
            table = base.create_table("chunks", batch)
        else:
            table.add(batch)
        wall, cpu = wall + time.perf_counter() - began, cpu + cpu_s() - began_cpu
    began, began_cpu = time.perf_counter(), cpu_s()
    if count >= INDEX_FROM:
        table.create_index(metric="cosine", vector_column_name="vector")
    table.create_fts_index("text", replace=True)
    wall, cpu = wall + time.perf_counter() - began, cpu + cpu_s() - began_cpu
    return {"ingest_s": wall, "ingest_cpu_s": cpu}


def timed(calls) -> dict:
    took = []
    for call in calls:
        began = time.perf_counter()
        call()
        took.append(1000 * (time.perf_counter() - began))
    return {"p50": float(np.median(took)), "p99": float(np.quantile(took, 0.99))}


def query(folder: Path, count: int, candidates: int) -> dict:
    asked = np.load(folder / "questions.npz")
    texts, vectors = asked["texts"].tolist(), asked["vectors"]
    best = json.loads((folder / f"exact-{count}.json").read_text())
    began = time.perf_counter()
    table = lancedb.connect(folder / "lance").open_table("chunks")

    def dense(vector, k):
        found = table.search(vector).distance_type("cosine").limit(k)
        return (found.nprobes(64).refine_factor(20) if count >= INDEX_FROM else found).select(["id"]).to_list()

    def lexical(text, k):
        return table.search(text, query_type="fts").limit(k).select(["id"]).to_list()

    def hybrid(text, vector):
        scores: dict = {}
        for rows in (dense(vector, candidates), lexical(text, candidates)):
            for rank, row in enumerate(rows):
                scores[row["id"]] = scores.get(row["id"], 0) + 1 / (60 + rank)
        top = sorted(scores, key=lambda one: -scores[one])[:10]
        table.search().where(f"id IN ({', '.join(map(str, top))})").select(["id", "text"]).to_list()

    dense(vectors[0], 10)
    lexical(texts[0], 10)
    opened = time.perf_counter() - began
    for text, vector in zip(texts[:20], vectors[:20], strict=True):
        hybrid(text, vector)
    hits = sum(len({row["id"] for row in dense(v, 10)} & set(b)) for v, b in zip(vectors, best, strict=True))
    said = {
        "open_s": opened,
        "recall": hits / sum(map(len, best)),
        "dense": timed([lambda v=v: dense(v, candidates) for v in vectors]),
        "lexical": timed([lambda t=t: lexical(t, candidates) for t in texts]),
        "frequent": timed([lambda: lexical(FREQUENT, candidates)] * 50),
        "hybrid": timed([lambda t=t, v=v: hybrid(t, v) for t, v in zip(texts, vectors, strict=True)]),
    }
    return said | {"rss_mb": rss_mb()}


if __name__ == "__main__":
    where, rows, wide = Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    done = ingest(where, rows) if sys.argv[1] == "ingest" else query(where, rows, wide)
    print(json.dumps(done | {"version": lancedb.__version__}))
