"""The passages of one submission laid beside each other, sentence by sentence: what is alike, and what contradicts."""

from collections.abc import Iterable
from functools import cached_property

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Hit
from footnotary.domain.query import Query
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
NO_RULES = frozenset({"exercise", "example"})
# Below it two sentences are not read any closer.
_LIKENESS = 0.75
_LEAST_ABOUT = 2
# Ten passages of fifty sentences each, every one laid beside every other, are fewer than the second: what goes beyond
# is made to hold up a server.
_MOST_BESIDE_CLAIM = 25_000
_MOST_BESIDE = 250_000
_MOST_READ_CHARS = 150_000


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
        return tuple(
            (each, topic_terms(each)) for each in dict.fromkeys(span.of(text) for span in sentence_spans(text))
        )

    @cached_property
    def title(self) -> frozenset[str]:
        return _title(self.hit.chunk)

    @cached_property
    def keys_held(self) -> frozenset[str]:
        return _keys_held(self.hit.chunk, self._query)


class AlignedSources:
    """The passages of one submission, compared: each sentence is read once, and each pair laid beside once.

    Raises `TooMuchError` where a claim or all of them would need more reading or comparing than any answer does.
    """

    def __init__(self, passages: tuple[ComparablePassage, ...], query: Query) -> None:
        self.passages = passages
        self._query = query
        self._beside = 0
        self._beside_claim = 0
        self._read_chars = 0
        self._rules: dict[str, StatedRule | None] = {}
        self._gists: dict[str, frozenset[str]] = {}
        self._alike: dict[tuple[str, str], tuple[str, ...]] = {}
        self._contradicting: dict[tuple[str, str], tuple[Disagreement, StatedRule] | None] = {}
        self._comparable: dict[tuple[str, str], bool] = {}

    def begin_claim(self) -> None:
        self._beside_claim = 0

    def rule(self, sentence: str) -> StatedRule | None:
        if sentence not in self._rules:
            self._read_chars += len(sentence)
            if self._read_chars > _MOST_READ_CHARS:
                raise ComparisonLimitError(f"more than {_MOST_READ_CHARS} characters of sentences alike")
            self._rules[sentence] = rule_in(sentence)
        return self._rules[sentence]

    def says_enough(self, sentence: str) -> bool:
        rule = self.rule(sentence)
        return rule is not None and _is_self_contained(rule, self._query)

    def alike(self, sentence: str, other: ComparablePassage) -> tuple[str, ...]:
        """The sentences of a passage that share enough words with this one to be read closer."""
        self.count(1)
        pair = (sentence, other.hit.chunk.id)
        if pair not in self._alike:
            ours = self._gist(sentence)
            if not ours or len(ours & other.gist) < _LIKENESS * len(ours):
                self._alike[pair] = ()
            else:
                self.count(len(other.sentences))
                self._alike[pair] = tuple(
                    each for each, theirs in other.sentences if len(ours & theirs) >= _LIKENESS * len(ours | theirs)
                )
        return self._alike[pair]

    def contradicting(self, sentence: str, other: ComparablePassage) -> tuple[Disagreement, StatedRule] | None:
        """The first of the sentences alike that lays down the same rule otherwise; None if one of them agrees."""
        pair = (sentence, other.hit.chunk.id)
        if pair not in self._contradicting:
            rule = self.rule(sentence)
            others = (self.rule(each) for each in self.alike(sentence, other))
            self._contradicting[pair] = rule and _contradicting(rule, others)
        return self._contradicting[pair]

    def comparable(self, one: ComparablePassage, other: ComparablePassage) -> bool:
        pair = (one.hit.chunk.id, other.hit.chunk.id)
        if pair not in self._comparable:
            self._comparable[pair] = _comparable(one, other)
        return self._comparable[pair]

    def _gist(self, sentence: str) -> frozenset[str]:
        if sentence not in self._gists:
            self._gists[sentence] = topic_terms(sentence)
        return self._gists[sentence]

    def count(self, sentences: int) -> None:
        self._beside += sentences
        self._beside_claim += sentences
        if self._beside_claim > _MOST_BESIDE_CLAIM:
            raise ComparisonLimitError(f"more than {_MOST_BESIDE_CLAIM} comparisons for one claim")
        if self._beside > _MOST_BESIDE:
            raise ComparisonLimitError(f"more than {_MOST_BESIDE} comparisons")


def _contradicting(rule: StatedRule, others: Iterable[StatedRule | None]) -> tuple[Disagreement, StatedRule] | None:
    """The first of a passage's rules that says the same otherwise; None if one of them agrees with it."""
    first: tuple[Disagreement, StatedRule] | None = None
    for other in others:
        if other is None or other.about != rule.about:
            continue
        differing = disagreement(rule, other)
        if differing is None:
            return None
        first = first or (differing, other)
    return first


def _comparable(one: ComparablePassage, other: ComparablePassage) -> bool:
    """Whether two passages can be in conflict: both of one standing, and no less to the question than the first.

    Of two versions the one in force counts, and a provision that the question names is not measured by one that it
    does not.
    """
    ours, theirs = one.hit, other.hit
    if theirs.chunk.kind in NO_RULES or ours.is_in_force != theirs.is_in_force:
        return False
    if ours.via == "reference" and theirs.via != "reference":
        return False
    if _supersedes(ours, theirs) or _supersedes(theirs, ours) or _titles_differ(one, other):
        return False
    return one.keys_held <= other.keys_held


def _supersedes(one: Hit, other: Hit) -> bool:
    named = one.standing.validity.supersedes if one.standing else ()
    later = other.standing.superseded_by if other.standing else ()
    return other.chunk.document_id in named or one.chunk.document_id in later


def _titles_differ(one: ComparablePassage, other: ComparablePassage) -> bool:
    """Whether each stands under a title that names something of which the other passage says nothing."""
    return bool(one.title - other.title - other.gist) and bool(other.title - one.title - one.gist)


def _title(chunk: Chunk) -> frozenset[str]:
    return topic_terms(chunk.labels.title or (chunk.section[-1] if chunk.section else ""))


def _keys_held(chunk: Chunk, query: Query) -> frozenset[str]:
    held = terms_of(chunk.text) | terms_of(heading_text(chunk))
    return frozenset(key.term for facet in query.facets for key in facet.subject if key.stands_in(held))


def _is_self_contained(rule: StatedRule, query: Query) -> bool:
    """Whether a sentence says by itself what it is about; one noun is enough where the question has no other."""
    if len(rule.about) >= _LEAST_ABOUT:
        return True
    asked = {key.term for facet in query.facets for key in facet.subject} - topic_neutral_terms()
    return bool(rule.about) and bool(asked) and asked <= rule.about
