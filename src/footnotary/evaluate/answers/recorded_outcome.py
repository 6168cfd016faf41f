"""The recorded outcome of a question, with everything the measures need: one line of JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RecordedClaim:
    """A delivered claim, the ids it cites, and its citation recall and precision (see `attribution`)."""

    text: str
    cites: tuple[str, ...]
    recalled: bool
    precise: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class RecordedHit:
    """A retrieved passage: all its names (its own id first), and its score."""

    names: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class RecordedOutcome:
    """An outcome. `reason` is set for a refusal, `claims` and `confidence` for an answer; `text` is what was delivered.

    `escapes` describes each contract violation in what was delivered; there should be none. `stages_ms` are the times
    of the stages. `chars_sent` and `chars_received` count the characters exchanged with a language model.
    """

    answered: bool
    reason: str
    text: str
    confidence: float
    claims: tuple[RecordedClaim, ...]
    hits: tuple[RecordedHit, ...]
    escapes: tuple[str, ...]
    stages_ms: dict[str, float]
    model_calls: int = 0
    chars_sent: int = 0
    chars_received: int = 0

    @property
    def total_ms(self) -> float:
        return sum(self.stages_ms.values())

    @property
    def cited(self) -> tuple[str, ...]:
        """Every cited id, in order, each once."""
        return tuple(dict.fromkeys(cited for claim in self.claims for cited in claim.cites))

    def record(self) -> dict[str, Any]:
        return asdict(self)


def parse_outcome(record: dict[str, Any]) -> RecordedOutcome:
    """Parses what `RecordedOutcome.record` wrote. Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    return RecordedOutcome(
        answered=bool(record["answered"]),
        reason=str(record["reason"]),
        text=str(record["text"]),
        confidence=float(record["confidence"]),
        claims=tuple(
            RecordedClaim(str(c["text"]), tuple(c["cites"]), bool(c["recalled"]), tuple(map(bool, c["precise"])))
            for c in record["claims"]
        ),
        hits=tuple(RecordedHit(tuple(h["names"]), float(h["score"])) for h in record["hits"]),
        escapes=tuple(record["escapes"]),
        stages_ms={str(k): float(v) for k, v in record["stages_ms"].items()},
        model_calls=int(record["model_calls"]),
        chars_sent=int(record["chars_sent"]),
        chars_received=int(record["chars_received"]),
    )
