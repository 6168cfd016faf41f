"""A delivered outcome as a response of OpenAI's Responses API: one object, or a stream of events that add up to it."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from footnotary.app.delivery import Delivery
from footnotary.domain.outcome import Answer
from footnotary.service.openai_api.chat_completions import Reply, ReplyForm, compose_reply, describe_delivery
from footnotary.service.problems import Problem, openai_error
from footnotary.service.schemas.chat import word_count
from footnotary.service.schemas.responses import (
    IncompleteDetails,
    OutputCitation,
    OutputMessage,
    OutputRefusal,
    OutputText,
    ResponseObject,
    ResponseRequest,
    ResponseUsage,
)
from footnotary.service.streaming import ServerSentEvent, StageReached, released_answer

_RESPONSE_ID = re.compile(r"resp_(ans_[a-z2-7]{26})")


def recorded_answer_id(response_id: str) -> str | None:
    """The id of the audit record behind a response; None if the id is not one of ours."""
    found = _RESPONSE_ID.fullmatch(response_id)
    return found and found[1]


def build_response(
    delivered: Delivery, asked: ResponseRequest, form: ReplyForm, sent: int, good: Answer | None
) -> ResponseObject:
    """The response with the claims of `good`, or the refusal. `sent` is the number of words in the request.

    A refusal is a part of its own, after its text where the form puts refusals into the content.
    """
    return _response(delivered, asked, sent, good, compose_reply(delivered, form, good))


@dataclass(frozen=True, slots=True)
class ResponseEventEncoder:
    """The response as events, one text delta per claim. All of it is verified and recorded before the first.

    Stages are comments, which clients skip. When the verified prefix of a rejected draft is released, the response
    ends as incomplete.
    """

    asked: ResponseRequest
    form: ReplyForm
    sent: int

    def encode_stage(self, stage: StageReached) -> str:
        return f": {stage.name}\n\n"

    def encode_outcome(self, delivered: Delivery) -> Iterator[str]:
        numbers = count()
        for name, data in self._events(delivered):
            yield ServerSentEvent(name, {"type": name, "sequence_number": next(numbers), **data}).encoded()

    def encode_problem(self, problem: Problem, request_id: str) -> str:
        # Clients raise what is under `error`; the fields next to it are those of the documented event.
        error = openai_error(problem) | {"request_id": request_id}
        said = {name: error[name] for name in ("message", "code", "param", "request_id")}
        return ServerSentEvent("error", {"type": "error", "sequence_number": 0, **said, "error": error}).encoded()

    def _events(self, delivered: Delivery) -> Iterator[tuple[str, dict[str, Any]]]:
        good = released_answer(delivered)
        reply = compose_reply(delivered, self.form, good)
        done = _response(delivered, self.asked, self.sent, good, reply)
        begun = done.model_copy(
            update={"status": "in_progress", "output": [], "usage": None, "completed_at": None, "footnotary": None}
        ).model_copy(update={"incomplete_details": None})
        (message,) = done.output
        yield "response.created", {"response": begun.model_dump()}
        yield "response.in_progress", {"response": begun.model_dump()}
        opened = message.model_copy(update={"status": "in_progress", "content": []})
        yield "response.output_item.added", {"output_index": 0, "item": opened.model_dump()}
        for index, part in enumerate(message.content):
            at = {"item_id": message.id, "output_index": 0, "content_index": index}
            yield from _part_events(part, at, reply)
        yield "response.output_item.done", {"output_index": 0, "item": message.model_dump()}
        yield f"response.{done.status}", {"response": done.model_dump()}


def _part_events(
    part: OutputText | OutputRefusal, at: dict[str, Any], reply: Reply
) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(part, OutputRefusal):
        yield "response.content_part.added", at | {"part": OutputRefusal(refusal="").model_dump()}
        yield "response.refusal.delta", at | {"delta": part.refusal}
        yield "response.refusal.done", at | {"refusal": part.refusal}
    else:
        yield "response.content_part.added", at | {"part": OutputText(text="", annotations=[]).model_dump()}
        for piece in reply.pieces or ():
            yield "response.output_text.delta", at | {"delta": piece, "logprobs": []}
        for number, cited in enumerate(part.annotations):
            added = {"annotation_index": number, "annotation": cited.model_dump()}
            yield "response.output_text.annotation.added", at | added
        yield "response.output_text.done", at | {"text": part.text, "logprobs": []}
    yield "response.content_part.done", at | {"part": part.model_dump()}


def _response(
    delivered: Delivery, asked: ResponseRequest, sent: int, good: Answer | None, reply: Reply
) -> ResponseObject:
    known, now = describe_delivery(delivered, good), int(time.time())
    status = "completed" if known.complete else "incomplete"
    message = OutputMessage(id=f"msg_{delivered.answer_id}", status=status, content=_parts(reply))
    given = word_count(reply.said)
    wanted = asked.text and asked.text.format
    return ResponseObject(
        id=f"resp_{delivered.answer_id}",
        created_at=now,
        completed_at=now,
        status=status,
        incomplete_details=None if known.complete else IncompleteDetails(),
        instructions=asked.instructions,
        metadata=asked.metadata or {},
        model=asked.model,
        output=[message],
        previous_response_id=asked.previous_response_id,
        text={"format": wanted.model_dump(by_alias=True, exclude_none=True) if wanted else {"type": "text"}},
        usage=ResponseUsage(input_tokens=sent, output_tokens=given, total_tokens=sent + given),
        footnotary=known,
    )


def _parts(reply: Reply) -> list[OutputText | OutputRefusal]:
    parts: list[OutputText | OutputRefusal] = []
    if reply.content is not None:
        cited = [OutputCitation(**one.model_dump()) for one in reply.citations]
        parts.append(OutputText(text=reply.content, annotations=cited))
    if reply.refusal is not None:
        parts.append(OutputRefusal(refusal=reply.refusal))
    return parts
