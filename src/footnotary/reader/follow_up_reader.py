"""The reader of follow-ups: the likeliest edit of a turn, with its probability."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from footnotary.errors import BackendError
from footnotary.models.follow_up_model import FollowUpModel, TurnTokens
from footnotary.models.onnx_session import REINSTALL_HINT, read_config
from footnotary.reader.follow_up_edits import JOINERS, OPERATIONS, Edit, FollowUp, Words
from footnotary.text.romanised_hindi import romanised

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

# The texts as the model numbers them.
TYPED: Final = 1
QUESTION: Final = 2
ANSWER: Final = 3
# First and last token of: the words of the question and those of the follow-up to replace; the words of the follow-up
# and those of the source to resolve. Each stands in these texts.
TEXTS_OF_POINTERS: Final = (
    *((QUESTION,), (QUESTION,), (TYPED,), (TYPED,)),
    *((TYPED,), (TYPED,), (QUESTION, ANSWER), (QUESTION, ANSWER)),
)
_LONGEST: Final = 14


class FollowUpReader:
    """Reads a follow-up with the turn before it; the weights are loaded for the first one. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        try:
            config, self.name = read_config(folder)
            self._sha256: dict[str, str] = dict(config["sha256"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BackendError(f"{folder} is not a folder of weights: {error!r}", hint=REINSTALL_HINT) from error
        self._folder = folder

    def likeliest(self, turn: FollowUp) -> tuple[Edit, float]:
        """The edit that the model finds most probable, and that probability."""
        tokens = self._model.tokens(texts_of(turn))
        outputs, pointers = self._model.read(tokens)
        return likeliest_edit(outputs, pointers, tokens, turn)

    @cached_property
    def _model(self) -> FollowUpModel:
        return FollowUpModel(self._folder, self.name, self._sha256)


def texts_of(turn: FollowUp) -> list[tuple[str, list[tuple[int, int]]]]:
    """The texts of a turn in the order in which they are read, in Latin letters, with the characters of their words."""
    return [_in_latin_letters(text) for text in (turn.typed, turn.question, turn.answer)]


def _in_latin_letters(text: Words) -> tuple[str, list[tuple[int, int]]]:
    written, end = "", 0
    places: list[tuple[int, int]] = []
    for first, last, _ in text.places:
        written += romanised(text.text[end:first])
        word = romanised(text.text[first:last])
        places.append((len(written), len(written) + len(word)))
        written, end = written + word, last
    return written + romanised(text.text[end:]), places


@dataclass(frozen=True, slots=True)
class _Part:
    """Words of a text, and the logarithm of the probability that they are those of the edit."""

    text: int
    span: tuple[int, int]
    score: float


def likeliest_edit(outputs: Array, pointers: Array, tokens: TurnTokens, turn: FollowUp) -> tuple[Edit, float]:
    """The likeliest operation with its likeliest words; the probability is the product of those of its parts."""
    import numpy as np

    operations = _log_softmax(outputs[: len(OPERATIONS)])
    best = int(operations.argmax())
    operation, score = OPERATIONS[best], float(operations[best])
    if operation not in ("replace", "resolve"):
        return Edit(operation), float(np.exp(score))
    logs = _masked(pointers, tokens)
    if operation == "replace":
        other, typed = _parts(logs, 0, tokens, (QUESTION,), 0), _parts(logs, 2, tokens, (TYPED,), 1)
    else:
        typed, other = _parts(logs, 4, tokens, (TYPED,), 0), _parts(logs, 6, tokens, (QUESTION, ANSWER), 1)
    if not typed or not other:
        return Edit("open"), 1.0
    put, source = max(typed, key=lambda one: one.score), max(other, key=lambda one: one.score)
    if operation == "replace":
        return Edit("replace", put.span, source.span), float(np.exp(score + put.score + source.score))
    # The same words elsewhere in the question or the answer are the same edit.
    texts = {QUESTION: turn.question, ANSWER: turn.answer}
    same = [one.score for one in other if _keys(texts, one) == _keys(texts, source)]
    joiner = JOINERS[int(outputs[len(OPERATIONS) : -1].argmax())]
    edit = Edit("resolve", put.span, source.span, source.text == ANSWER, joiner, bool(outputs[-1] > 0))
    return edit, float(np.exp(score + put.score) * np.exp(same).sum())


def _keys(texts: dict[int, Words], part: _Part) -> tuple[str, ...]:
    return texts[part.text].keys[slice(*part.span)]


def _masked(pointers: Array, tokens: TurnTokens) -> Array:
    """Log-probabilities of each pointer over the tokens of its texts, and the one before them for an empty place."""
    import numpy as np

    texts = np.array(tokens.texts)
    before = np.append(texts[1:], -1)
    allowed = np.stack([np.isin(texts, held) | np.isin(before, held) for held in TEXTS_OF_POINTERS], 1)
    return _log_softmax(np.where(allowed, pointers, np.float32(-1e4)).T).T


def _parts(logs: Array, pointer: int, tokens: TurnTokens, texts: tuple[int, ...], least: int) -> list[_Part]:
    """Every span of at least so many words that the pointer may mean."""
    found: list[_Part] = []
    for text in texts:
        count = len(tokens.words[text - 1])
        for start in range(count + 1):
            for end in range(start + least, min(start + _LONGEST, count) + 1):
                if (place := tokens.span(text, start, end)) is not None:
                    score = float(logs[place[0], pointer] + logs[place[1], pointer + 1])
                    found.append(_Part(text, (start, end), score))
    return found


def _log_softmax(values: Array) -> Array:
    import numpy as np

    shifted = values - values.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
