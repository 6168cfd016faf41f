"""`/metrics`, for the operator: sums over all tenants, so it requires a key of the operator's tenant."""

from fastapi import APIRouter, Response

from footnotary.service.auth import LOCAL
from footnotary.service.injected import Reader, Service
from footnotary.service.problems import Problem
from footnotary.service.telemetry import EXPOSITION

router = APIRouter(tags=["about"])


@router.get(
    "/metrics",
    summary=f"Prometheus metrics; requires a key of tenant `{LOCAL}`",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "Counts and times, without any content."}},
)
def metrics(who: Reader, service: Service) -> Response:
    if who.tenant != LOCAL:
        raise Problem("forbidden")
    return Response(service.telemetry.exposition(), headers={"Content-Type": EXPOSITION})
