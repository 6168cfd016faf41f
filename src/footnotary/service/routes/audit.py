"""Routes for audit records and evidence bundles: `/v1/answers/{id}`, its bundle, and the audit log."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from footnotary.audit.bundle_content import Content, outcome_in, profile_in
from footnotary.audit.canonical_json import canonical_json
from footnotary.audit.chain_verification import BrokenChain
from footnotary.audit.record import AuditRecord
from footnotary.errors import StoreCorrupt
from footnotary.service.dependencies import AdminCredential, InjectedService, ReaderCredential
from footnotary.service.problems import Problem
from footnotary.service.redaction import redacted_record
from footnotary.service.schemas.audit import (
    AnswerId,
    LogVerification,
    PublicKeyRecord,
    RecordedAnswer,
    RecordPage,
    RecordSummary,
)
from footnotary.service.state import TenantState
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["audit"], route_class=StrictRoute)

NO_ANSWER = "There is no such answer, or its content was deleted."
_BUNDLE_RESPONSE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A DSSE envelope with an in-toto statement, signed with Ed25519.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}


@router.get("/answers/{answer_id}", summary="A recorded outcome as delivered")
async def answer(answer_id: AnswerId, who: ReaderCredential, service: InjectedService) -> RecordedAnswer:
    def read(tenant: TenantState) -> RecordedAnswer:
        record, content = load_answer(tenant, answer_id)
        try:
            outcome, profile = outcome_in(content), profile_in(content)
        except (ValueError, KeyError):  # written by a version with another schema; its bundle is still complete
            raise Problem("not_found") from None
        return RecordedAnswer(
            answer_id=answer_id,
            outcome=redacted_record(outcome, profile),
            bundle=f"/v1/answers/{answer_id}/bundle",
            seq=record.seq,
            at=content["at"],
        )

    return await service.work(who.tenant, read)


@router.get(
    "/answers/{answer_id}/bundle",
    summary="The evidence bundle of an outcome, for offline checks",
    response_class=Response,
    responses=_BUNDLE_RESPONSE,
)
async def bundle(answer_id: AnswerId, who: ReaderCredential, service: InjectedService) -> Response:
    """The bundle of a refusal, or of an answer that quotes in place of a draft, contains the rejected draft if there
    was one; only an admin can download it."""

    def made(tenant: TenantState) -> bytes:
        record, content = load_answer(tenant, answer_id)
        says = record.says
        rejected = "rejected" in content or (says["outcome"] == "refused" and says["drafted"])
        if rejected and not who.may("admin"):
            raise Problem("forbidden", "This bundle contains a rejected draft and needs a key of role admin.")
        return canonical_json(tenant.notary.bundle(answer_id))

    body = await service.work(who.tenant, made)
    name = f'attachment; filename="{answer_id}.bundle.json"'
    return Response(body, headers={"Content-Disposition": name}, media_type="application/json")


@router.get("/audit", summary="The audit log, page by page")
async def records(
    who: AdminCredential,
    service: InjectedService,
    after: Annotated[int | None, Query(ge=0, le=2**53, description="Records after this one, oldest first.")] = None,
    before: Annotated[int | None, Query(ge=1, le=2**53, description="Records before this one, newest first.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> RecordPage:
    def read(tenant: TenantState) -> RecordPage:
        log = tenant.notary.log
        found = log.latest(limit, before) if after is None else log.records(after, limit)
        more = len(found) == limit and (after is not None or found[-1].seq > 1)
        return RecordPage(records=[_summary(record) for record in found], next=found[-1].seq if more else None)

    return await service.work(who.tenant, read)


@router.get("/audit/verify", summary="Verify that the log is intact")
async def verify(who: AdminCredential, service: InjectedService) -> LogVerification:
    def read(tenant: TenantState) -> LogVerification:
        log = tenant.notary.log
        found = log.verify()
        if isinstance(found, BrokenChain):
            return LogVerification(intact=False, records=log.size(), signed=0, losses=[], seq=found.seq, why=found.why)
        return LogVerification(intact=True, records=found.records, signed=found.signed, losses=list(found.losses))

    return await service.work(who.tenant, read)


@router.get("/audit/key", summary="The public key for checking bundles")
async def key(who: ReaderCredential, service: InjectedService) -> PublicKeyRecord:
    def read(tenant: TenantState) -> PublicKeyRecord:
        signer = tenant.notary.signer
        if signer is None:
            raise Problem("not_found")
        return PublicKeyRecord(algorithm="Ed25519", id=signer.public.id, pem=signer.public.pem())

    return await service.work(who.tenant, read)


def load_answer(tenant: TenantState, answer_id: str) -> tuple[AuditRecord, Content]:
    """The record of an answer and its stored content. Raises `Problem`, the same for another tenant's as for none."""
    try:
        record, content = tenant.notary.found(answer_id)
    except StoreCorrupt:
        raise Problem("backend_failed", "The stored content of this answer does not match its record.") from None
    if record is None or content is None:
        raise Problem("not_found", NO_ANSWER)
    return record, content


def _summary(record: AuditRecord) -> RecordSummary:
    return RecordSummary.model_validate(record.says | {"hash": record.hash, "signature": record.signature})
