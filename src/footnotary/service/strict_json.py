"""Strict JSON bodies (RFC 8259): anything that two parsers could read differently is rejected."""

from collections.abc import Callable, Coroutine
from typing import Any, cast

from fastapi import Request, Response, params
from fastapi.routing import APIRoute

from footnotary.service.problems import Problem
from footnotary.strict_json import finite, loads_strictly

_MAX_DEPTH = 32
_MAX_EXACT_INTEGER = 2**53


def parse_strict_json(body: bytes) -> object:
    """The value of a body. Raises `Problem` if it is not UTF-8, has infinite numbers, duplicate names or lone
    surrogates, or is nested too deeply."""
    try:
        value = cast("object", loads_strictly(body, _one_kind_of_number))
        _require_valid_value(value, 0)
    except ValueError:
        raise Problem("json_invalid") from None
    return value


def _one_kind_of_number(digits: str) -> float:
    """JSON has one kind of number: 2.0 and 2 are the same, and both are integers to JSON Schema."""
    value = finite(digits)
    return int(value) if value.is_integer() and abs(value) <= _MAX_EXACT_INTEGER else value


def _require_valid_value(value: object, depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise ValueError("too deep")
    match value:
        case str():
            value.encode("utf-8")  # raises for a lone surrogate
        case dict():
            for name, inner in cast("dict[str, object]", value).items():
                name.encode("utf-8")
                _require_valid_value(inner, depth + 1)
        case list():
            for inner in cast("list[object]", value):
                _require_valid_value(inner, depth + 1)
        case _:
            pass


class _StrictRequest(Request):
    async def json(self) -> Any:
        return parse_strict_json(await self.body())


class StrictRoute(APIRoute):
    """A route that parses its JSON body strictly and accepts no other media type in its place."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        inner = super().get_route_handler()
        takes_json = self.body_field is not None and not isinstance(self.body_field.field_info, params.Form)

        async def handle(request: Request) -> Response:
            if takes_json:
                _require_json(request)
            return await inner(_StrictRequest(request.scope, request.receive))

        return handle


def _require_json(request: Request) -> None:
    kind = request.headers.get("content-type", "application/json")
    media_type, _, parameters = kind.partition(";")
    plain = request.headers.get("content-encoding", "identity").strip().lower() in ("", "identity")
    charset = parameters.strip().lower().replace(" ", "").replace('"', "")
    if media_type.strip().lower() != "application/json" or not plain or charset not in ("", "charset=utf-8"):
        raise Problem("media_type")
