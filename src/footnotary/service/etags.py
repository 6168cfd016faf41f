"""Conditional responses: an ETag of the content, and 304 for a client that already has it."""

import json
from hashlib import sha256
from typing import Any

from fastapi import Request, Response

# The OpenAPI entry of a route with conditional responses.
NOT_MODIFIED: dict[int | str, dict[str, Any]] = {
    304: {"description": "Not modified: the content matches `If-None-Match`."}
}


def conditional_json(request: Request, content: Any) -> Response:
    """`content` as JSON with a strong ETag, or 304 if `If-None-Match` names it. Shared caches must not store it."""
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if _matches_etag(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


def _matches_etag(asked: str, tag: str) -> bool:
    """Whether `If-None-Match` names a tag. The comparison is weak, as RFC 9110 requires for GET."""
    named = [part.strip().removeprefix("W/") for part in asked.split(",")]
    return tag in named or named == ["*"]
