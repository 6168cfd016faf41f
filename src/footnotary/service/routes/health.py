"""Routes about the service itself: profiles, whoami, health."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from footnotary.deprecated import with_former_keys
from footnotary.service.auth.authentication import OPEN_CREDENTIAL
from footnotary.service.dependencies import InjectedService, ReaderCredential
from footnotary.service.etags import NOT_MODIFIED, conditional_json
from footnotary.service.schemas.answers import Health, Profiles, ProfileSummary, Whoami
from footnotary.service.strict_json import StrictRoute

router = APIRouter(route_class=StrictRoute, tags=["about"])


@router.get("/v1/whoami", summary="The tenant and role of the key")
async def whoami(who: ReaderCredential) -> Whoami:
    return Whoami(tenant=who.tenant, role=who.role, key_id=who.key_id, open=who is OPEN_CREDENTIAL)


@router.get("/v1/profiles", summary="The profiles a question may name", response_model=Profiles, responses=NOT_MODIFIED)
async def profiles(who: ReaderCredential, service: InjectedService, request: Request) -> Response:  # noqa: ARG001
    known = Profiles(
        profiles=[
            ProfileSummary(
                name=p.name, description=p.description, digest=p.digest, default=name == service.default_profile
            )
            for name, p in service.profiles.items()
        ]
    )
    return conditional_json(request, known.model_dump(mode="json"))


@router.get(
    "/v1/profiles/{name}",
    summary="A profile in full",
    response_model=dict[str, Any],
    responses=NOT_MODIFIED,
    openapi_extra={"x-problems": ["unknown_profile"]},
)
async def profile(
    name: Annotated[str, Path(max_length=64)],
    who: ReaderCredential,  # noqa: ARG001
    service: InjectedService,
    request: Request,
) -> Response:
    found = service.profile(name)
    return conditional_json(request, with_former_keys(found.model_dump(mode="json")) | {"digest": found.digest})


@router.get("/healthz", summary="Liveness: the process responds")
async def healthz() -> Health:
    return Health(status="ok")


@router.get("/readyz", summary="Readiness: questions can be answered")
async def readyz(service: InjectedService) -> Health:
    service.ready()
    return Health(status="ok")
