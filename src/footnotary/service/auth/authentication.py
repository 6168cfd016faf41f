"""Authentication and roles: the credential of a request, from its API key alone, and the role a route requires."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, cast
from urllib.parse import urlsplit

from fastapi import Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from footnotary.service.auth.api_keys import ROLES, ApiKeyStore, Role
from footnotary.service.problems import Problem

LOCAL_TENANT = "local"
_LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1", "testserver"})
_MAX_TOKEN_CHARS = 200

_bearer = HTTPBearer(auto_error=False, description="`fn_<id>_<secret>`, made by `footnotary keys create`.")

_INVALID_KEY = "This API key is not valid: it is unknown, revoked or expired."


@dataclass(frozen=True, slots=True)
class Credential:
    """Who makes the request. This is the only source of the tenant."""

    tenant: str
    role: Role
    key_id: str

    def may(self, role: Role) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)


OPEN_CREDENTIAL = Credential(LOCAL_TENANT, "admin", "open")


class Authentication:
    """Finds the credential of a request before anything else reads it; `require_role` decides whether its role is
    enough.

    While no API key is configured, every caller on this machine is the admin of tenant `local`. That includes a
    browser, so requests from pages of other sites are rejected: by their Origin, or by a Host that is not a name of
    this machine.
    """

    def __init__(self, app: ASGIApp, keys: ApiKeyStore) -> None:
        self._app = app
        self._keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope.setdefault("state", {})["credential"] = self._credential(Headers(scope=scope))
        await self._app(scope, receive, send)

    def _credential(self, headers: Headers) -> Credential | None:
        if not self._keys.has_keys:
            _require_same_site(headers)
            return OPEN_CREDENTIAL
        given = headers.getlist("authorization")
        if len(given) != 1 or len(given[0]) > _MAX_TOKEN_CHARS:
            return None
        scheme, _, token = given[0].partition(" ")
        key = self._keys.holder(token.strip()) if scheme.lower() == "bearer" else None
        return key and Credential(key.tenant, key.role, key.id)


def _require_same_site(headers: Headers) -> None:
    host = headers.get("host", "localhost")
    if _host_name(host) not in _LOOPBACK_NAMES:
        raise Problem("misdirected")
    origin = headers.get("origin")
    if origin is not None and _origin_netloc(origin) != host:
        raise Problem("cross_site")


def _host_name(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _origin_netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def unauthenticated(scope: Scope) -> Problem:
    """The problem of a request whose credential is missing or not valid; the same for every key that is not valid."""
    given = re.match(r"bearer\s+\S", Headers(scope=scope).get("authorization", ""), re.IGNORECASE)
    return Problem("unauthenticated", _INVALID_KEY if given else None)


def require_role(role: Role) -> Callable[..., Awaitable[Credential]]:
    """The dependency of a route that needs at least this role: `Annotated[Credential,
    Depends(require_role("writer"))]`.

    It also counts the request against the tenant's rate limit, unless a middleware already did. The OpenAPI document
    shows the role as the scope of the key.
    """

    async def credential(
        request: Request, _: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer, scopes=[role])] = None
    ) -> Credential:
        found = cast("Credential | None", request.scope["state"].get("credential"))
        if found is None:
            raise unauthenticated(request.scope)
        if not found.may(role):
            raise Problem("forbidden", f"This request needs a key of role {role}; this one is a {found.role}'s.")
        request.app.state.service.rates.take_once_per_request(found.tenant, request.scope["state"])
        return found

    return credential
