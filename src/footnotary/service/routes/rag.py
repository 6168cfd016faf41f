"""`/rag/*`: the compliance contract over HTTP. A refusal is a result, hence 200."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from footnotary import __version__
from footnotary.app.delivery import Delivery
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.render.answer_text import render, text_without_markers
from footnotary.render.outcome_record import hit_record
from footnotary.service.answering import AskRequest, answer
from footnotary.service.dependencies import InjectedService, ReaderCredential
from footnotary.service.problems import Problem
from footnotary.service.schemas.answers import (
    ProfileName,
    ProjectName,
    QuestionText,
    RagAnswer,
    RagHealth,
    RagQuery,
    RagSearch,
    SourceDocument,
)
from footnotary.service.state import Policy, ServiceState, TenantState
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/rag", tags=["rag"], route_class=StrictRoute)


@router.post(
    "/query",
    summary="Answer from a project's documents, or refuse",
    response_model_exclude_unset=True,  # without conflicts there are the five fields of the contract
)
async def query(asked: RagQuery, who: ReaderCredential, service: InjectedService, response: Response) -> RagAnswer:
    """The model is called only if the project exists, the best passage is relevant to the question and there are
    enough sources; a project that does not exist is refused as `collection_not_found`. The header `X-Answer-Id`
    names the recorded outcome."""
    policy = _policy(asked, service)
    if asked.mode == "retrieve":
        evidence = await service.work(who.tenant, lambda t: _search(t, asked.query, asked.project_id, policy))
        return RagAnswer(
            answer="", sources=_sources(evidence.hits), citations=[], refusal_reason=None, query=asked.query
        )
    question = AskRequest(asked.query, asked.project_id, policy, suggests=False)
    delivered = await service.work(who.tenant, lambda tenant: answer(tenant, who, question))
    response.headers["X-Answer-Id"] = delivered.answer_id
    return _answered(delivered, strip=asked.citations == "strip")


@router.get("/search", summary="Find passages; no model is called")
async def search(
    query: Annotated[QuestionText, Query()],
    project_id: Annotated[ProjectName, Query()],
    who: ReaderCredential,
    service: InjectedService,
    k: Annotated[int, Query(ge=1, le=20)] = 8,
    policy_profile: Annotated[ProfileName, Query()] = "compliance",
    include_graph: bool = False,
) -> RagSearch:
    service.profile(policy_profile)
    policy = Policy(policy_profile, k=k, follow_references=include_graph)
    evidence = await service.work(who.tenant, lambda tenant: _search(tenant, query, project_id, policy))
    return RagSearch(query=query, project_id=project_id, sources=_sources(evidence.hits))


@router.get("/health", summary="Liveness: the service responds")
async def health() -> RagHealth:
    return RagHealth(status="ok", version=__version__)


def _policy(asked: RagQuery, service: ServiceState) -> Policy:
    service.profile(asked.policy_profile)
    if asked.backend in ("openai", "runpod") and service.settings.model is None:
        raise Problem("backend_unavailable")
    return Policy(
        asked.policy_profile,
        asked.k,
        asked.min_sources,
        asked.include_graph,
        extractive=asked.backend == "extractive",
        on_rejected="refuse",  # the response has no field to say that an answer is quoted
    )


def _search(tenant: TenantState, query: str, project: str, policy: Policy) -> Evidence:
    tenant.require_project(project)
    return tenant.engine(policy).search(query, Scope(project, tenant.name))


def _answered(delivered: Delivery, *, strip: bool) -> RagAnswer:
    outcome = delivered.outcome
    disputed = {"conflicts": [asdict(one) for one in outcome.conflicts]} if outcome.conflicts else {}
    if not isinstance(outcome, Answer):
        return RagAnswer(
            answer=outcome.message,
            sources=[],
            citations=[],
            refusal_reason=outcome.reason.value,
            query=outcome.query.text,
            **disputed,
        )
    return RagAnswer(
        answer=text_without_markers(outcome) if strip else render(outcome, delivered.profile.presentation.style).body,
        sources=_sources(outcome.sources),
        citations=[hit.chunk.id for hit in outcome.sources],
        refusal_reason=None,
        query=outcome.query.text,
        **disputed,
    )


def _sources(hits: tuple[Hit, ...]) -> list[SourceDocument]:
    return [_source(hit_record(hit)) for hit in hits]


def _source(record: dict[str, Any]) -> SourceDocument:
    about = {name: record[name] for name in ("act", "section", "title", "via", "validity")}
    return SourceDocument(
        source_id=record["source_id"],
        content_snippet=record["content_snippet"],
        score=record["score"],
        metadata=record["metadata"] | about,
    )
