"""`/metrics`, for the operator: sums over all tenants, so it requires a key of the operator's tenant."""

from fastapi import APIRouter, Response

from footnotary.service.auth.authentication import LOCAL_TENANT
from footnotary.service.dependencies import InjectedService, ReaderCredential
from footnotary.service.observability.metrics import EXPOSITION_MEDIA_TYPE
from footnotary.service.problems import Problem

router = APIRouter(tags=["about"])


@router.get(
    "/metrics",
    summary=f"Prometheus metrics; requires a key of tenant `{LOCAL_TENANT}`",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "Counts and times, without any content."}},
)
def metrics(who: ReaderCredential, service: InjectedService) -> Response:
    if who.tenant != LOCAL_TENANT:
        raise Problem("forbidden", f"Metrics are those of all tenants and need a key of tenant {LOCAL_TENANT}.")
    return Response(service.telemetry.exposition(), headers={"Content-Type": EXPOSITION_MEDIA_TYPE})
