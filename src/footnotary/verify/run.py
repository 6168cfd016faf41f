"""Runs the checks a profile names, all of them, and says whether a draft may be delivered."""

from collections.abc import Mapping, Sequence
from functools import partial

from footnotary.deprecated import FORMER_CHECKS
from footnotary.domain.verdict import Reason, Verdict
from footnotary.errors import BackendError, ProfileError
from footnotary.ports import Check, InjectionClassifier, Reader, Submission, Verifier
from footnotary.profiles.schema import Profile
from footnotary.verify.claim_checks import CONSISTENCY_CHECKS
from footnotary.verify.conflicts.agreement import sources_agree
from footnotary.verify.corroboration import CORROBORATED, claims_are_corroborated
from footnotary.verify.form import citations, leakage, uncited_sources
from footnotary.verify.meaning import overlap_thresholds
from footnotary.verify.meaning.entailment import consistency_check, entailment_check
from footnotary.verify.question.addresses_question import answer_addresses_question

# Each takes two milliseconds: a draft longer than any answer must not block a server.
MAX_CLAIMS = 1000


def checks_for(
    profile: Profile,
    verifier: Verifier | None = None,
    injection: InjectionClassifier | None = None,
    reader: Reader | None = None,
) -> tuple[tuple[str, Check], ...]:
    """The checks the profile names, in its order; an unknown name is an error, a former one does nothing.

    Without `verifier` words and exact checks decide on claims, without `injection` a linear model finds injected
    instructions, without `reader` exact rules alone compare the answer with the question.
    """
    known = _check_registry(profile, verifier, injection, reader)
    unknown = [name for name in profile.verification.checks if name not in known]
    if unknown:
        raise ProfileError(f"profile {profile.name!r}: unknown checks {unknown}", hint=f"choose from {sorted(known)}")
    named = tuple((name, known[name]) for name in profile.verification.checks)
    if profile.trust.corroboration == 1:
        return named
    return (*named, (CORROBORATED, claims_are_corroborated(profile.trust.corroboration)))


def _check_registry(
    profile: Profile, verifier: Verifier | None, injection: InjectionClassifier | None, reader: Reader | None
) -> Mapping[str, Check]:
    v, languages = profile.verification, profile.languages
    is_injection, refusals = injection.is_injection if injection else None, (profile.refusal.en, profile.refusal.hi)
    return {
        # They pass, so that replaying a recorded profile gives all its verdicts.
        **{name: partial(_passes, name) for name in FORMER_CHECKS},
        "answer_has_claims": citations.answer_has_claims,
        "markers_are_well_formed": citations.markers_are_well_formed,
        "citations_resolve": citations.citations_resolve,
        "claims_are_cited": citations.claims_are_cited,
        "sources_used_are_cited": uncited_sources.sources_used_are_cited,
        "citations_support_their_claims": citations.citations_support_their_claims(is_injection),
        **{name: consistency_check(name, verifier, v.override_threshold) for name in CONSISTENCY_CHECKS},
        "sources_agree": sources_agree(profile.conflicts.on_disagreement, reader),
        "words_overlap": overlap_thresholds.words_overlap(
            v.overlap_one_source, v.overlap_several_sources, verifier, v.override_threshold, v.entailment_threshold
        ),
        "answer_is_grounded": overlap_thresholds.answer_is_grounded(v.sentence_overlap, v.grounded_share),
        "no_outside_knowledge": leakage.no_outside_knowledge(v.outside_knowledge),
        "length_is_plausible": leakage.length_is_plausible(v.max_length_ratio),
        "citations_are_dense": citations.citations_are_dense(v.min_citations_per_paragraph),
        "language_matches": leakage.language_matches(languages.answer_in_question_language, languages.cross_language),
        "prompt_is_not_leaked": leakage.prompt_is_not_leaked,
        "answer_addresses_question": answer_addresses_question(reader, v.addressed_from, refusals),
        "claims_are_entailed": entailment_check(verifier, v.entailment_threshold, v.override_threshold),
    }


def _passes(name: str, _: Submission) -> Verdict:
    return Verdict.passed(name)


def verify(submission: Submission, checks: Sequence[tuple[str, Check]]) -> tuple[Verdict, ...]:
    """Every check's verdict, in order. A check whose backend fails is a skip, never a pass.

    A draft of more than `MAX_CLAIMS` different claims is refused unread: no answer has as many.
    """
    claims = len(set(submission.draft.claims))
    if claims > MAX_CLAIMS:
        detail = "the draft has more claims than are checked"
        reason = Reason.LENGTH_IMPLAUSIBLE
        return (Verdict.failed("length_is_plausible", reason, detail, found=claims, limit=MAX_CLAIMS),)
    return tuple(_run(name, check, submission) for name, check in checks)


def _run(name: str, check: Check, submission: Submission) -> Verdict:
    try:
        return check(submission)
    except BackendError as error:
        return Verdict.skipped(name, Reason.CLAIM_UNSUPPORTED, f"the check could not run: {error.message}")


def acceptable(verdicts: Sequence[Verdict]) -> bool:
    """A check that could not run is not a check that passed."""
    return all(verdict.status == "pass" for verdict in verdicts)


def first_reason(verdicts: Sequence[Verdict]) -> Reason:
    """The reason a refusal reports: the first in the fixed order of reasons, independent of the order of the checks."""
    return min((v.reason for v in verdicts if v.reason is not None), key=lambda reason: reason.order)
