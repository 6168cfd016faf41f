"""`/v1/ask` and `/v1/retrieve`: questions and searches in the service's own format."""

from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request, Response

from footnotary.app.delivery import Delivery
from footnotary.app.source_lookup import require_document
from footnotary.domain.query import Filters, Scope
from footnotary.errors import UsageError
from footnotary.ports import NULL_OBSERVER, Observer
from footnotary.render.outcome_record import evidence_record
from footnotary.service.answering import AskRequest, answer
from footnotary.service.conversations import LATEST, conversation_turn
from footnotary.service.dependencies import InjectedService, ReaderCredential
from footnotary.service.problems import Problem
from footnotary.service.redaction import redacted_record
from footnotary.service.routes.documents import NO_DOCUMENT
from footnotary.service.schemas.answers import Ask, AskResponse, Retrieve, RetrieveResponse
from footnotary.service.state import Policy, ServiceState, TenantState
from footnotary.service.streaming import EVENT_STREAM, STREAM_RESPONSES, EventEncoder, stream_response
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["ask"], route_class=StrictRoute)


@router.post(
    "/ask", summary="Answer with verified citations, or refuse", response_model=AskResponse, responses=STREAM_RESPONSES
)
async def ask(asked: Ask, who: ReaderCredential, service: InjectedService, request: Request) -> AskResponse | Response:
    question = question_of(asked, service)

    def answered(tenant: TenantState, observer: Observer = NULL_OBSERVER) -> Delivery:
        follows = asked.follows if "follows" in asked.model_fields_set else LATEST
        turn = conversation_turn(tenant, who, asked.project, asked.conversation, follows)
        _require_document(tenant, asked.project, asked.document)
        return answer(tenant, who, replace(question, turn=turn), observer)

    if asked.stream or EVENT_STREAM in request.headers.get("accept", ""):
        question = replace(question, streamed=True)
        return await stream_response(
            lambda observer: service.work(who.tenant, lambda tenant: answered(tenant, observer)),
            EventEncoder(),
            request.state.request_id,
        )
    delivered = await service.work(who.tenant, answered)
    return AskResponse(
        answer_id=delivered.answer_id,
        outcome=redacted_record(
            delivered.outcome,
            delivered.profile,
            strip=asked.citations == "strip",
            questions=delivered.questions,
        ),
        bundle=f"/v1/answers/{delivered.answer_id}/bundle",
        conversation=delivered.turn and delivered.turn.conversation,
        asked_as=delivered.asked_as,
    )


@router.post("/retrieve", summary="Find passages; no language model is called")
async def retrieve(asked: Retrieve, who: ReaderCredential, service: InjectedService) -> RetrieveResponse:
    name = asked.profile or service.default_profile
    service.profile(name)
    policy = Policy(name, k=asked.k, follow_references=asked.include_graph)
    scope = Scope(asked.project, who.tenant, Filters(document=asked.document, trust=asked.trust), asked.as_of)

    def search(tenant: TenantState) -> dict[str, Any]:
        tenant.require_project(asked.project)
        _require_document(tenant, asked.project, asked.document)
        return evidence_record(tenant.engine(policy).search(asked.query, scope))

    return RetrieveResponse.model_validate(await service.work(who.tenant, search))


def _require_document(tenant: TenantState, project: str, document: str | None) -> None:
    """Raises `Problem` for a document that a project does not have; an unknown project is refused as an answer is."""
    if document is None or project not in tenant.projects():
        return
    try:
        require_document(tenant.store, project, document)
    except UsageError:
        raise Problem("not_found", NO_DOCUMENT) from None


def question_of(asked: Ask, service: ServiceState) -> AskRequest:
    """The request that a body stands for. Raises `Problem` for an unknown profile."""
    name = asked.profile or service.default_profile
    service.profile(name)
    policy = Policy(name, asked.k, asked.min_sources)
    filters = Filters(document=asked.document, trust=asked.trust)
    return AskRequest(asked.question, asked.project, policy, asked.as_of, filters, history=tuple(asked.history))
