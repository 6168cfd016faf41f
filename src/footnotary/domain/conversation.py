"""A conversation: earlier questions with their answers, and a question as it is asked after them."""

from dataclasses import dataclass
from typing import Literal

FollowUpStatus = Literal["standalone", "rewritten", "with_context", "not_understood"]


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """An earlier question and what was answered; `answer` is empty where it is not known or was a refusal.

    An answer may say what a later question refers to. It is never evidence.
    """

    question: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question of a conversation as it is asked.

    `text` is what is asked and `typed` what the person wrote; they differ only where the status is `rewritten`.
    `context` is an earlier question that is searched for too, for `with_context` and `not_understood`; it is not
    asked. What was not understood says nothing of its own to look for, and is refused. `by` is what rewrote it:
    `reader`, the trained reader of follow-ups, or `model`, the chat model.
    """

    text: str
    typed: str
    status: FollowUpStatus = "standalone"
    context: str = ""
    by: str = "reader"

    @property
    def was_rewritten(self) -> bool:
        return self.text != self.typed
