"""Search helpers for the conformance suites."""

from footnotary.domain.identity import SemanticId
from footnotary.domain.query import Filters
from footnotary.ports import Store
from footnotary.testing.sample_documents import EMBEDDER
from footnotary.text.tokens import content_terms

NO_FILTERS = Filters()


def search_lexical(
    store: Store, text: str, k: int = 10, filters: Filters = NO_FILTERS, project: str = "law"
) -> list[SemanticId]:
    return [hit.id for hit in store.lexical(project, content_terms(text), k, filters)]


def search_dense(
    store: Store, text: str, k: int = 10, filters: Filters = NO_FILTERS, project: str = "law"
) -> list[SemanticId]:
    return [hit.id for hit in store.dense(project, EMBEDDER.embed_question(text), k, filters)]


def all_ids(store: Store, project: str = "law") -> set[SemanticId]:
    """All ids, found by a dense search without a limit."""
    return set(search_dense(store, "anything", 10_000, project=project))
