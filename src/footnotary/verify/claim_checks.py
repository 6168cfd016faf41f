"""Deterministic guards: each claim against the passages it cites, and nothing else.

A guard's function takes a claim and a premise and returns what disagrees, or None. It reads words, not meaning, and is
there for what word overlap and language models get wrong: seventy for seven, may for shall, the wrong party.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from footnotary.domain.chunk import Chunk
from footnotary.domain.verdict import Reason
from footnotary.text.references.provisions import references
from footnotary.verify.exact.bounds import comparators_disagree
from footnotary.verify.exact.dates import dates_disagree
from footnotary.verify.exact.numbers import numbers_disagree
from footnotary.verify.exact.provisions import sections_disagree
from footnotary.verify.exact.quotations import quotations_altered
from footnotary.verify.exact.table_cells import swapped_table_cell
from footnotary.verify.premise_selection import Premise, premise_for
from footnotary.verify.wording.conditions.agreement import exceptions_dropped
from footnotary.verify.wording.connectives import connectives_disagree
from footnotary.verify.wording.factuality import hedged_in_source
from footnotary.verify.wording.modality.agreement import modality_disagrees
from footnotary.verify.wording.names import names_disagree
from footnotary.verify.wording.negation.agreement import negation_disagrees
from footnotary.verify.wording.qualifiers import changed_function_word
from footnotary.verify.wording.quantifiers import quantifiers_disagree
from footnotary.verify.wording.roles.agreement import roles_disagree
from footnotary.verify.wording.roles.hindi import hindi_modality_disagrees, hindi_roles_disagree, hindi_times_disagree
from footnotary.verify.wording.substituted_terms import terms_substituted


@dataclass(frozen=True, slots=True)
class CitedEvidence:
    """What a claim is held against: the sentences that matter, and what is known of where they stand."""

    premise: Premise
    whole: str
    names: tuple[str, ...]
    sections: frozenset[str]


Kind = Literal["figures", "logic", "wording"]


@dataclass(frozen=True, slots=True)
class ConsistencyCheck:
    """One guard: the reason it refuses with, its kind, what it holds, and the function that says what disagrees.

    A guard reads words, so a model that is sure may overrule it; one that is `final` has the last word.
    """

    reason: Reason
    kind: Kind
    holds: str
    objection: Callable[[str, CitedEvidence], str | None]
    final: bool = False


def _negated(premise: Premise) -> str | None:
    return f"by itself the claim says the contrary of {premise.text!r}" if premise.denied else None


def _quoted_speech(premise: Premise) -> str | None:
    return "the source only quotes somebody for what the claim states" if premise.spoken else None


CONSISTENCY_CHECKS: dict[str, ConsistencyCheck] = {
    "numbers_are_supported": ConsistencyCheck(
        Reason.NUMBER_UNSUPPORTED,
        "figures",
        "Every number of a claim, with its unit, is in a cited passage.",
        lambda claim, c: numbers_disagree(claim, c.premise.text) or swapped_table_cell(claim, c.whole),
        final=True,
    ),
    "dates_are_supported": ConsistencyCheck(
        Reason.DATE_UNSUPPORTED,
        "figures",
        "Every date of a claim is in a cited passage, or in the name of the act.",
        lambda claim, c: dates_disagree(claim, " ".join((c.whole, *c.names))),
        final=True,
    ),
    "sections_are_supported": ConsistencyCheck(
        Reason.SECTION_UNSUPPORTED,
        "figures",
        "Every provision a claim names is the cited one or is named in it.",
        lambda claim, c: sections_disagree(claim, c.whole, c.sections),
        final=True,
    ),
    "negation_agrees": ConsistencyCheck(
        Reason.NEGATION_MISMATCH,
        "logic",
        "A claim does not negate what its source asserts, nor assert what it negates.",
        lambda claim, c: _negated(c.premise) or negation_disagrees(claim, c.premise.text),
    ),
    "modality_agrees": ConsistencyCheck(
        Reason.MODALITY_MISMATCH,
        "logic",
        "May stays may, shall stays shall; what is asked, supposed or reported is not stated.",
        lambda claim, c: (
            _quoted_speech(c.premise)
            or hedged_in_source(claim, c.whole)
            or modality_disagrees(claim, c.premise.text)
            or hindi_modality_disagrees(claim, c.premise.text)
        ),
    ),
    "quantifiers_agree": ConsistencyCheck(
        Reason.QUANTIFIER_MISMATCH,
        "logic",
        "All, some, any, no and only are not exchanged.",
        lambda claim, c: changed_function_word(claim, c.premise.text) or quantifiers_disagree(claim, c.premise.text),
    ),
    "comparators_agree": ConsistencyCheck(
        Reason.COMPARATOR_MISMATCH,
        "logic",
        "At most stays at most; a limit does not become the value itself.",
        lambda claim, c: comparators_disagree(claim, c.premise.text),
    ),
    "connectives_agree": ConsistencyCheck(
        Reason.CONNECTIVE_MISMATCH,
        "logic",
        "And does not become or, nor or and.",
        lambda claim, c: connectives_disagree(claim, c.premise.text),
    ),
    "exceptions_are_kept": ConsistencyCheck(
        Reason.EXCEPTION_DROPPED,
        "logic",
        "A rule is not stated without the exception or condition its source attaches to it.",
        lambda claim, c: exceptions_dropped(claim, c.premise.text) or hindi_times_disagree(claim, c.premise.text),
    ),
    "names_are_supported": ConsistencyCheck(
        Reason.NAME_UNSUPPORTED,
        "wording",
        "Every party, body or law a claim names is in a cited passage.",
        lambda claim, c: names_disagree(claim, c.whole, c.names),
        final=True,
    ),
    "roles_agree": ConsistencyCheck(
        Reason.ROLE_SWAPPED,
        "wording",
        "Who does what to whom is as in the source.",
        lambda claim, c: roles_disagree(claim, c.premise.text) or hindi_roles_disagree(claim, c.premise.text),
        final=True,
    ),
    "terms_are_not_substituted": ConsistencyCheck(
        Reason.TERM_SUBSTITUTED,
        "wording",
        "A key word is not replaced by another or by its opposite.",
        lambda claim, c: terms_substituted(claim, c.premise.text),
    ),
    "quotations_are_verbatim": ConsistencyCheck(
        Reason.QUOTATION_ALTERED,
        "figures",
        "Text in quotation marks is verbatim in the source.",
        lambda claim, c: quotations_altered(claim, c.whole),
        final=True,
    ),
}


def check_findings(claim: str, cited: CitedEvidence) -> tuple[tuple[str, Reason, str], ...]:
    """Every guard that objects, in the order of reporting: (check, reason, what disagrees)."""
    return tuple((name, CONSISTENCY_CHECKS[name].reason, found) for name, found in _findings(claim, cited))


def _findings(claim: str, cited: CitedEvidence) -> Iterator[tuple[str, str]]:
    if cited.premise.verbatim:
        return
    for name, guard in CONSISTENCY_CHECKS.items():
        found = guard.objection(claim, cited)
        if found is not None:
            yield name, found


def evidence_from_cited_chunks(claim: str, chunks: Sequence[Chunk]) -> CitedEvidence:
    """What `claim` is held against when it cites `chunks`."""
    texts = tuple(chunk.text for chunk in chunks)
    return CitedEvidence(
        premise_for(claim, texts),
        "\n".join(texts),
        tuple(dict.fromkeys(name for chunk in chunks for name in _names(chunk))),
        frozenset(section for chunk in chunks for section in _sections(chunk)),
    )


def evidence_from_texts(claim: str, passages: Sequence[str]) -> CitedEvidence:
    """What `claim` is held against when all that is known are the passages' texts."""
    texts = tuple(passages)
    own = frozenset(reference.section for text in texts for reference, _ in references(text))
    return CitedEvidence(premise_for(claim, texts), "\n".join(texts), (), own)


def _names(chunk: Chunk) -> tuple[str, ...]:
    labels = chunk.labels
    named = (labels.act, labels.code, labels.court, labels.title, labels.chapter_title, labels.subject)
    return (*(name for name in named if name), *chunk.section)


def _sections(chunk: Chunk) -> tuple[str, ...]:
    return tuple(part for part in (chunk.labels.section, chunk.labels.chapter) if part)
