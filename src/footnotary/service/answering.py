"""Questions over HTTP and MCP: the tenant's session asks and records, and its errors become problems."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date

from footnotary.app.delivery import Delivery
from footnotary.app.delivery import deliver as record_and_deliver
from footnotary.app.suggested_questions import suggested_questions
from footnotary.audit.record import ConversationTurn, RequestOrigin
from footnotary.domain.conversation import EarlierTurn
from footnotary.domain.outcome import Outcome
from footnotary.domain.query import Filters, Scope
from footnotary.errors import IndexChanging, RecordingFailed
from footnotary.external.passages import find_conflicting_ids
from footnotary.ports import NULL_OBSERVER, Observer
from footnotary.profiles.schema import Profile
from footnotary.service.auth.authentication import Credential
from footnotary.service.problems import Problem
from footnotary.service.state import Policy, TenantState


@dataclass(frozen=True, slots=True)
class AskRequest:
    """One question of a request; `channel` names the interface it came by, for the record.

    `context` is an earlier question to search for too. `streamed` says that the answer is read as a stream: claims that
    a profile releases one by one may be delivered. `history` are the person's questions before it in the conversation,
    oldest first: references to them are resolved. `turn` says where in a recorded conversation it belongs. `suggests`
    says that a refusal comes with questions that the documents answer, which takes as long as a few questions.
    """

    question: str
    project: str
    policy: Policy
    as_of: date | None = None
    filters: Filters = field(default_factory=Filters)
    channel: str = "v1"
    streamed: bool = False
    history: tuple[str, ...] = ()
    turn: ConversationTurn | None = None
    context: str = ""
    suggests: bool = True


def answer(
    tenant: TenantState, principal: Credential, asked: AskRequest, observer: Observer = NULL_OBSERVER
) -> Delivery:
    """The outcome of a question, recorded durably before this returns. It blocks: call it from `ServiceState.work`.

    Every route that returns an outcome gets it here or from `deliver`, so nothing is delivered unrecorded. Raises like
    `Engine.ask`, and `Problem` if the record cannot be written or the index keeps changing.
    """
    session = tenant.session(asked.policy)
    scope = Scope(asked.project, tenant.name, asked.filters, asked.as_of)
    question, context, turn, follow_up = asked.question, asked.context, asked.turn, None
    if asked.history:
        with _errors_as_problems():
            follow_up = session.understand_after(asked.question, [EarlierTurn(earlier) for earlier in asked.history])
        question, context = follow_up.text, follow_up.context
        if follow_up.was_rewritten:
            turn = replace(turn or ConversationTurn(), typed=asked.question)
    asker = RequestOrigin(tenant.name, principal.key_id, asked.channel, turn)
    with _errors_as_problems():
        delivery = session.ask(question, scope, asker, observer, streamed=asked.streamed, context=context)
        questions = suggested_questions(session.engine, delivery.outcome) if asked.suggests else ()
        delivery = replace(delivery, follow_up=follow_up, questions=questions)
    tenant.telemetry.count_outcome(delivery.outcome)
    return delivery


def deliver(
    tenant: TenantState,
    principal: Credential,
    outcome: Outcome,
    profile: Profile,
    *,
    channel: str,
    released_claims: int = 0,
) -> Delivery:
    """An outcome whose evidence came with the request; it is recorded when this returns. Raises `Problem`."""
    asker = RequestOrigin(tenant.name, principal.key_id, channel)
    with _errors_as_problems():
        delivery = record_and_deliver(outcome, profile, tenant.notary, asker, released_claims=released_claims)
    tenant.telemetry.count_outcome(outcome)
    return delivery


def require_unambiguous_ids(passages: Iterable[tuple[str, str]]) -> None:
    """Raises `Problem` if one id has two texts. The message gives positions: it must not repeat the caller's ids."""
    if (two := find_conflicting_ids(passages)) is not None:
        first, second = two
        detail = f"Passages {first} and {second} have the same id but different texts; give each passage its own id."
        raise Problem("unusable", detail)


@contextmanager
def _errors_as_problems() -> Generator[None]:
    try:
        yield
    except IndexChanging as error:
        raise Problem("index_changing") from error
    except RecordingFailed as error:
        raise Problem("not_recorded") from error
