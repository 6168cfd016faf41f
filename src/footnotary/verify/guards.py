"""Deterministic guards as checks: each claim against the passages it cites, and nothing else.

A guard's function takes a claim and a premise and returns what disagrees, or None. It reads words, not meaning, and is
there for what word overlap and language models get wrong: seventy for seven, may for shall, the wrong party.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.domain.draft import Claim
from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import Check, Submission
from footnotary.text.references import references
from footnotary.verify.comparators import comparators_disagree
from footnotary.verify.connectives import connectives_disagree
from footnotary.verify.dates import dates_disagree
from footnotary.verify.exceptions import exceptions_dropped
from footnotary.verify.figures import numbers_disagree
from footnotary.verify.hindi_clauses import hindi_modality_disagrees, hindi_roles_disagree
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


@dataclass(frozen=True, slots=True)
class Guard:
    """One guard: the reason it refuses with, what it holds, and the function that says what disagrees."""

    reason: Reason
    holds: str
    objection: Callable[[str, Cited], str | None]


GUARDS: dict[str, Guard] = {
    "numbers_are_supported": Guard(
        Reason.NUMBER_UNSUPPORTED,
        "Every figure of a claim, with its unit, is in what it cites.",
        lambda claim, c: numbers_disagree(claim, c.premise.text),
    ),
    "dates_are_supported": Guard(
        Reason.DATE_UNSUPPORTED,
        "Every date of a claim is in what it cites, or in the name of the act.",
        lambda claim, c: dates_disagree(claim, " ".join((c.whole, *c.names))),
    ),
    "sections_are_supported": Guard(
        Reason.SECTION_UNSUPPORTED,
        "Every provision a claim names is the cited one or is named there.",
        lambda claim, c: sections_disagree(claim, c.whole, c.sections),
    ),
    "negation_agrees": Guard(
        Reason.NEGATION_MISMATCH,
        "A claim does not deny what its source asserts, nor the other way round.",
        lambda claim, c: negation_disagrees(claim, c.premise.text),
    ),
    "modality_agrees": Guard(
        Reason.MODALITY_MISMATCH,
        "May stays may, shall stays shall.",
        lambda claim, c: modality_disagrees(claim, c.premise.text) or hindi_modality_disagrees(claim, c.premise.text),
    ),
    "quantifiers_agree": Guard(
        Reason.QUANTIFIER_MISMATCH,
        "All, some, any, no and only stay what they are.",
        lambda claim, c: quantifiers_disagree(claim, c.premise.text),
    ),
    "comparators_agree": Guard(
        Reason.COMPARATOR_MISMATCH,
        "At most stays at most; a limit does not become the figure itself.",
        lambda claim, c: comparators_disagree(claim, c.premise.text),
    ),
    "connectives_agree": Guard(
        Reason.CONNECTIVE_MISMATCH,
        "And does not become or, nor or and.",
        lambda claim, c: connectives_disagree(claim, c.premise.text),
    ),
    "exceptions_are_kept": Guard(
        Reason.EXCEPTION_DROPPED,
        "A rule is not stated without the exception or condition its source attaches to it.",
        lambda claim, c: exceptions_dropped(claim, c.premise.text),
    ),
    "names_are_supported": Guard(
        Reason.NAME_UNSUPPORTED,
        "Every party, body or law a claim names is in what it cites.",
        lambda claim, c: names_disagree(claim, c.whole, c.names),
    ),
    "roles_agree": Guard(
        Reason.ROLE_SWAPPED,
        "Who does what to whom is as in the source.",
        lambda claim, c: roles_disagree(claim, c.premise.text) or hindi_roles_disagree(claim, c.premise.text),
    ),
    "terms_are_not_substituted": Guard(
        Reason.TERM_SUBSTITUTED,
        "A key word is not replaced by another or by its opposite.",
        lambda claim, c: terms_substituted(claim, c.premise.text),
    ),
    "quotations_are_verbatim": Guard(
        Reason.QUOTATION_ALTERED,
        "What stands in quotation marks stands so in the source.",
        lambda claim, c: quotations_altered(claim, c.whole),
    ),
}


def disagreements(claim: str, cited: Cited) -> tuple[tuple[str, Reason, str], ...]:
    """Every guard that objects, in the order of reporting: (check, reason, what disagrees)."""
    return tuple((name, GUARDS[name].reason, found) for name, found in _objections(claim, cited, GUARDS))


def guard_check(name: str) -> Check:
    """The guard of that name as a check over all claims of a draft."""

    def check(s: Submission) -> Verdict:
        if name not in (first := _first_objections(s)):
            return Verdict.passed(name)
        claim, found = first[name]
        return Verdict.failed(name, GUARDS[name].reason, found, (claim,))

    return check


@lru_cache(maxsize=8)
def _first_objections(s: Submission) -> dict[str, tuple[int, str]]:
    """For each guard that objects to a claim of a draft, the first such claim and what disagrees.

    All guards look at one claim before the next, so that what they read of it and of its source is read once.
    """
    first: dict[str, tuple[int, str]] = {}
    for claim, i in _places(s.draft.claims).items():
        chunks = [chunk for c in claim.cites if (chunk := s.evidence.chunk(c)) is not None]
        if not chunks:
            continue  # an uncited or unknown citation fails its own check
        asked = [name for name in GUARDS if name not in first]
        first |= {name: (i, found) for name, found in _objections(claim.text, cited_of(claim.text, chunks), asked)}
    return first


def _places(claims: Sequence[Claim]) -> dict[Claim, int]:
    """Each different claim, in order, and where it stands first."""
    places: dict[Claim, int] = {}
    for i, claim in enumerate(claims):
        places.setdefault(claim, i)
    return places


def _objections(claim: str, cited: Cited, guards: Iterable[str]) -> Iterator[tuple[str, str]]:
    if cited.premise.verbatim:
        return
    for name in guards:
        found = GUARDS[name].objection(claim, cited)
        if found is not None:
            yield name, found


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
