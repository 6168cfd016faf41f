"""E12: of a cluster of three Qdrant servers one is killed while documents are put and questions are asked, and comes back.

Six shards in two copies each. A document counts as acknowledged once `put` has returned. While a node is down and while it
comes back, every answer that is given is right: a law that nobody changes is found as before, and what was acknowledged is
there, whichever node is asked. Once the cluster is whole every node holds every acknowledged document, passage by passage,
and all nodes answer the same.
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
STILL = Filters(document="ipc")
AT_LEAST = 2  # documents that are put while a node is down
BACK_S = 30.0  # how long one that comes back is asked and written to; then it may catch up in peace
PAUSE_S = 0.5  # between questions: the nodes share the processors with us


def tried(count: int, seed: int, planted: bool) -> Tally:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name, ExitStack() as closed:
        try:
            nodes = closed.enter_context(cluster(Path(name)))
        except QdrantUnavailable as error:
            return Tally(skipped=str(error))
        stores = [closed.enter_context(closing(opened(node, Path(name) / "tenant"))) for node in nodes]
        trial = _Trial(nodes, stores, planted)
        for _ in range(count):
            trial.tally.tried += 1
            trial.kill(chance)
        return trial.tally


def document(number: int) -> SampleDocument:
    said = [
        SamplePassage(f"D{number}_{i}_0", f"Passage {i} of document {number} says word{number}.") for i in range(CHUNKS)
    ]
    return make_document(f"doc{number:05}", said)


def answers(store: QdrantStore, filters: Filters = NO_FILTERS) -> list[tuple[list[ScoredId], list[ScoredId]]]:
    """Both lists of every question, with their scores."""
    asked = ((content_terms(text), EMBEDDER.embed_question(text)) for text in QUESTIONS)
    both = (store.lexical_and_dense("law", terms, vector, 5, filters) for terms, vector in asked)
    return [(list(by_words), list(by_meaning)) for by_words, by_meaning in both]


def still(store: QdrantStore) -> list[tuple[set[str], list[ScoredId]]]:
    """What is found of the law that nobody changes; how rare its words are changes with the others."""
    return [({one.id for one in by_words}, by_meaning) for by_words, by_meaning in answers(store, STILL)]


class _Trial:
    """One cluster over several kills, so that what one left behind is there for the next."""

    def __init__(self, nodes: list[QdrantProcess], stores: list[QdrantStore], planted: bool) -> None:
        self.tally = Tally()
        self._nodes, self._stores, self._planted = nodes, stores, planted
        self._acknowledged: list[int] = []
        self._next = 0
        self._expected: list[tuple[set[str], list[ScoredId]]] = []
        self._wait_for(self._set_up, WHOLE_S)

    def _set_up(self) -> bool:
        """Whether it is done: nodes that are slow to agree on a new collection are asked again."""
        try:
            penal_code().put_into(self._stores[0])
            self._expected = still(self._stores[0])
        except BackendError:
            return False
        return self._put(0)

    def kill(self, chance: random.Random) -> None:
        """One kill: a node goes and comes back while documents are put through one node and all are asked."""
        victim = chance.randrange(len(self._nodes))
        door = victim if self._planted else chance.randrange(len(self._nodes))
        over = threading.Event()
        asking = threading.Thread(target=self._guarded, args=(self._ask, over, random.Random(chance.random())))
        putting = threading.Thread(target=self._guarded, args=(self._put_on, over, door))
        for thread in (asking, putting):
            thread.start()
        try:
            time.sleep(chance.uniform(0.5, 4.0))
            self._nodes[victim].kill()
            held = len(self._acknowledged)
            self._wait_for(lambda: len(self._acknowledged) >= held + AT_LEAST, 120)
            self.tally.count("acknowledged while a node was down", len(self._acknowledged) - held)
            self._nodes[victim].start()
            self._wait_for(self._nodes[victim].is_ready, BACK_S)  # it is asked meanwhile, and while it catches up
        finally:
            over.set()
            for thread in (asking, putting):
                thread.join()
        if wrong := wait_whole(self._nodes) or self._compared_in_time():
            self.tally.fault(f"node {victim} killed, written through {door}: {wrong}")

    def _guarded(self, run: Callable[..., None], *given: object) -> None:
        """What no store may raise is a fault, not the quiet end of a thread."""
        try:
            run(*given)
        except Exception as error:
            self.tally.fault(f"{type(error).__name__}: {error}")

    def _put_on(self, over: threading.Event, door: int) -> None:
        while not over.is_set():
            if not self._put(door) and not self._planted:
                door = (door + 1) % len(self._stores)

    def _put(self, door: int) -> bool:
        """Whether the next document was acknowledged; one that was not is put again."""
        try:
            document(self._next).put_into(self._stores[door])
        except FootnotaryError:
            self.tally.count("puts refused")
            if not self._planted:
                return False
            time.sleep(0.2)  # planted: acknowledged all the same
        self._acknowledged.append(self._next)
        self.tally.count("acknowledged documents")
        self._next += 1
        return True

    def _ask(self, over: threading.Event, chance: random.Random) -> None:
        while not over.is_set():
            at = chance.randrange(len(self._stores))
            known = self._acknowledged[-1]
            try:
                found = still(self._stores[at])
                held = {one.id for one in self._stores[at].documents("law")}
            except BackendError:
                self.tally.count("questions refused")
                time.sleep(0.2)
                continue
            self.tally.count("questions answered")
            time.sleep(PAUSE_S)
            if found != self._expected:
                self.tally.fault(f"node {at} answered {found} instead of {self._expected}")
            if not self._planted and document(known).document.id not in held:
                self.tally.fault(f"node {at} did not know document {known}, which was acknowledged")

    def _compared_in_time(self) -> str:
        """As `_compared`; a node that is too busy to answer is asked again."""
        deadline = time.monotonic() + WHOLE_S
        while True:
            try:
                return self._compared()
            except BackendError as error:
                if not error.retryable or time.monotonic() > deadline:
                    return str(error)

    def _compared(self) -> str:
        """What a node does not hold, or holds otherwise than the others."""
        ids = [id_ for number in self._acknowledged for id_ in document(number).ids]
        told: list[object] = []
        for at, store in enumerate(self._stores):
            sizes = {one.id: (one.sha256, one.chunks) for one in store.documents("law")}
            for number in self._acknowledged:
                put = document(number).document
                if sizes.get(put.id) != (put.source.sha256, CHUNKS):
                    return f"document {number} was acknowledged, and node {at} has {sizes.get(put.id)}"
            if [chunk.id for chunk in store.chunks("law", ids)] != ids:  # each is held against its hash on the way
                return f"node {at} does not hold all acknowledged passages"
            told.append((sizes, store.index_digest("law"), answers(store)))
        if any(one != told[0] for one in told):
            return f"the nodes differ: {told}"
        lost = [problem for problem in self._stores[0].check() if "instead of" in problem]
        return lost[0] if lost else ""

    def _wait_for(self, happened: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not happened():
            time.sleep(0.05)
