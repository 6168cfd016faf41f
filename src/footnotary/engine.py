"""The answer pipeline: from a question to a verified answer or an exact refusal. Read it top to bottom."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from footnotary.argument_types import require_question
from footnotary.domain.conflict import Conflict
from footnotary.domain.conversation import EarlierTurn
from footnotary.domain.draft import Draft
from footnotary.domain.evidence import Evidence
from footnotary.domain.outcome import Answer, EvidenceGap, Outcome, Refusal, RejectedDraft
from footnotary.domain.query import DEFAULT_TENANT, Query, Scope
from footnotary.domain.verdict import PROJECT_EXISTS, PROJECT_HAS_DOCUMENTS, Reason, Verdict
from footnotary.errors import UsageError
from footnotary.gate.flagged_spans import check_visible, with_originals
from footnotary.gate.intent import understand_in
from footnotary.gate.lexical_rules import probe_passes
from footnotary.gate.reader_decision import MOST_READ, is_read
from footnotary.gate.sufficiency import GateResult
from footnotary.gate.trusted_sources import search_trusted
from footnotary.ports import (
    NULL_OBSERVER,
    Check,
    Embedder,
    Generator,
    Observer,
    Reader,
    Store,
    Submission,
    UnusableReply,
)
from footnotary.profiles.schema import Profile
from footnotary.reader.language_model.readings import with_readings
from footnotary.retrieve.hybrid_search import retrieve
from footnotary.retrieve.list_neighbours import with_rest_of_lists
from footnotary.verify.answer_citations import build_citations
from footnotary.verify.conflicts.agreement import conflicts_of, with_both_sides
from footnotary.verify.conflicts.other_sides import with_other_sides
from footnotary.verify.corroboration import with_corroboration
from footnotary.verify.form.citations import refuse_withheld
from footnotary.verify.idle_sentences import leave_out_idle
from footnotary.verify.run import acceptable, first_reason, verify
from footnotary.verify.unsupported_words import unsupported_words


@dataclass(frozen=True, slots=True)
class Engine:
    """Answers questions from one tenant's indexed documents, under one profile.

    Every outcome is an `Answer`, in which each claim cites a retrieved passage and every check of the profile
    passed, or a `Refusal` with the profile's exact text and a reason. There is no third kind, and no second request to
    the model. `expand`, if the profile enables it, adds a model's search terms to a question that the corpus covers. A
    question without a date is answered as of `today`. `reader` is the model the gate asks whether the passages answer,
    `reranker` reranks the top passages and `quoter` answers where the generator's draft is rejected, if the profile
    says so. `rewriter` is the chat model that rewrites a follow-up as a standalone question. `tenant` owns the store:
    a question in the scope of another tenant is a `UsageError`. `created_projects` returns projects that exist even if
    the store has no document of them.
    """

    store: Store
    embedder: Embedder
    generator: Generator
    profile: Profile
    checks: Sequence[tuple[str, Check]]
    expand: Callable[[Query], Query] | None = None
    today: Callable[[], date] = date.today
    reader: Reader | None = None
    reranker: Reader | None = None
    quoter: Generator | None = None
    rewriter: Callable[[str, Sequence[EarlierTurn]], str | None] | None = None
    tenant: str = DEFAULT_TENANT
    created_projects: Callable[[], Collection[str]] = frozenset[str]

    def ask(self, question: str, scope: Scope, observer: Observer = NULL_OBSERVER, context: str = "") -> Outcome:
        """The whole answer pipeline. Raises `BackendError` if retrieval or generation fails: a refusal would be wrong.

        Raises `UsageError` for a scope of another tenant, and for arguments of the wrong type.
        `context` is an earlier question that is searched for too, if this one depends on it.
        """
        query = self._understood(question, scope, context)
        observer.stage("understood", type=query.type, language=query.language, facets=len(query.facets))
        if scope.project not in self.store.projects():
            is_created = scope.project in self.created_projects()
            return _report_done(refuse_without_documents(query, self.profile, is_created=is_created), observer)

        least = MOST_READ if is_read(query, self.profile, self.reader) else 0
        search = partial(self._retrieved, least=least)
        evidence = search_trusted(query, search, self.store, self.profile, self.reader)
        if self.expand is not None and probe_passes(evidence, self.profile):
            evidence = search_trusted(self.expand(query), search, self.store, self.profile, self.reader)
        score, order = round(evidence.top_score, 4), evidence.reranking
        observer.stage("retrieved", hits=len(evidence.hits), top_score=score, reranking=order)
        source_lookup = partial(self.store.document_sha256, scope.project)
        return answer_from(
            evidence, self.generator, self.profile, self.checks, source_lookup, observer, self.reader, self.quoter
        )

    def search(self, question: str, scope: Scope) -> Evidence:
        """Retrieval only, without the rest of lists that drafting adds. No language model is called."""
        query = self._understood(question, scope)
        if scope.project not in self.store.projects():
            return Evidence(query, ())
        policy = self.profile.retrieval
        evidence = search_trusted(query, self._retrieved, self.store, self.profile, self.reader)
        return evidence if policy.follow_references else replace(evidence, hits=evidence.hits[: policy.k])

    def _understood(self, question: str, scope: Scope, context: str = "") -> Query:
        require_question(question, scope, context)
        if scope.tenant != self.tenant:
            raise UsageError(
                f"the scope names tenant {scope.tenant!r}, but this engine answers from documents of {self.tenant!r}",
                hint=f"open an engine with tenant={scope.tenant!r}, or ask with Scope(project, {self.tenant!r})",
            )
        dated = replace(scope, as_of=scope.as_of or self.today())
        return understand_in(self.store, question, dated, self.profile, context)

    def _retrieved(self, query: Query, least: int = 0) -> Evidence:
        """The evidence; for the gate at least as many hits as a reader may have to read."""
        policy = self.profile
        retrieval = policy.retrieval.model_copy(update={"k": max(policy.retrieval.k, least)})
        return retrieve(query, self.store, self.embedder, retrieval, policy.versions.in_force, self.reranker)


def refuse_without_documents(query: Query, profile: Profile, *, is_created: bool) -> Refusal:
    """The refusal of a question to a project that does not exist, or that exists and has no documents."""
    name = query.scope.project
    check, detail = PROJECT_EXISTS, f"there is no project {name!r}"
    if is_created:
        check, detail = PROJECT_HAS_DOCUMENTS, f"project {name!r} has no documents yet"
    verdict = Verdict.failed(check, Reason.COLLECTION_NOT_FOUND, detail)
    return _refuse(Evidence(query, ()), (verdict,), EvidenceGap("documents in the project", detail), profile)


@with_readings
def answer_from(
    evidence: Evidence,
    generator: Generator,
    profile: Profile,
    checks: Sequence[tuple[str, Check]],
    source_lookup: Callable[[str], tuple[str, str]],
    observer: Observer = NULL_OBSERVER,
    reader: Reader | None = None,
    quoter: Generator | None = None,
) -> Outcome:
    """The answer pipeline from evidence on, from any source: gate, draft, checks, and only then an answer.

    `source_lookup` returns the hash and the path of a document's original file, for the citations. `quoter` drafts from
    the same evidence, through the same checks, where the generator's draft is rejected; without it that is a refusal,
    and a reply that cannot be read is an error. A generator that declines is never followed by a quotation. Flagged
    text is not drafted from or verified against, unless the question asks about it.
    """
    visible, gate = check_visible(evidence, profile, reader)
    checks = refuse_withheld(checks, evidence, visible)
    pipeline = _AnswerPipeline(profile, checks, source_lookup, observer, reader, quoter)
    outcome = pipeline.answer(visible, gate, generator)
    return outcome if visible is evidence else with_originals(outcome, evidence)


@dataclass(frozen=True, slots=True)
class _AnswerPipeline:
    """The answer pipeline after the gate, for one question."""

    profile: Profile
    checks: Sequence[tuple[str, Check]]
    source_lookup: Callable[[str], tuple[str, str]]
    observer: Observer
    reader: Reader | None
    quoter: Generator | None

    def answer(self, evidence: Evidence, gate: GateResult, generator: Generator) -> Outcome:
        profile, observer = self.profile, self.observer
        observer.stage("gated", verdict=gate.verdict.status, reason=gate.verdict.reason)
        if gate.verdict.status != "pass":
            return _report_done(_refuse(evidence, (gate.verdict,), gate.needed, profile), observer)

        observer.stage("drafting", generator=generator.name, sources=len(gate.relevant))
        sources = replace(evidence, hits=with_rest_of_lists(gate.relevant, evidence.hits))
        states_both = profile.conflicts.on_disagreement == "state_both"
        shown = with_other_sides(sources, evidence.hits) if states_both else sources
        quote = partial(self._quote_instead, sources, evidence, gate.verdict)
        try:
            draft = self._draft(generator, shown, evidence)
        except UnusableReply as error:
            unusable = Verdict.failed("reply_is_readable", Reason.GENERATION_ERROR, error.message)
            answer = quote(RejectedDraft(error.draft, (gate.verdict, unusable)))
            if answer is None:
                raise
            return _report_done(answer, observer)
        observer.stage("drafted", claims=len(draft.claims))
        submission, verdicts, conflicts = self._check(draft, evidence, gate.verdict)
        observer.stage("verified", passed=acceptable(verdicts), checks=len(verdicts))
        if acceptable(verdicts):
            return _report_done(self._build_answer(draft, submission, verdicts, conflicts), observer)

        # The numbers of an extractive draft's claims change where the other side of a conflict is added.
        unsupported = () if draft.extractive else unsupported_words(submission, verdicts, self.reader)
        declined = draft.declined or not draft.claims
        answer = None if declined else quote(RejectedDraft(draft, verdicts, unsupported))
        if answer is not None:
            return _report_done(answer, observer)
        refusal = replace(_refuse(evidence, verdicts, gate.needed, profile, conflicts, draft), unsupported=unsupported)
        if profile.streaming.release == "claim":
            refusal = replace(refusal, beginning=self._verified_prefix(submission, gate.verdict))
        return _report_done(refusal, observer)

    def _draft(self, generator: Generator, sources: Evidence, evidence: Evidence) -> Draft:
        limits = self.profile.verification
        draft = generator.generate(evidence.query, sources)
        return leave_out_idle(draft, evidence, self.reader, limits.entailment_threshold, limits.override_threshold)

    def _check(
        self, draft: Draft, evidence: Evidence, gate: Verdict
    ) -> tuple[Submission, tuple[Verdict, ...], tuple[Conflict, ...]]:
        submission = with_corroboration(Submission(evidence.query, evidence, draft), self.profile, self.checks)
        if self.profile.conflicts.on_disagreement == "state_both":
            submission = with_both_sides(submission, self.reader)
        verdicts = (gate, *verify(submission, self.checks))
        return submission, verdicts, conflicts_of(submission, verdicts, self.reader)

    def _quote_instead(
        self, sources: Evidence, evidence: Evidence, gate: Verdict, rejected: RejectedDraft
    ) -> Answer | None:
        """The answer that quotes the sources in place of a rejected draft, if there is one that passes every check."""
        if self.quoter is None:
            return None
        draft = self._draft(self.quoter, sources, evidence)
        submission, verdicts, conflicts = self._check(draft, evidence, gate)
        passed = acceptable(verdicts)
        self.observer.stage("quoted", passed=passed, rejected=rejected.reason)
        return self._build_answer(draft, submission, verdicts, conflicts, rejected) if passed else None

    def _build_answer(
        self,
        draft: Draft,
        submission: Submission,
        verdicts: tuple[Verdict, ...],
        conflicts: tuple[Conflict, ...],
        rejected: RejectedDraft | None = None,
    ) -> Answer:
        """The answer to a submission that passed; `draft` is the proposal, before the other sides were added."""
        citations = build_citations(submission, self.checks, self.source_lookup)
        return Answer(
            query=submission.query,
            claims=submission.draft.claims,
            citations=citations,
            evidence=submission.evidence,
            verdicts=verdicts,
            confidence=sum(citation.confidence for citation in citations) / len(citations),
            generator=submission.draft.generator,
            profile=self.profile.name,
            profile_digest=self.profile.digest,
            conflicts=conflicts,
            draft=draft,
            rejected=rejected,
        )

    def _verified_prefix(self, whole: Submission, gate: Verdict) -> Answer | None:
        """The longest prefix of a rejected draft that passes every check as an answer on its own."""
        claims = whole.draft.claims[: self.profile.generation.max_claims]
        for count in range(min(len(claims), len(whole.draft.claims) - 1), 0, -1):
            part = replace(whole, draft=replace(whole.draft, claims=claims[:count]))
            verdicts = (gate, *verify(part, self.checks))
            if acceptable(verdicts):
                return self._build_answer(part.draft, part, verdicts, conflicts_of(part, verdicts, self.reader))
        return None


def _report_done(outcome: Outcome, observer: Observer) -> Outcome:
    observer.stage("done", answered=isinstance(outcome, Answer))
    return outcome


def _refuse(
    evidence: Evidence,
    verdicts: Sequence[Verdict],
    needed: EvidenceGap,
    profile: Profile,
    conflicts: tuple[Conflict, ...] = (),
    draft: Draft | None = None,
) -> Refusal:
    failed = [verdict for verdict in verdicts if verdict.status != "pass"]
    if not needed.missing:
        nearest = tuple(hit.chunk.id for hit in evidence.hits[:3])
        needed = EvidenceGap(needed.facet, "; ".join(verdict.detail for verdict in failed), nearest)
    return Refusal(
        query=evidence.query,
        message=profile.refusal.text(evidence.query.language),
        reason=first_reason(failed),
        verdicts=tuple(verdicts),
        needed=needed,
        evidence=evidence,
        profile=profile.name,
        profile_digest=profile.digest,
        conflicts=conflicts,
        draft=draft,
    )
