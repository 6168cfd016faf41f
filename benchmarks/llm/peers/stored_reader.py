"""A reader whose probabilities come from a file, and one that keeps what it is asked, so that a file can be made.

A row of pairs is `{"k": "c" or "q", "e": [[headings, text], ...], "a": claim or question}`, and a row of the table the
same `k` with `sha`, the `pair_sha` of the others, and `p`, the probability: a tier that needs an accelerator is run
once over all pairs, and its verdicts are replayed anywhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from footnotary.ports import FusionWeights, PassageText, Reader, Reading

CLAIM, QUESTION = "c", "q"
Evidence = list[list[str]]


def pair_sha(kind: str, evidence: Evidence, asked: str) -> str:
    return hashlib.sha256(json.dumps([kind, evidence, asked], ensure_ascii=False).encode()).hexdigest()[:24]


class ConstantReader:
    """Says the same of every pair, at no cost: what is asked of a reader that says so can be collected with it."""

    name = "constant"
    languages = ("en",)
    fusion_weights = FusionWeights()

    def __init__(self, probability: float) -> None:
        self._probability = probability

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        return [self._probability] * len(pairs)

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        return [self._probability] * len(pairs)

    def best_of(self, probabilities: Sequence[float]) -> float:
        return max(probabilities, default=0.0)

    def read(self, question: str, passages: Sequence[PassageText]) -> Sequence[Reading]:  # noqa: ARG002
        return [Reading(self._probability, ()) for _ in passages]


class StoredReader:
    """Implements `footnotary.ports.Reader` over a table; what is not in it is asked of `reader` and counted in `missed`.

    `pairs` has every pair asked, by its hash. An empty table makes it a reader that only keeps pairs.
    """

    def __init__(self, reader: Reader, table: Mapping[str, float], name: str | None = None) -> None:
        self._reader, self._table = reader, table
        self.name = name or reader.name
        self.languages = reader.languages
        self.fusion_weights = reader.fusion_weights
        self.pairs: dict[str, dict[str, Any]] = {}
        self.found = self.missed = 0

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        shas = [self._seen(CLAIM, [["", text] for text in texts], claim) for claim, texts in pairs]
        return self._looked_up(shas, lambda places: self._reader.support([pairs[place] for place in places]))

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        shas = [self._seen(QUESTION, [[t.headings, t.text] for t in texts], asked) for asked, texts in pairs]
        return self._looked_up(shas, lambda places: self._reader.answers([pairs[place] for place in places]))

    def best_of(self, probabilities: Sequence[float]) -> float:
        return self._reader.best_of(probabilities)

    def read(self, question: str, passages: Sequence[PassageText]) -> Sequence[Reading]:
        """With the sentences that `reader` finds: a table has none."""
        read = self._reader.read(question, passages)
        answers = self.answers([(question, (passage,)) for passage in passages])
        return [Reading(answer, one.sentences) for answer, one in zip(answers, read, strict=True)]

    def _seen(self, kind: str, evidence: Evidence, asked: str) -> str:
        sha = pair_sha(kind, evidence, asked)
        self.pairs[sha] = {"k": kind, "e": evidence, "a": asked}
        return sha

    def _looked_up(self, shas: Sequence[str], ask: Any) -> Sequence[float]:
        missing = [place for place, sha in enumerate(shas) if sha not in self._table]
        self.missed += len(missing)
        self.found += len(shas) - len(missing)
        said = dict(zip(missing, ask(missing), strict=True)) if missing else {}
        return [said[place] if place in said else self._table[sha] for place, sha in enumerate(shas)]
