"""Responses that need not be sent twice: an ETag of the content, and 304 for whoever has it."""

import json
from hashlib import sha256
from typing import Any

from fastapi import Request, Response

# What a route that answers conditionally says of itself.
NOT_MODIFIED: dict[int | str, dict[str, Any]] = {304: {"description": "It is as `If-None-Match` has it."}}


def conditional(request: Request, content: Any) -> Response:
    """`content` as JSON with a strong ETag, or 304 where `If-None-Match` names it. No shared cache may keep it."""
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if _names(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


def _names(asked: str, tag: str) -> bool:
    """Whether `If-None-Match` names a tag. It is compared weakly, as RFC 9110 has it for reading."""
    named = [part.strip().removeprefix("W/") for part in asked.split(",")]
    return tag in named or named == ["*"]
