"""Meaning: what the trained model and the guards say together of each claim and what it cites, as checks."""

from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import Check, Entailer, Submission
from footnotary.verify.guards import GUARDS
from footnotary.verify.judgement import MOST_JUDGED, draft_judgements, too_many


def entailed(by: Entailer | None, threshold: float) -> Check:
    """Every claim scores at least `threshold` against all that it cites together.

    A verbatim claim needs no model. Without a model, words and guards alone decide, and the verdict says so.
    """

    def check(s: Submission) -> Verdict:
        if by is not None and too_many(s):
            detail = f"more than {MOST_JUDGED} claims in words of their own"
            return Verdict.failed("claims_are_entailed", Reason.CLAIM_UNSUPPORTED, detail)
        judged = draft_judgements(s, by)
        weak = [i for i, found in judged.items() if found.score < threshold]
        if weak:
            said, found = s.draft.claims[weak[0]].text, judged[weak[0]]
            detail = f"support {found.score:.2f} for {said!r} by {found.decisive!r}, {threshold:.2f} asked"
            return Verdict.failed("claims_are_entailed", Reason.CLAIM_UNSUPPORTED, detail, tuple(weak))
        lowest = min((found.score for found in judged.values()), default=1.0)
        return Verdict.passed(
            "claims_are_entailed", f"lowest support {lowest:.2f}, judged by {by.name if by else 'words'}"
        )

    return check


def guard_check(name: str, by: Entailer | None, overruled_from: float) -> Check:
    """The guard of that name over all claims of a draft.

    Where the model gives the claim at least `overruled_from`, the objection gives way; what a guard says of figures,
    dates, names, roles, sections and quotations is final.
    """

    def check(s: Submission) -> Verdict:
        for i, found in draft_judgements(s, by).items():
            objection = next((detail for guard, _, detail in found.objections if guard == name), None)
            if objection is not None and not found.overrules(name, overruled_from):
                return Verdict.failed(name, GUARDS[name].reason, objection, (i,))
        return Verdict.passed(name)

    return check
