"""Word overlap: the seeds' screens. They catch the unrelated, and are no verdict on meaning."""

from collections.abc import Sequence
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import Check, Submission
from footnotary.text.instructions import instruction_spans
from footnotary.text.tokens import terms_of
from footnotary.verify.reading import read


def heading_of(chunk: Chunk) -> str:
    """What the passage is known by, beside its own words: act, section, title and headings above it.

    A heading that gives an order names nothing, and is left out.
    """
    return " ".join(heading for heading in headings_of(chunk) if not _orders(heading))


def headings_of(chunk: Chunk) -> tuple[str, ...]:
    """Each heading by itself, orders too."""
    labels = chunk.labels
    named = (labels.act, labels.code, labels.section and f"section {labels.section}", labels.title, labels.court)
    return (*(part for part in named if part), *chunk.section)


@lru_cache(maxsize=1024)
def _orders(heading: str) -> bool:
    return bool(instruction_spans(heading))


def overlap(claim: str, texts: Sequence[str]) -> float:
    """The share of a claim's content words that stand in the texts, words that mean the same counted as one."""
    said = _keys(claim)
    held = frozenset[str]().union(*(_keys(text) for text in texts))
    return len(said & held) / len(said) if said else 0.0


def shared(claim: str, chunk: Chunk) -> float:
    """The share of a claim's content words that stand in a chunk or its headings."""
    return overlap(claim, (chunk.text, heading_of(chunk)))


@lru_cache(maxsize=1024)
def _keys(text: str) -> frozenset[str]:
    # Figures count as words here; whether they are the right ones is a guard's business.
    return read(text).keys | frozenset(term for term in terms_of(text) if term[0].isdigit())


def words_overlap(one_source: float, several_sources: float) -> Check:
    """Every claim shares enough content words with what it cites; with several sources together less is asked."""

    def check(s: Submission) -> Verdict:
        lowest = 1.0
        for i, claim in enumerate(s.draft.claims):
            chunks = [chunk for cited in claim.cites if (chunk := s.evidence.chunk(cited)) is not None]
            texts = [text for chunk in chunks for text in (chunk.text, heading_of(chunk))]
            share = overlap(claim.text, texts)
            needed = one_source if len(chunks) <= 1 else several_sources
            lowest = min(lowest, share)
            if share < needed:
                return Verdict.failed(
                    "words_overlap",
                    Reason.OVERLAP_LOW,
                    f"{share:.0%} of the words of {claim.text!r} are in its sources, {needed:.0%} asked",
                    (i,),
                )
        return Verdict.passed("words_overlap", f"lowest overlap {lowest:.0%}")

    return check


def answer_is_grounded(sentence_overlap: float, grounded_share: float) -> Check:
    """At least `grounded_share` of the claims share `sentence_overlap` of their words with one cited source."""

    def check(s: Submission) -> Verdict:
        claims = s.draft.claims
        grounded = 0
        for claim in claims:
            chunks = [chunk for cited in claim.cites if (chunk := s.evidence.chunk(cited)) is not None]
            grounded += any(shared(claim.text, chunk) >= sentence_overlap for chunk in chunks)
        score = grounded / len(claims) if claims else 0.0
        detail = f"grounding score {score:.0%}, {grounded_share:.0%} asked"
        if score < grounded_share:
            return Verdict.failed("answer_is_grounded", Reason.GROUNDING_LOW, detail)
        return Verdict.passed("answer_is_grounded", detail)

    return check
