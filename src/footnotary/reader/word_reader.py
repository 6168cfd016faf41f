"""A reader of questions for languages without a cross-encoder: a small network over a table of word vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock

from footnotary.errors import BackendError
from footnotary.models.onnx_session import REINSTALL_HINT, read_config, single_line
from footnotary.models.word_pair_model import WordPairModel
from footnotary.models.word_vectors import WordVectors
from footnotary.ports import PassageText, Reading, Verifier
from footnotary.reader.calibration import ReaderCalibration, sigmoid
from footnotary.reader.evidence_window import EvidenceWindow, window_of
from footnotary.text.tokens import word_places

_CACHE_SIZE = 4096
_MOST_WORDS_ASKED = 64


class WordReader:
    """Reads one passage at a time. Implements `footnotary.ports.Reader`.

    Of a long passage it reads the parts that share most with the question, below the headings. A question of more than
    64 words gets 0, and so does empty evidence. Of several passages the best counts. It has learned nothing about
    claims: `claims` reads those.
    """

    def __init__(self, folder: Path, table: Path, claims: Verifier) -> None:
        try:
            config, self.name = read_config(folder)
            self._sha256: dict[str, str] = dict(config["sha256"])
            self._words = int(config["words"])
            self.languages: tuple[str, ...] = tuple(config["languages"])
            self.calibration = ReaderCalibration.read(config["calibration"])
            expected = str(config["table"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise BackendError(f"{folder} is not a folder of weights: {error!r}", hint=REINSTALL_HINT) from error
        self._vectors = WordVectors(table)
        if self._vectors.name != expected:
            raise BackendError(f"{self.name} needs the table {expected}, not {self._vectors.name}", hint=REINSTALL_HINT)
        self.fusion_weights = claims.fusion_weights
        self._claims = claims
        self._folder = folder
        self._model: WordPairModel | None = None
        self._scored = lru_cache(maxsize=_CACHE_SIZE)(self._score)
        self._loading = Lock()

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        """The probabilities of the verifier for claims."""
        return self._claims.support(pairs)

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        """For each (question, passages) the probability that the best of the passages answers the question."""
        return [
            self.best_of([self._reading(question, passage).answers for passage in passages])
            for question, passages in pairs
        ]

    def best_of(self, probabilities: Sequence[float]) -> float:
        """The probability that the best of several passages, each read alone, answers the question."""
        return min(max(probabilities, default=0.0), self.calibration.of_best(probabilities))

    def read(self, question: str, passages: Sequence[PassageText]) -> Sequence[Reading]:
        """Each passage alone. Sentences get the score of their passage: lexical overlap selects them better."""
        return [self._reading(question, passage) for passage in passages]

    def _reading(self, question: str, passage: PassageText) -> Reading:
        window = window_of(question, (passage,), self._words)
        answers = self.calibration.answers.applied(self._scored(single_line(question), window))
        return Reading(answers, (answers,) * len(window.sentences))

    def _score(self, question: str, window: EvidenceWindow) -> float:
        import numpy as np

        asked = [word for _, _, word in word_places(question)]
        words, heading = _words_of(window)
        if not asked or len(asked) > _MOST_WORDS_ASKED or all(heading):
            return 0.0
        with self._loading:
            if self._model is None:
                self._model = WordPairModel(self._folder, self._sha256)
            model = self._model
        odds = model.log_odds(self._vectors.rows(asked), self._vectors.rows(words), np.array(heading))
        if not math.isfinite(odds):
            raise BackendError(f"{self.name} did not return a probability", hint=REINSTALL_HINT)
        return sigmoid(odds)


def _words_of(window: EvidenceWindow) -> tuple[list[str], list[bool]]:
    """The words of a window, and whether each is part of a heading, that is in no sentence."""
    spans = [span for span in window.sentences if span is not None]
    words: list[str] = []
    heading: list[bool] = []
    for start, _, word in word_places(window.text):
        while spans and spans[0].end <= start:
            spans.pop(0)
        words.append(word)
        heading.append(not spans or start < spans[0].start)
    return words, heading
