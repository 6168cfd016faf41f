"""A chat model that counts what it is sent and what it gives back, for what an answer costs."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.ports import ChatModel, Message


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls of a model, and characters either way: servers do not all count tokens, and not all alike."""

    calls: int = 0
    sent: int = 0
    received: int = 0


class Metered:
    """A `ChatModel` that is another one; each thread reads and clears its own count with `spent`."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._here = threading.local()

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, messages: Sequence[Message], schema: dict[str, object] | None = None) -> str:
        before: Spent = getattr(self._here, "spent", Spent())
        sent = sum(len(message.content) for message in messages)
        self._here.spent = Spent(before.calls + 1, before.sent + sent, before.received)
        reply = self._model.complete(messages, schema)
        self._here.spent = Spent(before.calls + 1, before.sent + sent, before.received + len(reply))
        return reply

    def spent(self) -> Spent:
        """What this thread's calls came to since it last asked."""
        found: Spent = getattr(self._here, "spent", Spent())
        self._here.spent = Spent()
        return found
