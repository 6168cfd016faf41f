"""Chat completions as OpenAI has them: what of a request counts here, and what a response is made of."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

MAX_MESSAGES = 2000
MAX_DOCUMENTS = 200

Text = Annotated[str, StringConstraints(max_length=200_000)]


class _Foreign(BaseModel):
    # The form is another's: what it has besides is let pass and has no effect.
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class TextPart(_Foreign):
    type: Literal["text"]
    text: Text


class ChatMessage(_Foreign):
    """A turn of the conversation. Earlier questions tell what a later one is about; earlier answers are not read."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Text | Annotated[list[TextPart], Field(max_length=100)] | None = None
    tool_call_id: str | None = Field(default=None, max_length=200)

    @property
    def text(self) -> str:
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        return "\n".join(part.text for part in self.content)


class ChatDocument(_Foreign):
    """A passage for a guard model to answer from."""

    id: str | None = Field(default=None, min_length=1, max_length=200)
    text: Text | None = None
    content: Text | None = None
    title: str | None = Field(default=None, max_length=500)


class StreamOptions(_Foreign):
    include_usage: bool | None = None


class ChatAsked(_Foreign):
    """A chat completion to be made. Fields of the form that are not here (temperature, seed, ...) have no effect."""

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
        default=None, description="With `include_usage`, a last chunk without choices holds the usage of the stream."
    )
    n: int | None = Field(default=None, ge=1, le=1, description="One answer; there is no second opinion.")
    documents: Annotated[list[ChatDocument], Field(max_length=MAX_DOCUMENTS)] | None = Field(
        default=None, description="For guard models: all that the answer may lean on."
    )

    @property
    def words(self) -> int:
        """How many words the messages and the documents hold together."""
        given = (part for d in self.documents or () for part in (d.title, d.text, d.content) if part)
        return sum(map(word_count, (*(message.text for message in self.messages), *given)))


def word_count(text: str) -> int:
    """How many words a text has, as white space parts them: quick, and the same whatever model drafts."""
    return len(text.split())


class UrlCitation(BaseModel):
    start_index: int = Field(description="Where the claim begins in the message's content, in characters.")
    end_index: int
    title: str
    url: str = Field(description="Address of the source at this service; of a passage from the request, `#id`.")


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


class Footnotes(BaseModel):
    """What Footnotary knows of an answer beyond what the form has room for."""

    answer_id: str
    complete: bool
    question: str = Field(description="The question as it was asked of the documents, with what it referred back to.")
    refusal_reason: str | None
    needed: dict[str, Any] | None
    claims: list[dict[str, Any]]
    citation_details: list[dict[str, Any]]
    profile: str
    profile_digest: str
    withheld: dict[str, Any] | None = None


class Usage(BaseModel):
    """Words, not a model's tokens: what was sent in messages and documents, and what was given back."""

    prompt_tokens: int = Field(description="Words of the request's messages and documents.")
    completion_tokens: int = Field(description="Words of the content or the refusal, markers included.")
    total_tokens: int


class ChatCompletion(BaseModel):
    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[ChatChoice]
    system_fingerprint: str = Field(description="The beginning of the profile's digest.")
    usage: Usage
    footnotary: Footnotes


class ModelCard(BaseModel):
    id: str
    object: Literal["model"] = "model"
    created: Literal[0] = 0
    owned_by: Literal["footnotary"] = "footnotary"


class ModelList(BaseModel):
    object: Literal["list"] = "list"
    data: list[ModelCard]
