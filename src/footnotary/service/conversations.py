"""Conversations in a tenant's audit log: which one a question continues, and the turns of one that is reopened."""

from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.audit.record import AuditRecord, ConversationTurn, new_conversation_id
from footnotary.service.auth.authentication import Credential
from footnotary.service.problems import Problem
from footnotary.service.state import TenantState

LATEST = "latest"
_NEW = "new"


@dataclass(frozen=True, slots=True)
class RecordedConversation:
    """A conversation in its current state: its turns in order, without those that an edited question replaced."""

    id: str
    turns: tuple[AuditRecord, ...]


def conversation_turn(
    tenant: TenantState, who: Credential, project: str, conversation: str | None, follows: str | None
) -> ConversationTurn | None:
    """The place of a new question; `follows` is an answer's id, `LATEST`, or None for the first one.

    Raises `Problem` for a conversation or an answer that is not the caller's.
    """
    named = None if follows == LATEST else follows
    if conversation is None:
        if named is not None:
            raise Problem("unusable", "`follows` needs the `conversation` that the answer belongs to.")
        return None
    if conversation == _NEW:
        if named is not None:
            raise Problem("unusable", "A new conversation has no answer that the question could follow.")
        return ConversationTurn(new_conversation_id())
    records = _own_records(tenant, who, project, conversation)
    if follows == LATEST:
        return ConversationTurn(conversation, records[-1].says["answer_id"])
    if named is not None and all(record.says["answer_id"] != named for record in records):
        raise Problem("not_found", "The conversation has no such answer.")
    return ConversationTurn(conversation, named)


def read_conversation(tenant: TenantState, who: Credential, project: str, conversation: str) -> RecordedConversation:
    """A conversation of the project. Raises `Problem`, the same for another tenant's or project's as for none."""
    return RecordedConversation(conversation, current_turns(_own_records(tenant, who, project, conversation)))


def list_conversations(
    tenant: TenantState, who: Credential, project: str, limit: int, before: int | None
) -> tuple[list[RecordedConversation], int | None]:
    """The caller's conversations in a project, latest first, and where the next page begins, if there is one.

    An admin sees those of everybody, as in the audit log.
    """
    found = tenant.notary.log.conversations(project, limit, before)
    read = [(conversation, tenant.notary.log.conversation(conversation)) for conversation, _ in found]
    own = [RecordedConversation(name, current_turns(records)) for name, records in read if _is_own(records, who)]
    return own, found[-1][1] if len(found) == limit else None


def current_turns(records: Sequence[AuditRecord]) -> tuple[AuditRecord, ...]:
    """The last turn and those before it, as each names the one it follows."""
    by_id = {record.says["answer_id"]: record for record in records}
    turns: list[AuditRecord] = []
    at: AuditRecord | None = records[-1] if records else None
    while at is not None:
        turns.append(at)
        follows = at.says.get("follows")
        before = by_id.get(follows) if follows else None
        at = before if before is not None and before.seq < at.seq else None
    return tuple(reversed(turns))


def _own_records(tenant: TenantState, who: Credential, project: str, conversation: str) -> Sequence[AuditRecord]:
    records = tenant.notary.log.conversation(conversation)
    if not records or records[0].says["project"] != project or not _is_own(records, who):
        tenant.require_project(project)
        raise Problem(
            "not_found", "There is no such conversation; GET /v1/projects/{project}/conversations lists yours."
        )
    return records


def _is_own(records: Sequence[AuditRecord], who: Credential) -> bool:
    return who.may("admin") or records[0].says["principal"] == who.key_id
