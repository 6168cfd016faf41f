"""Everything the verdict on a claim is made from, found once: what each check says, overlaps and model probabilities."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.guards import Item
from footnotary.claim import assess_claim
from footnotary.ports import Verifier
from footnotary.profiles.schema import Profile
from footnotary.text.citations.markers import strip
from footnotary.text.language import language_of
from footnotary.text.sentences.splitter import sentences
from footnotary.verify.claim_checks import check_findings, evidence_from_texts
from footnotary.verify.exact.source_forms import in_source_forms
from footnotary.verify.meaning.score_fusion import trigram_overlap
from footnotary.verify.meaning.word_overlap import overlap
from footnotary.verify.premise_selection import Premise

_DIGITS = re.compile(r"\d[\d,.]*")


@dataclass(frozen=True, slots=True)
class SentenceFindings:
    """One sentence of a claim: the checks that object where a model is sure, where one has read it, and where none has.

    `unasked` are those that keep it from the model.
    """

    asked: str
    passages: tuple[str, ...]
    english: bool
    findings_sure: tuple[str, ...]
    findings_read: tuple[str, ...]
    findings_unread: tuple[str, ...]
    unasked: tuple[str, ...]
    share: float
    share_without_digits: float
    trigrams: float


@dataclass(frozen=True, slots=True)
class ClaimFindings:
    """A claim of a set with what was found; no sentences where it copies its passages word for word."""

    item: Item
    sentences: tuple[SentenceFindings, ...]


def find_all(item: Item) -> ClaimFindings:
    """What the checks say of a claim, sentence by sentence as the product reads it."""
    passages = tuple(text for text in item.passages if text.strip())
    said = [s for s in sentences(strip(item.claim)) if any(char.isalnum() for char in s)]
    if evidence_from_texts(" ".join(said), passages).premise.verbatim:
        return ClaimFindings(item, ())
    return ClaimFindings(item, tuple(found for s in said if (found := _find(s, passages)) is not None))


def _find(claim: str, passages: tuple[str, ...]) -> SentenceFindings | None:
    cited = evidence_from_texts(claim, passages)
    if cited.premise.verbatim:
        return None
    asked = in_source_forms(claim, cited.premise.text)
    return SentenceFindings(
        asked,
        passages,
        language_of(claim) == "en",
        tuple(name for name, _, _ in check_findings(claim, cited, sure=True, read=True)),
        tuple(name for name, _, _ in check_findings(claim, cited, sure=False, read=True)),
        tuple(name for name, _, _ in check_findings(claim, cited, sure=False, read=False)),
        tuple(_unasked(cited.premise)),
        overlap(asked, passages),
        overlap(_DIGITS.sub(" ", claim), passages),
        trigram_overlap(asked, passages),
    )


def _unasked(premise: Premise) -> Iterable[str]:
    """The checks whose findings keep a claim from the model."""
    if premise.denied:
        yield "negation_agrees"
    if premise.spoken:
        yield "modality_agrees"


class StoredProbabilities:
    """A model's probabilities, kept in a file: each pair is read once, whatever is left out and however often."""

    def __init__(self, model: Verifier, path: Path) -> None:
        self._model, self._path = model, path
        self.name, self.fusion_weights = model.name, model.fusion_weights
        lines = path.read_text("utf-8").splitlines() if path.is_file() else ()
        self._known: dict[str, float] = dict(json.loads(line) for line in lines)

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[float]:
        return [self.probability(claim, tuple(passages)) for claim, passages in pairs]

    def probability(self, claim: str, passages: tuple[str, ...]) -> float:
        content = json.dumps([self.name, claim, passages]).encode()
        key = hashlib.sha256(content).hexdigest()
        if key not in self._known:
            self._known[key] = self._model.support([(claim, passages)])[0]
            with self._path.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps([key, self._known[key]]) + "\n")
        return self._known[key]


def supported_by_product(item: Item, policy: Profile, by: StoredProbabilities | None) -> bool:
    """The product's own verdict, to hold the recombined one against."""
    return assess_claim(item.claim, item.passages, policy, by).supported
