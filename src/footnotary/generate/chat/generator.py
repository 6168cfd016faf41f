"""The chat generator: calls a language model once and parses its reply into claims."""

import secrets
from dataclasses import replace
from typing import Literal

from footnotary.domain.draft import Draft, ModelRequest
from footnotary.domain.evidence import Evidence
from footnotary.domain.query import Query
from footnotary.errors import ModelError
from footnotary.generate.chat.completion_body import UnreadableReply
from footnotary.generate.chat.former_prompt import former_messages, former_rules
from footnotary.generate.chat.prompt import PROMPT_VERSION, build_messages, constant_messages, messages_sha256
from footnotary.generate.chat.reply_parser import ANY_OBJECT, parse_claims, parse_reply, reply_schema
from footnotary.ports import ChatModel, Message, UnusableReply
from footnotary.profiles.schema import Profile

ReplyForm = Literal["schema", "json", "text"]
# The first version of a request that shows both sides of a conflict.
_SHOWS_OTHER_SIDES = 3
_FORMS: tuple[ReplyForm, ...] = ("schema", "json", "text")


class SchemaUnsupported(ModelError):
    """The server does not support the form of reply asked for; nothing was generated. A `ChatModel` raises it."""


class ChatGenerator:
    """Drafts with a chat model; one request and one reply.

    With `structured` None the first request asks for claims by JSON schema. Where the server rejects that, this and
    all later requests ask for any JSON object, and where it rejects that too, for numbered slots in text. This only
    detects what the server supports: a reply, once received, is never requested again. With `structured` True only a
    schema is asked for, with False only text. `request` is what a recorded request depended on: it is rebuilt.
    """

    def __init__(
        self,
        model: ChatModel,
        profile: Profile,
        structured: bool | None = None,
        request: ModelRequest | None = None,
    ) -> None:
        self._model = model
        self._profile = profile
        self._request = request
        wanted = structured if request is None else request.structured
        self._forms = _FORMS if wanted is None else _FORMS[:1] if wanted else _FORMS[-1:]

    @property
    def name(self) -> str:
        return f"chat:{self._model.name}"

    def generate(self, query: Query, evidence: Evidence) -> Draft:
        for form in self._forms[:-1]:
            try:
                draft = self._request_draft(query, evidence, form)
            except SchemaUnsupported:
                self._forms = _FORMS[_FORMS.index(form) + 1 :]
            else:
                self._forms = (form,)
                return draft
        return self._request_draft(query, evidence, self._forms[-1])

    def _request_draft(self, query: Query, evidence: Evidence, form: ReplyForm) -> Draft:
        structured = form != "text"
        request = self._request or ModelRequest(secrets.token_hex(4), structured, PROMPT_VERSION)
        if request.version < _SHOWS_OTHER_SIDES:
            evidence = evidence.without_other_sides()
        messages, constant = self._messages(query, evidence, request)
        draft = Draft(
            claims=(),
            generator=self.name,
            prompt=constant,
            prompt_sha256=messages_sha256(messages),
            request=request,
        )
        refusals = (self._profile.refusal.en, self._profile.refusal.hi)
        try:
            reply = self._model.complete(messages, self._schema(form, len(evidence.hits)))
            if structured:
                max_text = self._max_text if request.version > 1 else None
                reading = parse_claims(reply, evidence, refusals, max_text)
            else:
                reading = parse_reply(reply, evidence, refusals, lenient=request.version > 1)
        except UnreadableReply as error:
            received = replace(draft, raw=error.text, unusable=error.message)
            raise UnusableReply(error.message, hint=error.hint, draft=received) from None
        return replace(draft, claims=reading.claims, raw=reply, malformed=reading.malformed, declined=reading.declined)

    def _messages(self, query: Query, evidence: Evidence, request: ModelRequest) -> tuple[tuple[Message, ...], str]:
        """The messages of a request, and those of their words that every request has: no answer may repeat them."""
        parts, structured = (query, evidence, self._profile, request.fence), request.structured
        if request.version == 1:
            return former_messages(*parts, structured=structured), former_rules(
                self._profile, query.language, structured=structured
            )
        constant = constant_messages(self._profile, query.language, structured=structured)
        return build_messages(*parts, structured=structured), "\n\n".join(message.content for message in constant)

    @property
    def _max_text(self) -> int:
        """The characters a claim may have: as many as the reply has tokens, so that three or four such claims fit."""
        return self._profile.generation.max_tokens

    def _schema(self, form: ReplyForm, slots: int) -> dict[str, object] | None:
        if form == "schema":
            return reply_schema(slots, self._profile.generation.max_claims, self._max_text)
        return ANY_OBJECT if form == "json" else None
