"""Dependencies of the routes: the credential with the minimum role a route requires, and the service state."""

from collections.abc import Awaitable, Callable
from typing import Annotated, TypeAlias, cast, get_args, get_origin

from fastapi import Depends, Request
from fastapi.routing import APIRoute

from footnotary.service.auth.api_keys import Role
from footnotary.service.auth.authentication import Credential, require_role
from footnotary.service.problems import OPENAI_PATHS, invalid_request
from footnotary.service.state import ServiceState, service_of


def require_known_parameters(request: Request) -> None:
    """Raises `Problem` for a query parameter that the route does not have, and for one that is repeated.

    Were a misspelt filter ignored, the answer would be about more than was asked. Clients of OpenAI's API send
    parameters of other servers ("api-version"), which change nothing there.
    """
    if request.url.path.startswith(OPENAI_PATHS):
        return
    fields = cast(APIRoute, request.scope["route"]).dependant.query_params
    is_list = {field.alias: _is_list(field.field_info.annotation) for field in fields}
    known = {"known": f"choose from {', '.join(sorted(is_list))}" if is_list else "it has none"}
    given = request.query_params
    wrong = [
        {"loc": ("query", name), "type": "repeated_parameter" if name in is_list else "unknown_parameter", "ctx": known}
        for name in given
        if name not in is_list or (len(given.getlist(name)) > 1 and not is_list[name])
    ]
    if wrong:
        raise invalid_request(wrong)


def _is_list(annotation: object) -> bool:
    return any(get_origin(member) is list for member in (annotation, *get_args(annotation)))


def _caller(role: Role) -> Callable[..., Awaitable[Credential]]:
    """The credential of a request with at least this role and no unknown query parameter."""

    async def caller(request: Request, who: Annotated[Credential, Depends(require_role(role))]) -> Credential:
        require_known_parameters(request)
        return who

    return caller


ReaderCredential: TypeAlias = Annotated[Credential, Depends(_caller("reader"))]
WriterCredential: TypeAlias = Annotated[Credential, Depends(_caller("writer"))]
AdminCredential: TypeAlias = Annotated[Credential, Depends(_caller("admin"))]
InjectedService: TypeAlias = Annotated[ServiceState, Depends(service_of)]
