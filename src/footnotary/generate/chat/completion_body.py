"""Parses the body of a chat completion: one complete text reply, or a `ModelError` that says what came instead."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from footnotary.errors import ModelError
from footnotary.model_server.json_body import first_error, strict_json, unexpected_response

_UNFINISHED = {
    "length": "raise generation.max_tokens in the profile, or ask a narrower question",
    "content_filter": "the server's own filter cut off the reply; rephrase the question or use another model",
    "tool_calls": "use a model or server set-up without tools",
    "function_call": "use a model or server set-up without tools",
}


class UnreadableReply(ModelError):
    """The model has replied, and its reply is unfinished or malformed; `text` is what was received."""

    def __init__(self, message: str, *, hint: str, text: str) -> None:
        super().__init__(message, hint=hint)
        self.text = text


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

    Raises `ModelError`, not retryable, for anything else: zero or several choices, no text, or a body in another
    format; and as an `UnreadableReply` for a reply cut off by length or a filter, for tool calls and for the model's
    own refusal.
    """
    try:
        reply = _Body.model_validate(strict_json(body))
    except ValidationError as error:
        raise unexpected_response(first_error(error)) from None
    if len(reply.choices) != 1:
        raise unexpected_response(f"{len(reply.choices)} choices instead of one")
    choice, said = reply.choices[0], reply.choices[0].message
    if said.tool_calls or said.function_call:
        why = "the model called a tool instead of answering"
        raise UnreadableReply(why, hint=_UNFINISHED["tool_calls"], text=said.content or "")
    if choice.finish_reason != "stop":
        # Without "stop" the reply may be incomplete, and half a sentence can say the opposite of the whole.
        ended = choice.finish_reason if choice.finish_reason in _UNFINISHED else "no or another finish_reason"
        hint = _UNFINISHED.get(ended, "use a server that sets finish_reason=stop when a reply is complete")
        raise UnreadableReply(f"the model's reply did not finish ({ended})", hint=hint, text=said.content or "")
    if said.refusal:
        hint = "rephrase the question or use another model"
        raise UnreadableReply("the model's own policy refused to reply", hint=hint, text=said.refusal)
    if said.role != "assistant" or not said.content or not said.content.strip():
        raise unexpected_response("no text from the assistant")
    return Completion(said.content, reply.model)
