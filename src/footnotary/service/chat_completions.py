"""A delivered outcome as a chat completion: as one object, or as the chunks of a stream with the same content."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from footnotary.app.delivery import Delivery
from footnotary.domain.identity import Span
from footnotary.domain.outcome import Answer, Citation, Refusal
from footnotary.render.answer_text import RenderedAnswer, render
from footnotary.render.citation_styles import source_names
from footnotary.render.follow_up_record import follow_up_record
from footnotary.service.problems import Problem
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


def build_completion(delivered: Delivery, model: str, sent: int) -> ChatCompletion:
    """The completion as one message: the answer with its markers, or `refusal` with the exact text and no content.

    `sent` is the number of words in the request.
    """
    outcome = delivered.outcome
    if isinstance(outcome, Answer):
        text = render(outcome, delivered.profile.presentation.style)
        message = AssistantMessage(content=text.text, refusal=None, annotations=_annotations(delivered, outcome, text))
    else:
        message = AssistantMessage(content=None, refusal=outcome.message, annotations=[])
    return ChatCompletion(
        id=_completion_id(delivered),
        created=int(time.time()),
        model=model,
        choices=[ChatChoice(message=message)],
        system_fingerprint=outcome.profile_digest[:_FINGERPRINT_CHARS],
        usage=_usage(sent, message.content or message.refusal or ""),
        footnotary=_footnotes(delivered, outcome if isinstance(outcome, Answer) else None),
    )


def build_title(title: str, model: str, sent: int) -> ChatCompletion:
    """A title of the conversation, in the words of its first question; it is no answer and has no record."""
    return ChatCompletion(
        id="chatcmpl-title",
        created=int(time.time()),
        model=model,
        choices=[ChatChoice(message=AssistantMessage(content=title, refusal=None, annotations=[]))],
        system_fingerprint="",
        usage=_usage(sent, title),
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

        yield chunk({"role": "assistant", "content": "" if good else None})
        last: ChunkRecord = {}
        said = ""
        if good is not None:
            text = render(good, delivered.profile.presentation.style)
            said = text.text
            for piece in _text_pieces(text):
                yield chunk({"content": piece})
            last = {"annotations": [one.model_dump() for one in _annotations(delivered, good, text)]}
        elif isinstance(delivered.outcome, Refusal):
            said = delivered.outcome.message
            yield chunk({"refusal": said})
        known = _footnotes(delivered, good)
        yield chunk(last, "stop" if known.complete else "content_filter", footnotary=known.model_dump())
        if self.counted is not None:
            yield written([], {"usage": _usage(self.counted, said).model_dump()})
        yield "data: [DONE]\n\n"

    def encode_problem(self, problem: Problem, request_id: str) -> str:
        said = {"message": problem.detail, "type": "server_error", "code": problem.code, "request_id": request_id}
        return f"data: {compact_json({'error': said})}\n\n"


def _annotations(delivered: Delivery, answer: Answer, text: RenderedAnswer) -> list[Annotation]:
    """One per citation: the claim's place in the delivered text, and the URL of the cited source."""
    project = None if delivered.from_request else answer.query.scope.project
    names = source_names(answer)
    return [
        Annotation(url_citation=_url_citation(citation, names[citation.id], text.claims[citation.claim], project))
        for citation in answer.citations
    ]


def _url_citation(citation: Citation, title: str, span: Span, project: str | None) -> UrlCitation:
    url = f"#{quote(citation.id)}"
    if project is not None:
        sources = f"/v1/projects/{quote(project, safe='')}/sources"
        url = f"{sources}/{quote(citation.id, safe='')}?version={citation.document_sha256}"
    return UrlCitation(
        start_index=span.start,
        end_index=span.end,
        title=title,
        url=url,
    )


def _text_pieces(text: RenderedAnswer) -> Iterator[str]:
    at = 0
    for span in text.claims:
        yield text.body[at : span.end]
        at = span.end
    if rest := text.text[at:]:
        yield rest


def _footnotes(delivered: Delivery, good: Answer | None) -> ChatExtension:
    outcome, withheld = delivered.outcome, None
    if good is not None and isinstance(outcome, Refusal):
        withheld = {"index": len(good.claims), "reason": outcome.reason.value}
    said = redacted_record(good or outcome, delivered.profile)
    return ChatExtension(
        answer_id=delivered.answer_id,
        complete=withheld is None,
        question=outcome.query.text,
        refusal_reason=said["refusal_reason"],
        needed=said.get("needed"),
        claims=said["claims"],
        citation_details=said["citation_details"],
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
