"""The one place where questions are answered for others: engine, then record, and only then a delivery."""

from dataclasses import dataclass, field
from datetime import date

from footnotary.audit.record import Asker
from footnotary.domain.outcome import Answer, Outcome, Refusal
from footnotary.domain.query import Filters, Scope
from footnotary.engine import Engine
from footnotary.errors import BackendError, UsageError
from footnotary.ports import SILENT, Observer
from footnotary.profiles.schema import Profile
from footnotary.service.auth import Credential
from footnotary.service.problems import Problem
from footnotary.service.state import Policy, TenantState

_ASKED_AT_MOST = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, as it was put over HTTP; `channel` is the interface it came by, for the record.

    `streamed` says that the answer is read as it comes: what a profile releases claim by claim may leave then.
    """

    question: str
    project: str
    policy: Policy
    as_of: date | None = None
    filters: Filters = field(default_factory=Filters)
    channel: str = "v1"
    streamed: bool = False


@dataclass(frozen=True, slots=True)
class Delivered:
    """An outcome that has been recorded; `record_seq` is its number in the tenant's audit log.

    `released_claims` counts the claims that may leave one by one although the rest is refused. `from_request` says
    that the evidence came with the request: no address of this service leads to what is cited.
    """

    outcome: Outcome
    answer_id: str
    record_seq: int
    profile: Profile
    released_claims: int = 0
    from_request: bool = False


def answer(tenant: TenantState, principal: Credential, asked: Asked, observer: Observer = SILENT) -> Delivered:
    """The outcome of a question, recorded durably before this returns. It blocks: call it from `ServiceState.work`.

    Every route that gives out an outcome gets it here or from `deliver`, so nothing leaves unrecorded. What was
    answered before, from the same index under the same profile, is not worked out again. Raises like `Engine.ask`, and
    `Problem` where the record cannot be written.
    """
    engine = tenant.engine(asked.policy)
    scope = Scope(asked.project, tenant.name, asked.filters, asked.as_of or engine.today())
    digest, generator = tenant.index_digest(asked.project), engine.generator.name
    remember = tenant.settings.answer_cache == "on"
    known = tenant.notary.recall(asked.question, scope, engine.profile, digest, generator) if remember else None
    if known is not None:
        observer.stage("done", answered=isinstance(known.outcome, Answer))
        outcome, repeats = known.outcome, known.answer_id
    else:
        outcome, repeats = _worked_out(tenant, engine, asked.question, scope, tenant.telemetry.watched(observer)), None
    now = tenant.index_digest(asked.project)
    return deliver(
        tenant,
        principal,
        outcome,
        engine.profile,
        generator,
        now,
        channel=asked.channel,
        repeats=repeats,
        # An index that changed meanwhile leaves open which of the two it was answered from.
        remember=remember and now == digest,
        released_claims=releasable(outcome) if asked.streamed else 0,
    )


def _worked_out(tenant: TenantState, engine: Engine, question: str, scope: Scope, observer: Observer) -> Outcome:
    """An outcome whose citations lead to what the index holds now, also where documents changed while it was made.

    It is asked again where they do not, as the new question that it is. Raises `Problem` where there is no end to that.
    """
    for _ in range(_ASKED_AT_MOST):
        before = tenant.index_digest(scope.project)
        try:
            outcome = engine.ask(question, scope, observer)
        except UsageError:
            if tenant.index_digest(scope.project) == before:
                raise
        else:
            if tenant.index_digest(scope.project) == before or _leads_back(tenant, scope.project, outcome):
                return outcome
        observer = SILENT  # it was told each stage already
    raise Problem("index_changing")


def _leads_back(tenant: TenantState, project: str, outcome: Outcome) -> bool:
    """Whether every passage an answer cites is still there, as it was and in the same version of its document."""
    if not isinstance(outcome, Answer):
        return True
    held = {chunk.id: chunk.digest for chunk in tenant.store.chunks(project, [hit.chunk.id for hit in outcome.sources])}
    versions = {document.id: document.sha256 for document in tenant.store.documents(project)}
    return all(held.get(hit.chunk.id) == hit.chunk.digest for hit in outcome.sources) and all(
        versions.get(citation.document_id) == citation.document_sha256 for citation in outcome.citations
    )


def deliver(
    tenant: TenantState,
    principal: Credential,
    outcome: Outcome,
    profile: Profile,
    generator: str,
    index_digest: str = "",
    *,
    channel: str,
    repeats: str | None = None,
    released_claims: int = 0,
    remember: bool = False,
) -> Delivered:
    """An outcome, however it came about, made fit to leave: it is recorded when this returns.

    `index_digest` is empty where the evidence came with the request. `released_claims` counts the claims that are to
    leave one by one although the rest is refused.
    """
    try:
        recorded = tenant.notary.record(
            outcome,
            profile,
            Asker(tenant.name, principal.key_id, channel),
            index_digest=index_digest,
            generator=generator,
            repeats=repeats,
            released_claims=released_claims,
            remember=remember,
        )
    except BackendError as error:
        raise Problem("not_recorded") from error
    tenant.telemetry.count_outcome(outcome)
    return Delivered(outcome, recorded.answer_id, recorded.seq, profile, released_claims, from_request=not index_digest)


def releasable(outcome: Outcome) -> int:
    """How many claims of a refused draft may leave one by one: those of its beginning, where the profile kept it."""
    return len(outcome.beginning.claims) if isinstance(outcome, Refusal) and outcome.beginning else 0
