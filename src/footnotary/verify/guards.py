"""Deterministic guards: each claim against the passages it cites, and nothing else.

A guard's function takes a claim and a premise and returns what disagrees, or None. It reads words, not meaning, and is
there for what word overlap and language models get wrong: seventy for seven, may for shall, the wrong party.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from footnotary.domain.chunk import Chunk
from footnotary.domain.verdict import Reason
from footnotary.text.references import references
from footnotary.verify.cells import cell_exchanged
from footnotary.verify.comparators import comparators_disagree
from footnotary.verify.connectives import connectives_disagree
from footnotary.verify.dates import dates_disagree
from footnotary.verify.exceptions import exceptions_dropped
from footnotary.verify.figures import numbers_disagree
from footnotary.verify.hindi_clauses import hindi_modality_disagrees, hindi_roles_disagree, hindi_times_disagree
from footnotary.verify.modality import modality_disagrees
from footnotary.verify.names import names_disagree
from footnotary.verify.negation import negation_disagrees
from footnotary.verify.premises import Premise, premise_for
from footnotary.verify.quantifiers import quantifiers_disagree
from footnotary.verify.quotations import quotations_altered
from footnotary.verify.roles import roles_disagree
from footnotary.verify.sections import sections_disagree
from footnotary.verify.small_words import small_word_changed
from footnotary.verify.terms import terms_substituted
from footnotary.verify.unstated import unstated


@dataclass(frozen=True, slots=True)
class Cited:
    """What a claim is held against: the sentences that matter, and what is known of where they stand."""

    premise: Premise
    whole: str
    names: tuple[str, ...]
    sections: frozenset[str]


Kind = Literal["figures", "logic", "wording"]


@dataclass(frozen=True, slots=True)
class Guard:
    """One guard: the reason it refuses with, its kind, what it holds, and the function that says what disagrees.

    A guard reads words, so a model that is sure may overrule it; one that is `final` has the last word.
    """

    reason: Reason
    kind: Kind
    holds: str
    objection: Callable[[str, Cited], str | None]
    final: bool = False


def _denied(premise: Premise) -> str | None:
    return f"by itself the claim says the contrary of {premise.text!r}" if premise.denied else None


def _spoken(premise: Premise) -> str | None:
    return "the source only quotes somebody for what the claim states" if premise.spoken else None


GUARDS: dict[str, Guard] = {
    "numbers_are_supported": Guard(
        Reason.NUMBER_UNSUPPORTED,
        "figures",
        "Every figure of a claim, with its unit, is in what it cites.",
        lambda claim, c: numbers_disagree(claim, c.premise.text) or cell_exchanged(claim, c.whole),
        final=True,
    ),
    "dates_are_supported": Guard(
        Reason.DATE_UNSUPPORTED,
        "figures",
        "Every date of a claim is in what it cites, or in the name of the act.",
        lambda claim, c: dates_disagree(claim, " ".join((c.whole, *c.names))),
        final=True,
    ),
    "sections_are_supported": Guard(
        Reason.SECTION_UNSUPPORTED,
        "figures",
        "Every provision a claim names is the cited one or is named there.",
        lambda claim, c: sections_disagree(claim, c.whole, c.sections),
        final=True,
    ),
    "negation_agrees": Guard(
        Reason.NEGATION_MISMATCH,
        "logic",
        "A claim does not deny what its source asserts, nor the other way round.",
        lambda claim, c: _denied(c.premise) or negation_disagrees(claim, c.premise.text),
    ),
    "modality_agrees": Guard(
        Reason.MODALITY_MISMATCH,
        "logic",
        "May stays may, shall stays shall; what is asked, supposed or reported is not stated.",
        lambda claim, c: (
            _spoken(c.premise)
            or unstated(claim, c.whole)
            or modality_disagrees(claim, c.premise.text)
            or hindi_modality_disagrees(claim, c.premise.text)
        ),
    ),
    "quantifiers_agree": Guard(
        Reason.QUANTIFIER_MISMATCH,
        "logic",
        "All, some, any, no and only stay what they are.",
        lambda claim, c: small_word_changed(claim, c.premise.text) or quantifiers_disagree(claim, c.premise.text),
    ),
    "comparators_agree": Guard(
        Reason.COMPARATOR_MISMATCH,
        "logic",
        "At most stays at most; a limit does not become the figure itself.",
        lambda claim, c: comparators_disagree(claim, c.premise.text),
    ),
    "connectives_agree": Guard(
        Reason.CONNECTIVE_MISMATCH,
        "logic",
        "And does not become or, nor or and.",
        lambda claim, c: connectives_disagree(claim, c.premise.text),
    ),
    "exceptions_are_kept": Guard(
        Reason.EXCEPTION_DROPPED,
        "logic",
        "A rule is not stated without the exception or condition its source attaches to it.",
        lambda claim, c: exceptions_dropped(claim, c.premise.text) or hindi_times_disagree(claim, c.premise.text),
    ),
    "names_are_supported": Guard(
        Reason.NAME_UNSUPPORTED,
        "wording",
        "Every party, body or law a claim names is in what it cites.",
        lambda claim, c: names_disagree(claim, c.whole, c.names),
        final=True,
    ),
    "roles_agree": Guard(
        Reason.ROLE_SWAPPED,
        "wording",
        "Who does what to whom is as in the source.",
        lambda claim, c: roles_disagree(claim, c.premise.text) or hindi_roles_disagree(claim, c.premise.text),
        final=True,
    ),
    "terms_are_not_substituted": Guard(
        Reason.TERM_SUBSTITUTED,
        "wording",
        "A key word is not replaced by another or by its opposite.",
        lambda claim, c: terms_substituted(claim, c.premise.text),
    ),
    "quotations_are_verbatim": Guard(
        Reason.QUOTATION_ALTERED,
        "figures",
        "What stands in quotation marks stands so in the source.",
        lambda claim, c: quotations_altered(claim, c.whole),
        final=True,
    ),
}


def disagreements(claim: str, cited: Cited) -> tuple[tuple[str, Reason, str], ...]:
    """Every guard that objects, in the order of reporting: (check, reason, what disagrees)."""
    return tuple((name, GUARDS[name].reason, found) for name, found in _objections(claim, cited))


def _objections(claim: str, cited: Cited) -> Iterator[tuple[str, str]]:
    if cited.premise.verbatim:
        return
    for name, guard in GUARDS.items():
        found = guard.objection(claim, cited)
        if found is not None:
            yield name, found


def cited_of(claim: str, chunks: Sequence[Chunk]) -> Cited:
    """What `claim` is held against when it cites `chunks`."""
    texts = tuple(chunk.text for chunk in chunks)
    return Cited(
        premise_for(claim, texts),
        "\n".join(texts),
        tuple(dict.fromkeys(name for chunk in chunks for name in _names(chunk))),
        frozenset(section for chunk in chunks for section in _sections(chunk)),
    )


def cited_texts(claim: str, passages: Sequence[str]) -> Cited:
    """What `claim` is held against when all that is known are the passages' texts."""
    texts = tuple(passages)
    own = frozenset(reference.section for text in texts for reference, _ in references(text))
    return Cited(premise_for(claim, texts), "\n".join(texts), (), own)


def _names(chunk: Chunk) -> tuple[str, ...]:
    labels = chunk.labels
    named = (labels.act, labels.code, labels.court, labels.title, labels.chapter_title, labels.subject)
    return (*(name for name in named if name), *chunk.section)


def _sections(chunk: Chunk) -> tuple[str, ...]:
    return tuple(part for part in (chunk.labels.section, chunk.labels.chapter) if part)
