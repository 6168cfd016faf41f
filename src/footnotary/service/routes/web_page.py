"""The web page and its static files, held in memory, with a policy that lets a browser contact only this service."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request, Response

WEB_FOLDER = Path(__file__).parents[1] / "web"
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

# Nothing is loaded from or sent to another host, whatever an answer or a document contains. No string becomes a script
# or markup, not even by a mistake in the page's own code (trusted types).
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
PAGE_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    # Revalidated on every load (304 if unchanged), so that after an upgrade no browser mixes old and new files.
    "Cache-Control": "no-cache",
}

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A static file as it is sent."""

    content: bytes
    media_type: str
    etag: str


@cache
def static_files() -> dict[str, StaticFile]:
    """The static files by their path in the folder. Only these are served, so no path can leave the folder."""
    found: dict[str, StaticFile] = {}
    for path in sorted(WEB_FOLDER.rglob("*")):
        if media_type := MEDIA_TYPES.get(path.suffix):
            content = path.read_bytes()
            name = path.relative_to(WEB_FOLDER).as_posix()
            found[name] = StaticFile(content, media_type, f'"{sha256(content).hexdigest()[:32]}"')
    return found


@router.api_route("/", methods=["GET", "HEAD"])
def page(request: Request) -> Response:
    return _static_response(request, "index.html")


@router.api_route("/static/{name:path}", methods=["GET", "HEAD"])
def file(request: Request, name: str) -> Response:
    return _static_response(request, name)


def _static_response(request: Request, name: str) -> Response:
    asset = static_files().get(name)
    if asset is None:
        raise HTTPException(404)
    headers = PAGE_HEADERS | {"ETag": asset.etag}
    if asset.etag in [tag.strip() for tag in request.headers.get("if-none-match", "").split(",")]:
        return Response(status_code=304, headers=headers)
    content = asset.content if request.method == "GET" else b""
    if request.method == "HEAD":
        headers["Content-Length"] = str(len(asset.content))
    return Response(content, media_type=asset.media_type, headers=headers)
