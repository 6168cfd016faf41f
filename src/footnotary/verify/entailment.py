"""Meaning: a trained model judges each claim against the sentences it cites."""

from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import Check, Entailer, Submission
from footnotary.verify.guards import cited_of


def entailed(by: Entailer | None, threshold: float) -> Check:
    """Every claim is supported by what it cites with at least `threshold` probability.

    A verbatim claim needs no model. Without a model the check could not run, and that is not a pass.
    """

    def check(s: Submission) -> Verdict:
        if by is None:
            return Verdict.skipped("claims_are_entailed", Reason.CLAIM_UNSUPPORTED, "no entailment model is installed")
        asked: list[tuple[int, str, str]] = []
        for i, claim in enumerate(s.draft.claims):
            chunks = [chunk for c in claim.cites if (chunk := s.evidence.chunk(c)) is not None]
            premise = cited_of(claim.text, chunks).premise if chunks else None
            if premise is not None and not premise.verbatim:
                asked.append((i, premise.text, claim.text))
        scores = by.support([(premise, claim) for _, premise, claim in asked]) if asked else ()
        weak = [(i, score) for (i, _, _), score in zip(asked, scores, strict=True) if score < threshold]
        if weak:
            i, score = weak[0]
            return Verdict.failed(
                "claims_are_entailed",
                Reason.CLAIM_UNSUPPORTED,
                f"support {score:.2f} for {s.draft.claims[i].text!r}, {threshold:.2f} asked",
                tuple(i for i, _ in weak),
            )
        return Verdict.passed("claims_are_entailed", f"{len(asked)} claims judged by {by.name}")

    return check
