"""A reader without weights, for tests of what asks one."""

from collections.abc import Mapping, Sequence

from footnotary.ports import FusionWeights, PassageText, Reading
from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import terms_of

_LONGEST_ASKED = 2_000


class FakeReader:
    """A `Reader` with the probabilities that a test sets, and otherwise the share of the asked words in a passage.

    `known` has a probability for every passage or sentence that contains its key; of several keys the first counts.
    Passages read together are as good as the best of them, unless `together` says otherwise. Headings count for
    nothing. `asked` holds the question and the passages' texts of each pair, in order.
    """

    name = "fake-reader@0"
    fusion_weights = FusionWeights()

    def __init__(
        self,
        known: Mapping[str, float] | None = None,
        *,
        together: float | None = None,
        languages: tuple[str, ...] = ("en",),
    ) -> None:
        self.languages = languages
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self._known = dict(known or {})
        self._together = together

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        return [self._found(claim, " ".join(texts)) for claim, texts in pairs]

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        self.asked += [(question, tuple(passage.text for passage in passages)) for question, passages in pairs]
        return [self._answer(question, passages) for question, passages in pairs]

    def best_of(self, probabilities: Sequence[float]) -> float:
        return max(probabilities, default=0.0)

    def read(self, question: str, passages: Sequence[PassageText]) -> Sequence[Reading]:
        return [
            Reading(
                self._found(question, passage.text),
                tuple(self._found(question, sentence) for sentence in sentences(passage.text)),
            )
            for passage in passages
        ]

    def _answer(self, question: str, passages: Sequence[PassageText]) -> float:
        if len(passages) > 1 and self._together is not None:
            return self._together
        return max((self._found(question, passage.text) for passage in passages), default=0.0)

    def _found(self, asked: str, text: str) -> float:
        wanted = terms_of(asked)
        shared = len(wanted & terms_of(text)) / len(wanted) if wanted and len(asked) < _LONGEST_ASKED else 0.0
        return next((value for part, value in self._known.items() if part in text), shared)
