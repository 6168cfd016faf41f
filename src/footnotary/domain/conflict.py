"""Two sources that disagree."""

from dataclasses import dataclass

from footnotary.domain.identity import SemanticId


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two passages that contradict each other; each quote is verbatim of its passage.

    A value is as written in its sentence, or "yes" and "no" if one asserts what the other denies, or the whole quote
    where a reader found that they answer one question differently. The side of the claim
    for which the conflict was found comes first.
    """

    value_a: str
    id_a: SemanticId
    quote_a: str
    value_b: str
    id_b: SemanticId
    quote_b: str

    def __str__(self) -> str:
        return f"[{self.id_a}] says {self.value_a}, [{self.id_b}] says {self.value_b}: {self.quote_b!r}"
