"""Rows of grounding datasets: their passages, and which half of a development set was trained on."""

from __future__ import annotations

import hashlib
from typing import Any

# Of these development sets one half, by group, is learned from and the other measured; the rest only measure.
LEARNED = {
    "attributionbench": 3, "begin": 2, "breaking_nli": 0.2, "cad_nli": 1, "conjnli": 1, "faithjudge_silver": 1, "fm2": 3,
    "healthver": 3, "lfqa_verif": 3, "mtrag_human": 3, "mtrag_un": 4, "ragtruth": 2, "scitab": 2, "squad2": 5,
    "summedits": 2, "wice_claim": 3, "wikibio_gpt3": 2,
}  # fmt: skip


def passages_of(premise: Any) -> list[str]:
    """A premise is one text or a list of them."""
    if isinstance(premise, str):
        return [premise]
    parts = [str(part) for part in premise]
    # Web pages come as lists of single sentences; they are one passage.
    return ["\n".join(parts)] if len(parts) > 12 else parts


def learned(name: str, row: dict[str, Any]) -> bool:
    """Whether a row of a development set is on the side that is learned from."""
    return name in LEARNED and int(hashlib.sha256(str(row["group"]).encode()).hexdigest(), 16) % 2 == 0


def article_part(title: str) -> str:
    """What an encyclopaedic article with questions in Hindi (XQuAD) serves for: "learned", "calibrated" or "measured"."""
    number = int(hashlib.sha256(f"x{title}".encode()).hexdigest(), 16) % 20
    return "learned" if number < 12 else "calibrated" if number < 15 else "measured"
