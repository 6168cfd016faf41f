"""What weights and model servers do for us: vectors, replies, and how probable it is that a passage supports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:  # numpy takes longer to import than everything else the command line needs
    import numpy as np
    from numpy.typing import NDArray

Vector: TypeAlias = "NDArray[np.float32]"
Vectors: TypeAlias = "NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class Calibration:
    """What likeness is worth: the logistic weights that turn key-term coverage and cosine into a relevance.

    They are fitted once per embedder; the `words_only` ones serve where there is no cosine to go by.
    `dense_weight` is what meaning counts beside words when two lists are fused.
    """

    intercept: float
    coverage: float
    cosine: float
    words_only_intercept: float
    words_only_coverage: float
    dense_weight: float


class Embedder(Protocol):
    """Turns text into unit vectors, the same ones every time."""

    @property
    def name(self) -> str:
        """Identifies the weights exactly: two embedders with one name give the same vectors."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages the vectors mean something for; questions in others are searched for by words alone."""
        ...

    @property
    def calibration(self) -> Calibration: ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row per text, each of length one and finite; an empty list gives an empty matrix."""
        ...

    def embed_question(self, text: str) -> Vector: ...


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


class ChatModel(Protocol):
    """A language model behind a process boundary, at temperature 0."""

    @property
    def name(self) -> str: ...

    def complete(self, messages: Sequence[Message], schema: dict[str, object] | None = None) -> str:
        """The whole reply, never a truncated one; with `schema`, JSON of that shape where the server can.

        Raises `ModelError`, retryable or not, for anything else: time-outs, malformed or cut-off replies.
        """
        ...


@dataclass(frozen=True, slots=True)
class Weighing:
    """What a model's word is worth beside words in common and guards: logistic weights, fitted once per model.

    `model` multiplies the log-odds of the model's probability, `overlap` and `runs` the shares of the claim's words
    and of its runs of three words that stand in the evidence; the others are added where a guard of that kind objects.
    """

    intercept: float = 0.0
    model: float = 1.0
    overlap: float = 0.0
    runs: float = 0.0
    figures: float = 0.0
    logic: float = 0.0
    wording: float = 0.0


class Entailer(Protocol):
    """Says how probable it is that passages support claims."""

    @property
    def name(self) -> str:
        """Identifies the weights exactly."""
        ...

    @property
    def weighing(self) -> Weighing: ...

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        """For each (claim, passages) the probability that the passages together support the claim."""
        ...


class OrderReader(Protocol):
    """Tells sentences that order whoever answers from statements."""

    @property
    def name(self) -> str:
        """Identifies the weights exactly."""
        ...

    def tells(self, sentence: str, suspected: bool) -> bool:
        """Whether a sentence is such an order; less has to speak for it where its form makes it suspected."""
        ...


class Answerability(Protocol):
    """Says how probable it is that passages answer questions."""

    @property
    def name(self) -> str: ...

    def answerable(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        """For each (question, passages) the probability that the passages answer the question."""
        ...
