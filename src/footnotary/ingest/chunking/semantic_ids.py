"""Semantic ids, minted from the place in the document, and how collisions with other documents are resolved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from footnotary.domain.identity import SemanticId, is_semantic_id, semantic_id, sha256_hex
from footnotary.ingest.structure.id_names import to_id_part
from footnotary.ingest.structure.outline import Unit

OwnerLookup = Callable[[Sequence[SemanticId]], Mapping[SemanticId, str]]


@dataclass(frozen=True, slots=True)
class MintedIds:
    """The ids of one unit's chunks in order; `alias` is a second id of the first."""

    ids: tuple[SemanticId, ...]
    alias: SemanticId | None = None


def mint_ids(units: Sequence[Unit], counts: Sequence[int]) -> tuple[MintedIds, ...]:
    """Ids for `counts[i]` chunks of `units[i]`: all distinct, and none depends on later text."""
    taken = {unit.own_id for unit in units if unit.pinned and unit.own_id}
    following: dict[str, int] = {}
    minted: list[tuple[SemanticId, ...]] = []

    def next_id(stem: str) -> SemanticId:
        while (candidate := f"{stem}_{following.setdefault(stem, 0)}") in taken:
            following[stem] += 1
        taken.add(candidate)
        return candidate

    for unit, count in zip(units, counts, strict=True):
        if unit.pinned and unit.own_id:
            following.setdefault(unit.own_id, 1)
            minted.append((unit.own_id, *(next_id(unit.own_id) for _ in range(count - 1))))
        else:
            stem = _id_stem(unit)
            minted.append(tuple(next_id(stem) for _ in range(count)))
    named: list[MintedIds] = []
    for unit, ids in zip(units, minted, strict=True):
        alias = unit.own_id if ids and unit.own_id and unit.own_id not in taken else None
        if alias:
            taken.add(alias)
        named.append(MintedIds(ids, alias))
    return tuple(named)


def resolve_id_collisions(
    units: Sequence[Unit], document_id: str, owners: OwnerLookup, *, is_stored: bool
) -> tuple[Unit, ...]:
    """The units with codes that no other document of the project uses for the same ids.

    A new document whose ids collide gets the year added to its code, or a short digest of its own id if that does not
    help. A document that `is_stored` already keeps its codes; only new sections that collide are qualified.
    """
    firsts = [_first_id(unit) for unit in units]
    holders = owners([*firsts, *(unit.own_id for unit in units if unit.own_id)])
    by_code: dict[str, list[Unit]] = {}
    contested: set[str] = set()
    kept: set[str] = set()
    for unit, first in zip(units, firsts, strict=True):
        by_code.setdefault(unit.code, []).append(unit)
        holder = holders.get(first)
        if holder == document_id:
            kept.add(unit.code)
        elif holder is not None:
            contested.add(unit.code)
    # A code that was qualified once stays so, even if the document it collided with is gone.
    doubtful = contested | (by_code.keys() - kept if is_stored else set[str]())
    codes = {
        code: to
        for code in doubtful
        if (to := _qualified_code(code, by_code[code], document_id, owners, is_contested=code in contested))
    }
    result: list[Unit] = []
    for unit, first in zip(units, firsts, strict=True):
        foreign = holders.get(first, document_id) != document_id
        if unit.code in codes and (foreign or unit.code not in kept):
            unit = replace(unit, code=codes[unit.code], pinned=False)
        if unit.own_id and holders.get(unit.own_id, document_id) != document_id:
            unit = replace(unit, own_id=None, pinned=False)
        result.append(unit)
    return tuple(result)


def _qualified_code(
    code: str, units: Sequence[Unit], document_id: str, owners: OwnerLookup, *, is_contested: bool
) -> str | None:
    """The qualified code this document used before, or, if contested, the first that no other document uses."""
    year = next((unit.block.labels.year for unit in units if unit.block.labels.year), None)
    digest = sha256_hex(document_id)
    candidates = [f"{code}_{digest[:6]}", f"{code}_{digest[:12]}"]
    if year and not code.endswith(year) and is_semantic_id(f"{code}{year}"):
        candidates.insert(0, f"{code}{year}")
    holders = [
        set(owners([_first_id(replace(unit, code=to, pinned=False)) for unit in units]).values()) for to in candidates
    ]
    for to, held_by in zip(candidates, holders, strict=True):
        if document_id in held_by:
            return to
    if not is_contested:
        return None
    return next((to for to, held_by in zip(candidates, holders, strict=True) if not held_by), candidates[-1])


def _id_stem(unit: Unit) -> str:
    return semantic_id(to_id_part(unit.code), to_id_part(unit.place), 0).removesuffix("_0")


def _first_id(unit: Unit) -> SemanticId:
    return unit.own_id if unit.pinned and unit.own_id else f"{_id_stem(unit)}_0"
