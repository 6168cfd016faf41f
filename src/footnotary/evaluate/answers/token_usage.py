"""A chat model wrapper that counts calls and characters, to estimate the cost of an answer."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.ports import ChatModel, Message


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Model calls, and characters sent and received: not all servers count tokens, and not all in the same way."""

    calls: int = 0
    sent: int = 0
    received: int = 0


class UsageCountingModel:
    """Wraps a `ChatModel` and counts its usage; each thread reads and resets its own count with `spent`."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._here = threading.local()

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, messages: Sequence[Message], schema: dict[str, object] | None = None) -> str:
        before: ModelUsage = getattr(self._here, "spent", ModelUsage())
        sent = sum(len(message.content) for message in messages)
        self._here.spent = ModelUsage(before.calls + 1, before.sent + sent, before.received)
        reply = self._model.complete(messages, schema)
        self._here.spent = ModelUsage(before.calls + 1, before.sent + sent, before.received + len(reply))
        return reply

    def spent(self) -> ModelUsage:
        """The usage of this thread since its last call of this method."""
        found: ModelUsage = getattr(self._here, "spent", ModelUsage())
        self._here.spent = ModelUsage()
        return found
