"""The last step of every interface: an outcome is recorded, and only then delivered."""

from dataclasses import dataclass, replace

from footnotary.audit.record import ConversationTurn, RequestOrigin
from footnotary.audit.recorder import Notary
from footnotary.domain.conversation import AskedQuestion
from footnotary.domain.outcome import Outcome, Refusal
from footnotary.errors import BackendError, RecordingFailed
from footnotary.profiles.schema import Profile


@dataclass(frozen=True, slots=True)
class Delivery:
    """An outcome that may be delivered, and the number `record_seq` of its record in the tenant's audit log.

    Where the settings turn the audit log off, `answer_id` is empty and `record_seq` is 0. `released_claims` counts the
    claims that may be delivered one by one although the rest is refused. `from_request` says that the evidence came
    with the request, so that no index has what is cited. `turn` is the question's place in a conversation; it names no
    conversation where none was recorded. `follow_up` says how a question of a conversation was asked. `questions` are
    those that a refusal suggests; they are not recorded.
    """

    outcome: Outcome
    profile: Profile
    answer_id: str = ""
    record_seq: int = 0
    released_claims: int = 0
    from_request: bool = False
    turn: ConversationTurn | None = None
    follow_up: AskedQuestion | None = None
    questions: tuple[str, ...] = ()

    @property
    def asked_as(self) -> str | None:
        """The question as it was asked, if that is not how it was written."""
        return self.outcome.query.text if self.turn and self.turn.typed is not None else None


def deliver(
    outcome: Outcome,
    profile: Profile,
    notary: Notary | None,
    asker: RequestOrigin,
    *,
    index_digest: str = "",
    generator: str = "",
    repeats: str | None = None,
    released_claims: int = 0,
    remember: bool = False,
) -> Delivery:
    """Records an outcome, wherever it comes from: when this returns, the record is on disk.

    Without a `notary` nothing is recorded. `index_digest` is empty where the evidence came with the request. With
    `remember` the answer cache keeps it, under the name of its `generator`; `repeats` names the answer it repeats.
    Raises `RecordingFailed`, and then nothing may be delivered.
    """
    from_request = not index_digest
    turn = asker.turn
    if turn is not None and (notary is None or not profile.privacy.log_queries):
        turn = replace(turn, conversation=None, follows=None)
    if notary is None:
        return Delivery(outcome, profile, released_claims=released_claims, from_request=from_request, turn=turn)
    try:
        recorded = notary.record(
            outcome,
            profile,
            asker,
            index_digest=index_digest,
            generator=generator,
            repeats=repeats,
            released_claims=released_claims,
            remember=remember,
        )
    except BackendError as error:
        raise RecordingFailed(
            f"the outcome could not be recorded, so it was not delivered: {error.message}",
            hint=error.hint or "check the space and the permissions of the data directory",
            retryable=error.retryable,
        ) from error
    return Delivery(outcome, profile, recorded.answer_id, recorded.seq, released_claims, from_request, turn)


def releasable_claims(outcome: Outcome) -> int:
    """How many claims of a refused draft may be delivered one by one: its verified prefix, if the profile kept it."""
    return len(outcome.beginning.claims) if isinstance(outcome, Refusal) and outcome.beginning else 0
