"""Parses what model servers send: JSON that every parser reads in the same way, and the short codes of their errors."""

import json
import re
from typing import cast

from pydantic import ValidationError

from footnotary.errors import ModelError
from footnotary.strict_json import loads_strictly

_CODE = re.compile(r"[A-Za-z][\w.\-]{0,63}")


def strict_json(document: str | bytes) -> object:
    """The value of a JSON document that every parser reads in the same way.

    Raises `ModelError` for anything that is not JSON in UTF-8, and where parsers disagree: duplicate keys, NaN and
    infinities, numbers out of range, lone surrogates, excessive nesting.
    """
    try:
        value = loads_strictly(document)
        json.dumps(value, ensure_ascii=False).encode()  # fails on lone surrogates
    except (ValueError, RecursionError) as error:  # covers JSON, UTF-8 and the limit on digits
        raise unexpected_response(f"not JSON in UTF-8 ({type(error).__name__})") from None
    return value


def error_code(body: str) -> str:
    """The short code of an error, never its message: servers quote keys and whole requests in messages."""
    try:
        content = strict_json(body)
    except ModelError:
        return ""
    fields = _object(_object(content).get("error", content))
    codes = (fields.get("code"), fields.get("type"))
    return next((code for code in codes if isinstance(code, str) and _CODE.fullmatch(code)), "")


def first_error(error: ValidationError) -> str:
    """Where a validated reply is wrong, and how, without quoting it."""
    # Never the input itself: it may contain text of documents or questions.
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return f"{'.'.join(str(part) for part in first['loc']) or 'reply'}: {first['msg']}"


def unexpected_response(seen: str) -> ModelError:
    """The error of a reply in another form than was asked for."""
    return ModelError(
        f"unexpected response from the model server: {seen}",
        hint="check that the base URL is an OpenAI-compatible endpoint (it usually ends in /v1)",
    )


def _object(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}
