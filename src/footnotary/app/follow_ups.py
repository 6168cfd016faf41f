"""A question of a conversation as it is asked: by rules, and by the chat model where the rules are not sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from footnotary.gate.follow_up import follow_up

if TYPE_CHECKING:
    from footnotary.domain.conversation import AskedQuestion, EarlierTurn
    from footnotary.engine import Engine
    from footnotary.gate.follow_up.substitution import Similarity
    from footnotary.ports import Embedder


def asked_after(question: str, earlier: Sequence[EarlierTurn], engine: Engine) -> AskedQuestion:
    """The question as it is asked after `earlier`. A complete one is asked as typed, and no model sees it."""
    if not earlier:
        return follow_up(question, (), engine.profile)
    asked = follow_up(question, earlier, engine.profile, meaning_similarity(engine.embedder))
    if asked.status not in ("with_context", "not_understood") or engine.rewriter is None:
        return asked
    text = engine.rewriter(question, earlier)
    return asked if text is None else replace(asked, text=text, status="rewritten", context="", by="model")


def meaning_similarity(embedder: Embedder) -> Similarity:
    """How similar phrases are by their embeddings."""

    def similarity(text: str, others: Sequence[str]) -> list[float]:
        vectors = embedder.embed_passages([text, *others])
        lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        directions = vectors / lengths
        return [float(value) for value in directions[1:] @ directions[0]]

    return similarity
