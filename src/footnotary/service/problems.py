"""Problem responses (RFC 9457): a closed list of codes with fixed texts that never repeat the request."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from footnotary.errors import (
    BackendError,
    DocumentError,
    FootnotaryError,
    IndexChanging,
    IndexMismatch,
    ModelError,
    ProfileError,
    RecordingFailed,
    UnknownProject,
    UnknownSource,
    UsageError,
)
from footnotary.service.schemas.field_errors import field_errors

MEDIA_TYPE = "application/problem+json"
_TYPE_PREFIX = "urn:footnotary:problem:"

# code -> status and detail. A client may rely on the code; the detail is for people.
PROBLEM_CODES: dict[str, tuple[int, str]] = {
    "bad_request": (400, "The request cannot be understood."),
    "json_invalid": (
        400,
        "The body is not valid JSON: it must be UTF-8, without duplicate names and without infinite numbers.",
    ),
    "unauthenticated": (401, "An API key is required: Authorization: Bearer fn_..."),
    "forbidden": (403, "The role of this API key does not allow this request."),
    "cross_site": (403, "Without API keys, this service rejects requests from pages of other sites."),
    "not_found": (404, "Nothing was found under this name."),
    "unknown_project": (404, "This project does not exist."),
    "no_page": (404, "There is no image of this page."),
    "unknown_profile": (404, "This profile does not exist; GET /v1/profiles lists them."),
    "unknown_model": (404, "This model does not exist; GET /v1/models lists them."),
    "method_not_allowed": (405, "This route does not allow that method."),
    "slow_head": (408, "The head of the request did not arrive in time."),
    "slow_body": (408, "The body did not arrive in time."),
    "conflict": (409, "The request conflicts with the current state."),
    "job_running": (409, "A file of this name is being indexed; wait for its job, or cancel it."),
    "in_progress": (409, "A request with this Idempotency-Key is in progress; retry in a moment."),
    "backend_unavailable": (409, "This service has no chat model; omit backend, or set it to extractive."),
    "too_large": (413, "The body is larger than this service accepts."),
    "media_type": (415, "Send JSON in UTF-8, with Content-Type: application/json and without content encoding."),
    "misdirected": (421, "Without API keys, this service answers only to host names of its own machine."),
    "invalid": (422, "The request is not valid; `errors` lists the fields."),
    "unusable": (422, "The request is valid but cannot be carried out."),
    "key_reused": (422, "This Idempotency-Key was already used with a different request."),
    "bad_name": (422, "A document needs a valid file name."),
    "empty_file": (422, "The file is empty."),
    "document_unreadable": (422, "The document cannot be ingested."),
    "rate_limited": (429, "This tenant has exceeded its rate limit; retry after the time in Retry-After."),
    "too_many_at_once": (429, "This tenant has too many requests in flight; retry after the time in Retry-After."),
    "queue_full": (429, "Too many files are waiting to be indexed; retry after the time in Retry-After."),
    "header_too_large": (431, "The headers are longer than this service accepts."),
    "internal": (500, "Internal error; please report it with the request id."),
    "llm_bad_response": (502, "The language model's response was unusable; nothing of it was delivered."),
    "overloaded": (503, "The service is at capacity; retry after the time in Retry-After."),
    "backend_failed": (503, "A backend of this service failed."),
    "llm_unavailable": (503, "The language model is not available; retry after the time in Retry-After."),
    "not_recorded": (503, "The outcome could not be recorded, so it was not delivered."),
    "index_mismatch": (503, "The index was built with a different embedder than the settings name."),
    "index_changing": (503, "The documents changed while they were read; retry in a moment."),
    "timeout": (504, "The answer took longer than this service's time limit."),
}
_CODE_BY_STATUS = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    431: "header_too_large",
}
# Clients of OpenAI's API show the message of `error`, and nothing of a problem document.
OPENAI_PATHS = ("/v1/chat/", "/v1/responses", "/v1/models", "/v1/completions", "/v1/embeddings")
_OPENAI_TYPES = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}
_MAX_NAMES = 20  # in a message
_RETRY_AFTER_S = {
    "index_changing": 1,
    "overloaded": 1,
    "backend_failed": 5,
    "llm_unavailable": 5,
    "in_progress": 1,
    "too_many_at_once": 1,
    "job_running": 2,
    "queue_full": 30,
}


class Problem(HTTPException):
    """Ends a request with the problem of that code; `errors` name fields of the request, never their values."""

    def __init__(
        self,
        code: str,
        detail: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        errors: Sequence[Mapping[str, str]] = (),
    ) -> None:
        status, usual = PROBLEM_CODES[code]
        retry = {"Retry-After": str(_RETRY_AFTER_S[code])} if code in _RETRY_AFTER_S else {}
        challenge = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
        super().__init__(status, detail or usual, headers={**retry, **challenge, **(headers or {})})
        self.code = code
        self.errors = tuple(errors)


def mismatch_detail(version: str | None) -> str:
    """Why a passage that exists cannot be shown: its quote, or its version."""
    wrong = "does not contain this quote" if version is None else "has no such version, or without this quote"
    return f"This passage {wrong}."


def choice_of(names: Sequence[str], kind: str) -> str:
    """The names to choose from, for a message; of many, the first ones and the route that lists them all."""
    left_out = len(names) - _MAX_NAMES
    more = f" and {left_out} more, listed by GET /v1/{kind}" if left_out > 0 else ""
    return f"choose from {', '.join(names[:_MAX_NAMES])}{more}"


def problem_content(problem: Problem, request_id: str) -> dict[str, Any]:
    content: dict[str, Any] = {
        "type": _TYPE_PREFIX + problem.code,
        "title": HTTPStatus(problem.status_code).phrase,
        "status": problem.status_code,
        "detail": problem.detail,
        "code": problem.code,
        "request_id": request_id,
    }
    if problem.errors:
        content["errors"] = [dict(error) for error in problem.errors]
    return content


def openai_error(problem: Problem) -> dict[str, str | None]:
    """The problem in the form of OpenAI's API: the message says which field is wrong, and `param` names it."""
    status, wrong = problem.status_code, problem.errors
    return {
        "message": _requirements(wrong) or problem.detail,
        "type": "server_error" if status >= 500 else _OPENAI_TYPES.get(status, "invalid_request_error"),
        "param": _param(wrong[0]) if wrong else None,
        "code": problem.code,
    }


def _requirements(errors: Sequence[Mapping[str, str]]) -> str:
    """What is wrong with each field, in words."""
    return "; ".join(f"{_param(error)}: {error.get('requirement') or 'is not valid'}" for error in errors)


def _param(error: Mapping[str, str]) -> str:
    return error["at"].strip("/").replace("/", ".") or error["in"]


def problem_response(problem: Problem, request_id: str, path: str) -> JSONResponse:
    """The response to a request of that path; on those of OpenAI's API it has the member `error` as well."""
    content = problem_content(problem, request_id)
    if path.startswith(OPENAI_PATHS):
        content["error"] = openai_error(problem)
    return JSONResponse(content, problem.status_code, dict(problem.headers or {}), MEDIA_TYPE)


def problem_of(error: BaseException) -> Problem:
    """The problem for any exception. The messages of our own errors may quote the request and are not passed on."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, HTTPException):
        code = _CODE_BY_STATUS.get(error.status_code, "internal" if error.status_code >= 500 else "bad_request")
        return Problem(code, headers=error.headers)
    return Problem(_problem_code(error))


def _problem_code(error: BaseException) -> str:
    match error:
        case ModelError():
            return "llm_unavailable" if error.retryable else "llm_bad_response"
        case IndexChanging():
            return "index_changing"
        case RecordingFailed():
            return "not_recorded"
        case BackendError():
            return "backend_failed"
        case IndexMismatch():
            return "index_mismatch"
        case UnknownProject():
            return "unknown_project"
        case UnknownSource():
            return "not_found"
        case ProfileError():
            return "unknown_profile"
        case UsageError():
            return "unusable"
        case DocumentError():
            return "document_unreadable"
        case TimeoutError():
            return "timeout"
        case FootnotaryError():
            return "internal"
        case _:
            return "internal"


def invalid_request(found: Sequence[Mapping[str, Any]], body: object = None) -> Problem:
    """The problem of a request with the errors that pydantic found in its fields; values are not repeated."""
    errors = field_errors(found, body)
    return Problem("invalid", f"The request is not valid: {_requirements(errors)}." if errors else None, errors=errors)
