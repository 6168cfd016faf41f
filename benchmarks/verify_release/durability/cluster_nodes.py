"""Three real Qdrant servers on loopback that form a cluster, and what each of them says of its shards."""

import json
import time
import urllib.request
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from footnotary.errors import BackendError
from footnotary.index.circuit_breaker import CircuitBreaker
from footnotary.index.manifest import Manifest
from footnotary.index.qdrant.point_types import ClusterSharding
from footnotary.index.qdrant.server import QdrantServer
from footnotary.index.qdrant.store import QdrantStore
from footnotary.testing.qdrant_process import EMULATED, QdrantProcess, free_port
from footnotary.testing.sample_documents import EMBEDDER

NODES, SPREAD = 3, ClusterSharding(shards=6, replicas=2)
DEADLINE_S = 60.0 if EMULATED else 10.0
WHOLE_S = 900.0 if EMULATED else 120.0


@contextmanager
def cluster(folder: Path) -> Generator[list[QdrantProcess]]:
    """The nodes, each ready; all are stopped at the end. Raises `NotHere` where there is no server to be had."""
    ports = [free_port() for _ in range(NODES)]
    addresses = [f"http://127.0.0.1:{port}" for port in ports]
    nodes: list[QdrantProcess] = []
    try:
        for at, port in enumerate(ports):
            settings = {"CLUSTER__ENABLED": "true", "CLUSTER__P2P__PORT": str(port)}
            if EMULATED:  # slow answers are no dead nodes
                settings |= {"CLUSTER__CONSENSUS__TICK_PERIOD_MS": "250"}
            joining = ["--bootstrap", addresses[0]] if at else []
            nodes.append(QdrantProcess(folder / f"node{at}", settings, ["--uri", addresses[at], *joining]))
            nodes[-1].start()
            nodes[-1].wait_ready()
        yield nodes
    finally:
        for node in nodes:
            node.kill()


def opened(node: QdrantProcess, folder: Path) -> QdrantStore:
    """The store at a node, which may take its time over the first collection."""
    deadline = time.monotonic() + WHOLE_S
    while True:
        try:
            return store_at(node, folder)
        except BackendError:
            if time.monotonic() > deadline:
                raise


def store_at(node: QdrantProcess, folder: Path) -> QdrantStore:
    """The tenant's store as one node shows it. It is asked every time, however often it failed."""
    server = QdrantServer(node.url, timeout_s=DEADLINE_S, spread=SPREAD, breaker=CircuitBreaker(failures=10**9))
    return QdrantStore(server, "cluster", folder, Manifest(EMBEDDER.name, EMBEDDER.dimensions))


def wait_whole(nodes: Sequence[QdrantProcess]) -> str:
    """Waits until every node says that all copies of all shards are active; what is wrong where that does not come."""
    deadline, wrong = time.monotonic() + WHOLE_S, ""
    while time.monotonic() < deadline:
        try:
            wrong = next(filter(None, map(_unwell, nodes)), "")
        except OSError as error:
            wrong = f"a node does not answer: {error}"
        if not wrong:
            return ""
        time.sleep(0.5)
    return wrong


def _unwell(node: QdrantProcess) -> str:
    for collection in _told(node, "/collections")["collections"]:
        said = _told(node, f"/collections/{collection['name']}/cluster")
        copies = [*said["local_shards"], *said["remote_shards"]]
        if said["shard_transfers"] or any(copy["state"] != "Active" for copy in copies):
            return f"{node.url}: {collection['name']}: {json.dumps(said)[:500]}"
        if len(copies) != SPREAD.shards * SPREAD.replicas:
            return f"{node.url}: {collection['name']} has {len(copies)} copies of shards"
    return ""


def _told(node: QdrantProcess, path: str) -> dict:
    with urllib.request.urlopen(node.url + path, timeout=DEADLINE_S) as answer:
        return json.load(answer)["result"]
