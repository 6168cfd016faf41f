"""The citations of a verified draft: for each claim and source a verbatim quote, and its place in the original."""

from collections.abc import Callable, Sequence

from footnotary.domain.chunk import Chunk, FlagKind
from footnotary.domain.identity import Span
from footnotary.domain.outcome import Citation, join_claims
from footnotary.ports import Check, Submission
from footnotary.verify.meaning.supporting_sentence import best_quote
from footnotary.verify.redundant_citations import redundant_citations


def build_citations(
    submission: Submission, checks: Sequence[tuple[str, Check]], source_lookup: Callable[[str], tuple[str, str]]
) -> tuple[Citation, ...]:
    """For each claim and source the supporting sentences, and their place in the original.

    `source_lookup` returns the hash and the path of a document's original file.
    """
    hits = {hit.chunk.id: hit for hit in submission.evidence.hits}
    redundant = redundant_citations(submission, checks)
    citations: list[Citation] = []
    _, places = join_claims([claim.text for claim in submission.draft.claims])
    for number, claim in enumerate(submission.draft.claims):
        for cited in claim.cites:
            hit = hits[cited]
            span, support = best_quote(claim.text, hit.chunk.text)
            quote = span.of(hit.chunk.text)
            sha256, path = source_lookup(hit.chunk.document_id)
            citations.append(
                Citation(
                    id=cited,
                    claim=number,
                    quote=quote,
                    chunk_span=span,
                    source_span=hit.chunk.located(span),
                    answer_span=places[number],
                    page=hit.chunk.page,
                    document_id=hit.chunk.document_id,
                    document_sha256=sha256,
                    path=path,
                    confidence=round(hit.score * support, 4),
                    labels=hit.chunk.labels,
                    standing=hit.standing,
                    decorative=(number, cited) in redundant,
                    marks=_marks(hit.chunk, span),
                )
            )
    return tuple(citations)


def _marks(chunk: Chunk, quote: Span) -> tuple[FlagKind, ...]:
    found = [flag for flag in chunk.flags or () if flag.span.overlaps(quote)]
    return tuple(dict.fromkeys(flag.kind for flag in found))
