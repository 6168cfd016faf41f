"""`/v1/projects`: projects listed, created and deleted."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import ValidationError

from footnotary.service.dependencies import AdminCredential, InjectedService, ReaderCredential, WriterCredential
from footnotary.service.openai_api.model_names import is_reserved
from footnotary.service.problems import Problem, invalid_request
from footnotary.service.schemas.documents import DeletedProject, NewProject, ProjectList, ProjectSummary
from footnotary.service.state import ServiceState, TenantState
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["documents"], route_class=StrictRoute)
ProjectPath = Annotated[str, Path(min_length=1, max_length=200)]
JOB_RUNNING_PROBLEM = {"x-problems": ["job_running"]}


@router.get("/projects", summary="The tenant's projects")
async def projects(who: ReaderCredential, service: InjectedService) -> ProjectList:
    def listed(tenant: TenantState) -> ProjectList:
        return ProjectList(projects=[_summary(tenant, name) for name in tenant.projects()])

    return await service.work(who.tenant, listed)


@router.post("/projects", status_code=201, summary="Create a project", openapi_extra={"x-problems": ["conflict"]})
async def create_project(body: NewProject, who: WriterCredential, service: InjectedService) -> ProjectSummary:
    def create(tenant: TenantState) -> ProjectSummary:
        require_unreserved_name(tenant, body.name, service, ("body", "name"))
        if body.name in tenant.store.projects() or not tenant.jobs.create_project(body.name):
            raise Problem("conflict", "A project with this name already exists.")
        return _summary(tenant, body.name)

    return await service.work(who.tenant, create)


@router.delete(
    "/projects/{project}",
    summary="Delete a project with all its documents and their history",
    openapi_extra=JOB_RUNNING_PROBLEM,
)
async def delete_project(project: ProjectPath, who: AdminCredential, service: InjectedService) -> DeletedProject:
    def delete(tenant: TenantState) -> DeletedProject:
        tenant.require_project(project)
        if not tenant.jobs.withdraw(project):
            raise Problem("job_running")
        erased = tenant.store.delete_project(project)
        tenant.jobs.forget_project(project)
        tenant.jobs.uploads.forget_all(project)
        return DeletedProject(deleted=project, documents_erased=erased)

    return await service.work(who.tenant, delete)


def require_project_name(project: str) -> None:
    """Uploading to a new project creates it, so its name must be valid for a new project."""
    try:
        NewProject(name=project)
    except ValidationError as error:
        raise invalid_request([{**one, "loc": ("path", "project")} for one in error.errors()]) from None


def require_unreserved_name(tenant: TenantState, name: str, service: ServiceState, loc: tuple[str, str]) -> None:
    """Raises `Problem` if a new project would have a name that means something else as a model."""
    if is_reserved(name, tenant, service) and name not in tenant.projects():
        raise invalid_request([{"loc": loc, "type": "reserved_name"}])


def _summary(tenant: TenantState, name: str) -> ProjectSummary:
    held = tenant.store.documents(name)
    return ProjectSummary(name=name, documents=len(held), passages=sum(document.chunks for document in held))
