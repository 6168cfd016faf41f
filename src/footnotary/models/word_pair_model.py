"""A small network over the words of a question and a passage: which of them match, and which words are near."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.errors import BackendError
from footnotary.models.onnx_session import REINSTALL_HINT, read_checked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from footnotary.models.word_vectors import WordRows

    Array = NDArray[np.float32]

# Question words found within this many words of each other are found together.
_NEAR = 12
# Below the first cosine two words are unrelated; above the second they are near synonyms.
_RELATED = 0.35
_ALIKE = 0.6


class WordPairModel:
    """Runs `model.npz` of a folder of weights with numpy alone."""

    def __init__(self, folder: Path, sha256: Mapping[str, str]) -> None:
        import numpy as np

        content = read_checked(folder, "model.npz", sha256.get("model.npz"))
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as held:
                self._w = {name: held[name].astype(np.float32) for name in held.files}
        except (OSError, ValueError) as error:
            raise BackendError(f"{folder} could not be loaded: {error}", hint=REINSTALL_HINT) from error

    def log_odds(self, question: WordRows, passage: WordRows, heading: NDArray[np.bool_]) -> float:
        """The log-odds that the passage answers; both texts have at least one word.

        `heading` marks its words that are in headings.
        """
        import numpy as np

        cosine = passage.vectors @ question.vectors.T
        same = _same_stems(question, passage)
        weights = question.features[:, 0] * (1 - question.features[:, 3])
        weights = weights / (weights.sum() + 1e-4)
        related = np.maximum(np.maximum(cosine, 0) * (cosine > _RELATED), same)
        near, near_same = _pooled(related), _pooled(same)

        asked = self._encode_question(question)
        own = self._embedded(passage)
        words = self._read_words(own, asked, cosine, same, near @ weights, near_same @ weights, weights, heading)
        # How likely each word is in the sentence of the answer, which headings never are.
        shown = np.where(heading, np.float32(-1e4), self._linear("tok", words)[:, 0])
        attention = _softmax(shown)

        found, found_same = related.max(axis=0), same.max(axis=0)
        best = int(np.argmax(near @ weights + 0.5 * (near_same @ weights)))
        at_answer = attention @ near
        ways = np.stack([found, found_same, near[best], near_same[best], at_answer], axis=1)
        covered = self._linear("cov.2", _relu(self._linear("cov.0", np.hstack([asked, question.features, ways]))))
        top = shown.max()
        summary = np.concatenate([
            attention @ words,
            words.max(axis=0),
            (covered * (weights + 1e-2)[:, None]).sum(axis=0),
            covered.max(axis=0),
            weights @ ways,
            [(top + np.log(np.exp(shown - top).sum())) / 5],
        ]).astype(np.float32)  # fmt: skip
        return float(self._linear("out.3", _relu(self._linear("out.0", summary[None])))[0, 0])

    def _read_words(
        self, own: Array, asked: Array, cosine: Array, same: Array, near: Array, near_same: Array, weights: Array,
        heading: NDArray[np.bool_],
    ) -> Array:  # fmt: skip
        """The words of the passage in relation to the question, and to each other."""
        import numpy as np

        topic = _softmax(self._linear("gate", asked)[:, 0]) @ asked
        scale = self._w["a"]
        aligned = _softmax(scale[0] * cosine + scale[1] * same + scale[2] * (own @ asked.T) / 8) @ asked
        matches = np.stack([
            cosine.max(axis=1),
            (np.maximum(cosine, 0) * weights).max(axis=1) * 4,
            (same * weights).max(axis=1) * 4,
            same.max(axis=1),
            near,
            near_same,
            heading,
            (cosine > _ALIKE).any(axis=1),
        ], axis=1).astype(np.float32)  # fmt: skip
        x = self._norm("n0", _relu(self._linear("inp", np.hstack([own, aligned, own * aligned, own * topic, matches]))))
        for number, step in enumerate((1, 3)):
            x = self._norm(f"norms.{number}", x + _relu(self._convolved(f"convs.{number}", x, step)))
        return x

    def _embedded(self, words: WordRows) -> Array:
        return self._linear("proj", words.vectors) + self._linear("ff", words.features)

    def _encode_question(self, question: WordRows) -> Array:
        x = self._embedded(question)
        return self._norm("qn", x + _relu(self._convolved("qc", x, 1)))

    def _linear(self, name: str, x: Array) -> Array:
        return x @ self._w[f"{name}.weight"].T + self._w[f"{name}.bias"]

    def _convolved(self, name: str, x: Array, step: int) -> Array:
        """Each word with its neighbours `step` apart, zero-padded at both ends."""
        import numpy as np

        kernel = self._w[f"{name}.weight"]
        adjacent = kernel.shape[2] // 2
        padded = np.pad(x, ((adjacent * step, adjacent * step), (0, 0)))
        parts = [padded[k * step : k * step + len(x)] @ kernel[:, :, k].T for k in range(kernel.shape[2])]
        return np.sum(parts, axis=0) + self._w[f"{name}.bias"]

    def _norm(self, name: str, x: Array) -> Array:
        import numpy as np

        centred = x - x.mean(axis=1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=1, keepdims=True) + 1e-5)
        return centred / spread * self._w[f"{name}.weight"] + self._w[f"{name}.bias"]


def _same_stems(question: WordRows, passage: WordRows) -> Array:
    import numpy as np

    places: dict[str, list[int]] = {}
    for place, stem in enumerate(question.stems):
        if stem:
            places.setdefault(stem, []).append(place)
    same = np.zeros((len(passage.stems), len(question.stems)), dtype=np.float32)
    for row, stem in enumerate(passage.stems):
        same[row, places.get(stem, [])] = 1.0
    return same


def _pooled(matches: Array) -> Array:
    """For each word of the passage the best match of each question word near it."""
    import numpy as np

    padded = np.pad(matches, ((_NEAR, _NEAR), (0, 0)))
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * _NEAR + 1, axis=0).max(axis=2)


def _relu(x: Array) -> Array:
    import numpy as np

    return np.maximum(x, 0)


def _softmax(x: Array) -> Array:
    import numpy as np

    raised = np.exp(x - x.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)
