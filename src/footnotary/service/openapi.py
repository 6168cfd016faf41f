"""The OpenAPI document: what the routes declare, plus the problems each of them may return."""

from collections.abc import Iterable
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.routing import compile_path

from footnotary.service.middleware.idempotency import IDEMPOTENCY_HEADER
from footnotary.service.problems import MEDIA_TYPE, PROBLEM_CODES, Problem, problem_content
from footnotary.service.schemas.answers import ProblemDetails

JsonObject = dict[str, Any]

_COMMON_PROBLEMS = ("bad_request", "cross_site", "misdirected", "internal")
_AUTHENTICATED_PROBLEMS = (
    "unauthenticated",
    "forbidden",
    "invalid",
    "rate_limited",
    "too_many_at_once",
    "overloaded",
    "backend_failed",
    "timeout",
)
_BODY_PROBLEMS = ("json_invalid", "slow_body", "too_large", "media_type")
_PATH_PROBLEMS = ("not_found",)
_IDEMPOTENCY_PROBLEMS = ("in_progress", "key_reused")
_GENERATION_PROBLEMS = ("llm_bad_response", "llm_unavailable", "not_recorded", "index_changing")
_PROJECT_PROBLEMS = ("unknown_project",)
_PROFILE_PROBLEMS = ("unknown_profile",)

_REQUEST_ID = {"X-Request-Id": {"description": "Identifies the request in the logs.", "schema": {"type": "string"}}}
_IDEMPOTENCY_PARAMETER = {
    "name": IDEMPOTENCY_HEADER,
    "in": "header",
    "required": False,
    "description": "A request repeated with the same key within a day gets the first response again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}


def build_openapi(app: FastAPI) -> JsonObject:
    """The document, built once: every operation lists the problems it may return, each with an example."""
    if app.openapi_schema:
        return app.openapi_schema
    document = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    document["servers"] = [{"url": "/"}]
    schemas = cast(JsonObject, document.setdefault("components", {}).setdefault("schemas", {}))
    for ours in ("HTTPValidationError", "ValidationError"):
        schemas.pop(ours, None)
    schemas["ProblemDetails"] = ProblemDetails.model_json_schema()
    for path, item in cast(JsonObject, document["paths"]).items():
        for method, operation in cast(JsonObject, item).items():
            _complete_operation(operation, method, path)
    app.openapi_schema = document
    return document


def allowed_methods(app: FastAPI, path: str) -> list[str]:
    """The methods of a path according to the document; empty for an unknown path."""
    for template, item in cast(JsonObject, build_openapi(app)["paths"]).items():
        if compile_path(template)[0].match(path):
            return [method.upper() for method in item]
    return []


def _complete_operation(operation: JsonObject, method: str, path: str) -> None:
    responses = cast(JsonObject, operation["responses"])
    if "HTTPValidationError" in str(responses.get("422")):
        del responses["422"]
    content = cast(JsonObject, operation.get("requestBody", {}).get("content", {}))
    if method == "post" and "application/json" in content:
        operation.setdefault("parameters", []).append(_IDEMPOTENCY_PARAMETER)
    by_status: dict[int, list[str]] = {}
    for code in _problem_codes(operation, method, path, content):
        by_status.setdefault(PROBLEM_CODES[code][0], []).append(code)
    for status, codes in by_status.items():
        responses.setdefault(str(status), _problem_responses(codes))
    for response in responses.values():
        response.setdefault("headers", {}).update(_REQUEST_ID)


def _problem_codes(operation: JsonObject, method: str, path: str, content: JsonObject) -> Iterable[str]:
    yield from _COMMON_PROBLEMS
    yield from operation.pop("x-problems", ())
    if "security" in operation:
        yield from _AUTHENTICATED_PROBLEMS
    if content:
        yield from _BODY_PROBLEMS
    if method == "post" and "application/json" in content:
        yield from _IDEMPOTENCY_PROBLEMS
    if "{" in path:
        yield from _PATH_PROBLEMS
    text = f"{operation.get('parameters')}{content}"
    if any(name in text for name in ("RagQuery", "Ask'", "Retrieve'", "project_id", "'name': 'project'", "Chat")):
        yield from _PROJECT_PROBLEMS
    if any(name in text for name in ("RagQuery", "Ask'", "Retrieve'", "Verify", "policy_profile", "Chat")):
        yield from _PROFILE_PROBLEMS
    if any(name in text for name in ("RagQuery", "Ask'", "Chat")):
        yield from _GENERATION_PROBLEMS
    if "RagQuery" in text:
        yield "backend_unavailable"


def _problem_responses(codes: list[str]) -> JsonObject:
    examples = {code: {"value": problem_content(Problem(code), "req_0123456789abcdef")} for code in codes}
    return {
        "description": " ".join(PROBLEM_CODES[code][1] for code in codes),
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}, "examples": examples}},
    }
