"""Any OpenAI-compatible chat endpoint as a `ChatModel`: called once, at temperature 0."""

import logging
from collections.abc import Sequence

from footnotary.generate.chat.completion_body import read_completion
from footnotary.generate.chat.generator import SchemaUnsupported
from footnotary.generate.chat.reply_parser import ANY_OBJECT
from footnotary.model_server.openai_client import ChatEndpoint, RequestRejected
from footnotary.ports import Message

_log = logging.getLogger(__name__)
_SCHEMA_STATUSES = (400, 404, 422, 500)
_SCHEMA_WORDS = ("response_format", "response format", "json_schema", "json schema", "structured output", "grammar")


class OpenAIModel:
    """A model behind an OpenAI-compatible endpoint, called once, at temperature 0.

    Deadline, retries, limits and `hint` are those of `ChatEndpoint`.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout_s: float = 60.0,
        max_tokens: int = 800,
        max_bytes: int = 1_000_000,
        transport_retries: int = 2,
        hint: str = "",
    ) -> None:
        self._endpoint = ChatEndpoint(
            model,
            base_url,
            api_key,
            timeout_s=timeout_s,
            max_bytes=max_bytes,
            transport_retries=transport_retries,
            hint=hint,
        )
        self._max_tokens = max_tokens

    def __repr__(self) -> str:
        return f"OpenAIModel(model={self.name!r}, base_url={self._endpoint.base_url!r})"

    @property
    def name(self) -> str:
        return self._endpoint.model

    def complete(self, messages: Sequence[Message], schema: dict[str, object] | None = None) -> str:
        try:
            reply = read_completion(self._endpoint.complete(self._request(messages, schema)))
        except RequestRejected as rejected:
            if schema is not None and _names_schemas(rejected):
                raise SchemaUnsupported(
                    f"{rejected.message}: JSON schemas are not supported", hint="ask for numbered slots in text"
                ) from None
            raise
        if reply.model != self.name:
            _log.info("requested model %r, the server reports %r", self.name, reply.model)
        return reply.text

    def _request(self, messages: Sequence[Message], schema: dict[str, object] | None) -> dict[str, object]:
        body: dict[str, object] = {
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "temperature": 0.0,
            "n": 1,
            "max_tokens": self._max_tokens,
        }
        if schema == ANY_OBJECT:
            body["response_format"] = {"type": "json_object"}
        elif schema is not None:
            form = {"name": "claims", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return body


def _names_schemas(rejected: RequestRejected) -> bool:
    return rejected.status in _SCHEMA_STATUSES and any(word in rejected.body.lower() for word in _SCHEMA_WORDS)
