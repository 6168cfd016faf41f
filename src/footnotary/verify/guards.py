"""Deterministic guards as checks: each claim against the passages it cites, and nothing else.

A guard is a function of a claim and a premise that returns what disagrees, or None. It reads words, not meaning, and
is there for what word overlap and language models get wrong: seventy for seven, may for shall, the wrong party.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import Check, Submission
from footnotary.text.references import references
from footnotary.verify.comparators import comparators_disagree
from footnotary.verify.connectives import connectives_disagree
from footnotary.verify.dates import dates_disagree
from footnotary.verify.exceptions import exceptions_dropped
from footnotary.verify.figures import numbers_disagree
from footnotary.verify.modality import modality_disagrees
from footnotary.verify.names import names_disagree
from footnotary.verify.negation import negation_disagrees
from footnotary.verify.premises import Premise, premise_for
from footnotary.verify.quantifiers import quantifiers_disagree
from footnotary.verify.quotations import quotations_altered
from footnotary.verify.roles import roles_disagree
from footnotary.verify.sections import sections_disagree
from footnotary.verify.terms import terms_substituted


@dataclass(frozen=True, slots=True)
class Cited:
    """What a claim is held against: the sentences that matter, and what is known of where they stand."""

    premise: Premise
    whole: str
    names: tuple[str, ...]
    sections: frozenset[str]


Guard = Callable[[str, Cited], str | None]


GUARDS: dict[str, tuple[Reason, Guard]] = {
    "numbers_are_supported": (Reason.NUMBER_UNSUPPORTED, lambda claim, c: numbers_disagree(claim, c.premise.text)),
    "dates_are_supported": (Reason.DATE_UNSUPPORTED, lambda claim, c: dates_disagree(claim, f"{c.whole} {c.names}")),
    "sections_are_supported": (
        Reason.SECTION_UNSUPPORTED,
        lambda claim, c: sections_disagree(claim, c.whole, c.sections),
    ),
    "negation_agrees": (Reason.NEGATION_MISMATCH, lambda claim, c: negation_disagrees(claim, c.premise.text)),
    "modality_agrees": (Reason.MODALITY_MISMATCH, lambda claim, c: modality_disagrees(claim, c.premise.text)),
    "quantifiers_agree": (Reason.QUANTIFIER_MISMATCH, lambda claim, c: quantifiers_disagree(claim, c.premise.text)),
    "comparators_agree": (Reason.COMPARATOR_MISMATCH, lambda claim, c: comparators_disagree(claim, c.premise.text)),
    "connectives_agree": (Reason.CONNECTIVE_MISMATCH, lambda claim, c: connectives_disagree(claim, c.premise.text)),
    "exceptions_are_kept": (Reason.EXCEPTION_DROPPED, lambda claim, c: exceptions_dropped(claim, c.premise.text)),
    "names_are_supported": (Reason.NAME_UNSUPPORTED, lambda claim, c: names_disagree(claim, c.whole, c.names)),
    "roles_agree": (Reason.ROLE_SWAPPED, lambda claim, c: roles_disagree(claim, c.premise.text)),
    "terms_are_not_substituted": (Reason.TERM_SUBSTITUTED, lambda claim, c: terms_substituted(claim, c.premise.text)),
    "quotations_are_verbatim": (Reason.QUOTATION_ALTERED, lambda claim, c: quotations_altered(claim, c.whole)),
}


def disagreements(claim: str, cited: Cited) -> tuple[tuple[str, Reason, str], ...]:
    """Every guard that objects, in the order of reporting: (check, reason, what disagrees)."""
    if cited.premise.verbatim:
        return ()
    return tuple(
        (check, reason, found)
        for check, (reason, guard) in GUARDS.items()
        if (found := guard(claim, cited)) is not None
    )


def guard_check(name: str) -> Check:
    """The guard of that name as a check over all claims of a draft."""
    reason, guard = GUARDS[name]

    def check(s: Submission) -> Verdict:
        for i, claim in enumerate(s.draft.claims):
            chunks = [chunk for c in claim.cites if (chunk := s.evidence.chunk(c)) is not None]
            if not chunks:
                continue  # an uncited or unknown citation fails its own check
            cited = cited_of(claim.text, chunks)
            found = None if cited.premise.verbatim else guard(claim.text, cited)
            if found is not None:
                return Verdict.failed(name, reason, found, (i,))
        return Verdict.passed(name)

    return check


def cited_of(claim: str, chunks: Sequence[Chunk]) -> Cited:
    """What `claim` is held against when it cites `chunks`."""
    texts = tuple(chunk.text for chunk in chunks)
    return Cited(
        _premise(claim, texts),
        "\n".join(texts),
        tuple(dict.fromkeys(name for chunk in chunks for name in _names(chunk))),
        frozenset(section for chunk in chunks for section in _sections(chunk)),
    )


def cited_texts(claim: str, passages: Sequence[str]) -> Cited:
    """What `claim` is held against when all that is known are the passages' texts."""
    texts = tuple(passages)
    own = frozenset(reference.section for text in texts for reference, _ in references(text))
    return Cited(_premise(claim, texts), "\n".join(texts), (), own)


@lru_cache(maxsize=512)
def _premise(claim: str, texts: tuple[str, ...]) -> Premise:
    return premise_for(claim, texts)


def _names(chunk: Chunk) -> tuple[str, ...]:
    labels = chunk.labels
    named = (labels.act, labels.code, labels.court, labels.title, labels.chapter_title, labels.subject)
    return (*(name for name in named if name), *chunk.section)


def _sections(chunk: Chunk) -> tuple[str, ...]:
    return tuple(part for part in (chunk.labels.section, chunk.labels.chapter) if part)
