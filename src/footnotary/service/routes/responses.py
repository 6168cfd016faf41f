"""`/v1/responses`: the same answers through OpenAI's Responses API."""

from collections.abc import Awaitable
from typing import Any

from fastapi import APIRouter, Request, Response

from footnotary.app.delivery import Delivery
from footnotary.domain.outcome import Answer
from footnotary.ports import NULL_OBSERVER, Observer
from footnotary.service.dependencies import InjectedService, ReaderCredential
from footnotary.service.openai_api.responses import ResponseEventEncoder, build_response, recorded_answer_id
from footnotary.service.problems import Problem
from footnotary.service.routes.openai_compatible import answer_chat, reply_form, user_turns
from footnotary.service.schemas.chat import ChatMessage, ChatRequest
from footnotary.service.schemas.responses import ResponseObject, ResponseRequest
from footnotary.service.state import TenantState
from footnotary.service.streaming import EVENT_STREAM, stream_response
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["openai"], route_class=StrictRoute)

_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The response, or, with `stream`, its events; stages are comments.",
        "content": {
            EVENT_STREAM: {
                "schema": {"type": "object", "properties": {"event": {"type": "string"}, "data": {"type": "string"}}}
            }
        },
    }
}
_PROBLEMS = [
    "unknown_model",
    "unknown_profile",
    "unusable",
    "not_found",
    "backend_unavailable",
    "llm_bad_response",
    "llm_unavailable",
    "not_recorded",
    "index_changing",
]


@router.post(
    "/responses",
    summary="Answer as a response",
    response_model=ResponseObject,
    responses=_RESPONSES,
    openapi_extra={"x-problems": _PROBLEMS},
)
async def respond(
    asked: ResponseRequest, who: ReaderCredential, service: InjectedService, request: Request
) -> ResponseObject | Response:
    """The last user message is the question; earlier ones, and the question of `previous_response_id`, resolve what it
    refers to. Instructions cannot change the contract. Nothing is kept but the audit record."""
    try:
        chat = asked.as_chat()
    except ValueError:
        raise Problem("unusable", "An input item has an unknown role, or a part that is not text.") from None
    user_turns(chat)  # an error before anything is looked up
    wanted = asked.text and asked.text.format
    form = reply_form(
        request,
        service,
        wanted.schema_ if wanted and wanted.type == "json_schema" else None,
        structured=wanted is not None and wanted.type != "text",
    )

    def answered(tenant: TenantState, observer: Observer) -> Delivery:
        whole = _with_previous_question(chat, asked.previous_response_id, tenant)
        return answer_chat(tenant, who, service, whole, user_turns(whole), observer)

    def work(observer: Observer) -> Awaitable[Delivery]:
        return service.work(who.tenant, lambda tenant: answered(tenant, observer))

    if asked.stream:
        return await stream_response(work, ResponseEventEncoder(asked, form, chat.words), request.state.request_id)
    delivered = await work(NULL_OBSERVER)
    good = delivered.outcome if isinstance(delivered.outcome, Answer) else None
    return build_response(delivered, asked, form, chat.words, good)


def _with_previous_question(chat: ChatRequest, previous: str | None, tenant: TenantState) -> ChatRequest:
    """The conversation after the question of an earlier response, which its record has as it was asked."""
    if previous is None:
        return chat
    answer_id = recorded_answer_id(previous)
    record = None if answer_id is None else tenant.notary.found(answer_id)[0]
    if record is None:
        raise Problem("not_found", "`previous_response_id` names no response of this service.")
    question = record.says["question"]
    if not isinstance(question, str):  # it is withheld from the log
        return chat
    earlier = ChatMessage(role="user", content=question)
    return chat.model_copy(update={"messages": [earlier, *chat.messages]})
