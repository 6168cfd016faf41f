"""The digest of what an index holds, computed again only after a change."""

from footnotary.ports import ManagedStore


class IndexDigests:
    """The digests of one store's projects. Threads may share it."""

    def __init__(self, store: ManagedStore) -> None:
        self._store = store
        self._known: dict[str, tuple[int, str]] = {}

    def digest(self, project: str) -> str:
        """The digest of everything that can be found in a project now."""
        generation = self._store.generation(project)
        known = self._known.get(project)
        if known is None or known[0] != generation:
            known = generation, self._store.index_digest(project)
            if generation:  # anybody can name a project that never existed
                self._known[project] = known
        return known[1]
