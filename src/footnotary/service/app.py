"""The service as an application: its routes and its middleware."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TypeAlias

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from footnotary import __version__
from footnotary.service import (
    routes_about,
    routes_ask,
    routes_audit,
    routes_documents,
    routes_evidence,
    routes_feedback,
    routes_jobs,
    routes_metrics,
    routes_openai,
    routes_page,
    routes_pages,
    routes_rag,
)
from footnotary.service.auth import Authentication
from footnotary.service.edge import BodyLimit, Edge
from footnotary.service.idempotency import Idempotency, Replies
from footnotary.service.openapi import described, methods_of
from footnotary.service.problems import invalid, problem_of, problem_response
from footnotary.service.shedding import Shedding
from footnotary.service.state import ServiceState, TenantState
from footnotary.service.telemetry import Measured

MAX_JSON_BYTES = 1_000_000

# One line for each module of routes.
ROUTERS = (
    routes_about.router,
    routes_rag.router,
    routes_ask.router,
    routes_evidence.router,
    routes_audit.router,
    routes_feedback.router,
    routes_documents.router,
    routes_jobs.router,
    routes_pages.router,
    routes_metrics.router,
    routes_openai.router,
    routes_page.router,
)


# Adds routes of another package to the application, for as long as it runs.
Mount: TypeAlias = Callable[[FastAPI, ServiceState], AbstractAsyncContextManager[None]]


def create_app(state: ServiceState, *mounts: Mount) -> FastAPI:
    """The application for an open state; the state is closed on shutdown."""

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
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.openapi = partial(described, app)
    # The middleware added last runs first.
    mark = partial(state.work, do=TenantState.mark)
    app.add_middleware(Idempotency, replies=Replies(), mark=mark, rates=state.rates)
    app.add_middleware(Authentication, keys=state.keys)
    app.add_middleware(BodyLimit, max_bytes=state.settings.max_body_mb * 1_000_000, max_json_bytes=MAX_JSON_BYTES)
    app.add_middleware(Edge)
    app.add_middleware(Measured, telemetry=state.telemetry)
    app.add_middleware(Shedding, turns=state.turns, telemetry=state.telemetry)
    return app


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problem_response(invalid(error.errors()), request.state.request_id)


async def _on_http(request: Request, error: Exception) -> Response:
    response = problem_response(problem_of(error), request.state.request_id)
    if response.status_code == 405 and (methods := methods_of(request.app, request.url.path)):
        response.headers["Allow"] = ", ".join(
            methods
        )  # the framework names the methods of the first matching route only
    return response
