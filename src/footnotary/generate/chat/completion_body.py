"""Parses the body of a chat completion: one complete text reply, or a `ModelError` that says what came instead."""

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from footnotary.errors import ModelError

_CODE = re.compile(r"[A-Za-z][\w.\-]{0,63}")
_UNFINISHED = {
    "length": "raise generation.max_tokens in the profile, or ask a narrower question",
    "content_filter": "the server's own filter cut off the reply; rephrase the question or use another model",
    "tool_calls": "use a model or server set-up without tools",
    "function_call": "use a model or server set-up without tools",
}


@dataclass(frozen=True, slots=True)
class Completion:
    """A finished reply, and the model that the server reports."""

    text: str
    model: str | None


class _CompletionModel(BaseModel):
    # Servers add their own fields; the fields we rely on must be exactly right.
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class _CompletionMessage(_CompletionModel):
    role: str
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[Any] | None = None
    function_call: dict[str, Any] | None = None


class _Choice(_CompletionModel):
    message: _CompletionMessage
    finish_reason: str | None = None


class _Body(_CompletionModel):
    choices: list[_Choice]
    model: str | None = None


def read_completion(body: bytes) -> Completion:
    """The one finished reply in `body`.

    Raises `ModelError`, not retryable, for anything else: a reply cut off by length or a filter, tool calls, zero or
    several choices, no text, or a body in another format.
    """
    try:
        reply = _Body.model_validate(strict_json(body))
    except ValidationError as error:
        raise _unexpected_response(_first_error(error)) from None
    if len(reply.choices) != 1:
        raise _unexpected_response(f"{len(reply.choices)} choices instead of one")
    choice, said = reply.choices[0], reply.choices[0].message
    if said.tool_calls or said.function_call:
        raise ModelError("the model called a tool instead of answering", hint=_UNFINISHED["tool_calls"])
    if choice.finish_reason != "stop":
        # Without "stop" the reply may be incomplete, and half a sentence can say the opposite of the whole.
        ended = choice.finish_reason if choice.finish_reason in _UNFINISHED else "no or another finish_reason"
        hint = _UNFINISHED.get(ended, "use a server that sets finish_reason=stop when a reply is complete")
        raise ModelError(f"the model's reply did not finish ({ended})", hint=hint)
    if said.refusal:
        raise ModelError("the model's own policy refused to reply", hint="rephrase the question or use another model")
    if said.role != "assistant" or not said.content or not said.content.strip():
        raise _unexpected_response("no text from the assistant")
    return Completion(said.content, reply.model)


def strict_json(document: str | bytes) -> object:
    """The value of a JSON document that every parser reads in the same way.

    Raises `ModelError` for anything that is not JSON in UTF-8, and where parsers disagree: duplicate keys, NaN and
    infinities, numbers out of range, lone surrogates, excessive nesting.
    """
    try:
        text = document.decode("utf-8") if isinstance(document, bytes) else document
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_reject_constant, parse_float=_finite)
        json.dumps(value, ensure_ascii=False).encode()  # fails on lone surrogates
    except (ValueError, RecursionError) as error:  # covers JSON, UTF-8 and the limit on digits
        why = "nested too deeply" if isinstance(error, RecursionError) else type(error).__name__
        raise _unexpected_response(f"not JSON in UTF-8 ({why})") from None
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


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("duplicate key")
    return dict(pairs)


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError("number out of range")
    return number


def _first_error(error: ValidationError) -> str:
    # Never the input itself: it may contain text of documents or questions.
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return f"{'.'.join(str(part) for part in first['loc']) or 'reply'}: {first['msg']}"


def _object(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _unexpected_response(seen: str) -> ModelError:
    return ModelError(
        f"unexpected response from the model server: {seen}",
        hint="check that the base URL is an OpenAI-compatible endpoint (it usually ends in /v1)",
    )
