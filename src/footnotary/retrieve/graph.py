"""Follows explicit cross-references from one section to another."""

from collections.abc import Sequence
from dataclasses import replace

from footnotary.domain.evidence import Hit, Ranks
from footnotary.domain.query import Reference, Scope
from footnotary.ports import Store
from footnotary.text.references import references

# A section that is only referred to is less sure to matter than the one that refers to it.
_STEP = 0.9


def referenced(hits: Sequence[Hit], scope: Scope, store: Store) -> tuple[Hit, ...]:
    """The sections that the hits refer to ("as defined in section 415"), one step, as sources of their own.

    A reference that names no act is to the act of the section it stands in.
    """
    have = {hit.chunk.id for hit in hits}
    added: list[Hit] = []
    for hit in hits:
        own = hit.chunk.labels
        for found, _ in references(hit.chunk.text):
            if found.section == own.section:
                continue
            within = replace(found, act=found.act or own.code or own.act)
            for chunk in store.chunks(scope.project, store.lookup(scope.project, _plain(within), scope.filters)):
                if chunk.id not in have:
                    have.add(chunk.id)
                    added.append(Hit(chunk, hit.score * _STEP, Ranks(), "graph"))
    return tuple(added)


def _plain(reference: Reference) -> Reference:
    return Reference(reference.section, reference.act)
