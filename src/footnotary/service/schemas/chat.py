"""Schemas of OpenAI's chat completions: the request fields that have an effect here, and the response."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

MAX_MESSAGES = 2000
MAX_DOCUMENTS = 200

MessageText = Annotated[str, StringConstraints(max_length=200_000)]


class _OpenAiModel(BaseModel):
    # The format is OpenAI's: other fields are accepted and ignored.
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class TextPart(_OpenAiModel):
    type: Literal["text"]
    text: MessageText


class UnreadPart(_OpenAiModel):
    """A part of an earlier assistant message that is not text, such as a refusal."""

    type: str = Field(max_length=100)

    @property
    def text(self) -> str:
        return ""


class ChatMessage(_OpenAiModel):
    """A message of the conversation. Earlier turns resolve references in later ones; answers are never evidence."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: MessageText | Annotated[list[TextPart | UnreadPart], Field(max_length=100)] | None = None
    tool_call_id: str | None = Field(default=None, max_length=200)

    @model_validator(mode="after")
    def _only_answers_have_other_parts(self) -> Self:
        parts = () if self.content is None or isinstance(self.content, str) else self.content
        if self.role != "assistant" and any(isinstance(part, UnreadPart) for part in parts):
            raise PydanticCustomError("text_parts_only", "a message can only have parts of type text")
        return self

    @property
    def text(self) -> str:
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        return "\n".join(part.text for part in self.content)


class ChatDocument(BaseModel):
    """A passage for a guard model to answer from; it has either `text` or `content`."""

    # This field is ours: a misspelled one must not be ignored.
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={
            "oneOf": [{"required": [name], "properties": {name: {"type": "string"}}} for name in ("text", "content")]
        },
    )

    id: str | None = Field(default=None, min_length=1, max_length=200)
    text: MessageText | None = None
    content: MessageText | None = None
    title: str | None = Field(default=None, max_length=500)

    @model_validator(mode="after")
    def _has_one_text(self) -> Self:
        if (self.text is None) == (self.content is None):
            raise PydanticCustomError("text_or_content", "must have exactly one of text and content")
        return self

    @property
    def passage(self) -> str:
        return self.text or self.content or ""


class JsonSchemaFormat(_OpenAiModel):
    name: str | None = Field(default=None, max_length=200)
    schema_: dict[str, Any] | None = Field(default=None, alias="schema")


class ResponseFormat(_OpenAiModel):
    """The form of the content: text, or JSON with the fields of an answer that a JSON schema selects."""

    model_config = ConfigDict(
        extra="ignore",
        strict=True,
        frozen=True,
        json_schema_extra={
            "if": {"properties": {"type": {"const": "json_schema"}}},
            "then": {
                "required": ["json_schema"],
                "properties": {
                    "json_schema": {
                        "type": "object",
                        "required": ["schema"],
                        "properties": {"schema": {"type": "object"}},
                    }
                },
            },
        },
    )

    type: Literal["text", "json_object", "json_schema"]
    json_schema: JsonSchemaFormat | None = None

    @model_validator(mode="after")
    def _has_its_schema(self) -> Self:
        if self.type == "json_schema" and (self.json_schema is None or self.json_schema.schema_ is None):
            raise PydanticCustomError("schema_missing", "must have a json_schema with a schema")
        return self


class StreamOptions(_OpenAiModel):
    include_usage: bool | None = None


class ChatRequest(_OpenAiModel):
    """A chat completion request. OpenAI fields that are not listed here (temperature, seed, ...) have no effect."""

    model_config = ConfigDict(
        extra="ignore",
        strict=True,
        frozen=True,
        json_schema_extra={
            "examples": [
                {"model": "demo", "messages": [{"role": "user", "content": "What is the punishment for cheating?"}]},
                {
                    "model": "guard@legal",
                    "messages": [{"role": "user", "content": "How long is the leave?"}],
                    "documents": [{"id": "HR_7", "text": "Every worker has eighteen days of paid leave in a year."}],
                },
            ]
        },
    )

    model: Annotated[str, StringConstraints(min_length=1, max_length=300)] = Field(
        description="A project, a profile, or `project@profile`; `guard`, `guard@profile` or `guard/MODEL@profile` "
        "answers from the passages of the request instead."
    )
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=MAX_MESSAGES)]
    stream: bool | None = None
    stream_options: StreamOptions | None = Field(
        default=None, description="With `include_usage`, a last chunk without choices contains the usage."
    )
    response_format: ResponseFormat | None = Field(
        default=None,
        description="`json_object`: the content is a `StructuredAnswer`; `json_schema`: the fields of it that the "
        "schema names. A schema that some answer would not satisfy is an error.",
    )
    n: int | None = Field(default=None, ge=1, le=1, description="Only one answer is supported.")
    documents: Annotated[list[ChatDocument], Field(max_length=MAX_DOCUMENTS)] | None = Field(
        default=None, description="For guard models: the only passages the answer may use."
    )

    @property
    def words(self) -> int:
        """The number of words in the messages and documents together."""
        given = (part for d in self.documents or () for part in (d.title, d.passage) if part)
        return sum(map(word_count, (*(message.text for message in self.messages), *given)))


def word_count(text: str) -> int:
    """The number of words separated by whitespace: fast, and independent of the model's tokenizer."""
    return len(text.split())


class UrlCitation(BaseModel):
    start_index: int = Field(description="Start of the claim in the message's content, in characters.")
    end_index: int
    title: str
    url: str = Field(
        description="URL of the source, or its path at this service where the public URL is not known; `#id` for a "
        "passage of the request."
    )


class Annotation(BaseModel):
    type: Literal["url_citation"] = "url_citation"
    url_citation: UrlCitation


class AssistantMessage(BaseModel):
    role: Literal["assistant"] = "assistant"
    content: str | None
    refusal: str | None
    annotations: list[Annotation]


class ChatChoice(BaseModel):
    index: Literal[0] = 0
    message: AssistantMessage
    finish_reason: Literal["stop"] = "stop"
    logprobs: None = None


class ChatExtension(BaseModel):
    """What Footnotary adds to OpenAI's format: claims, citations, refusal reason and record id."""

    answer_id: str
    complete: bool
    question: str = Field(description="The standalone question, with references to earlier messages resolved.")
    refusal_reason: str | None
    needed: dict[str, Any] | None
    claims: list[dict[str, Any]]
    citation_details: list[dict[str, Any]]
    conflicts: list[dict[str, Any]] = Field(description="Passages that contradict each other, with both values.")
    profile: str
    profile_digest: str
    withheld: dict[str, Any] | None = None
    quoted: bool = Field(default=False, description="The sources are quoted, because the model's draft was rejected.")
    rejected: dict[str, Any] | None = Field(default=None, description="Which checks rejected the model's draft.")
    follow_up: dict[str, Any] | None = Field(
        default=None,
        description="How a question of a conversation was asked: `status` is `standalone`, `rewritten`, `with_context` "
        "or `not_understood`, `typed` what the person wrote, `context` the earlier question searched for with it.",
    )


class Usage(BaseModel):
    """Counts of words, not of a model's tokens."""

    prompt_tokens: int = Field(description="Words in the request's messages and documents.")
    completion_tokens: int = Field(description="Words in the content, or in a refusal without content.")
    total_tokens: int


class ChatCompletion(BaseModel):
    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[ChatChoice]
    system_fingerprint: str = Field(description="Prefix of the profile's digest.")
    usage: Usage
    footnotary: ChatExtension | None = Field(description="Null for a title of the conversation and the like.")


class ModelCard(BaseModel):
    id: str
    object: Literal["model"] = "model"
    created: Literal[0] = 0
    owned_by: Literal["footnotary"] = "footnotary"


class ModelList(BaseModel):
    object: Literal["list"] = "list"
    data: list[ModelCard]
