"""Schemas of OpenAI's Responses API: the request fields that have an effect here, and the response."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from footnotary.service.schemas.chat import (
    MAX_DOCUMENTS,
    MAX_MESSAGES,
    ChatDocument,
    ChatExtension,
    ChatMessage,
    ChatRequest,
    MessageText,
)

_ROLES = ("system", "developer", "user", "assistant")


class _LenientModel(BaseModel):
    # The format is OpenAI's: other fields are accepted and ignored.
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class InputPart(_LenientModel):
    """A part of an input item: text, or something else, which only items of the assistant may have."""

    type: str = Field(max_length=100)
    text: MessageText | None = None

    @property
    def is_text(self) -> bool:
        return self.text is not None and self.type in ("input_text", "output_text", "text")


InputText = MessageText | Annotated[list[InputPart], Field(max_length=100)]


class InputItem(_LenientModel):
    """A message, or the output of a tool; items of other types are not read."""

    type: str = Field(default="message", max_length=100)
    role: str | None = Field(default=None, max_length=100)
    content: InputText | None = None
    output: InputText | None = None


class TextFormat(_LenientModel):
    model_config = ConfigDict(
        extra="ignore",
        strict=True,
        frozen=True,
        json_schema_extra={
            "if": {"properties": {"type": {"const": "json_schema"}}, "required": ["type"]},
            "then": {"required": ["schema"], "properties": {"schema": {"type": "object"}}},
        },
    )

    type: Literal["text", "json_object", "json_schema"] = "text"
    schema_: dict[str, Any] | None = Field(default=None, alias="schema")

    @model_validator(mode="after")
    def _has_its_schema(self) -> Self:
        if self.type == "json_schema" and self.schema_ is None:
            raise PydanticCustomError("schema_missing", "must have a schema")
        return self


class TextOptions(_LenientModel):
    format: TextFormat | None = None


class ResponseRequest(_LenientModel):
    """A request for a response. OpenAI fields that are not listed here (temperature, tools, ...) have no effect."""

    model_config = ConfigDict(
        extra="ignore",
        strict=True,
        frozen=True,
        json_schema_extra={"examples": [{"model": "demo", "input": "What is the punishment for cheating?"}]},
    )

    model: Annotated[str, StringConstraints(min_length=1, max_length=300)] = Field(
        description="As in chat completions."
    )
    input: MessageText | Annotated[list[InputItem], Field(min_length=1, max_length=MAX_MESSAGES)] = Field(
        description="The question, or a conversation whose last user message is the question."
    )
    instructions: MessageText | None = Field(default=None, description="Like a system message: changes no contract.")
    previous_response_id: str | None = Field(
        default=None, max_length=200, description="The response whose question this one may refer to."
    )
    stream: bool | None = None
    text: TextOptions | None = Field(
        default=None, description="`format` is like `response_format` of chat completions."
    )
    metadata: dict[str, str] | None = Field(default=None, max_length=16, description="Returned as it is.")
    documents: Annotated[list[ChatDocument], Field(max_length=MAX_DOCUMENTS)] | None = Field(
        default=None, description="For guard models: the only passages the answer may use."
    )

    def as_chat(self) -> ChatRequest:
        """The same conversation as a chat completion request. Raises `ValueError` for a part that cannot be read."""
        system = [ChatMessage(role="system", content=self.instructions)] if self.instructions else []
        if isinstance(self.input, str):
            messages = [ChatMessage(role="user", content=self.input)]
        else:
            messages = [message for item in self.input if (message := _as_message(item)) is not None]
        return ChatRequest(
            model=self.model,
            messages=[*system, *messages] or [ChatMessage(role="user")],
            stream=self.stream,
            documents=self.documents,
        )


def _as_message(item: InputItem) -> ChatMessage | None:
    match item.type, item.role:
        case "message", "system" | "developer" | "user" | "assistant" as role:
            return ChatMessage(role=role, content=_plain_text(item.content, strict=role != "assistant"))
        case "message", _:
            raise ValueError(f"a message has one of the roles {', '.join(_ROLES)}")
        case "function_call_output", _:
            return ChatMessage(role="tool", content=_plain_text(item.output, strict=True))
        case _:
            return None


def _plain_text(given: str | list[InputPart] | None, *, strict: bool) -> str:
    if given is None or isinstance(given, str):
        return given or ""
    if strict and not all(part.is_text for part in given):
        raise ValueError("a message can only have parts of type input_text")
    return "\n".join(part.text or "" for part in given if part.is_text)


class OutputCitation(BaseModel):
    type: Literal["url_citation"] = "url_citation"
    start_index: int = Field(description="Start of the claim in the text, in characters.")
    end_index: int
    title: str
    url: str


class OutputText(BaseModel):
    type: Literal["output_text"] = "output_text"
    text: str
    annotations: list[OutputCitation]
    logprobs: list[Any] = []


class OutputRefusal(BaseModel):
    type: Literal["refusal"] = "refusal"
    refusal: str


class OutputMessage(BaseModel):
    type: Literal["message"] = "message"
    id: str
    role: Literal["assistant"] = "assistant"
    status: Literal["in_progress", "completed", "incomplete"]
    content: list[OutputText | OutputRefusal]


class IncompleteDetails(BaseModel):
    reason: Literal["content_filter"] = "content_filter"


class ResponseUsage(BaseModel):
    """Counts of words, not of a model's tokens."""

    input_tokens: int
    input_tokens_details: dict[str, int] = {"cached_tokens": 0, "cache_write_tokens": 0}
    output_tokens: int
    output_tokens_details: dict[str, int] = {"reasoning_tokens": 0}
    total_tokens: int


class ResponseObject(BaseModel):
    """A response with one message: the verified answer, or the refusal."""

    id: str
    object: Literal["response"] = "response"
    created_at: int
    completed_at: int | None = None
    status: Literal["in_progress", "completed", "incomplete"]
    error: None = None
    incomplete_details: IncompleteDetails | None = None
    instructions: str | None = None
    metadata: dict[str, str] = {}
    model: str
    output: list[OutputMessage]
    parallel_tool_calls: bool = False
    previous_response_id: str | None = None
    store: Literal[False] = False
    temperature: float = 0.0
    text: dict[str, Any] = {"format": {"type": "text"}}
    tool_choice: Literal["none"] = "none"
    tools: list[Any] = []
    top_p: float = 1.0
    truncation: Literal["disabled"] = "disabled"
    usage: ResponseUsage | None = None
    footnotary: ChatExtension | None = None
