"""Routes for feedback on answers, the human review queue, and the export of both as evaluation data."""

import json
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response

from footnotary.audit.feedback import Review
from footnotary.audit.feedback_dataset import labelled_rows
from footnotary.service.dependencies import AdminCredential, InjectedService, ReaderCredential
from footnotary.service.problems import Problem
from footnotary.service.routes.audit import NO_ANSWER, load_answer
from footnotary.service.schemas.audit import (
    AnswerId,
    FeedbackReceipt,
    FeedbackRequest,
    ReviewCase,
    ReviewDecision,
    ReviewPage,
    ReviewSummary,
)
from footnotary.service.state import TenantState
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["feedback"], route_class=StrictRoute)
CaseNumber = Annotated[int, Path(ge=1, le=2**53, description="The number of a review case.")]

_EXPORT_RESPONSE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "JSON lines of claim, premise and label, as `footnotary eval grounding` reads them.",
        "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
    }
}


@router.post("/answers/{answer_id}/feedback", summary="Rate an answer")
async def rate(
    answer_id: AnswerId, given: FeedbackRequest, who: ReaderCredential, service: InjectedService
) -> FeedbackReceipt:
    def note(tenant: TenantState) -> FeedbackReceipt:
        record = tenant.notary.log.find(answer_id)
        if record is None:
            raise Problem("not_found", NO_ANSWER)
        noted = tenant.notary.feedback.rate(record, given.rating, given.comment or None, who.key_id)
        return FeedbackReceipt(answer_id=answer_id, rating=noted.rating, comment_kept=noted.comment is not None)

    return await service.work(who.tenant, note)


@router.get("/review", summary="The review queue: rejected drafts and disputed answers")
async def reviews(
    who: AdminCredential,
    service: InjectedService,
    state: Literal["open", "kept", "dismissed"] = "open",
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> ReviewPage:
    def read(tenant: TenantState) -> ReviewPage:
        found = tenant.notary.feedback.reviews(state, after, limit)
        more = len(found) == limit
        return ReviewPage(reviews=[_summary(one) for one in found], next=found[-1].id if more else None)

    return await service.work(who.tenant, read)


@router.get("/review/{case}", summary="A review case with the draft, the verdicts and the passages")
async def review(case: CaseNumber, who: AdminCredential, service: InjectedService) -> ReviewCase:
    def read(tenant: TenantState) -> ReviewCase:
        found = tenant.notary.feedback.review(case)
        if found is None:
            raise Problem("not_found", "There is no such review case; GET /v1/review lists them.")
        return _review_case(tenant, found)

    return await service.work(who.tenant, read)


@router.post("/review/{case}", summary="Decide a review case; this releases nothing")
async def decide(
    case: CaseNumber, given: ReviewDecision, who: AdminCredential, service: InjectedService
) -> ReviewSummary:
    def note(tenant: TenantState) -> ReviewSummary:
        found = tenant.notary.feedback.decide(case, given.state, given.supported, given.note, who.key_id)
        if found is None:
            raise Problem("not_found", "There is no such review case; GET /v1/review lists them.")
        return _summary(found)

    return await service.work(who.tenant, note)


@router.get(
    "/feedback/export",
    summary="Reviewed claims as evaluation data",
    response_class=Response,
    responses=_EXPORT_RESPONSE,
)
async def export(who: AdminCredential, service: InjectedService) -> Response:
    def read(tenant: TenantState) -> str:
        rows = labelled_rows(tenant.notary.log, tenant.notary.feedback)
        return "".join(f"{json.dumps(row)}\n" for row in rows)

    body = await service.work(who.tenant, read)
    name = 'attachment; filename="feedback.jsonl"'
    return Response(body, headers={"Content-Disposition": name}, media_type="application/x-ndjson")


def _summary(found: Review) -> ReviewSummary:
    return ReviewSummary.model_validate(asdict(found))


def _review_case(tenant: TenantState, found: Review) -> ReviewCase:
    shown = _summary(found).model_dump() | {"delivered": found.kind == "disputed_answer", "released_claims": 0}
    if found.answer_id is None:
        return ReviewCase.model_validate(
            shown | {"question": None, "claims": [], "verdicts": [], "passages": [], "raw": None}
        )
    record, content = load_answer(tenant, found.answer_id)
    claims = content["outcome"]["claims"] if shown["delivered"] else content["draft"]["claims"]
    return ReviewCase.model_validate(
        shown
        | {
            "released_claims": record.says["released_claims"],
            "question": content["query"]["text"],
            "claims": claims,
            "verdicts": content["outcome"]["verdicts"],
            "unsupported_words": content["outcome"].get("unsupported", ()),
            "passages": [{"id": hit["chunk"]["id"], "text": hit["chunk"]["text"]} for hit in content["evidence"]],
            "raw": content["draft"] and content["draft"]["raw"],
        }
    )
