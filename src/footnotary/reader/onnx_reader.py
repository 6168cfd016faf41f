"""The shipped reader: a cross-encoder that reads a claim or a question together with evidence."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeAlias

from footnotary.errors import BackendError
from footnotary.models.onnx_session import REINSTALL_HINT, read_config, single_line
from footnotary.models.pair_model import PairModel, PairOutput, has_update
from footnotary.ports import FusionWeights, PassageText, Reading
from footnotary.reader.calibration import ReaderCalibration
from footnotary.reader.evidence_window import EvidenceWindow, window_of
from footnotary.text.sentences.splitter import sentences

_CACHE_SIZE = 4096
_BATCH = 8


@dataclass(frozen=True, slots=True)
class _PairScores:
    """The model's own probabilities for one pair; `sentences` is None where the weights mark no answers."""

    support: float
    answers: float
    sentences: tuple[float, ...] | None


_Pair: TypeAlias = tuple[str, EvidenceWindow]


class OnnxReader:
    """Runs a folder of weights, loaded when the first pair is read. Implements `footnotary.ports.Reader`.

    Of long passages it reads the parts that share most with the claim or question, below their headings. A claim or
    question that is too long by itself gets 0, and so does empty evidence. Scores are cached.
    """

    def __init__(self, folder: Path) -> None:
        try:
            config, self.name = read_config(folder)
            sha256: dict[str, str] = dict(config["sha256"])
            max_tokens, self._words = int(config["max_tokens"]), int(config["words"])
            self.fusion_weights = FusionWeights(**config["weighing"])
            self.languages: tuple[str, ...] = tuple(config.get("languages", ("en",)))
            self.calibration = ReaderCalibration.read(config.get("calibration", {}))
            batch = int(config.get("batch", _BATCH))
            self._knows_contradictions = bool(config.get("contradictions"))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise BackendError(f"{folder} is not a folder of weights: {error!r}", hint=REINSTALL_HINT) from error

        def opens(update: bool) -> PairModel:
            return PairModel(folder, self.name, sha256, max_tokens, batch, update=update)

        # Claims are read by the base, which has learned most about them; questions by the base with its update.
        self._claims = _PairReader(lambda: opens(update=False))
        self._questions = _PairReader(lambda: opens(update=True)) if has_update(folder) else self._claims

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        """For each (claim, passages) the probability that the passages together support the claim."""
        windows = [(claim, self._window(claim, [PassageText("", text) for text in texts])) for claim, texts in pairs]
        return [self.calibration.support.applied(scores.support) for scores in self._claims.scores(windows)]

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        """For each (question, passages) the probability that the passages, read together, answer the question."""
        windows = [(question, self._window(question, passages)) for question, passages in pairs]
        found = [scores.answers for scores in self._questions.scores(windows)]
        return self.calibration.of_answers([passages for _, passages in pairs], found)

    def contradicts(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """For each (statement, passage) the probability that both cannot be true; 0 where it was not learned.

        The update's `support` output was trained for this; support itself is read by the base.
        """
        if not self._knows_contradictions:
            return [0.0] * len(pairs)
        windows = [(statement, self._window(statement, (PassageText("", text),))) for statement, text in pairs]
        return [self.calibration.contradicts.applied(scores.support) for scores in self._questions.scores(windows)]

    def best_of(self, probabilities: Sequence[float]) -> float:
        """The probability that the best of several passages, each read alone, answers the question."""
        return self.calibration.of_best(probabilities)

    def read(self, question: str, passages: Sequence[PassageText]) -> Sequence[Reading]:
        """Each passage alone; weights that mark no answers give every sentence the score of its passage."""
        windows = [(question, self._window(question, (passage,))) for passage in passages]
        scored = self._questions.scores(windows)
        return [_reading(scores, passage, self.calibration) for passage, scores in zip(passages, scored, strict=True)]

    def _window(self, asked: str, passages: Sequence[PassageText]) -> EvidenceWindow:
        return window_of(asked, passages, self._words)


class _PairReader:
    """One graph of the weights, opened for the first pair, with the scores of the pairs read last; thread-safe."""

    def __init__(self, opens: Callable[[], PairModel]) -> None:
        self._opens = opens
        self._opened: PairModel | None = None
        self._cache: OrderedDict[_Pair, _PairScores] = OrderedDict()
        self._lock = Lock()

    def scores(self, pairs: Sequence[_Pair]) -> list[_PairScores]:
        keys = [(single_line(asked), window) for asked, window in pairs]
        known = self._cached(keys)
        missing = list(dict.fromkeys(key for key in keys if key not in known and key[1].text))
        if missing:
            outputs = self._model().outputs([(asked, window.text) for asked, window in missing])
            new = {key: _pair_scores(output, key[1]) for key, output in zip(missing, outputs, strict=True)}
            with self._lock:
                self._cache.update(new)
                while len(self._cache) > _CACHE_SIZE:
                    self._cache.popitem(last=False)
            known |= new
        return [known.get(key) or _nothing_read(key[1]) for key in keys]

    def _cached(self, keys: Sequence[_Pair]) -> dict[_Pair, _PairScores]:
        with self._lock:
            present = {key: self._cache[key] for key in keys if key in self._cache}
            for key in present:
                self._cache.move_to_end(key)
            return present

    def _model(self) -> PairModel:
        with self._lock:
            if self._opened is None:
                self._opened = self._opens()
            return self._opened


def _reading(scores: _PairScores, passage: PassageText, calibration: ReaderCalibration) -> Reading:
    answers = calibration.answers.applied(scores.answers)
    if scores.sentences is not None:
        return Reading(answers, scores.sentences)
    return Reading(answers, (answers,) * len(sentences(passage.text)))


def _pair_scores(output: PairOutput | None, window: EvidenceWindow) -> _PairScores:
    if output is None:
        return _nothing_read(window)
    if output.tokens is None:
        return _PairScores(output.support, output.answers, None)
    held: list[list[float]] = [[] for _ in window.sentences]
    places = [(span, place) for place, span in enumerate(window.sentences) if span is not None]
    for start, end, value in output.tokens:
        while places and places[0][0].end <= start:
            places.pop(0)
        if places and places[0][0].start < end:
            held[places[0][1]].append(value)
    return _PairScores(
        output.support, output.answers, tuple(sum(values) / len(values) if values else 0.0 for values in held)
    )


def _nothing_read(window: EvidenceWindow) -> _PairScores:
    return _PairScores(0.0, 0.0, (0.0,) * len(window.sentences))
