"""Measures one system, in the environment it is installed in:  python -m benchmarks.speed.peers.measure NAME FOLDER URL

FOLDER has `texts.json`, `vectors.npy`, `questions.json` and `question_vectors.npy`. Prints one object in JSON.
"""

# pyright: basic
from __future__ import annotations

import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.speed.peers.facts import FACTS, K

ROUNDS = 3


def main() -> None:
    name, folder, url = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    texts = json.loads((folder / "texts.json").read_text("utf-8"))
    questions = json.loads((folder / "questions.json").read_text("utf-8"))
    vectors, asked = np.load(folder / "vectors.npy"), np.load(folder / "question_vectors.npy")
    bare_mb = rss_mb()
    with tempfile.TemporaryDirectory() as work:
        system, opening = timed(lambda: opened(name)(Path(work), url))
        _, ingest = timed(lambda: system.ingest(texts, vectors))
        disk_mb = sum(path.stat().st_size for path in Path(work).rglob("*") if path.is_file()) / 1e6
        pairs = list(zip(questions, asked, strict=True))
        system.search(*pairs[0])
        searches = [timed(lambda q=q, v=v: system.search(q, v)) for _ in range(ROUNDS) for q, v in pairs]
        said: dict[str, Any] = {
            "open_s": opening[0],
            "ingest_s": ingest[0],
            "ingest_cpu_s": ingest[1],
            "disk_mb": disk_mb,
            "search_ms": 1000 * statistics.median(took[0] for _, took in searches),
            "search_cpu_ms": 1000 * statistics.mean(took[1] for _, took in searches),
            "recall": recall([found for found, _ in searches[: len(pairs)]], vectors, asked),
        }
        if hasattr(system, "answer"):
            facts = [(question, asked[at], answer) for at, (_, question, answer) in enumerate(FACTS)]
            system.answer(facts[0][0], facts[0][1])
            answers = [(timed(lambda q=q, v=v: system.answer(q, v)), a) for _ in range(ROUNDS) for q, v, a in facts]
            said |= {
                "answer_ms": 1000 * statistics.median(took[0] for (_, took), _ in answers),
                "answer_cpu_ms": 1000 * statistics.mean(took[1] for (_, took), _ in answers),
                "answered": sum(right.rstrip(".") in str(text) for (text, _), right in answers) / len(answers),
            }
        said |= {"rss_mb": rss_mb(), "bare_mb": bare_mb}
        print(json.dumps(said))
        sys.stdout.flush()


def opened(name: str) -> type:
    if name.startswith("footnotary"):
        from benchmarks.speed.peers.our_systems import OURS

        return OURS[name]
    from benchmarks.speed.peers.peer_systems import PEERS

    return PEERS[name]


def recall(found: list[list[int]], vectors: Any, asked: Any) -> float | None:
    """The share of the exact nearest passages that were found; None for a system that ranks by more than vectors."""
    if any(place < 0 for places in found for place in places):
        return None
    exact = np.argsort(-(asked @ vectors.T), axis=1)[:, :K]
    return float(np.mean([len({*places} & {*right.tolist()}) / K for places, right in zip(found, exact, strict=True)]))


def timed(call: Callable[[], Any]) -> tuple[Any, tuple[float, float]]:
    wall, cpu = time.perf_counter(), cpu_s()
    done = call()
    return done, (time.perf_counter() - wall, cpu_s() - cpu)


def cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def rss_mb() -> float:
    rows = Path("/proc/self/status").read_text().splitlines()
    return next(int(row.split()[1]) / 1024 for row in rows if row.startswith("VmRSS"))


if __name__ == "__main__":
    main()
