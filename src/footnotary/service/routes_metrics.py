"""`/metrics`, for whoever runs the service: sums over all tenants, so no tenant's key but the operator's opens it."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from footnotary.service.auth import LOCAL, Credential, require
from footnotary.service.problems import Problem
from footnotary.service.state import ServiceState, service_of
from footnotary.service.telemetry import EXPOSITION

router = APIRouter(tags=["about"])
Reader = Annotated[Credential, Depends(require("reader"))]
Service = Annotated[ServiceState, Depends(service_of)]


@router.get(
    "/metrics",
    summary=f"Prometheus metrics; takes a key of tenant `{LOCAL}`",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "Counts and times, without any content."}},
)
def metrics(who: Reader, service: Service) -> Response:
    if who.tenant != LOCAL:
        raise Problem("forbidden")
    return Response(service.telemetry.exposition(), headers={"Content-Type": EXPOSITION})
