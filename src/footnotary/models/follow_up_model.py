"""The weights that read a follow-up: the tokens of a turn in, log-odds of edits and of each token as a boundary out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from footnotary.errors import BackendError
from footnotary.models.merged_weights import FOLLOW_UP_GRAPH, FOLLOW_UP_UPDATE, UPDATE, merged_matrices
from footnotary.models.onnx_session import REINSTALL_HINT, check_file, load_session, load_tokenizer, read_checked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

MOST_TOKENS: Final = 64
# [CLS] and [SEP] of the tokenizer.
_FIRST: Final = 101
_SEPARATOR: Final = 102


@dataclass(frozen=True, slots=True)
class TurnTokens:
    """Three texts as they are read: ids, the number of the text each belongs to, and the tokens of each word.

    Texts are numbered from 1; the separator behind a text belongs to it, the first token to none. `words` has the first
    and last token of each word, as far as they are read.
    """

    ids: tuple[int, ...]
    texts: tuple[int, ...]
    words: tuple[tuple[tuple[int, int], ...], ...]

    def span(self, text: int, start: int, end: int) -> tuple[int, int] | None:
        """The first and last token of the words from `start` to `end`; None if they are not read.

        An empty span begins at the token behind it and ends at the one before.
        """
        words = self.words[text - 1]
        if end > len(words):
            return None
        first = words[start][0] if start < len(words) else self._separator(text)
        if end > start:
            return first, words[end - 1][1]
        return first, words[start - 1][1] if start else self.texts.index(text) - 1

    def _separator(self, text: int) -> int:
        return len(self.texts) - 1 - self.texts[::-1].index(text)


def tokens_of_texts(tokenizer: Tokenizer, texts: Sequence[tuple[str, Sequence[tuple[int, int]]]]) -> TurnTokens:
    """The tokens of texts; each comes with the characters of its words."""
    ids, of_text = [_FIRST], [0]
    words: list[tuple[tuple[int, int], ...]] = []
    for number, (text, places) in enumerate(texts, 1):
        encoding = tokenizer.encode(text, add_special_tokens=False)
        offsets = encoding.offsets[:MOST_TOKENS]
        found: list[tuple[int, int]] = []
        for start, end in places:
            inside = [len(ids) + n for n, (first, last) in enumerate(offsets) if first < end and last > start]
            if not inside:
                break
            found.append((inside[0], inside[-1]))
        words.append(tuple(found))
        ids += [*encoding.ids[:MOST_TOKENS], _SEPARATOR]
        of_text += [number] * (len(offsets) + 1)
    return TurnTokens(tuple(ids), tuple(of_text), tuple(words))


class FollowUpModel:
    """Runs `follow_up.onnx` of a folder of weights, over the matrices of the reader with a further update."""

    def __init__(self, folder: Path, name: str, sha256: Mapping[str, str]) -> None:
        for file in (FOLLOW_UP_GRAPH, FOLLOW_UP_UPDATE):
            check_file(folder, file, sha256.get(file))
        self._name = name
        self._tokenizer = load_tokenizer(read_checked(folder, "tokenizer.json", sha256.get("tokenizer.json")))
        # They must outlive the session.
        self._matrices = merged_matrices(folder, f"{name}-follow-up", (UPDATE, FOLLOW_UP_UPDATE))
        # A turn is so short that more threads hardly help.
        self._session = load_session(folder / FOLLOW_UP_GRAPH, threads=1, initializers=self._matrices)

    def tokens(self, texts: Sequence[tuple[str, Sequence[tuple[int, int]]]]) -> TurnTokens:
        return tokens_of_texts(self._tokenizer, texts)

    def read(self, tokens: TurnTokens) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The log-odds of the outputs, and of each token (rows) for each pointer (columns)."""
        import numpy as np

        given = {"ids": np.array([tokens.ids], np.int64), "texts": np.array([tokens.texts], np.int64)}
        try:
            outputs, pointers = self._session.run(None, given)
        except Exception as error:  # onnxruntime raises classes of its own, without a common public parent
            raise BackendError(f"{self._name} failed on a follow-up of {len(tokens.ids)} tokens: {error}") from error
        if not (np.isfinite(outputs).all() and np.isfinite(pointers).all()):
            raise BackendError(f"{self._name} did not return numbers for a follow-up", hint=REINSTALL_HINT)
        return outputs[0], pointers[0]
