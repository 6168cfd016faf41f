"""E12: one of three Qdrant servers in a cluster is killed and restarted while documents are stored and queried.

Six shards with two replicas each. A document is acknowledged once `put` has returned. While a node is down and while it
recovers, every response is correct on every node: an unchanged document is found as before, and acknowledged documents
are there. Once the cluster has recovered, every node has every passage of every acknowledged document, and all nodes
give the same results.
"""

import random
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from benchmarks.verify_release.durability.cluster_nodes import WHOLE_S, cluster, opened, wait_whole
from benchmarks.verify_release.tally import Tally
from footnotary.domain.query import Filters
from footnotary.errors import BackendError, FootnotaryError
from footnotary.index.qdrant.store import QdrantStore
from footnotary.ports import ScoredId
from footnotary.testing.qdrant_process import QdrantProcess, QdrantUnavailable
from footnotary.testing.sample_documents import EMBEDDER, SampleDocument, SamplePassage, make_document, penal_code
from footnotary.testing.search_queries import NO_FILTERS
from footnotary.text.tokens import content_terms

CHUNKS = 4
QUESTIONS = ("prison for cheating and obtaining property", "a local law")
UNCHANGED = Filters(document="ipc")
AT_LEAST = 2  # documents stored while a node is down
BACK_S = 30.0  # how long a restarted node is queried and written to before it recovers without load
PAUSE_S = 0.5  # between questions: the nodes share the processors with this process


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name, ExitStack() as closed:
        try:
            nodes = closed.enter_context(cluster(Path(name)))
        except QdrantUnavailable as error:
            return Tally(skipped=str(error))
        stores = [closed.enter_context(closing(opened(node, Path(name) / "tenant"))) for node in nodes]
        trial = _Trial(nodes, stores, seeded_bug)
        for _ in range(count):
            trial.tally.attempts += 1
            trial.kill(rng)
        return trial.tally


def document(number: int) -> SampleDocument:
    said = [
        SamplePassage(f"D{number}_{i}_0", f"Passage {i} of document {number} says word{number}.") for i in range(CHUNKS)
    ]
    return make_document(f"doc{number:05}", said)


def answers(store: QdrantStore, filters: Filters = NO_FILTERS) -> list[tuple[list[ScoredId], list[ScoredId]]]:
    """The lexical and the dense hits of every question, with scores."""
    asked = ((content_terms(text), EMBEDDER.embed_question(text)) for text in QUESTIONS)
    both = (store.lexical_and_dense("law", terms, vector, 5, filters) for terms, vector in asked)
    return [(list(by_words), list(by_meaning)) for by_words, by_meaning in both]


def search_unchanged(store: QdrantStore) -> list[tuple[set[str], list[ScoredId]]]:
    """Hits in the unchanged document; lexical scores are left out, they depend on the other documents."""
    return [({one.id for one in by_words}, by_meaning) for by_words, by_meaning in answers(store, UNCHANGED)]


class _Trial:
    """One cluster over several kills, so that the remains of one are there for the next."""

    def __init__(self, nodes: list[QdrantProcess], stores: list[QdrantStore], seeded_bug: bool) -> None:
        self.tally = Tally()
        self._nodes, self._stores, self._seeded_bug = nodes, stores, seeded_bug
        self._acknowledged: list[int] = []
        self._next = 0
        self._expected: list[tuple[set[str], list[ScoredId]]] = []
        self._wait_for(self._set_up, WHOLE_S)

    def _set_up(self) -> bool:
        """Whether set-up succeeded; it is retried while the nodes agree on a new collection."""
        try:
            penal_code().put_into(self._stores[0])
            self._expected = search_unchanged(self._stores[0])
        except BackendError:
            return False
        return self._put(0)

    def kill(self, rng: random.Random) -> None:
        """One kill: a node stops and restarts while documents are stored through one node and all nodes are queried."""
        victim = rng.randrange(len(self._nodes))
        entry = victim if self._seeded_bug else rng.randrange(len(self._nodes))
        over = threading.Event()
        asking = threading.Thread(target=self._guarded, args=(self._ask, over, random.Random(rng.random())))
        putting = threading.Thread(target=self._guarded, args=(self._keep_putting, over, entry))
        for thread in (asking, putting):
            thread.start()
        try:
            time.sleep(rng.uniform(0.5, 4.0))
            self._nodes[victim].kill()
            held = len(self._acknowledged)
            self._wait_for(lambda: len(self._acknowledged) >= held + AT_LEAST, 120)
            self.tally.count("acknowledged while a node was down", len(self._acknowledged) - held)
            self._nodes[victim].start()
            self._wait_for(self._nodes[victim].is_ready, BACK_S)  # queries continue while it recovers
        finally:
            over.set()
            for thread in (asking, putting):
                thread.join()
        if wrong := wait_whole(self._nodes) or self._difference_with_retries():
            self.tally.fault(f"node {victim} killed, written through {entry}: {wrong}")

    def _guarded(self, run: Callable[..., None], *given: object) -> None:
        """An unexpected exception is a failure, not the silent end of a thread."""
        try:
            run(*given)
        except Exception as error:
            self.tally.fault(f"{type(error).__name__}: {error}")

    def _keep_putting(self, over: threading.Event, entry: int) -> None:
        while not over.is_set():
            if not self._put(entry) and not self._seeded_bug:
                entry = (entry + 1) % len(self._stores)

    def _put(self, entry: int) -> bool:
        """Whether the next document was acknowledged; if not, it is stored again."""
        try:
            document(self._next).put_into(self._stores[entry])
        except FootnotaryError:
            self.tally.count("puts refused")
            if not self._seeded_bug:
                return False
            time.sleep(0.2)  # the seeded bug: acknowledged anyway
        self._acknowledged.append(self._next)
        self.tally.count("acknowledged documents")
        self._next += 1
        return True

    def _ask(self, over: threading.Event, rng: random.Random) -> None:
        while not over.is_set():
            at = rng.randrange(len(self._stores))
            known = self._acknowledged[-1]
            try:
                found = search_unchanged(self._stores[at])
                held = {one.id for one in self._stores[at].documents("law")}
            except BackendError:
                self.tally.count("questions refused")
                time.sleep(0.2)
                continue
            self.tally.count("questions answered")
            time.sleep(PAUSE_S)
            if found != self._expected:
                self.tally.fault(f"node {at} answered {found} instead of {self._expected}")
            if not self._seeded_bug and document(known).document.id not in held:
                self.tally.fault(f"node {at} did not have document {known}, which was acknowledged")

    def _difference_with_retries(self) -> str:
        """As `_difference`; retries while a node is too busy."""
        deadline = time.monotonic() + WHOLE_S
        while True:
            try:
                return self._difference()
            except BackendError as error:
                if not error.retryable or time.monotonic() > deadline:
                    return str(error)

    def _difference(self) -> str:
        """What a node lacks, or has different from the others."""
        ids = [id_ for number in self._acknowledged for id_ in document(number).ids]
        states: list[object] = []
        for at, store in enumerate(self._stores):
            sizes = {one.id: (one.sha256, one.chunks) for one in store.documents("law")}
            for number in self._acknowledged:
                put = document(number).document
                if sizes.get(put.id) != (put.source.sha256, CHUNKS):
                    return f"document {number} was acknowledged, but node {at} has {sizes.get(put.id)}"
            if [chunk.id for chunk in store.chunks("law", ids)] != ids:  # reading checks each hash
                return f"node {at} does not have all acknowledged passages"
            states.append((sizes, store.index_digest("law"), answers(store)))
        if any(one != states[0] for one in states):
            return f"the nodes differ: {states}"
        lost = [problem for problem in self._stores[0].check() if "instead of" in problem]
        return lost[0] if lost else ""

    def _wait_for(self, happened: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not happened():
            time.sleep(0.05)
