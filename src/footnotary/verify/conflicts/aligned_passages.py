"""Passages aligned with each other, sentence by sentence: what is alike, and what contradicts."""

from collections.abc import Iterable
from functools import cache, cached_property

from footnotary.domain.conflict import Conflict
from footnotary.domain.evidence import Hit
from footnotary.domain.query import Query
from footnotary.text.normalise import squeeze
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import terms_of
from footnotary.verify.conflicts.contradicting_values import (
    Disagreement,
    StatedRule,
    disagreement,
    rule_in,
    topic_neutral_terms,
    topic_terms,
)
from footnotary.verify.meaning.word_overlap import heading_text

# What stands in these lays down no rule.
_NO_RULES = frozenset({"exercise", "example"})
# Below it two sentences are not read any closer.
_LEAST_SIMILARITY = 0.75
_LEAST_ABOUT = 2
# Ten passages of fifty sentences each, each compared with every other, are fewer: what goes beyond is made to hold
# up a server.
_MOST_COMPARISONS = 250_000
_MOST_READ_CHARS = 150_000

Contradiction = tuple[StatedRule, Disagreement, StatedRule]


class ComparisonLimitError(Exception):
    """There is more to compare than any answer needs."""


class ComparablePassage:
    """A hit, and what is read of it for comparing, each part once and only when it is asked for."""

    def __init__(self, hit: Hit, query: Query) -> None:
        self.hit = hit
        self._query = query

    @cached_property
    def gist(self) -> frozenset[str]:
        return topic_terms(self.hit.chunk.text)

    @cached_property
    def sentences(self) -> tuple[tuple[str, frozenset[str]], ...]:
        text = self.hit.chunk.text
        return tuple((each, topic_terms(each)) for each in dict.fromkeys(s.of(text) for s in sentence_spans(text)))

    @cached_property
    def title(self) -> frozenset[str]:
        chunk = self.hit.chunk
        return topic_terms(chunk.labels.title or (chunk.section[-1] if chunk.section else ""))

    @cached_property
    def keys_held(self) -> frozenset[str]:
        """What the question asks about, as far as the passage has it."""
        held = terms_of(self.hit.chunk.text) | terms_of(heading_text(self.hit.chunk))
        return frozenset(key.term for facet in self._query.facets for key in facet.subject if key.stands_in(held))


class AlignedSources:
    """The passages found for one question, compared: each sentence is read once, and each pair aligned once.

    Raises `ComparisonLimitError` where the claims would need more reading or comparing than any answer does.
    """

    def __init__(self, query: Query, hits: Iterable[Hit]) -> None:
        self.passages = {hit.chunk.id: ComparablePassage(hit, query) for hit in hits}
        self._asked = {key.term for facet in query.facets for key in facet.subject} - topic_neutral_terms()
        self._comparisons = 0
        self._read_chars = 0
        self._rule = cache(self._read)
        self._contradicting = cache(self._compare)
        self._comparable = cache(_are_comparable)

    def count(self, comparisons: int) -> None:
        self._comparisons += comparisons
        if self._comparisons > _MOST_COMPARISONS:
            raise ComparisonLimitError(f"more than {_MOST_COMPARISONS} comparisons")

    def contradiction(
        self, sentence: str, passage: ComparablePassage, other: ComparablePassage
    ) -> Contradiction | None:
        """What a sentence of one passage lays down, the point of disagreement, and what the other passage lays down."""
        self.count(1)
        if passage is other or not self._comparable(passage, other):
            return None
        return self._contradicting(sentence, other)

    def _read(self, sentence: str) -> StatedRule | None:
        """The rule of a sentence that says what it is about; one noun is enough where the question has no other."""
        self._read_chars += len(sentence)
        if self._read_chars > _MOST_READ_CHARS:
            raise ComparisonLimitError(f"more than {_MOST_READ_CHARS} characters of sentences alike")
        rule = rule_in(sentence)
        if rule is None or len(rule.about) >= _LEAST_ABOUT:
            return rule
        return rule if rule.about and self._asked and self._asked <= rule.about else None

    def _compare(self, sentence: str, other: ComparablePassage) -> Contradiction | None:
        """The first rule of a passage that lays down the same otherwise; None if one of its rules agrees."""
        rules = [self._rule(each) for each in self._alike(sentence, other)]
        if not rules or (rule := self._rule(sentence)) is None:
            return None
        same = [theirs for theirs in rules if theirs is not None and theirs.about == rule.about]
        found = [(rule, differing, theirs) for theirs in same if (differing := disagreement(rule, theirs))]
        return found[0] if found and len(found) == len(same) else None

    def _alike(self, sentence: str, other: ComparablePassage) -> list[str]:
        """The sentences of a passage that share enough words with this one to be read closer."""
        ours = topic_terms(sentence)
        if not ours or len(ours & other.gist) < _LEAST_SIMILARITY * len(ours):
            return []
        self.count(len(other.sentences))
        return [
            each for each, theirs in other.sentences if len(ours & theirs) >= _LEAST_SIMILARITY * len(ours | theirs)
        ]


def conflict_between(one: Hit, other: Hit, contradiction: Contradiction) -> Conflict:
    """A contradiction as a conflict, with the value that each passage gives as it is written there."""
    rule, found, theirs = contradiction
    if found.one is None or found.other is None:
        values = ("no", "yes") if rule.denies else ("yes", "no")
    else:
        values = (squeeze(found.one.span.of(rule.text)), squeeze(found.other.span.of(theirs.text)))
    return Conflict(values[0], one.chunk.id, rule.text, values[1], other.chunk.id, theirs.text)


def _are_comparable(one: ComparablePassage, other: ComparablePassage) -> bool:
    """Whether two passages can be in conflict: of one standing, and no less to the question than the first."""
    if not have_one_standing(one.hit, other.hit):
        return False
    # Each may stand under a title that names something of which the other passage says nothing.
    titles_differ = one.title - other.title - other.gist and other.title - one.title - one.gist
    return not titles_differ and one.keys_held <= other.keys_held


def have_one_standing(ours: Hit, theirs: Hit) -> bool:
    """Whether what two passages say counts alike: of two versions only the one in force does, and no exercise.

    A provision that the question names is not measured by one that it does not.
    """
    if {ours.chunk.kind, theirs.chunk.kind} & _NO_RULES or ours.is_in_force != theirs.is_in_force:
        return False
    if ours.via == "reference" and theirs.via != "reference":
        return False
    return not (_supersedes(ours, theirs) or _supersedes(theirs, ours))


def _supersedes(one: Hit, other: Hit) -> bool:
    named = one.standing.validity.supersedes if one.standing else ()
    later = other.standing.superseded_by if other.standing else ()
    return other.chunk.document_id in named or one.chunk.document_id in later
