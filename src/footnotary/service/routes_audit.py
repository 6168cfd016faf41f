"""Routes for audit records and evidence bundles: `/v1/answers/{id}`, its bundle, and the audit log."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from footnotary.audit.canonical import canonical
from footnotary.audit.chain import Broken
from footnotary.audit.content import Content, outcome_in, profile_in
from footnotary.audit.record import AuditRecord
from footnotary.errors import StoreCorrupt
from footnotary.service.injected import Admin, Reader, Service
from footnotary.service.problems import Problem
from footnotary.service.public import public_record
from footnotary.service.schemas_audit import (
    AnswerId,
    KeptAnswer,
    LogState,
    PublicKeyRecord,
    Records,
    RecordSummary,
)
from footnotary.service.state import TenantState
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["audit"], route_class=StrictRoute)

_BUNDLE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A DSSE envelope with an in-toto statement, signed with Ed25519.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}


@router.get("/answers/{answer_id}", summary="A recorded outcome as delivered")
async def answer(answer_id: AnswerId, who: Reader, service: Service) -> KeptAnswer:
    def read(tenant: TenantState) -> KeptAnswer:
        record, content = kept(tenant, answer_id)
        try:
            outcome, profile = outcome_in(content), profile_in(content)
        except (ValueError, KeyError):  # written by a version with another schema; its bundle is still complete
            raise Problem("not_found") from None
        return KeptAnswer(
            answer_id=answer_id,
            outcome=public_record(outcome, profile),
            bundle=f"/v1/answers/{answer_id}/bundle",
            seq=record.seq,
            at=content["at"],
        )

    return await service.work(who.tenant, read)


@router.get(
    "/answers/{answer_id}/bundle",
    summary="The evidence bundle of an outcome, for offline checks",
    response_class=Response,
    responses=_BUNDLE,
)
async def bundle(answer_id: AnswerId, who: Reader, service: Service) -> Response:
    """The bundle of a refusal contains the rejected draft if there was one; only an admin can download it."""

    def made(tenant: TenantState) -> bytes:
        record, _ = kept(tenant, answer_id)
        says = record.says
        if says["outcome"] == "refused" and says["drafted"] and not who.may("admin"):
            raise Problem("forbidden")
        return canonical(tenant.notary.bundle(answer_id))

    body = await service.work(who.tenant, made)
    name = f'attachment; filename="{answer_id}.bundle.json"'
    return Response(body, headers={"Content-Disposition": name}, media_type="application/json")


@router.get("/audit", summary="The audit log, page by page")
async def records(
    who: Admin,
    service: Service,
    after: Annotated[int | None, Query(ge=0, le=2**53, description="Records after this one, oldest first.")] = None,
    before: Annotated[int | None, Query(ge=1, le=2**53, description="Records before this one, newest first.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Records:
    def read(tenant: TenantState) -> Records:
        log = tenant.notary.log
        found = log.latest(limit, before) if after is None else log.records(after, limit)
        more = len(found) == limit and (after is not None or found[-1].seq > 1)
        return Records(records=[_summary(record) for record in found], next=found[-1].seq if more else None)

    return await service.work(who.tenant, read)


@router.get("/audit/verify", summary="Verify that the log is intact")
async def verify(who: Admin, service: Service) -> LogState:
    def read(tenant: TenantState) -> LogState:
        log = tenant.notary.log
        found = log.verify()
        if isinstance(found, Broken):
            return LogState(intact=False, records=log.size(), signed=0, losses=[], seq=found.seq, why=found.why)
        return LogState(intact=True, records=found.records, signed=found.signed, losses=list(found.losses))

    return await service.work(who.tenant, read)


@router.get("/audit/key", summary="The public key for checking bundles")
async def key(who: Reader, service: Service) -> PublicKeyRecord:
    def read(tenant: TenantState) -> PublicKeyRecord:
        signer = tenant.notary.signer
        if signer is None:
            raise Problem("not_found")
        return PublicKeyRecord(algorithm="Ed25519", id=signer.public.id, pem=signer.public.pem())

    return await service.work(who.tenant, read)


def kept(tenant: TenantState, answer_id: str) -> tuple[AuditRecord, Content]:
    """The record of an answer and its stored content. Raises `Problem`, the same for another tenant's as for none."""
    try:
        record, content = tenant.notary.found(answer_id)
    except StoreCorrupt:
        raise Problem("backend_failed", "The stored content of this answer does not match its record.") from None
    if record is None or content is None:
        raise Problem("not_found")
    return record, content


def _summary(record: AuditRecord) -> RecordSummary:
    return RecordSummary.model_validate(record.says | {"hash": record.hash, "signature": record.signature})
