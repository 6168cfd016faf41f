"""`/v1/chat/completions` and `/v1/models`: the same answers through OpenAI's API format."""

from collections.abc import Awaitable
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from footnotary.app.delivery import Delivery
from footnotary.app.follow_ups import asked_after
from footnotary.ports import NULL_OBSERVER, Observer
from footnotary.service.answering import AskRequest, answer
from footnotary.service.auth.authentication import Credential
from footnotary.service.chat_history import earlier_turns, task_reply
from footnotary.service.dependencies import InjectedService, ReaderCredential
from footnotary.service.guard_mode import answer_from_passages, strip_passages
from footnotary.service.openai_api.chat_completions import (
    ChatChunkEncoder,
    ReplyForm,
    build_completion,
    build_task_reply,
)
from footnotary.service.openai_api.citation_urls import public_base_url
from footnotary.service.openai_api.model_names import model_names, resolve_model
from footnotary.service.openai_api.structured_output import Schema, select_fields
from footnotary.service.problems import Problem
from footnotary.service.schemas.answers import MAX_QUESTION_CHARS
from footnotary.service.schemas.chat import ChatCompletion, ChatRequest, ModelCard, ModelList
from footnotary.service.state import Policy, ServiceState, TenantState
from footnotary.service.streaming import EVENT_STREAM, stream_response
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["openai"], route_class=StrictRoute)

_CHAT_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The completion, or, with `stream`, its chunks followed by `[DONE]`; stages are comments.",
        "content": {
            EVENT_STREAM: {
                "schema": {"type": "object", "properties": {"data": {"type": "string"}}, "required": ["data"]}
            }
        },
    }
}


@router.post(
    "/chat/completions",
    summary="Answer as a chat completion",
    response_model=ChatCompletion,
    responses=_CHAT_RESPONSES,
    openapi_extra={"x-problems": ["unknown_model", "unusable", "backend_unavailable"]},
)
async def chat(
    asked: ChatRequest, who: ReaderCredential, service: InjectedService, request: Request
) -> ChatCompletion | Response:
    """The last user message is the question; the conversation before it resolves what it refers to. System messages
    cannot change the contract, and what assistant messages say is never evidence. A client's request for a title of
    the conversation gets the first words of its first question; one for tags or follow-ups gets none."""
    if not asked.stream and (text := task_reply(asked.messages)) is not None:
        return build_task_reply(text, asked.model, asked.words)
    turns = user_turns(asked)
    wanted = asked.response_format
    schema = wanted.json_schema and wanted.json_schema.schema_ if wanted and wanted.type == "json_schema" else None
    form = reply_form(request, service, schema, structured=wanted is not None and wanted.type != "text")

    def work(observer: Observer) -> Awaitable[Delivery]:
        return service.work(who.tenant, lambda tenant: answer_chat(tenant, who, service, asked, turns, observer))

    if asked.stream:
        counts = asked.stream_options is not None and asked.stream_options.include_usage
        chunks = ChatChunkEncoder(asked.model, form, asked.words if counts else None)
        return await stream_response(work, chunks, request.state.request_id)
    return build_completion(await work(NULL_OBSERVER), asked.model, asked.words, form)


@router.get("/models", summary="The values of `model`")
async def models(who: ReaderCredential, service: InjectedService) -> ModelList:
    names = await service.work(who.tenant, lambda tenant: model_names(tenant, service))
    return ModelList(data=[ModelCard(id=name) for name in names])


@router.get("/models/{model:path}", summary="One model", openapi_extra={"x-problems": ["unknown_model"]})
async def model(
    model: Annotated[str, Path(min_length=1, max_length=300)], who: ReaderCredential, service: InjectedService
) -> ModelCard:
    await service.work(who.tenant, lambda tenant: resolve_model(model, tenant, service))
    return ModelCard(id=model)


def user_turns(asked: ChatRequest) -> list[str]:
    """The user messages, the last of which is the question. Raises `Problem` without a question."""
    turns = [strip_passages(message.text) for message in asked.messages if message.role == "user"]
    if not turns or not turns[-1].strip() or len(turns[-1]) > MAX_QUESTION_CHARS:
        raise Problem(
            "unusable", f"The last user message is the question and must have 1 to {MAX_QUESTION_CHARS} characters."
        )
    return turns


def reply_form(request: Request, service: ServiceState, schema: Schema | None, *, structured: bool) -> ReplyForm:
    """How this client gets its reply. Raises `Problem` for a schema that some answer would not satisfy."""
    return ReplyForm(
        public_base_url(request, service.settings),
        refusal_in_content=service.settings.refusal_content == "on",
        structured=structured,
        selection=None if schema is None else select_fields(schema),
    )


def answer_chat(
    tenant: TenantState,
    who: Credential,
    service: ServiceState,
    asked: ChatRequest,
    turns: list[str],
    observer: Observer,
) -> Delivery:
    """The recorded outcome of a conversation's last question; earlier ones resolve what it refers to. Blocks."""
    model = resolve_model(asked.model, tenant, service)
    policy = Policy(model.profile)
    follow_up = asked_after(turns[-1], earlier_turns(asked.messages), tenant.engine(policy))
    question = follow_up.text
    streams = bool(asked.stream)
    if model.project is None:
        delivery = answer_from_passages(
            tenant, who, question, asked, policy, model.upstream, observer, streamed=streams
        )
        return replace(delivery, follow_up=follow_up)
    if asked.documents:
        raise Problem("unusable", "Only guard models answer from `documents`; set `model` to `guard`.")
    request = AskRequest(question, model.project, policy, channel="openai", streamed=streams, context=follow_up.context)
    return replace(answer(tenant, who, request, observer), follow_up=follow_up)
