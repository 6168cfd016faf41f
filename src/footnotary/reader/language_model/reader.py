"""A language model as reader: it is asked for one token, and the log-probabilities of Yes and No are its answer."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from footnotary.errors import BackendError, ModelError
from footnotary.models.onnx_session import single_line
from footnotary.ports import PassageText, Reader, Reading
from footnotary.reader.cascade import contradictions_by
from footnotary.reader.evidence_window import window_for
from footnotary.reader.language_model.prompt import answer_request, evidence_text, messages, support_request
from footnotary.reader.language_model.readings import note_readings, recorded_readings
from footnotary.reader.language_model.server import ReadingModel, VerifierServer
from footnotary.reader.language_model.yes_no_reply import LOGPROBS_HINT, TOP_LOGPROBS, read_yes_no

if TYPE_CHECKING:  # most installations ask no server, and the client takes long to import
    from footnotary.model_server.openai_client import ChatEndpoint

_CACHE_SIZE = 4096
# A longer text is not read as a claim or question.
_MOST_WORDS_ASKED = 300
_MOST_WORDS_OF_HEADINGS = 40
# Text without spaces is one word, so letters are limited too.
_LONGEST_WORDS = 10


class YesNoEndpoint:
    """Asks a server, once for each request, and remembers the last replies. Threads may share it.

    It connects at the first request. Inside `replaying_readings` it sends none.
    """

    def __init__(self, model: ReadingModel, server: VerifierServer) -> None:
        self.model, self._server = model, server
        self._endpoint: ChatEndpoint | None = None
        self._read: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def probabilities(self, requests: Sequence[tuple[str, str]]) -> list[float]:
        """The probability of Yes for each (evidence, request). Raises `ModelError`."""
        keys = [hashlib.sha256(request.encode("utf-8", "replace")).hexdigest()[:32] for _, request in requests]
        recorded = recorded_readings()
        if recorded is not None:
            if any(key not in recorded for key in keys):
                raise BackendError(f"the record has no reading of {self.model.name} for this request")
            return [float(recorded[key]) for key in keys]
        with self._lock:
            known = {key: self._read[key] for key in keys if key in self._read}
        missing = {key: pair for key, pair in zip(keys, requests, strict=True) if key not in known}
        known |= self._request_probabilities(missing)
        with self._lock:
            self._read.update({key: known[key] for key in missing})
            while len(self._read) > _CACHE_SIZE:
                self._read.popitem(last=False)
        note_readings({key: known[key] for key in keys})
        return [known[key] for key in keys]

    def _request_probabilities(self, pairs: dict[str, tuple[str, str]]) -> dict[str, float]:
        from footnotary.model_server.openai_client import RequestRejected

        by_evidence: dict[str, list[str]] = {}
        for key, (evidence, _) in pairs.items():
            by_evidence.setdefault(evidence, []).append(key)
        groups = [[_body(pairs[key][1]) for key in keys] for keys in by_evidence.values()]
        if not groups:
            return {}
        try:
            replies = self._opened().complete_groups(groups, self._server.concurrency)
        except RequestRejected as rejected:
            if "logprob" in rejected.body.lower():
                raise ModelError(f"{rejected.message}: it gives no log-probabilities", hint=LOGPROBS_HINT) from None
            raise
        return {
            key: self._probability(reply)
            for keys, bodies in zip(by_evidence.values(), replies, strict=True)
            for key, reply in zip(keys, bodies, strict=True)
        }

    def _probability(self, body: bytes) -> float:
        reply = read_yes_no(body)
        if self.model.must_report and reply.model and reply.model != self.model.served_as:
            raise ModelError(
                f"{self._server.url} runs the model {reply.model!r}, not {self.model.served_as!r}",
                hint="run `footnotary models start`, give the server the alias, or set verifier_model",
            )
        return reply.probability

    def _opened(self) -> ChatEndpoint:
        from footnotary.model_server.openai_client import ChatEndpoint

        with self._lock:
            if self._endpoint is None:
                server = self._server
                self._endpoint = ChatEndpoint(
                    self.model.served_as, server.url, server.api_key, timeout_s=server.timeout_s
                )
            return self._endpoint


class LanguageModelReader:
    """Reads with a model on a server. Implements `footnotary.ports.Reader`.

    The model scores whole passages. `sentences`, a local reader, scores their sentences; if it cannot, each sentence
    gets the score of its passage. Of long passages, the parts that share most with the claim or question are read. A
    claim or question that is too long gets 0, and so does empty evidence.
    """

    def __init__(self, model: YesNoEndpoint, sentences: Reader) -> None:
        self._model, self._sentences = model, sentences
        self.name = f"{model.model.name}+{sentences.name}"
        self.languages = model.model.languages
        self.fusion_weights = model.model.fusion_weights
        self.calibration = model.model.calibration

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        """For each (claim, passages) the probability that the passages together support all of the claim."""
        shown = [(claim, [PassageText("", text) for text in texts]) for claim, texts in pairs]
        return [self.calibration.support.applied(found) for found in self._raw(shown, support_request)]

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        """For each (question, passages) the probability that the passages, read together, answer the question."""
        return self.calibration.of_answers([passages for _, passages in pairs], self._raw(pairs, answer_request))

    def contradicts(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """The local reader's probabilities: the model was not trained for this."""
        return contradictions_by(self._sentences, pairs)

    def best_of(self, probabilities: Sequence[float]) -> float:
        """The probability that the best of several passages, each read alone, answers the question."""
        return min(max(probabilities, default=0.0), self.calibration.of_best(probabilities))

    def read(self, question: str, passages: Sequence[PassageText]) -> Sequence[Reading]:
        """Each passage alone, by the model; its sentences by the local reader."""
        found = self.answers([(question, (passage,)) for passage in passages])
        return [
            Reading(answers, _sentences(reading, answers))
            for answers, reading in zip(found, self._sentences.read(question, passages), strict=True)
        ]

    def _raw(
        self, pairs: Sequence[tuple[str, Sequence[PassageText]]], request: Callable[[str, str], str]
    ) -> list[float]:
        """The model's own probability for each pair; 0 for what is not read."""
        shown = [
            (evidence_for(asked, passages, self._model.model.words), single_line(asked)) for asked, passages in pairs
        ]
        read = [n for n, (text, asked) in enumerate(shown) if text and asked and _words(asked) <= _MOST_WORDS_ASKED]
        found = self._model.probabilities([(shown[n][0], request(*shown[n])) for n in read])
        values = dict(zip(read, found, strict=True))
        return [values.get(n, 0.0) for n in range(len(pairs))]


def evidence_for(asked: str, passages: Sequence[PassageText], words: int) -> str:
    """The passages as the model reads them: whole if they have no more than `words` words, else a part of each."""
    kept = [passage for passage in passages if passage.text.strip()]
    texts = [passage.text for passage in kept]
    if sum(map(_words, texts)) > words:
        each = max(words // len(texts), 1)
        texts = [window_for(asked, [text], each)[: each * _LONGEST_WORDS] for text in texts]
    headings = [" ".join(passage.headings.split()[-_MOST_WORDS_OF_HEADINGS:]) for passage in kept]
    headings = [heading[-_MOST_WORDS_OF_HEADINGS * _LONGEST_WORDS :] for heading in headings]
    text = evidence_text(list(zip(headings, texts, strict=True)))
    return text.encode("utf-8", "replace").decode("utf-8")  # servers reject a lone surrogate


def _words(text: str) -> int:
    return max(len(text.split()), len(text) // _LONGEST_WORDS)


def _sentences(reading: Reading, answers: float) -> tuple[float, ...]:
    alike = all(probability == reading.answers for probability in reading.sentences)
    return (answers,) * len(reading.sentences) if alike else reading.sentences


def _body(request: str) -> dict[str, object]:
    decoding = {"temperature": 0.0, "max_tokens": 1, "logprobs": True, "top_logprobs": TOP_LOGPROBS}
    return {"messages": messages(request), **decoding}
