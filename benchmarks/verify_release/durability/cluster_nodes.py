"""Three real Qdrant servers on loopback that form a cluster, and the state of their shards."""

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
    """The nodes, each ready; all are stopped at the end. Raises `QdrantUnavailable` if there is no server binary."""
    ports = [free_port() for _ in range(NODES)]
    urls = [f"http://127.0.0.1:{port}" for port in ports]
    nodes: list[QdrantProcess] = []
    try:
        for at, port in enumerate(ports):
            settings = {"CLUSTER__ENABLED": "true", "CLUSTER__P2P__PORT": str(port)}
            if EMULATED:  # a slow node is not a dead one
                settings |= {"CLUSTER__CONSENSUS__TICK_PERIOD_MS": "250"}
            joining = ["--bootstrap", urls[0]] if at else []
            nodes.append(QdrantProcess(folder / f"node{at}", settings, ["--uri", urls[at], *joining]))
            nodes[-1].start()
            nodes[-1].wait_ready()
        yield nodes
    finally:
        for node in nodes:
            node.kill()


def opened(node: QdrantProcess, folder: Path) -> QdrantStore:
    """The store at a node; waits while the first collection is created."""
    deadline = time.monotonic() + WHOLE_S
    while True:
        try:
            return store_at(node, folder)
        except BackendError:
            if time.monotonic() > deadline:
                raise


def store_at(node: QdrantProcess, folder: Path) -> QdrantStore:
    """The tenant's store through one node, without a circuit breaker."""
    server = QdrantServer(node.url, timeout_s=DEADLINE_S, spread=SPREAD, breaker=CircuitBreaker(failures=10**9))
    return QdrantStore(server, "cluster", folder, Manifest(EMBEDDER.name, EMBEDDER.dimensions))


def wait_whole(nodes: Sequence[QdrantProcess]) -> str:
    """Waits until every node reports all replicas of all shards as active; returns what is wrong on timeout."""
    deadline, wrong = time.monotonic() + WHOLE_S, ""
    while time.monotonic() < deadline:
        try:
            wrong = next(filter(None, map(_unhealthy, nodes)), "")
        except OSError as error:
            wrong = f"a node does not respond: {error}"
        if not wrong:
            return ""
        time.sleep(0.5)
    return wrong


def _unhealthy(node: QdrantProcess) -> str:
    for collection in _get_json(node, "/collections")["collections"]:
        state = _get_json(node, f"/collections/{collection['name']}/cluster")
        copies = [*state["local_shards"], *state["remote_shards"]]
        if state["shard_transfers"] or any(copy["state"] != "Active" for copy in copies):
            return f"{node.url}: {collection['name']}: {json.dumps(state)[:500]}"
        if len(copies) != SPREAD.shards * SPREAD.replicas:
            return f"{node.url}: {collection['name']} has {len(copies)} shard replicas"
    return ""


def _get_json(node: QdrantProcess, path: str) -> dict:
    with urllib.request.urlopen(node.url + path, timeout=DEADLINE_S) as answer:
        return json.load(answer)["result"]
