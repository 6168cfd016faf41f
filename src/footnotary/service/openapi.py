"""The OpenAPI document: what the routes declare, plus the problems each of them may return."""

from collections.abc import Iterable
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.routing import compile_path

from footnotary.service.idempotency import HEADER
from footnotary.service.problems import CODES, MEDIA_TYPE, Problem, problem_content
from footnotary.service.schemas import ProblemDetails

Document = dict[str, Any]

_ALWAYS = ("bad_request", "cross_site", "misdirected", "internal")
_WITH_KEY = (
    "unauthenticated",
    "forbidden",
    "rate_limited",
    "too_many_at_once",
    "overloaded",
    "backend_failed",
    "timeout",
)
_WITH_BODY = ("json_invalid", "slow_body", "too_large", "media_type", "invalid")
_WITH_PARAMETERS = ("invalid",)
_WITH_PATH = ("not_found",)
_JSON_POST = ("in_progress", "key_reused")
_DRAFTING = ("llm_bad_response", "llm_unavailable", "not_recorded", "index_changing")
_NAMING_A_PROFILE = ("unknown_profile",)

_REQUEST_ID = {"X-Request-Id": {"description": "Identifies the request in the logs.", "schema": {"type": "string"}}}
_KEY_PARAMETER = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "A request repeated with the same key within a day gets the first response again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}


def described(app: FastAPI) -> Document:
    """The document, built once: every operation lists the problems it may return, each with an example."""
    if app.openapi_schema:
        return app.openapi_schema
    document = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    document["servers"] = [{"url": "/"}]
    schemas = cast(Document, document.setdefault("components", {}).setdefault("schemas", {}))
    for ours in ("HTTPValidationError", "ValidationError"):
        schemas.pop(ours, None)
    schemas["ProblemDetails"] = ProblemDetails.model_json_schema()
    for path, item in cast(Document, document["paths"]).items():
        for method, operation in cast(Document, item).items():
            _complete(operation, method, path)
    app.openapi_schema = document
    return document


def methods_of(app: FastAPI, path: str) -> list[str]:
    """The methods of a path according to the document; empty for an unknown path."""
    for template, item in cast(Document, described(app)["paths"]).items():
        if compile_path(template)[0].match(path):
            return [method.upper() for method in item]
    return []


def _complete(operation: Document, method: str, path: str) -> None:
    responses = cast(Document, operation["responses"])
    if "HTTPValidationError" in str(responses.get("422")):
        del responses["422"]
    content = cast(Document, operation.get("requestBody", {}).get("content", {}))
    if method == "post" and "application/json" in content:
        operation.setdefault("parameters", []).append(_KEY_PARAMETER)
    by_status: dict[int, list[str]] = {}
    for code in _codes(operation, method, path, content):
        by_status.setdefault(CODES[code][0], []).append(code)
    for status, codes in by_status.items():
        responses.setdefault(str(status), _problems(codes))
    for response in responses.values():
        response.setdefault("headers", {}).update(_REQUEST_ID)


def _codes(operation: Document, method: str, path: str, content: Document) -> Iterable[str]:
    yield from _ALWAYS
    yield from operation.pop("x-problems", ())
    if "security" in operation:
        yield from _WITH_KEY
    if content:
        yield from _WITH_BODY
    if method == "post" and "application/json" in content:
        yield from _JSON_POST
    if operation.get("parameters"):
        yield from _WITH_PARAMETERS
    if "{" in path:
        yield from _WITH_PATH
    text = f"{operation.get('parameters')}{content}"
    if any(name in text for name in ("RagQuery", "Ask'", "Retrieve'", "Verify", "policy_profile", "Chat")):
        yield from _NAMING_A_PROFILE
    if any(name in text for name in ("RagQuery", "Ask'", "Chat")):
        yield from _DRAFTING
    if "RagQuery" in text:
        yield "backend_unavailable"


def _problems(codes: list[str]) -> Document:
    examples = {code: {"value": problem_content(Problem(code), "req_0123456789abcdef")} for code in codes}
    return {
        "description": " ".join(CODES[code][1] for code in codes),
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}, "examples": examples}},
    }
