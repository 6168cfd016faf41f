"""The chat generator: calls a language model once and parses its reply into claims."""

import secrets
from collections.abc import Callable

from footnotary.domain.draft import Draft, ModelRequest
from footnotary.domain.evidence import Evidence
from footnotary.domain.query import Query
from footnotary.errors import ModelError
from footnotary.generate.chat.prompt import build_messages, messages_sha256, system_rules
from footnotary.generate.chat.reply_parser import REPLY_SCHEMA, parse_claims, parse_reply
from footnotary.ports import ChatModel
from footnotary.profiles.schema import Profile


class SchemaUnsupported(ModelError):
    """The server does not support JSON schemas; nothing was generated. A `ChatModel` raises it for the generator."""


class ChatGenerator:
    """Drafts with a chat model; one request and one reply.

    With `structured` None the first request asks for claims by JSON schema; where the server rejects schemas, this
    and all later requests ask for numbered slots in text. This only detects what the server supports: a reply, once
    received, is never requested again. `fence` returns the code that fences the sources of a request: a fresh one,
    unless a request is rebuilt from a record.
    """

    def __init__(
        self,
        model: ChatModel,
        profile: Profile,
        structured: bool | None = None,
        fence: Callable[[], str] = lambda: secrets.token_hex(16),
    ) -> None:
        self._model = model
        self._profile = profile
        self._structured = structured
        self._fence = fence

    @property
    def name(self) -> str:
        return f"chat:{self._model.name}"

    def generate(self, query: Query, evidence: Evidence) -> Draft:
        if self._structured is not None:
            return self._asked(query, evidence, structured=self._structured)
        try:
            draft = self._asked(query, evidence, structured=True)
        except SchemaUnsupported:
            self._structured = False
            return self._asked(query, evidence, structured=False)
        self._structured = True
        return draft

    def _asked(self, query: Query, evidence: Evidence, *, structured: bool) -> Draft:
        nonce = self._fence()
        messages = build_messages(query, evidence, self._profile, nonce, structured=structured)
        reply = self._model.complete(messages, REPLY_SCHEMA if structured else None)
        refusals = (self._profile.refusal.en, self._profile.refusal.hi)
        reading = (parse_claims if structured else parse_reply)(reply, evidence, refusals)
        return Draft(
            claims=reading.claims,
            generator=self.name,
            raw=reply,
            malformed=reading.malformed,
            declined=reading.declined,
            prompt=system_rules(self._profile, query.language, structured=structured),
            prompt_sha256=messages_sha256(messages),
            request=ModelRequest(nonce, structured),
        )
