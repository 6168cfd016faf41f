"""The evidence retrieved for a question."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Literal

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import SemanticId
from footnotary.domain.query import Query
from footnotary.domain.validity import ValidityStatus

# "conflict": shown to a model because it contradicts another source; never in recorded evidence.
Via = Literal["search", "reference", "graph", "conflict"]
Reranking = Literal[
    "off",
    "done",
    "no_verifier",
    "verifier_failed",
    "other_language",
    "provision_named",
    "several_parts",
    "nothing_found",
]


@dataclass(frozen=True, slots=True)
class Ranks:
    """A hit's rank in each list, counted from 1; None if the list does not contain it.

    `fused` is its rank after fusing lexical and dense search, `reranked` its rank after the reranker has read it.
    """

    lexical: int | None = None
    dense: int | None = None
    fused: int | None = None
    reranked: int | None = None

    @property
    def last(self) -> int | None:
        """The rank in the final list."""
        return self.fused if self.reranked is None else self.reranked


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found for a question, with a calibrated relevance between 0 and 1 and how it was found.

    `standing` says whether its document is in force on the day in question, if that is known.
    """

    chunk: Chunk
    score: float
    ranks: Ranks = Ranks()
    via: Via = "search"
    standing: ValidityStatus | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.score <= 1.0:
            raise ValueError(f"a hit's score lies between 0 and 1, not {self.score}")

    @property
    def is_in_force(self) -> bool:
        """True unless its document is known not to be in force."""
        return self.standing is None or self.standing.in_force


_LONGEST_SLOT = 9


@dataclass(frozen=True, slots=True)
class Evidence:
    """The hits of one question, best first, each chunk once: of several with one id the first is kept.

    No later stage can see more than this. Slot `n`, counted from 1, is the `n`-th hit: a language model can cite only
    by slot numbers. `reranking` says whether the hits were reranked, or why not.
    """

    query: Query
    hits: tuple[Hit, ...]
    reranking: Reranking = "off"
    _chunks: Mapping[SemanticId, Chunk] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        chunks: dict[SemanticId, Chunk] = {}
        for hit in self.hits:
            chunks.setdefault(hit.chunk.id, hit.chunk)
        if len(chunks) < len(self.hits):
            # A claim must be checked against the same text that is quoted for it, and an id names one slot.
            kept = {hit.chunk.id: hit for hit in reversed(self.hits)}
            object.__setattr__(self, "hits", tuple(kept[cited] for cited in chunks))
        object.__setattr__(self, "_chunks", chunks)

    @property
    def ids(self) -> Set[SemanticId]:
        return self._chunks.keys()

    @property
    def top_score(self) -> float:
        return max((hit.score for hit in self.hits), default=0.0)

    @property
    def mean_score(self) -> float:
        return sum(hit.score for hit in self.hits) / len(self.hits) if self.hits else 0.0

    def without_other_sides(self) -> "Evidence":
        """Only what the gate selected, without the hits that are shown because they contradict it."""
        return replace(self, hits=tuple(hit for hit in self.hits if hit.via != "conflict"))

    def chunk(self, cited: SemanticId) -> Chunk | None:
        """The chunk with exactly this id; an id that is nearly right is a hallucinated id."""
        return self._chunks.get(cited)

    def cited(self, ids: Iterable[SemanticId]) -> list[Chunk]:
        """The chunks of those ids that were retrieved, in their order."""
        return [chunk for each in ids if (chunk := self.chunk(each)) is not None]

    def slot(self, number: int) -> SemanticId | None:
        """The id in slot `number`, or None if there is no such slot."""
        return self.hits[number - 1].chunk.id if 1 <= number <= len(self.hits) else None

    def named(self, target: str) -> SemanticId | None:
        """The id that `target`, a slot number in ASCII digits or an id, names; None if nothing here has it."""
        # isdecimal() alone also accepts digits of other scripts, which int() parses but no slot uses.
        if target.isascii() and target.isdecimal() and len(target) <= _LONGEST_SLOT:
            return self.slot(int(target)) or (target if target in self._chunks else None)
        return target if target in self._chunks else None
