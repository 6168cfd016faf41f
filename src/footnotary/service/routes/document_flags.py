"""Clears wrong injection flags of a document."""

from typing import Annotated

from fastapi import APIRouter, Path

from footnotary.app.cleared_flags import set_cleared
from footnotary.errors import UsageError
from footnotary.service.dependencies import AdminCredential, InjectedService
from footnotary.service.problems import Problem
from footnotary.service.routes.documents import find_document
from footnotary.service.schemas.documents import ChangedFlags, FlagChange
from footnotary.service.state import TenantState
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["documents"], route_class=StrictRoute)


@router.post("/projects/{project}/flags", summary="Clear the injection flag of a sentence, or set it again")
async def change_flag(
    project: Annotated[str, Path(min_length=1, max_length=200)],
    body: FlagChange,
    who: AdminCredential,
    service: InjectedService,
) -> ChangedFlags:
    """An answer may be drafted from a cleared sentence, also when its document is ingested or examined again."""

    def change(tenant: TenantState) -> ChangedFlags:
        find_document(tenant, project, body.document)
        try:
            changed = set_cleared(tenant.store, project, body.document, body.text, cleared=body.cleared)
        except UsageError as error:
            raise Problem("not_found", error.message) from None
        return ChangedFlags(document=body.document, cleared=body.cleared, sentences=changed)

    return await service.work(who.tenant, change)
