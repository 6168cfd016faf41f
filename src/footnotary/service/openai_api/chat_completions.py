"""A delivered outcome as a chat completion: as one object, or as the chunks of a stream with the same content."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from footnotary.app.delivery import Delivery
from footnotary.domain.identity import Span
from footnotary.domain.outcome import Answer, Citation, Refusal
from footnotary.render.answer_text import RenderedAnswer, render
from footnotary.render.citation_styles import source_names
from footnotary.render.follow_up_record import follow_up_record
from footnotary.service.openai_api.citation_urls import citation_url
from footnotary.service.openai_api.structured_output import Selection, structured_text
from footnotary.service.problems import Problem, openai_error
from footnotary.service.redaction import redacted_record
from footnotary.service.schemas.chat import (
    Annotation,
    AssistantMessage,
    ChatChoice,
    ChatCompletion,
    ChatExtension,
    UrlCitation,
    Usage,
    word_count,
)
from footnotary.service.streaming import StageReached, compact_json, released_answer

ChunkRecord = dict[str, Any]

_FINGERPRINT_CHARS = 16


@dataclass(frozen=True, slots=True)
class ReplyForm:
    """How a client gets a reply: the service's public URL, whether a refusal is in the content too, and, for
    structured output, that the content is JSON with the selected fields."""

    base_url: str | None = None
    refusal_in_content: bool = True
    structured: bool = False
    selection: Selection = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a client receives: the content, one piece per claim (None: no content), the refusal, and the citations."""

    pieces: tuple[str, ...] | None
    refusal: str | None
    citations: tuple[UrlCitation, ...]

    @property
    def content(self) -> str | None:
        return None if self.pieces is None else "".join(self.pieces)

    @property
    def said(self) -> str:
        return self.content or self.refusal or ""


def compose_reply(delivered: Delivery, form: ReplyForm, good: Answer | None) -> Reply:
    """The reply to deliver: the claims of `good`, or the refusal. Structured content has no places to annotate."""
    outcome = delivered.outcome
    refusal = outcome.message if good is None and isinstance(outcome, Refusal) else None
    if form.structured and (good is not None or form.refusal_in_content):
        return Reply((structured_text(delivered, form.base_url, form.selection),), refusal, ())
    if good is None:
        return Reply((refusal or "",) if form.refusal_in_content else None, refusal, ())
    text = render(good, delivered.profile.presentation.style)
    project = None if delivered.from_request else good.query.scope.project
    names = source_names(good)
    cited = (
        _url_citation(one, names[one.id], text.claims[one.claim], project, form.base_url) for one in good.citations
    )
    return Reply(tuple(_text_pieces(text)), None, tuple(cited))


def build_completion(delivered: Delivery, model: str, sent: int, form: ReplyForm) -> ChatCompletion:
    """The completion as one message: the answer with its markers, or the exact text of the refusal.

    `sent` is the number of words in the request.
    """
    outcome = delivered.outcome
    good = outcome if isinstance(outcome, Answer) else None
    reply = compose_reply(delivered, form, good)
    cited = [Annotation(url_citation=one) for one in reply.citations]
    return ChatCompletion(
        id=_completion_id(delivered),
        created=int(time.time()),
        model=model,
        choices=[ChatChoice(message=AssistantMessage(content=reply.content, refusal=reply.refusal, annotations=cited))],
        system_fingerprint=outcome.profile_digest[:_FINGERPRINT_CHARS],
        usage=_usage(sent, reply.said),
        footnotary=describe_delivery(delivered, good),
    )


def build_task_reply(text: str, model: str, sent: int) -> ChatCompletion:
    """The reply to a client's task about the conversation, such as a title; it is not an answer and has no record."""
    return ChatCompletion(
        id="chatcmpl-task",
        created=int(time.time()),
        model=model,
        choices=[ChatChoice(message=AssistantMessage(content=text, refusal=None, annotations=[]))],
        system_fingerprint="",
        usage=_usage(sent, text),
        footnotary=None,
    )


@dataclass(frozen=True, slots=True)
class ChatChunkEncoder:
    """The completion as the chunks of a stream, one claim each. All of it is verified and recorded before the first.

    Stages are comments, which clients skip. When the verified prefix of a rejected draft is released, the last chunk
    ends with `content_filter` and says what is withheld. With `counted`, the number of words in the request, every
    chunk has a field `usage`, and a final chunk without choices fills it.
    """

    model: str
    form: ReplyForm
    counted: int | None = None

    def encode_stage(self, stage: StageReached) -> str:
        return f": {stage.name}\n\n"

    def encode_outcome(self, delivered: Delivery) -> Iterator[str]:
        good, begun = released_answer(delivered), int(time.time())

        def written(choices: list[ChunkRecord], more: ChunkRecord) -> str:
            content: ChunkRecord = {
                "id": _completion_id(delivered),
                "object": "chat.completion.chunk",
                "created": begun,
                "model": self.model,
                "system_fingerprint": delivered.outcome.profile_digest[:_FINGERPRINT_CHARS],
                "choices": choices,
            }
            if self.counted is not None:
                content["usage"] = None
            return f"data: {compact_json(content | more)}\n\n"

        def chunk(delta: ChunkRecord, finish: str | None = None, **more: Any) -> str:
            return written([{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}], more)

        reply = compose_reply(delivered, self.form, good)
        yield chunk({"role": "assistant", "content": None if reply.pieces is None else ""})
        for piece in reply.pieces or ():
            yield chunk({"content": piece})
        last: ChunkRecord = {}
        if reply.refusal is not None:
            yield chunk({"refusal": reply.refusal})
        else:
            last = {"annotations": [Annotation(url_citation=one).model_dump() for one in reply.citations]}
        known = describe_delivery(delivered, good)
        yield chunk(last, "stop" if known.complete else "content_filter", footnotary=known.model_dump())
        if self.counted is not None:
            yield written([], {"usage": _usage(self.counted, reply.said).model_dump()})
        yield "data: [DONE]\n\n"

    def encode_problem(self, problem: Problem, request_id: str) -> str:
        return f"data: {compact_json({'error': openai_error(problem) | {'request_id': request_id}})}\n\n"


def _url_citation(citation: Citation, title: str, span: Span, project: str | None, base_url: str | None) -> UrlCitation:
    """The claim's place in the delivered text, and the URL of the cited source."""
    return UrlCitation(
        start_index=span.start,
        end_index=span.end,
        title=title,
        url=citation_url(citation, project, base_url),
    )


def _text_pieces(text: RenderedAnswer) -> Iterator[str]:
    at = 0
    for span in text.claims:
        yield text.body[at : span.end]
        at = span.end
    if rest := text.text[at:]:
        yield rest


def describe_delivery(delivered: Delivery, good: Answer | None) -> ChatExtension:
    """What OpenAI's format has no room for."""
    outcome, withheld = delivered.outcome, None
    if good is not None and isinstance(outcome, Refusal):
        withheld = {"index": len(good.claims), "reason": outcome.reason.value}
    said = redacted_record(good or outcome, delivered.profile, questions=delivered.questions)
    return ChatExtension(
        answer_id=delivered.answer_id,
        complete=withheld is None,
        question=outcome.query.text,
        refusal_reason=said["refusal_reason"],
        needed=said.get("needed"),
        claims=said["claims"],
        citation_details=said["citation_details"],
        conflicts=said["conflicts"],
        profile=outcome.profile,
        profile_digest=outcome.profile_digest,
        withheld=withheld,
        quoted=said.get("quoted", False),
        rejected=said.get("rejected"),
        follow_up=follow_up_record(delivered.follow_up),
    )


def _usage(sent: int, said: str) -> Usage:
    given = word_count(said)
    return Usage(prompt_tokens=sent, completion_tokens=given, total_tokens=sent + given)


def _completion_id(delivered: Delivery) -> str:
    return f"chatcmpl-{delivered.answer_id}"
