"""Conversations of a project: earlier ones from the audit log, and exports made from recorded answers only."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from footnotary.audit.bundle_content import outcome_in, profile_in
from footnotary.audit.record import AuditRecord
from footnotary.domain.outcome import Answer
from footnotary.render.export.conversation import ExportedConversation, RecordedTurn, exported_conversation
from footnotary.render.export.markdown import markdown
from footnotary.render.export.web_page import html
from footnotary.render.export.word import MEDIA_TYPE as WORD_MEDIA_TYPE
from footnotary.render.export.word import word
from footnotary.service.conversations import list_conversations, read_conversation
from footnotary.service.dependencies import InjectedService, ReaderCredential
from footnotary.service.problems import Problem
from footnotary.service.redaction import redacted_record
from footnotary.service.routes.audit import NO_ANSWER, load_answer
from footnotary.service.schemas.conversations import (
    ConversationDetail,
    ConversationExport,
    ConversationId,
    ConversationPage,
    ConversationSummary,
    ConversationTurnRecord,
)
from footnotary.service.state import TenantState
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["conversations"], route_class=StrictRoute)
ProjectPath = Annotated[str, Path(min_length=1, max_length=200)]

_BINARY: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
_EXPORT_RESPONSE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The conversation as a file.",
        "content": {"text/markdown": _BINARY, "text/html": _BINARY, WORD_MEDIA_TYPE: _BINARY},
    }
}


@router.get("/projects/{project}/conversations", summary="Earlier conversations of a project, latest first")
async def conversations(
    project: ProjectPath,
    who: ReaderCredential,
    service: InjectedService,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> ConversationPage:
    """Those asked with the caller's key; an admin gets those of the whole tenant."""

    def listed(tenant: TenantState) -> ConversationPage:
        found, following = list_conversations(tenant, who, project, limit, before)
        if not found:
            tenant.require_project(project)
        rows = [
            ConversationSummary(
                id=one.id,
                title=_question(one.turns[0]),
                turns=len(one.turns),
                at=one.turns[-1].says["at"],
            )
            for one in found
        ]
        return ConversationPage(conversations=rows, next=following)

    return await service.work(who.tenant, listed)


@router.get("/projects/{project}/conversations/{conversation}", summary="A recorded conversation, to be continued")
async def conversation(
    project: ProjectPath, conversation: ConversationId, who: ReaderCredential, service: InjectedService
) -> ConversationDetail:
    def read(tenant: TenantState) -> ConversationDetail:
        found = read_conversation(tenant, who, project, conversation)
        turns = [_turn_record(tenant, record) for record in found.turns]
        return ConversationDetail(id=found.id, project=project, turns=turns)

    return await service.work(who.tenant, read)


@router.post(
    "/projects/{project}/conversation-exports",
    summary="Recorded answers as Markdown, HTML or Word, with footnotes",
    response_class=Response,
    responses=_EXPORT_RESPONSE,
)
async def export(
    body: ConversationExport, project: ProjectPath, who: ReaderCredential, service: InjectedService
) -> Response:
    """Only recorded outcomes of this project are exported, as they were delivered."""

    def made(tenant: TenantState) -> tuple[bytes, str, str]:
        try:
            turns = [_recorded_turn(*load_answer(tenant, answer), project) for answer in body.answers]
        except Problem as problem:
            if problem.code == "not_found":
                tenant.require_project(project)
            raise
        return _serialize(exported_conversation(project, turns), body.format)

    content, media_type, suffix = await service.work(who.tenant, made)
    name = f'attachment; filename="conversation.{suffix}"'
    return Response(content, headers={"Content-Disposition": name}, media_type=media_type)


def _serialize(conversation: ExportedConversation, form: str) -> tuple[bytes, str, str]:
    if form == "docx":
        return word(conversation), WORD_MEDIA_TYPE, "docx"
    if form == "html":
        return html(conversation).encode("utf-8", "replace"), "text/html; charset=utf-8", "html"
    return markdown(conversation).encode("utf-8", "replace"), "text/markdown; charset=utf-8", "md"


def _recorded_turn(record: AuditRecord, content: dict[str, Any], project: str) -> RecordedTurn:
    says = record.says
    if says["project"] != project:
        raise Problem("not_found", NO_ANSWER)
    try:
        outcome = outcome_in(content)
    except (ValueError, KeyError):  # written by a version with another schema
        raise Problem("not_found") from None
    at = datetime.fromisoformat(content["at"])
    return RecordedTurn(content["answer_id"], at, says.get("typed"), outcome, says["released_claims"])


def _turn_record(tenant: TenantState, record: AuditRecord) -> ConversationTurnRecord:
    says = record.says
    _, content = load_answer(tenant, says["answer_id"])
    try:
        outcome, profile = outcome_in(content), profile_in(content)
    except (ValueError, KeyError):
        raise Problem("not_found") from None
    released = outcome if isinstance(outcome, Answer) else outcome.beginning if says["released_claims"] else None
    return ConversationTurnRecord(
        answer_id=says["answer_id"],
        at=says["at"],
        question=_question(record),
        asked_as=says["question"] if says.get("typed") else None,
        released_claims=says["released_claims"],
        outcome=redacted_record(released or outcome, profile),
        bundle=f"/v1/answers/{says['answer_id']}/bundle",
    )


def _question(record: AuditRecord) -> str:
    """The question as it was written."""
    return record.says.get("typed") or record.says["question"]
