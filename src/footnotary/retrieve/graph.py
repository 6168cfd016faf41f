"""Follows explicit cross-references from one section to another."""

from collections.abc import Sequence

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Labels
from footnotary.domain.evidence import Hit, Ranks
from footnotary.domain.query import Reference, Scope
from footnotary.ports import Store
from footnotary.text.references import references

# A section that is only referred to is less sure to matter than the one that refers to it.
_STEP = 0.9


def referenced(hits: Sequence[Hit], scope: Scope, store: Store) -> tuple[Hit, ...]:
    """The sections that the hits refer to ("as defined in section 415"), one step, as sources of their own.

    A reference that names no act is to the act of the section it stands in, of that year where there are several.
    """
    have = {hit.chunk.id for hit in hits}
    added: list[Hit] = []
    for hit in hits:
        for found, _ in references(hit.chunk.text):
            if found.act is None and found.section == hit.chunk.labels.section:
                continue
            named = Reference(found.section, found.act or _act(hit.chunk.labels))
            for chunk in store.chunks(scope.project, store.lookup(scope.project, named, scope.filters)):
                if chunk.id not in have and not _is_same_section(chunk, hit.chunk):
                    have.add(chunk.id)
                    added.append(Hit(chunk, hit.score * _STEP, Ranks(), "graph"))
    return tuple(added)


def _act(labels: Labels) -> str | None:
    """What a section's own act is asked for by: two years of one act have one code."""
    name = labels.code or labels.act
    return f"{name} {labels.year}" if name and labels.year else name


def _is_same_section(one: Chunk, other: Chunk) -> bool:
    return (one.document_id, one.labels.section) == (other.document_id, other.labels.section)
