"""Sources that disagree: what a claim rests on, against what the other passages found say of the same thing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice, product

from footnotary.domain.conflict import Conflict
from footnotary.domain.draft import Claim
from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import Check, Reader, Submission
from footnotary.profiles.schema import OnDisagreement
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import terms_of
from footnotary.verify.conflicts.aligned_passages import (
    AlignedSources,
    ComparablePassage,
    ComparisonLimitError,
    conflict_between,
)
from footnotary.verify.conflicts.contradicting_values import (
    Disagreement,
    StatedRule,
    Value,
    contains_value,
    rule_in,
    values_in,
)
from footnotary.verify.conflicts.read_contradictions import read_conflicts
from footnotary.verify.meaning.supporting_sentence import best_quote

_MOST_ADDED = 3
# Sentences of one quote; what a single claim rests on has never as many.
_MOST_COMPARED = 40
_MOST_CONFLICTS = 1_000
_MOST_STATED = 1_000
_NAME = "sources_agree"


@dataclass(frozen=True, slots=True)
class _FoundConflict:
    """`other` is None where it was read: then the other side is stated by any claim that cites it."""

    claim: int
    conflict: Conflict
    other: StatedRule | None
    value: Value | None


@dataclass(frozen=True, slots=True)
class _ConflictSearch:
    """The conflicts found; where the search was broken off, `excess` says what there was too much of, at `claim`."""

    found: tuple[_FoundConflict, ...]
    excess: str = ""
    claim: int = 0


def sources_agree(on_disagreement: OnDisagreement, reader: Reader | None = None) -> Check:
    """No retrieved source contradicts a claim, unless the profile allows both sides and both are stated.

    Sentences in the same words with other values are compared exactly; what answers the question otherwise in words of
    its own, a reader finds.
    """

    def check(s: Submission) -> Verdict:
        if on_disagreement == "ignore":
            return Verdict.passed(_NAME, "the profile ignores conflicts", compared=False)
        search = _search(s, reader)
        if search.excess:
            detail = f"{search.excess}, and no answer needs as many: not all sources were compared"
            return Verdict.failed(_NAME, Reason.LENGTH_IMPLAUSIBLE, detail, (search.claim,))
        found = search.found
        failing = found if on_disagreement == "refuse" else _one_sided(found, s.draft.claims)
        if failing:
            at = tuple(dict.fromkeys(f.claim for f in failing))
            return Verdict.failed(_NAME, Reason.CONFLICTING_SOURCES, str(failing[0].conflict), at)
        detail = "both sides of every conflict are stated" if found else ""
        return Verdict.passed(_NAME, detail, conflicts=len(found))

    return check


def conflicts_of(s: Submission, verdicts: Sequence[Verdict], reader: Reader | None = None) -> tuple[Conflict, ...]:
    """The conflicts between what the claims of a draft rest on and the other passages found, each pair once.

    Empty where `verdicts` say that nobody looked for any.
    """
    if not any(verdict.check == _NAME and verdict.values.get("compared", True) for verdict in verdicts):
        return ()
    once: dict[frozenset[tuple[str, str]], Conflict] = {}
    for found in _search(s, reader).found:
        c = found.conflict
        once.setdefault(frozenset({(c.id_a, c.quote_a), (c.id_b, c.quote_b)}), c)
    return tuple(once.values())


def with_both_sides(s: Submission, reader: Reader | None = None) -> Submission:
    """The submission with the other side of each conflict stated right behind the claim, in its source's own words.

    Only a draft made of its sources' sentences is added to; what a model wrote is left as it is, to be refused where
    it states one side only.
    """
    if not s.draft.extractive or (search := _search(s, reader)).excess:
        return s
    behind: dict[int, list[Claim]] = {}
    for found in _one_sided(search.found, s.draft.claims)[:_MOST_ADDED]:
        stated = Claim(found.conflict.quote_b, (found.conflict.id_b,))
        if not any(stated in claims for claims in behind.values()):
            behind.setdefault(found.claim, []).append(stated)
    if not behind:
        return s
    claims = tuple(each for n, claim in enumerate(s.draft.claims) for each in (claim, *behind.get(n, ())))
    return Submission(s.query, s.evidence, replace(s.draft, claims=claims))


@lru_cache(maxsize=8)
def _search(s: Submission, reader: Reader | None = None) -> _ConflictSearch:
    sources = AlignedSources(s.query, s.evidence.hits)
    places: dict[Claim, int] = {}
    for n, claim in enumerate(s.draft.claims):
        places.setdefault(claim, n)
    found: list[_FoundConflict] = []
    for claim, n in places.items():
        cited = [sources.passages[each] for each in dict.fromkeys(claim.cites) if each in sources.passages]
        try:
            for each in (conflict for passage in cited for conflict in _against(n, claim.text, passage, sources)):
                found.append(each)
                if len(found) > _MOST_CONFLICTS:
                    raise ComparisonLimitError(f"more than {_MOST_CONFLICTS} conflicts")
        except ComparisonLimitError as error:
            return _ConflictSearch(tuple(found), str(error), n)
    known = {(each.claim, each.conflict.id_b) for each in found}
    read = (each for each in read_conflicts(s, reader) if (each[0], each[1].id_b) not in known)
    found += (_FoundConflict(number, conflict, None, None) for number, conflict in read)
    return _ConflictSearch(tuple(found))


def _against(number: int, claim: str, passage: ComparablePassage, sources: AlignedSources) -> Iterator[_FoundConflict]:
    own = passage.hit.chunk
    quote = best_quote(claim, own.text)[0].of(own.text)
    sentences = tuple(dict.fromkeys(span.of(quote) for span in sentence_spans(quote)))
    if len(sentences) > _MOST_COMPARED:
        raise ComparisonLimitError(f"more than {_MOST_COMPARED} sentences quoted for one claim")
    for sentence, other in product(sentences, sources.passages.values()):
        differing = sources.contradiction(sentence, passage, other)
        if differing is None:
            continue
        rule, found, theirs = differing
        sources.count(len(values_in(claim)))
        if _is_about_it(claim, rule, found, theirs):
            conflict = conflict_between(passage.hit, other.hit, differing)
            yield _FoundConflict(number, conflict, theirs, found.other)


def _is_about_it(claim: str, rule: StatedRule, found: Disagreement, other: StatedRule) -> bool:
    """Whether the claim itself takes a side, rather than a sentence that is quoted with it."""
    if found.one is not None and found.other is not None:
        stated = values_in(claim)
        return contains_value(found.one, stated) or contains_value(found.other, stated)
    return rule.about | other.about <= terms_of(claim)


def _one_sided(found: Sequence[_FoundConflict], claims: Sequence[Claim]) -> list[_FoundConflict]:
    """The conflicts whose other side is stated by no claim that cites it.

    Of what the claims that cite a passage say no more than the first `_MOST_STATED` values and rules count: a side that
    is hidden among more than these is not stated.
    """

    @cache
    def stated(cited: str) -> tuple[tuple[Value, ...], tuple[StatedRule, ...]]:
        texts = [claim.text for claim in claims if cited in claim.cites]
        values = islice((value for text in texts for value in values_in(text)), _MOST_STATED)
        rules = islice((rule for text in texts for rule in _rules_in(text)), _MOST_STATED)
        return tuple(values), tuple(rules)

    def is_stated(each: _FoundConflict) -> bool:
        if each.other is None:
            return any(each.conflict.id_b in claim.cites for claim in claims)
        values, rules = stated(each.conflict.id_b)
        about, denies = each.other.about, each.other.denies
        if each.value is not None:
            return contains_value(each.value, values)
        return any(rule.denies == denies and about <= rule.about for rule in rules)

    return [each for each in found if not is_stated(each)]


def _rules_in(text: str) -> Iterator[StatedRule]:
    return (rule for span in sentence_spans(text) if (rule := rule_in(span.of(text))) is not None)
