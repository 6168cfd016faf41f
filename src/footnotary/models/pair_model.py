"""The weights of a reader: pairs of texts in, probabilities out, several pairs in one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from footnotary.errors import BackendError
from footnotary.models.merged_weights import (
    FOLLOW_UP_GRAPH,
    FOLLOW_UP_UPDATE,
    GRAPH,
    INDEX,
    UPDATE,
    merged_matrices,
)
from footnotary.models.onnx_session import (
    REINSTALL_HINT,
    OnnxSession,
    check_file,
    encode_pair,
    load_session,
    load_tokenizer,
    read_checked,
    usable_cores,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Encoding, Tokenizer

_MAX_CHARACTERS_PER_TOKEN: Final = 32
# Pairs are padded to a multiple of this, which depends on nothing but the pair itself.
_PADDED_TO: Final = 16
_SECOND_TEXT: Final = 1


@dataclass(frozen=True, slots=True)
class PairOutput:
    """The model's output for one pair.

    `tokens` has, for each token of the second text, its position and the probability that it is part of the answer, and
    is None if the weights do not mark answers.
    """

    support: float
    answers: float
    tokens: tuple[tuple[int, int, float], ...] | None


def has_update(folder: Path) -> bool:
    """Whether a folder of weights holds an update of its base, for questions."""
    return (folder / GRAPH).is_file()


class PairModel:
    """Runs `model.onnx`, or with `update` `reader.onnx` and merged matrices, with `tokenizer.json` of the same folder.

    Where the graph has an input `mask`, pairs of similar length are padded and run together, at most `batch` at once; a
    pair's result does not depend on the others. Without it, or with a batch of 1, each is run alone and unpadded.
    """

    def __init__(
        self, folder: Path, name: str, sha256: Mapping[str, str], max_tokens: int, batch: int, *, update: bool
    ) -> None:
        self._name, self._max_tokens = name, max_tokens
        others = {"model.onnx"} if update else {GRAPH, INDEX, UPDATE}
        for file in sha256.keys() - {"tokenizer.json", FOLLOW_UP_GRAPH, FOLLOW_UP_UPDATE, *others}:
            check_file(folder, file, sha256[file])
        self._tokenizer: Tokenizer = load_tokenizer(
            read_checked(folder, "tokenizer.json", sha256.get("tokenizer.json"))
        )
        # The claim is kept whole: truncated evidence supports less, a truncated claim says something else.
        self._tokenizer.enable_truncation(max_tokens, strategy="only_second")  # pyright: ignore[reportUnknownMemberType]
        self._matrices = merged_matrices(folder, name) if update else None
        graph = folder / (GRAPH if update else "model.onnx")
        self._session: OnnxSession = load_session(graph, threads=usable_cores(), initializers=self._matrices)
        self._batch = batch if "mask" in {one.name for one in self._session.get_inputs()} else 1
        self._outputs = [one.name for one in self._session.get_outputs()]

    @property
    def marks_answers(self) -> bool:
        """Whether the weights say which tokens are part of the answer."""
        return "answer_tokens" in self._outputs

    def outputs(self, pairs: Sequence[tuple[str, str]]) -> list[PairOutput | None]:
        """One for each pair, in order; None if the first text alone is longer than the model reads.

        The second text is truncated at its end.
        """
        most = self._max_tokens * _MAX_CHARACTERS_PER_TOKEN
        encoded = [encode_pair(self._tokenizer, first[:most], second[:most]) for first, second in pairs]
        found: list[PairOutput | None] = [None] * len(pairs)
        for places in self._batches(encoded):
            for place, output in zip(places, self._run([encoded[place] for place in places]), strict=True):
                found[place] = output
        return found

    def _batches(self, encoded: Sequence[Encoding | None]) -> Iterator[list[int]]:
        """The indexes of pairs to run together: of one padded length, at most `batch`."""

        def padded(place: int) -> int:
            encoding = encoded[place]
            return 0 if encoding is None else self._padded_length(len(encoding.ids))

        readable = [place for place, encoding in enumerate(encoded) if encoding is not None]
        for _, group in groupby(sorted(readable, key=padded), key=padded):
            places = list(group)
            for start in range(0, len(places), self._batch):
                yield places[start : start + self._batch]

    def _padded_length(self, tokens: int) -> int:
        return tokens if self._batch == 1 else -(-tokens // _PADDED_TO) * _PADDED_TO

    def _run(self, encodings: Sequence[Encoding | None]) -> list[PairOutput]:
        import numpy as np

        held = [encoding for encoding in encodings if encoding is not None]
        width = self._padded_length(max(len(encoding.ids) for encoding in held))
        given = {name: np.zeros((len(held), width), dtype=np.int64) for name in ("ids", "kinds", "mask")}
        for row, encoding in enumerate(held):
            count = len(encoding.ids)
            given["ids"][row, :count] = encoding.ids
            given["kinds"][row, :count] = encoding.type_ids
            given["mask"][row, :count] = 1
        wanted = {one.name for one in self._session.get_inputs()}
        try:
            values = self._session.run(None, {name: value for name, value in given.items() if name in wanted})
        except Exception as error:  # onnxruntime raises classes of its own, without a common public parent
            raise BackendError(f"{self._name} failed on {len(held)} pairs of {width} tokens: {error}") from error
        outputs = dict(zip(self._outputs, values, strict=True))
        probabilities, tokens = outputs.get("probabilities", values[0]), outputs.get("answer_tokens")
        if probabilities.shape != (len(held), 2) or not np.isfinite(probabilities).all():
            raise BackendError(
                f"{self._name} did not return probabilities: {probabilities.tolist()}", hint=REINSTALL_HINT
            )
        return [
            PairOutput(
                float(probabilities[row, 0]),
                float(probabilities[row, 1]),
                None if tokens is None else _second_text_tokens(encoding, tokens[row]),
            )
            for row, encoding in enumerate(held)
        ]


def _second_text_tokens(encoding: Encoding, values: NDArray[np.float32]) -> tuple[tuple[int, int, float], ...]:
    return tuple(
        (start, end, float(values[place]))
        for place, (of, (start, end)) in enumerate(zip(encoding.sequence_ids, encoding.offsets, strict=True))
        if of == _SECOND_TEXT
    )
