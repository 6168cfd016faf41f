"""Lexical-overlap thresholds as checks. They catch unrelated claims and do not decide about meaning."""

from collections.abc import Mapping

from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import Check, Submission, Verifier
from footnotary.verify.meaning.score_fusion import ClaimAssessment, assess_draft
from footnotary.verify.meaning.word_overlap import chunk_overlap, heading_text, overlap


def words_overlap(
    one_source: float,
    several_sources: float,
    by: Verifier | None = None,
    sure_from: float = 1.0,
    entailed_from: float = 1.0,
) -> Check:
    """Every claim shares enough content words with its cited passages; the threshold is lower for several sources.

    A paraphrase shares few words: a model whose probability is at least `sure_from` overrides the threshold, and so
    does a score of at least `entailed_from` in which the overlap already counts.
    """

    def check(s: Submission) -> Verdict:
        lowest = 1.0
        assessed: Mapping[int, ClaimAssessment] = assess_draft(s, by, sure_from) if by is not None else {}
        for i, claim in enumerate(s.draft.claims):
            chunks = s.evidence.cited(claim.cites)
            texts = [text for chunk in chunks for text in (chunk.text, heading_text(chunk))]
            share = overlap(claim.text, texts)
            needed = one_source if len(chunks) <= 1 else several_sources
            if i in assessed and assessed[i].outweighs_overlap(sure_from, entailed_from):
                continue
            lowest = min(lowest, share)
            if share < needed:
                detail = f"too few words of {claim.text!r} are in its sources"
                return Verdict.failed(
                    "words_overlap", Reason.OVERLAP_LOW, detail, (i,), overlap=share, threshold=needed
                )
        return Verdict.passed("words_overlap", lowest_overlap=lowest)

    return check


def answer_is_grounded(sentence_overlap: float, grounded_share: float) -> Check:
    """At least `grounded_share` of the claims share `sentence_overlap` of their words with one cited source."""

    def check(s: Submission) -> Verdict:
        claims = s.draft.claims
        grounded = sum(
            any(chunk_overlap(claim.text, chunk) >= sentence_overlap for chunk in s.evidence.cited(claim.cites))
            for claim in claims
        )
        score = grounded / len(claims) if claims else 0.0
        if score < grounded_share:
            detail = "too few claims share their words with a source that they cite"
            return Verdict.failed(
                "answer_is_grounded", Reason.GROUNDING_LOW, detail, grounded_share=score, threshold=grounded_share
            )
        return Verdict.passed("answer_is_grounded", grounded_share=score, threshold=grounded_share)

    return check
