"""`/v1/jobs`: the indexing jobs of uploaded files, with progress and result."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from footnotary.service.dependencies import InjectedService, ReaderCredential, WriterCredential
from footnotary.service.jobs.job import IndexingJob
from footnotary.service.jobs.records import job_record
from footnotary.service.problems import Problem
from footnotary.service.schemas.documents import JOB_ID_PATTERN, JobList, JobRecord
from footnotary.service.state import TenantState
from footnotary.service.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["documents"], route_class=StrictRoute)
JobId = Annotated[str, Path(pattern=JOB_ID_PATTERN)]


@router.get("/jobs", summary="Indexing jobs, newest first")
async def jobs(
    who: ReaderCredential,
    service: InjectedService,
    project: Annotated[str | None, Query(max_length=200)] = None,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> JobList:
    def listed(tenant: TenantState) -> JobList:
        if project is not None:
            tenant.require_project(project)
        return JobList(jobs=[job_record(job) for job in tenant.jobs.jobs(project, limit)])

    return await service.work(who.tenant, listed)


@router.get("/jobs/{job_id}", summary="Progress and result of an indexing job")
async def job(job_id: JobId, who: ReaderCredential, service: InjectedService) -> JobRecord:
    return job_record(_require_job(await service.work(who.tenant, lambda tenant: tenant.jobs.get(job_id))))


@router.delete("/jobs/{job_id}", summary="Cancel an indexing job; documents already stored stay")
async def cancel_job(job_id: JobId, who: WriterCredential, service: InjectedService) -> JobRecord:
    return job_record(_require_job(await service.work(who.tenant, lambda tenant: tenant.jobs.cancel(job_id))))


def _require_job(job: IndexingJob | None) -> IndexingJob:
    if job is None:
        raise Problem("not_found", "There is no such job; GET /v1/jobs lists them.")
    return job
