"""A question of a conversation as it is asked: by the reader of follow-ups, or by the chat model where it is unsure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from footnotary.gate.follow_up import follow_up

if TYPE_CHECKING:
    from footnotary.domain.conversation import AskedQuestion, EarlierTurn
    from footnotary.engine import Engine


def asked_after(question: str, earlier: Sequence[EarlierTurn], engine: Engine) -> AskedQuestion:
    """The question as it is asked after `earlier`. No chat model sees one that was read as complete."""
    asked = follow_up(question, earlier, engine.profile)
    if asked.status not in ("with_context", "not_understood") or engine.rewriter is None:
        return asked
    text = engine.rewriter(question, earlier)
    return asked if text is None else replace(asked, text=text, status="rewritten", context="", by="model")
