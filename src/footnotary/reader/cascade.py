"""Two-stage reading: a small first-stage model scores many passages, the large one reads the few that are likely.

The cut-offs below apply to the small reader's calibrated probability. For other weights choose them again with
`python -m benchmarks.quality.answering.cascade`, which reports how often the verdict is that of the large reader alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from footnotary.ports import ContradictionReader, TwoStageReader

if TYPE_CHECKING:
    from footnotary.ports import FusionWeights, PassageText, Reader, Reading

# A passage whose first-stage score is below this is not read: hardly any passage that answers scores so low.
WORTH_READING: Final = 0.12
# From this score on, a passage is read before the first stage scores further ones.
LIKELY: Final = 0.6


class CascadeReader:
    """Reads with `large`; `small` is the first stage. Implements `footnotary.ports.Reader` and `TwoStageReader`.

    Each model is loaded when it is first used.
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

    def contradicts(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """The large reader's probabilities for the pairs that the small one does not rule out; 0 for the others."""
        return contradictions_by(self._large, pairs, contradictions_by(self._small, pairs))

    def best_of(self, probabilities: Sequence[float]) -> float:
        return self._large.best_of(probabilities)

    def read(self, question: str, passages: Sequence[PassageText]) -> Sequence[Reading]:
        return self._large.read(question, passages)

    def first_stage(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        """The small reader's probability for each pair."""
        return self._small.answers(pairs)


def contradictions_by(
    reader: Reader, pairs: Sequence[tuple[str, str]], first_scores: Sequence[float] | None = None
) -> list[float]:
    """The probability that each passage contradicts its statement; 0 from a reader that has not learned this.

    Pairs that the `first_scores` of a smaller reader rule out are not read and get 0.
    """
    found = [0.0] * len(pairs)
    if isinstance(reader, ContradictionReader):
        places = [n for n in range(len(pairs)) if first_scores is None or first_scores[n] >= WORTH_READING]
        for place, probability in zip(places, reader.contradicts([pairs[n] for n in places]), strict=True):
            found[place] = round(probability, 4)  # machines may differ in the last digits
    return found


def first_stage_scores(reader: Reader, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> list[float]:
    """The first-stage probability of each pair; without a first stage, that of the reader itself."""
    found = reader.first_stage(pairs) if isinstance(reader, TwoStageReader) else reader.answers(pairs)
    return [round(probability, 4) for probability in found]  # machines may differ in the last digits
