"""Exact checks of each claim against the passages it cites.

A check's function takes a claim and its cited evidence and returns what disagrees, or None. It matches figures, dates,
provisions, quotations and copied words; a model decides whether the meaning is the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from footnotary.domain.chunk import Chunk
from footnotary.domain.verdict import Reason
from footnotary.text.references.provisions import references
from footnotary.verify.exact.bounds import bounds_reversed, comparators_disagree
from footnotary.verify.exact.changed_words import new_name, new_word, words_changed
from footnotary.verify.exact.dates import dates_disagree
from footnotary.verify.exact.mismatch import Mismatch
from footnotary.verify.exact.numbers import numbers_disagree
from footnotary.verify.exact.provisions import sections_disagree
from footnotary.verify.exact.quotations import quotations_altered
from footnotary.verify.exact.source_forms import in_source_forms
from footnotary.verify.exact.table_cells import swapped_table_cell
from footnotary.verify.exact.table_scales import dropped_table_scale, without_table_scale
from footnotary.verify.lookalike_letters import foreign_words, homoglyph_words
from footnotary.verify.premise_selection import Premise, premise_for

# Check, reason, what disagrees.
CheckFinding = tuple[str, Reason, Mismatch]


@dataclass(frozen=True, slots=True)
class CitedEvidence:
    """The evidence for checking a claim: the relevant sentences, and what is known about their origin."""

    premise: Premise
    whole: str
    names: tuple[str, ...]
    sections: frozenset[str]


Find = Callable[[str, CitedEvidence], Mismatch | None]


def _nothing(_claim: str, _cited: CitedEvidence) -> None:
    return None


@dataclass(frozen=True, slots=True)
class ConsistencyCheck:
    """One check: its refusal reason, what it requires, and the function that finds what disagrees.

    What `always` finds refuses (a hard check). A model that is sure of the claim overrides `unless_sure`, and
    `if_unread` counts only if no model has read the claim.
    """

    reason: Reason
    holds: str
    always: Find
    unless_sure: Find = _nothing
    if_unread: Find = _nothing


def _in_other_letters(claim: str, whole: str) -> Mismatch | None:
    found = homoglyph_words(claim, (whole,)) or foreign_words(claim, (whole,))
    if not found:
        return None
    return Mismatch(found[0], sentence=f"the claim writes {found[0]!r} in letters of another script")


def _changed_words(claim: str, cited: CitedEvidence) -> Mismatch | None:
    return words_changed(in_source_forms(claim, cited.premise.text), cited.premise.text)


def _reversed_bound(claim: str, cited: CitedEvidence) -> Mismatch | None:
    """A limit that changes its direction in a copied sentence; in a reworded one only a model can tell."""
    found = bounds_reversed(claim, cited.premise.text)
    return found if found is not None and _changed_words(claim, cited) is not None else None


def _contrary(premise: Premise) -> Mismatch | None:
    if not premise.denied:
        return None
    return Mismatch(source_says=premise.text, sentence=f"by itself the claim says the contrary of {premise.text!r}")


def _only_quoted(premise: Premise) -> Mismatch | None:
    return Mismatch(sentence="the source only quotes somebody as saying this") if premise.spoken else None


CONSISTENCY_CHECKS: dict[str, ConsistencyCheck] = {
    "numbers_are_supported": ConsistencyCheck(
        Reason.NUMBER_UNSUPPORTED,
        "Every number of a claim, with its unit, is in a cited passage.",
        lambda claim, c: (
            numbers_disagree(without_table_scale(claim, c.whole), c.premise.text)
            or swapped_table_cell(claim, c.whole)
            or dropped_table_scale(claim, c.whole)
        ),
    ),
    "dates_are_supported": ConsistencyCheck(
        Reason.DATE_UNSUPPORTED,
        "Every date of a claim is in a cited passage, or in the name of the act.",
        lambda claim, c: dates_disagree(claim, " ".join((c.whole, *c.names))),
    ),
    "sections_are_supported": ConsistencyCheck(
        Reason.SECTION_UNSUPPORTED,
        "Every provision a claim names is the cited one or is named in it.",
        lambda claim, c: sections_disagree(claim, c.whole, c.sections),
    ),
    "negation_agrees": ConsistencyCheck(
        Reason.NEGATION_MISMATCH,
        "A claim that copies an item of a negated list keeps the negation; other negations are read by the verifier.",
        lambda _, c: _contrary(c.premise),
    ),
    "modality_agrees": ConsistencyCheck(
        Reason.MODALITY_MISMATCH,
        "What a source only quotes somebody as saying is not stated as a fact; the verifier reads may and shall.",
        lambda _, c: _only_quoted(c.premise),
    ),
    "comparators_agree": ConsistencyCheck(
        Reason.COMPARATOR_MISMATCH,
        "A copied sentence keeps the direction of its limits; in what no model has read, all bounds stay the same.",
        _reversed_bound,
        if_unread=lambda claim, c: comparators_disagree(claim, c.premise.text),
    ),
    "terms_are_not_substituted": ConsistencyCheck(
        Reason.TERM_SUBSTITUTED,
        "No word is in the letters of another script; unless a model is sure, no word of a copied sentence changes.",
        lambda claim, c: _in_other_letters(claim, c.whole) or new_name(claim, " ".join((c.whole, *c.names))),
        unless_sure=_changed_words,
        if_unread=lambda claim, c: new_word(claim, " ".join((c.whole, *c.names))),
    ),
    "quotations_are_verbatim": ConsistencyCheck(
        Reason.QUOTATION_ALTERED,
        "Text in quotation marks is verbatim in the source.",
        lambda claim, c: quotations_altered(claim, c.whole),
    ),
}

# The checks of a claim against its citations; the others check the answer as a whole.
CHECKS_OF_SINGLE_CLAIMS = frozenset(
    {*CONSISTENCY_CHECKS, "words_overlap", "citations_support_their_claims", "claims_are_entailed"}
)


def check_findings(claim: str, cited: CitedEvidence, *, sure: bool, read: bool) -> tuple[CheckFinding, ...]:
    """Every check that fails, in order. `read` says that a model has read the claim, `sure` that it is sure."""
    if cited.premise.verbatim:
        return ()
    found: list[CheckFinding] = []
    for name, check in CONSISTENCY_CHECKS.items():
        asked = (check.always, _nothing if sure else check.unless_sure, _nothing if read else check.if_unread)
        mismatch = next((said for find in asked if (said := find(claim, cited)) is not None), None)
        if mismatch is not None:
            found.append((name, check.reason, mismatch))
    return tuple(found)


def evidence_from_cited_chunks(claim: str, chunks: Sequence[Chunk]) -> CitedEvidence:
    """The evidence for `claim`, which cites `chunks`."""
    texts = tuple(chunk.text for chunk in chunks)
    return CitedEvidence(
        premise_for(claim, texts),
        "\n".join(texts),
        tuple(dict.fromkeys(name for chunk in chunks for name in _names(chunk))),
        frozenset(part for chunk in chunks for part in (chunk.labels.section, chunk.labels.chapter) if part),
    )


def evidence_from_texts(claim: str, passages: Sequence[str]) -> CitedEvidence:
    """The evidence for `claim`, if only the texts of the passages are known."""
    texts = tuple(passages)
    own = frozenset(reference.section for text in texts for reference, _ in references(text))
    return CitedEvidence(premise_for(claim, texts), "\n".join(texts), (), own)


def _names(chunk: Chunk) -> tuple[str, ...]:
    labels = chunk.labels
    named = (labels.act, labels.code, labels.court, labels.title, labels.chapter_title, labels.subject)
    return (*(name for name in named if name), *chunk.section)
