"""The `xl` tier from stored scores: what it is asked is written to a file, a model elsewhere scores it, and its verdicts
are played back as the product would use them.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.llm.peers.questions import read_rows, write_rows
from footnotary.errors import FootnotaryError
from footnotary.models.model_packages import locate_model
from footnotary.ports import FusionWeights, PassageText, Reader, Reading
from footnotary.reader.calibration import ReaderCalibration
from footnotary.reader.language_model.reader import LanguageModelReader
from footnotary.reader.language_model.server import ReadingModel, VerifierServer
from footnotary.reader.language_model.xl import open_xl_model
from footnotary.text.sentences.splitter import sentence_spans

REQUESTS, PAIRS = "xl-requests.jsonl.gz", "pairs.jsonl.gz"
WORDS = 620


class ConstantReader:
    """Says the same of every pair, at no cost: what is asked of a reader that says so can be collected with it."""

    name = "constant"
    languages = ("en",)
    fusion_weights = FusionWeights()

    def __init__(self, probability: float) -> None:
        self._probability = probability

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        return [self._probability] * len(pairs)

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        return [self._probability] * len(pairs)

    def best_of(self, probabilities: Sequence[float]) -> float:
        return max(probabilities, default=0.0)

    def read(self, question: str, passages: Sequence[PassageText]) -> Sequence[Reading]:  # noqa: ARG002
        same = self._probability
        return [Reading(same, (same,) * len(list(sentence_spans(passage.text)))) for passage in passages]


class StoredEndpoint:
    """In place of a server: the probability of each request from a table, not a number where it has none."""

    def __init__(self, model: ReadingModel, table: Mapping[str, float]) -> None:
        self.model, self._table = model, table
        self.requests: dict[str, str] = {}

    def probabilities(self, requests: Sequence[tuple[str, str]]) -> list[float]:
        keys = [request_sha(request) for _, request in requests]
        self.requests |= {key: request for key, (_, request) in zip(keys, requests, strict=True)}
        return [self._table.get(key, math.nan) for key in keys]


class StoredReader:
    """Implements `footnotary.ports.Reader`: the product's reader over a `StoredEndpoint`.

    What the table does not have is asked of `fallback` and counted in `missed`. `pairs` has every pair asked.
    """

    def __init__(self, fallback: Reader, table: Mapping[str, float], model: ReadingModel) -> None:
        self._fallback, self._endpoint = fallback, StoredEndpoint(model, table)
        self._reader = LanguageModelReader(self._endpoint, fallback)  # pyright: ignore[reportArgumentType]
        self.name, self.languages = self._reader.name, self._reader.languages
        self.fusion_weights = self._reader.fusion_weights
        self.pairs: list[dict[str, Any]] = []
        self.found = self.missed = 0

    @property
    def requests(self) -> Mapping[str, str]:
        """The messages that a server would have been sent, by their hashes."""
        return self._endpoint.requests

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        self.pairs += [{"k": "c", "e": [["", text] for text in texts], "a": claim} for claim, texts in pairs]
        return self._filled(
            self._reader.support(pairs), lambda places: self._fallback.support([pairs[place] for place in places])
        )

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        self.pairs += [{"k": "q", "e": [[t.headings, t.text] for t in texts], "a": asked} for asked, texts in pairs]
        return self._filled(
            self._reader.answers(pairs), lambda places: self._fallback.answers([pairs[place] for place in places])
        )

    def best_of(self, probabilities: Sequence[float]) -> float:
        return self._reader.best_of(probabilities)

    def read(self, question: str, passages: Sequence[PassageText]) -> Sequence[Reading]:
        """With the sentences that `fallback` finds: a table has none."""
        read = self._fallback.read(question, passages)
        answers = self.answers([(question, (passage,)) for passage in passages])
        return [Reading(answer, one.sentences) for answer, one in zip(answers, read, strict=True)]

    def _filled(self, said: Sequence[float], ask: Callable[[Sequence[int]], Sequence[float]]) -> Sequence[float]:
        missing = [place for place, probability in enumerate(said) if math.isnan(probability)]
        self.missed += len(missing)
        self.found += len(said) - len(missing)
        instead = dict(zip(missing, ask(missing), strict=True)) if missing else {}
        return [instead.get(place, probability) for place, probability in enumerate(said)]


def request_sha(request: str) -> str:
    return hashlib.sha256(request.encode("utf-8", "replace")).hexdigest()[:32]


def xl_model() -> ReadingModel:
    """The shipped adapter's calibration and sizes; where it is not installed, none and the sizes it is trained with."""
    with suppress(KeyError, FootnotaryError):
        return open_xl_model(locate_model("reader-xl"), VerifierServer())
    return ReadingModel("reader-xl", "reader-xl", ("en",), WORDS, ReaderCalibration(), FusionWeights())


def write_asked(folder: Path, readers: Sequence[StoredReader]) -> int:
    """Writes the pairs, and the messages that a server would be sent; returns how many messages."""
    pairs = {json.dumps(pair, ensure_ascii=False): pair for reader in readers for pair in reader.pairs}
    write_rows(folder / PAIRS, pairs.values())
    messages = {sha: request for reader in readers for sha, request in reader.requests.items()}
    return write_rows(folder / REQUESTS, messages.values())  # pyright: ignore[reportArgumentType]


def stored_table(folder: Path, scores: Path) -> dict[str, float]:
    """The probabilities by request, of log-odds of Yes in the order of the requests file; what is not a number is left out."""
    odds = np.load(scores)
    first = odds[:, 0] if odds.ndim > 1 else odds
    requests: list[Any] = list(read_rows(folder / REQUESTS))
    return {
        request_sha(request): 1 / (1 + math.exp(-min(max(float(value), -50.0), 50.0)))
        for request, value in zip(requests, first, strict=True)
        if not math.isnan(value)
    }
