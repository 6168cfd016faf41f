"""Generated test claims: sentences of a corpus with one fact changed by rule; `eval grounding` reads them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from footnotary.domain.chunk import Chunk
from footnotary.text.sentences.splitter import sentences

CorruptionRule = Callable[[str], str | None]

_NUMBERS: Sequence[str] = (
    "two three four five six seven eight nine ten twelve fifteen twenty thirty sixty ninety".split()
)
_COUNTED_NUMBER = re.compile(
    rf"\b({'|'.join(_NUMBERS)}|\d{{1,6}})(?= (?:years?|months?|weeks?|days?|hours?|rupees|per ?cent|dollars|euros?)\b)",
    re.I,
)
_UNITS = {"years": "months", "months": "years", "days": "months", "hours": "days", "weeks": "years"}
_UNIT = re.compile(rf"(?<= )({'|'.join(_UNITS)})\b")
_DUTY = re.compile(r"\b(shall|must)\b(?! not| also| be deemed)")
_PERMISSION = re.compile(r"\bmay\b(?! extend| not| be)")
_NEGATED = re.compile(r"\b(shall|must|may|is|are|does|do) not\b")
_BOUND = re.compile(r"\b(at least|not less than|at most|not more than|more than|less than)\b")
_OTHER_BOUND = {
    "at least": "at most", "at most": "at least", "not less than": "not more than", "not more than": "not less than",
    "more than": "less than", "less than": "more than",
}  # fmt: skip
_MIN_CHARS, _MAX_CHARS = 40, 500


@dataclass(frozen=True, slots=True)
class CorruptedClaim:
    """A sentence of a passage with one fact changed by the rule `task`; with `task` "as it stands", none."""

    task: str
    claim: str
    original: str
    passage: str
    source: str

    @property
    def id(self) -> str:
        return hashlib.sha256(f"{self.source}\n{self.claim}".encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @property
    def label(self) -> int:
        return int(self.claim == self.original)


def corrupted_claims(chunks: Iterable[Chunk], per_rule: int) -> tuple[CorruptedClaim, ...]:
    """At most `per_rule` claims per rule, drawn deterministically, and each sentence used once unchanged."""
    found: dict[str, dict[str, CorruptedClaim]] = {}
    for made in _all_corruptions(chunks):
        found.setdefault(made.task, {})[made.id] = made
    drawn = [claims[key] for claims in found.values() for key in sorted(claims)[:per_rule]]
    whole = {
        made.original: CorruptedClaim("as it stands", made.original, made.original, made.passage, made.source)
        for made in drawn
    }
    return (*drawn, *whole.values())


def _all_corruptions(chunks: Iterable[Chunk]) -> Iterator[CorruptedClaim]:
    for chunk in chunks:
        for sentence in sentences(chunk.text):
            if not _MIN_CHARS <= len(sentence) <= _MAX_CHARS:
                continue
            for name, rule in CORRUPTION_RULES.items():
                claim = rule(sentence)
                # A change that gives another sentence of the passage is not a corruption.
                if claim is not None and claim != sentence and claim not in chunk.text:
                    yield CorruptedClaim(name, claim, sentence, chunk.text, chunk.id)


def _change_number(sentence: str) -> str | None:
    def other(match: re.Match[str]) -> str:
        word = match[1]
        if word.isdigit():
            return str(int(word) * 2 + 1)
        changed = _NUMBERS[(_NUMBERS.index(word.lower()) + 5) % len(_NUMBERS)]
        return changed.capitalize() if word[0].isupper() else changed

    return _replace_once(_COUNTED_NUMBER, other, sentence)


def _replace_once(pattern: re.Pattern[str], change: Callable[[re.Match[str]], str], sentence: str) -> str | None:
    changed, count = pattern.subn(change, sentence, count=1)
    return changed if count else None


CORRUPTION_RULES: dict[str, CorruptionRule] = {
    "number": _change_number,
    "unit": lambda s: _replace_once(_UNIT, lambda m: _UNITS[m[1]], s) if _COUNTED_NUMBER.search(s) else None,
    "negation added": lambda s: _replace_once(_DUTY, lambda m: f"{m[1]} not", s),
    "negation dropped": lambda s: _replace_once(_NEGATED, lambda m: m[1], s),
    "duty to leave": lambda s: _replace_once(_DUTY, lambda _: "may", s),
    "leave to duty": lambda s: _replace_once(_PERMISSION, lambda _: "shall", s),
    "bound": lambda s: _replace_once(_BOUND, lambda m: _OTHER_BOUND[m[1]], s),
}
