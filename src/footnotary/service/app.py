"""The service as an application: its routes and its middleware."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TypeAlias

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from footnotary import __version__
from footnotary.service.auth.authentication import Authentication
from footnotary.service.middleware.idempotency import IdempotencyMiddleware, ReplyStore, ResponseCache
from footnotary.service.middleware.load_shedding import LoadSheddingMiddleware
from footnotary.service.middleware.security_headers import BodyLimitMiddleware, SecurityHeadersMiddleware
from footnotary.service.observability.metrics import TelemetryMiddleware
from footnotary.service.openapi import allowed_methods, build_openapi
from footnotary.service.problems import Problem, invalid_request, problem_of, problem_response
from footnotary.service.routes import (
    ask,
    audit,
    conversations,
    document_conflicts,
    document_flags,
    document_page_images,
    document_text,
    documents,
    evidence,
    feedback,
    health,
    jobs,
    metrics,
    openai_compatible,
    projects,
    rag,
    responses,
    web_page,
)
from footnotary.service.state import ServiceState, TenantState

MAX_JSON_BYTES = 1_000_000

# One line for each module of routes.
ROUTERS = (
    health.router,
    rag.router,
    ask.router,
    evidence.router,
    audit.router,
    conversations.router,
    feedback.router,
    projects.router,
    documents.router,
    document_text.router,
    document_conflicts.router,
    document_flags.router,
    jobs.router,
    document_page_images.router,
    metrics.router,
    openai_compatible.router,
    responses.router,
    web_page.router,
)


# Adds routes of another package to the application, for as long as it runs.
Mount: TypeAlias = Callable[[FastAPI, ServiceState], AbstractAsyncContextManager[None]]


def create_app(state: ServiceState, *mounts: Mount, replies: ReplyStore | None = None) -> FastAPI:
    """The application for an open state; the state is closed on shutdown. Workers share `replies`."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        state.start()
        async with AsyncExitStack() as mounted:
            for mount in mounts:
                await mounted.enter_async_context(mount(app, state))
            yield
        state.close()

    app = FastAPI(
        title="Footnotary",
        version=__version__,
        summary="Answers from your documents only: every sentence cited and verified, or refused.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    app.state.service = state
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.openapi = partial(build_openapi, app)
    # The middleware added last runs first.
    mark = partial(state.work, do=TenantState.mark)
    app.add_middleware(IdempotencyMiddleware, replies=replies or ResponseCache(), mark=mark, rates=state.rates)
    app.add_middleware(Authentication, keys=state.keys)
    app.add_middleware(
        BodyLimitMiddleware, max_bytes=state.settings.max_body_mb * 1_000_000, max_json_bytes=MAX_JSON_BYTES
    )
    app.add_middleware(SecurityHeadersMiddleware)
    app.add_middleware(TelemetryMiddleware, telemetry=state.telemetry)
    app.add_middleware(LoadSheddingMiddleware, limiter=state.limiter, telemetry=state.telemetry)
    return app


async def _handle_validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    problem = invalid_request(error.errors(), error.body)
    return problem_response(problem, request.state.request_id, request.url.path)


async def _handle_http_error(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    # The framework names the methods of the first matching route only.
    methods = ", ".join(allowed_methods(request.app, request.url.path)) if problem.status_code == 405 else ""
    if methods:
        problem = Problem(problem.code, f"This route allows only {methods}.", headers={"Allow": methods})
    elif problem.status_code == 404 and not isinstance(error, Problem):
        problem = Problem(problem.code, "There is no such route; GET /openapi.json lists them all.")
    return problem_response(problem, request.state.request_id, request.url.path)
