"""Two readers in a row: a small one glances at many passages, and the large one reads the few that are worth it.

The cut-offs below are of the small reader's calibrated probability. They are chosen again, for other weights, with
`python -m benchmarks.quality.answering.cascade`, which reports how often the verdict is that of the large reader alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from footnotary.ports import GlancingReader

if TYPE_CHECKING:
    from footnotary.ports import FusionWeights, PassageText, Reader, Reading

# A passage below this at a glance is not read: of those that answer hardly any is so low.
WORTH_READING: Final = 0.12
# From this on a passage is read before further ones are glanced at.
LIKELY: Final = 0.6


class CascadeReader:
    """Reads with `large`, and glances with `small`. Implements `footnotary.ports.Reader` and `GlancingReader`.

    Neither is loaded before it is asked.
    """

    def __init__(self, small: Reader, large: Reader) -> None:
        self._small, self._large = small, large
        self.name = f"{large.name}+{small.name}"
        self.languages = tuple(language for language in large.languages if language in small.languages)

    @property
    def fusion_weights(self) -> FusionWeights:
        return self._large.fusion_weights

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        return self._large.support(pairs)

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        return self._large.answers(pairs)

    def best_of(self, probabilities: Sequence[float]) -> float:
        return self._large.best_of(probabilities)

    def read(self, question: str, passages: Sequence[PassageText]) -> Sequence[Reading]:
        return self._large.read(question, passages)

    def glance(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        """What the small reader says of each pair."""
        return self._small.answers(pairs)


def glance_at(reader: Reader, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> list[float]:
    """A first probability for each pair, in four digits: cheap, where the reader has a smaller one beside it.

    Machines may differ in the last digits.
    """
    found = reader.glance(pairs) if isinstance(reader, GlancingReader) else reader.answers(pairs)
    return [round(probability, 4) for probability in found]
