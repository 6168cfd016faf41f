"""The checks of a whole store: the catalog for damage, and the derived indexes against the catalog."""

from collections.abc import Callable
from itertools import chain

from footnotary.index.embedded.consistency import find_ann_problems, find_index_problems, find_passage_problems
from footnotary.index.embedded.derived_state import IndexSnapshot
from footnotary.index.sqlite.catalog import SqliteCatalog
from footnotary.index.sqlite.changes import Revision

_MAX_CHECK_ATTEMPTS = 10
SnapshotLookup = Callable[[int, Revision], IndexSnapshot]


def check_store(catalog: SqliteCatalog, snapshot_at: SnapshotLookup, dimensions: int, *, deep: bool) -> list[str]:
    """The problems found, as text; empty if there are none. `deep` reads every passage and every vector."""
    checks = catalog.checks
    problems = checks.damage(deep=deep) or (checks.damaged_rows() + checks.damaged_former_texts() if deep else [])
    if problems:  # the other checks would fail for the same reason
        return problems
    for project in catalog.projects():
        found = catalog.find(project)
        if found is None:
            continue
        problems += _index_problems(catalog, snapshot_at, project, found[0])
        if deep:
            problems += find_ann_problems(project, snapshot_at(*found))
            passages = checks.passages(found[0])
            first = next(passages, None)
            if first is None:
                continue
            # Taken after reading the catalog: a passage not in it then was deleted, or is missing.
            snapshot = snapshot_at(found[0], catalog.revision(found[0]))
            every = chain((first,), passages)
            problems += find_passage_problems(
                project, every, snapshot, dimensions, lambda number: bool(catalog.ids([number]))
            )
    return problems


def _index_problems(catalog: SqliteCatalog, snapshot_at: SnapshotLookup, project: str, number: int) -> list[str]:
    """Compared with the catalog at the same revision; not compared if others write without a pause."""
    for _ in range(_MAX_CHECK_ATTEMPTS):
        snapshot = snapshot_at(number, catalog.revision(number))
        with catalog.delta(number, None) as now:
            if now.revision == snapshot.revision:
                return list(find_index_problems(project, snapshot, now.chunks))
    return []  # each of these snapshots was counted against the catalog when it was updated
