"""`/v1/verify` and sources: check any answer against any passages, and look up what a citation points at."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from footnotary.app.source_lookup import find_source, source_record
from footnotary.domain.draft import Claim
from footnotary.domain.identity import Span
from footnotary.errors import UnknownProject, UnknownSource, UsageError
from footnotary.external.answer_check import CheckedAnswer, CheckedClaim, CitablePassage, check_answer
from footnotary.profiles.schema import Profile
from footnotary.render.outcome_record import verdict_record
from footnotary.service.answering import require_unambiguous_ids
from footnotary.service.dependencies import InjectedService, ReaderCredential
from footnotary.service.etags import NOT_MODIFIED, conditional_json
from footnotary.service.problems import Problem, mismatch_detail
from footnotary.service.redaction import file_name
from footnotary.service.schemas.evidence import (
    ClaimCheck,
    DecisiveSentence,
    SourceRecord,
    TextRange,
    VerifyRequest,
    VerifyResponse,
    VerifyText,
)
from footnotary.service.state import TenantState
from footnotary.service.strict_json import StrictRoute

NO_PASSAGE = (
    "This project has no such passage; GET /v1/projects/{project}/documents/{document_id} lists those there are."
)

router = APIRouter(prefix="/v1", tags=["evidence"], route_class=StrictRoute)


@router.post(
    "/verify",
    summary="Check any answer against any passages, claim by claim",
    openapi_extra={"x-problems": ["unusable"]},
)
async def verify(given: VerifyRequest, who: ReaderCredential, service: InjectedService) -> VerifyResponse:
    profile = service.profile(given.profile or service.default_profile)
    passages = [CitablePassage(passage.id, passage.text) for passage in given.passages]
    require_unambiguous_ids((passage.id, passage.text) for passage in passages)
    answer = (
        given.answer
        if isinstance(given, VerifyText)
        else [Claim(claim.text, tuple(claim.cites)) for claim in given.claims]
    )

    def check(tenant: TenantState) -> CheckedAnswer:
        return check_answer(answer, passages, profile, question=given.question, settings=tenant.settings)

    return _verify_response(await service.work(who.tenant, check), profile)


@router.get(
    "/projects/{project}/sources/{semantic_id}",
    summary="The passage a citation points at",
    response_model=SourceRecord,
    responses=NOT_MODIFIED,
)
async def source(
    project: Annotated[str, Path(min_length=1, max_length=200)],
    semantic_id: Annotated[str, Path(min_length=1, max_length=160)],
    who: ReaderCredential,
    service: InjectedService,
    request: Request,
    version: Annotated[
        str | None, Query(pattern="^[0-9a-f]{6,64}$", description="SHA-256 of the document version to read.")
    ] = None,
    quote: Annotated[
        str | None, Query(min_length=1, max_length=10_000, description="Only this part of the passage.")
    ] = None,
) -> Response:
    def read(tenant: TenantState) -> dict[str, Any]:
        try:
            shown = find_source(tenant.store, project, semantic_id, quote=quote, version=version)
        except (UnknownProject, UnknownSource):
            tenant.require_project(project)
            raise Problem("not_found", NO_PASSAGE) from None
        except UsageError:
            tenant.require_project(project)
            raise Problem("not_found", mismatch_detail(version)) from None
        return source_record(shown, project)

    record = await service.work(who.tenant, read)
    return conditional_json(request, record | {"path": file_name(record["path"])})


def _verify_response(checked: CheckedAnswer, profile: Profile) -> VerifyResponse:
    claims = [_claim_check(claim) for claim in checked.claims]
    return VerifyResponse(
        holds=checked.holds,
        refused=checked.refused,
        support_score=round(sum(claim.supported for claim in claims) / len(claims), 4) if claims else 0.0,
        claims=claims,
        verdicts=[verdict_record(verdict) for verdict in checked.verdicts],
        profile=profile.name,
        profile_digest=profile.digest,
    )


def _claim_check(claim: CheckedClaim) -> ClaimCheck:
    decisive = claim.decisive
    reasons = [reason.value for reason in claim.reasons]
    return ClaimCheck(
        text=claim.text,
        span=None if claim.span is None else _extent(claim.span),
        cites=list(claim.cites),
        supported=claim.supported,
        label=claim.label,
        score=claim.score,
        reason=reasons[0] if reasons else None,
        reasons=reasons,
        details=list(claim.details),
        supported_by=list(claim.supported_by),
        decisive=decisive and DecisiveSentence(id=decisive.id, quote=decisive.quote, span=_extent(decisive.span)),
        unsupported_words=[_extent(span) for span in claim.unsupported],
    )


def _extent(span: Span) -> TextRange:
    return TextRange(start=span.start, end=span.end)
