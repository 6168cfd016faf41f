"""Checks of meaning: the score of the trained model, and the findings of exact checks, for each claim."""

from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import Check, Submission, Verifier
from footnotary.verify.claim_checks import CONSISTENCY_CHECKS
from footnotary.verify.meaning.score_fusion import MAX_MODEL_CLAIMS, assess_draft, exceeds_model_limit


def entailment_check(by: Verifier | None, threshold: float, sure_from: float = 1.0) -> Check:
    """Every claim scores at least `threshold` against all its cited passages together.

    A verbatim claim needs no model. Without a model, words alone decide, and the verdict says so.
    """
    verifier = by.name if by else "lexical"

    def check(s: Submission) -> Verdict:
        if by is not None and exceeds_model_limit(s):
            detail = "the draft has more reworded claims than the verifier reads"
            return Verdict.failed("claims_are_entailed", Reason.CLAIM_UNSUPPORTED, detail, limit=MAX_MODEL_CLAIMS)
        assessed = assess_draft(s, by, sure_from)
        weak = [i for i, found in assessed.items() if found.score < threshold]
        if weak:
            said, found = s.draft.claims[weak[0]].text, assessed[weak[0]]
            return Verdict.failed(
                "claims_are_entailed", Reason.CLAIM_UNSUPPORTED, f"{said!r} is not supported by {found.decisive!r}",
                tuple(weak), support=found.score, threshold=threshold, verifier=verifier,
            )  # fmt: skip
        lowest = min((found.score for found in assessed.values()), default=1.0)
        return Verdict.passed("claims_are_entailed", lowest_support=lowest, threshold=threshold, verifier=verifier)

    return check


def consistency_check(name: str, by: Verifier | None, sure_from: float) -> Check:
    """The check of that name over all claims of a draft; from the probability `sure_from` on the model is sure."""

    def check(s: Submission) -> Verdict:
        for i, found in assess_draft(s, by, sure_from).items():
            mismatch = next((one for check, _, one in found.findings if check == name), None)
            if mismatch is not None:
                reason = CONSISTENCY_CHECKS[name].reason
                return Verdict.failed(name, reason, mismatch.detail, (i,), **mismatch.values)
        return Verdict.passed(name)

    return check
