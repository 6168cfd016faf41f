"""Protocols of local models and model servers: embeddings, replies, entailment, reading and injection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:  # numpy takes longer to import than everything else the command line needs
    import numpy as np
    from numpy.typing import NDArray

Vector: TypeAlias = "NDArray[np.float32]"
Vectors: TypeAlias = "NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class RelevanceCalibration:
    """The logistic weights that turn key-term coverage and cosine similarity into a relevance.

    They are fitted once per embedder; the `words_only` ones are used where there is no cosine.
    `dense_weight` is the weight of the dense list when it is fused with the lexical one.
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
        """The languages the vectors are reliable for; questions in others use lexical search alone."""
        ...

    @property
    def calibration(self) -> RelevanceCalibration: ...

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

        Raises `ModelError`, retryable or not, for anything else: time-outs, malformed or truncated replies.
        """
        ...


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """Logistic weights that fuse a verifier's probability with lexical overlap, fitted once per model.

    `model` multiplies the log-odds of the model's probability, `overlap` and `runs` the shares of the claim's words
    and of its word trigrams that occur in the evidence. `figures`, `logic` and `wording` of earlier weights are unused:
    what a check finds refuses the claim, and is not counted a second time.
    """

    intercept: float = 0.0
    model: float = 1.0
    overlap: float = 0.0
    runs: float = 0.0
    figures: float = 0.0
    logic: float = 0.0
    wording: float = 0.0


class Verifier(Protocol):
    """Gives the probability that passages support claims."""

    @property
    def name(self) -> str:
        """Identifies the weights exactly."""
        ...

    @property
    def fusion_weights(self) -> FusionWeights: ...

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        """For each (claim, passages) the probability that the passages together support the claim."""
        ...


@dataclass(frozen=True, slots=True)
class PassageText:
    """A passage as a reader sees it: its headings, outermost first and separated by " > ", and its own text."""

    headings: str
    text: str

    def __str__(self) -> str:
        return f"{self.headings}\n{self.text}" if self.headings else self.text


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader finds in one passage for one question.

    `answers` is the calibrated probability that the passage answers the question. `sentences` has, for each sentence of
    the passage's text (as `sentence_spans` splits it), the probability that it is part of the answer.
    """

    answers: float
    sentences: tuple[float, ...]


class Reader(Verifier, Protocol):
    """Reads passages for two questions: do they support a claim, and do they answer a question?

    Probabilities are calibrated, do not depend on the other pairs of a call, and agree between machines.
    """

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages the reader has learned; a question or passage in another is not shown to it."""
        ...

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        """For each (question, passages) the probability that the passages, read together, answer the question."""
        ...

    def best_of(self, probabilities: Sequence[float]) -> float:
        """The probability that the best of several passages answers, given the probability of each read alone.

        At most the highest of them: among many passages, one scores high by chance more often. 0 if there are none.
        """
        ...

    def read(self, question: str, passages: Sequence[PassageText]) -> Sequence[Reading]:
        """Each passage alone, with the sentences that answer."""
        ...


@runtime_checkable
class TwoStageReader(Protocol):
    """A reader with a smaller first-stage model, which scores many passages and chooses the few that are read."""

    def first_stage(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        """Like `Reader.answers`, by the smaller model: calibrated, and independent of the other pairs of a call."""
        ...


@runtime_checkable
class ContradictionReader(Protocol):
    """A reader that can also say whether a passage contradicts a statement."""

    def contradicts(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """For each (statement, passage) the probability that both cannot be true; 0 where it was not learned."""
        ...


class InjectionClassifier(Protocol):
    """Distinguishes sentences that instruct the model from statements."""

    @property
    def name(self) -> str:
        """Identifies the weights exactly."""
        ...

    def is_injection(self, sentence: str, suspected: bool) -> bool:
        """Whether a sentence is a prompt injection; the threshold is lower where its form makes it suspected."""
        ...
