"""What went wrong, as RFC 9457 has it: a closed list of codes, texts of our own, never a word of the request."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from footnotary.errors import (
    BackendError,
    DocumentError,
    FootnotaryError,
    IndexMismatch,
    ModelError,
    ProfileError,
    UnknownProject,
    UnknownSource,
    UsageError,
)

MEDIA_TYPE = "application/problem+json"
_URN = "urn:footnotary:problem:"

# code -> status and detail. A client may rely on the code; the detail is for people.
CODES: dict[str, tuple[int, str]] = {
    "bad_request": (400, "The request cannot be understood."),
    "json_invalid": (400, "The body is not JSON in UTF-8, with every name of an object once and every number finite."),
    "unauthenticated": (401, "This needs a key: Authorization: Bearer fn_..."),
    "forbidden": (403, "This key may not do that."),
    "cross_site": (403, "A service that is open on its own machine answers no page of another site."),
    "not_found": (404, "There is nothing here by that name."),
    "unknown_project": (404, "There is no such project."),
    "no_page": (404, "There is no picture of this page."),
    "unknown_profile": (404, "There is no such profile; GET /v1/profiles lists them."),
    "unknown_model": (404, "There is no such model; GET /v1/models lists them."),
    "method_not_allowed": (405, "This address does not take that method."),
    "slow_body": (408, "The body did not come in time."),
    "conflict": (409, "That contradicts what is there."),
    "job_running": (409, "A file of that name is being indexed; wait for its job, or call it off."),
    "in_progress": (409, "A request with this Idempotency-Key is being answered; ask again in a moment."),
    "backend_unavailable": (409, "This service has no chat model; leave backend out, or ask for extractive."),
    "too_large": (413, "The body is larger than this service takes."),
    "media_type": (415, "This address takes application/json, not encoded in any other way."),
    "misdirected": (421, "A service that is open on its own machine answers by the names of that machine only."),
    "invalid": (422, "The request does not have the form this address takes; `errors` names the places."),
    "unusable": (422, "The request asks for something that cannot be done."),
    "key_reused": (422, "This Idempotency-Key came with another request before."),
    "bad_name": (422, "A document needs a plain file name."),
    "empty_file": (422, "The file is empty."),
    "document_unreadable": (422, "The document cannot be taken in."),
    "rate_limited": (429, "This tenant has asked too often; wait as Retry-After says."),
    "too_many_at_once": (429, "This tenant has too many requests under way; wait as Retry-After says."),
    "queue_full": (429, "Too many files wait to be indexed already; wait as Retry-After says."),
    "header_too_large": (431, "A header is longer than this service takes."),
    "internal": (500, "A fault of Footnotary; please report it with the request id."),
    "llm_bad_response": (502, "The language model's reply was unusable; nothing of it was delivered."),
    "overloaded": (503, "The service is at its limit; wait as Retry-After says."),
    "backend_failed": (503, "Something this service depends on failed."),
    "llm_unavailable": (503, "The language model is not available; wait as Retry-After says."),
    "not_recorded": (503, "The outcome could not be recorded, so it was not delivered."),
    "index_mismatch": (503, "The index was built by another embedder than the settings name."),
    "index_changing": (503, "The documents changed while they were read; ask again in a moment."),
    "timeout": (504, "The answer took longer than this service waits."),
}
_BY_STATUS = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    431: "header_too_large",
}
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
    """Ends a request with the problem of that code; `errors` name places of the request, never what stood there."""

    def __init__(
        self,
        code: str,
        detail: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        errors: Sequence[Mapping[str, str]] = (),
    ) -> None:
        status, usual = CODES[code]
        retry = {"Retry-After": str(_RETRY_AFTER_S[code])} if code in _RETRY_AFTER_S else {}
        challenge = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
        super().__init__(status, detail or usual, headers={**retry, **challenge, **(headers or {})})
        self.code = code
        self.errors = tuple(errors)


def problem_content(problem: Problem, request_id: str) -> dict[str, Any]:
    content: dict[str, Any] = {
        "type": _URN + problem.code,
        "title": HTTPStatus(problem.status_code).phrase,
        "status": problem.status_code,
        "detail": problem.detail,
        "code": problem.code,
        "request_id": request_id,
    }
    if problem.errors:
        content["errors"] = [dict(error) for error in problem.errors]
    return content


def problem_response(problem: Problem, request_id: str) -> JSONResponse:
    content = problem_content(problem, request_id)
    return JSONResponse(content, problem.status_code, dict(problem.headers or {}), MEDIA_TYPE)


def problem_of(error: BaseException) -> Problem:
    """The problem that any exception stands for; our errors' own messages may quote the request and stay inside."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, HTTPException):
        code = _BY_STATUS.get(error.status_code, "internal" if error.status_code >= 500 else "bad_request")
        return Problem(code, headers=error.headers)
    return Problem(_code_of(error))


def _code_of(error: BaseException) -> str:
    match error:
        case ModelError():
            return "llm_unavailable" if error.retryable else "llm_bad_response"
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


def invalid(found: Sequence[Mapping[str, Any]]) -> Problem:
    """What pydantic found, as places and kinds: a name that is not ours is not repeated, a value never."""
    errors = [{"in": _part(error), "at": _place(error), "code": str(error.get("type", "invalid"))} for error in found]
    return Problem("invalid", errors=errors[:20])


def _part(error: Mapping[str, Any]) -> str:
    loc = error.get("loc") or ("body",)
    return str(loc[0]) if loc[0] in ("body", "query", "path", "header", "cookie") else "body"


def _place(error: Mapping[str, Any]) -> str:
    """A JSON pointer. The last step of a name that is too much is the caller's own word, and is left out."""
    loc = tuple(error.get("loc") or ())[1:]
    if error.get("type") == "extra_forbidden":
        loc = loc[:-1]
    return "".join(f"/{step}" for step in loc)
