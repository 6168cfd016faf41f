"""Search helpers for the conformance suites."""

from footnotary.domain.identity import SemanticId
from footnotary.domain.query import Filters
from footnotary.ports import Store
from footnotary.testing.stored_texts import EMBEDDER
from footnotary.text.tokens import content_terms

ANY = Filters()


def lexical(store: Store, text: str, k: int = 10, filters: Filters = ANY, project: str = "law") -> list[SemanticId]:
    return [hit.id for hit in store.lexical(project, content_terms(text), k, filters)]


def dense(store: Store, text: str, k: int = 10, filters: Filters = ANY, project: str = "law") -> list[SemanticId]:
    return [hit.id for hit in store.dense(project, EMBEDDER.embed_question(text), k, filters)]


def everything(store: Store, project: str = "law") -> set[SemanticId]:
    """All ids, found by a dense search without a limit."""
    return set(dense(store, "anything", 10_000, project=project))
