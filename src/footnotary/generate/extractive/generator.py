"""The default generator: verbatim sentences, selected, ordered and cited. No language model, no key, no network."""

from collections.abc import Sequence
from itertools import chain, zip_longest

from footnotary.domain.draft import Claim, Draft
from footnotary.domain.evidence import Evidence
from footnotary.domain.query import Facet, Query
from footnotary.generate.extractive.candidates import CandidateSentence
from footnotary.generate.extractive.excerpts import Excerpt, excerpts_of, with_best_rows
from footnotary.generate.extractive.hit_splitting import candidate_sentences
from footnotary.generate.extractive.lexical_choice import is_lookup, select_sentences
from footnotary.generate.extractive.reader_choice import (
    answering,
    are_distinguished,
    choose_sentences,
    choose_sides,
    is_certain,
    read_sentences,
)
from footnotary.generate.extractive.refinement import refine
from footnotary.generate.extractive.whole_lists import with_whole_lists
from footnotary.ports import Reader
from footnotary.profiles.schema import Profile
from footnotary.reader.by_language import reader_knowing
from footnotary.text.language import language_of
from footnotary.text.question_forms import compared_sides


class ExtractiveGenerator:
    """Answers with whole sentences of the sources, so that every claim is its own quote.

    With a reader that has learned the language, the sentences are those it reads as the answer, each with what makes it
    readable alone. Without one they are chosen by their words. The text of a provision that a question names is given
    verbatim, independent of the reader.
    """

    name = "extractive"

    def __init__(self, profile: Profile, reader: Reader | None = None) -> None:
        self._intents = profile.intents
        self._max_claims = profile.generation.max_claims
        self._addressed_from = profile.verification.addressed_from
        self._reader = reader

    def generate(self, query: Query, evidence: Evidence) -> Draft:
        """At most the profile's number of claims, best source first, in reading order within a source.

        A list or definition that runs over passages counts as one claim, although each passage has its own.
        If a question has several parts, each gets a claim before any gets a second one. The other side of a conflict is
        added to the draft later, and only where a claim takes one side.
        """
        evidence = evidence.without_other_sides()
        passages = [passage for hit in evidence.hits for passage in candidate_sentences(hit)]
        parts = [self._part(query, facet, passages) for facet in query.facets]
        in_turn = [each for each in chain.from_iterable(zip_longest(*parts)) if each is not None]
        kept: list[Excerpt] = []
        count = 0
        for excerpt in in_turn:
            is_rest = any(excerpt.goes_on_from(other) for other in kept)
            if (is_rest or count < self._max_claims) and not any(excerpt.is_within(other) for other in kept):
                kept.append(excerpt)
                count += not is_rest
        claims = tuple(
            Claim(excerpt.text, (excerpt.hit.chunk.id,))
            for excerpt in dict.fromkeys(chain.from_iterable(parts))
            if excerpt in kept
        )
        return Draft(claims, self.name, raw="\n".join(claim.text for claim in claims), extractive=True)

    def _part(self, query: Query, facet: Facet, passages: Sequence[CandidateSentence]) -> Sequence[Excerpt]:
        """The excerpts that answer one part of a question."""
        reader = reader_knowing(self._reader, query.language)
        if reader is None or is_lookup(facet, passages):
            return excerpts_of(select_sentences(facet, passages, self._intents), passages, facet)
        passages = [passage for passage in passages if language_of(passage.hit.chunk.text) in reader.languages]
        whole = query.asks if len(query.facets) == 1 else facet.text
        read = read_sentences(whole, facet, passages, reader)
        ranked, most = answering(read, whole), -(-self._max_claims // len(query.facets))
        chosen: Sequence[CandidateSentence] = choose_sentences(ranked, most)
        if not are_distinguished(ranked, most):
            chosen = select_sentences(facet, [each.candidate for each in ranked], self._intents) or chosen
        if (sides := compared_sides(whole)) is not None:
            reads = [(side, [*read, *read_sentences(f"What is {side}?", facet, passages, reader)]) for side in sides]
            chosen = choose_sides(chosen, reads)

        def extract(sentences: Sequence[CandidateSentence], *, whole_lists: bool = False) -> list[Excerpt]:
            best = with_best_rows(sentences, passages, facet)
            best = with_whole_lists(best, passages, whole, is_certain=is_certain(ranked))
            return excerpts_of(best, passages, facet, whole_lists=whole_lists)

        threshold = self._addressed_from(query.language)
        if threshold <= 0:
            return extract(chosen)
        return refine(whole, chosen, [each.candidate for each in ranked], extract, reader, threshold)
