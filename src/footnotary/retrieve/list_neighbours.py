"""Finds the rest of lists and definitions: an item is read with its introduction, and that with all its items."""

from collections.abc import Sequence

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Hit, Ranks
from footnotary.domain.identity import SemanticId
from footnotary.domain.query import Scope
from footnotary.ports import Store
from footnotary.text.sentences.split_lists import is_split_list, may_be_rest, may_continue

# A chunk that only belongs to a list is less likely to be relevant than the one that was found.
_NEIGHBOUR_DISCOUNT = 0.9
_MAX_STEPS = 8


def rest_of_lists(hits: Sequence[Hit], scope: Scope, store: Store) -> tuple[Hit, ...]:
    """The chunks that hold the rest of a list that a hit has a part of, as additional hits."""
    have = {hit.chunk.id for hit in hits}
    added: list[Hit] = []
    last = list(hits)
    for _ in range(_MAX_STEPS):
        wanted: dict[SemanticId, list[Hit]] = {}
        for hit in last:
            for adjacent, step in (*_numbered(hit.chunk.id, -1), *_numbered(hit.chunk.id, 1)):
                if adjacent not in have and (may_be_rest(hit.chunk) if step < 0 else may_continue(hit.chunk)):
                    wanted.setdefault(adjacent, []).append(hit)
        if not wanted:
            break
        last = [
            Hit(chunk, hit.score * _NEIGHBOUR_DISCOUNT, Ranks(), "graph")
            for chunk in store.chunks(scope.project, list(wanted))
            if (hit := next((hit for hit in wanted[chunk.id] if _are_one_list(hit.chunk, chunk)), None)) is not None
        ]
        have |= {hit.chunk.id for hit in last}
        added += last
    return tuple(added)


def with_rest_of_lists(kept: Sequence[Hit], found: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits that are kept, and of those found the ones that hold the rest of their lists."""
    rest = list(kept)
    for one in rest:  # grows while it is read, so that the rest of the rest is found too
        adjacent = (hit for hit in found if _are_one_list(one.chunk, hit.chunk))
        rest += [hit for hit in adjacent if hit not in rest]
    return tuple(rest)


def _are_one_list(one: Chunk, other: Chunk) -> bool:
    return is_split_list(one, other) or is_split_list(other, one)


def _numbered(found: SemanticId, step: int) -> list[tuple[SemanticId, int]]:
    """The id of the chunk before or after one in its section, with the step."""
    stem, _, number = found.rpartition("_")
    ordinal = int(number) + step if stem and number.isascii() and number.isdecimal() else -1
    return [(f"{stem}_{ordinal}", step)] if ordinal >= 0 else []
