"""Answers as server-sent events: stages as they happen, claims only after they have passed every check."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast

from starlette.responses import StreamingResponse

from footnotary.app.delivery import Delivery
from footnotary.domain.outcome import Answer, Refusal
from footnotary.ports import Observer, Stage, StageFact
from footnotary.service.middleware.security_headers import log_exception
from footnotary.service.problems import Problem, problem_content, problem_of
from footnotary.service.redaction import redacted_record

T = TypeVar("T")

EVENT_STREAM = "text/event-stream"
# The OpenAPI schema of one event: its name, and its data as text.
_EVENT_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"event": {"type": "string"}, "data": {"type": "string", "description": "JSON."}},
}
STREAM_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The outcome, or, with `stream`, the events: `stage` {name, ...}, `claim` {index, text, "
        "citations}, `refusal` {message, reason, needed}, `claim.withheld` {index, reason}, `problem` (RFC 9457), and "
        "finally `done` {answer_id, conversation, asked_as, complete, quoted}.",
        "content": {EVENT_STREAM: {"schema": _EVENT_SCHEMA}},
    }
}
_HEARTBEAT_S = 15.0


@dataclass(frozen=True, slots=True)
class StageReached:
    """A stage that answering has reached."""

    name: Stage
    facts: Mapping[str, StageFact]


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A heartbeat: nothing happened for a while, and the connection must be kept open."""


@dataclass(frozen=True, slots=True)
class FinalResult(Generic[T]):
    """The final result."""

    value: T


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """One event of the stream, as `event:` and `data:`."""

    name: str
    data: Mapping[str, Any]

    def encoded(self) -> str:
        # Compact JSON has no line breaks, so one event is always one `data:` line.
        return f"event: {self.name}\ndata: {compact_json(self.data)}\n\n"


async def follow_work(
    work: Callable[[Observer], Awaitable[T]],
) -> AsyncGenerator[StageReached | Heartbeat | FinalResult[T]]:
    """Every stage the work reports, as it happens, and finally its result. Raises what the work raises.

    The work is called with an observer that any thread may use.
    """
    stages: asyncio.Queue[StageReached | None] = asyncio.Queue()
    running = asyncio.ensure_future(work(_QueueObserver(asyncio.get_running_loop(), stages)))
    running.add_done_callback(lambda _: stages.put_nowait(None))
    try:
        while True:
            try:
                stage = await asyncio.wait_for(stages.get(), _HEARTBEAT_S)
            except TimeoutError:
                yield Heartbeat()
                continue
            if stage is None:
                yield FinalResult(await running)
                return
            yield stage
    finally:
        running.cancel()


class StreamEncoder(Protocol):
    """The format of a stream: its stages, its result, and a problem after it has begun."""

    def encode_stage(self, stage: StageReached) -> str: ...

    def encode_outcome(self, delivered: Delivery) -> Iterator[str]: ...

    def encode_problem(self, problem: Problem, request_id: str) -> str: ...


async def stream_response(
    work: Callable[[Observer], Awaitable[Delivery]], form: StreamEncoder, request_id: str
) -> StreamingResponse:
    """The streaming response to a question. Raises what the work raises before its first stage."""
    following = follow_work(work)
    first = await anext(following)

    async def written() -> AsyncIterator[str]:
        # If the client disconnects, the work is cancelled at once, not at garbage collection.
        async with aclosing(following):
            try:
                for part in _encode_step(form, first):
                    yield part
                async for step in following:
                    for part in _encode_step(form, step):
                        yield part
            except Exception as error:  # the response has begun, so the problem is a part of it
                problem = problem_of(error)
                if problem.status_code >= 500:
                    log_exception(error, request_id)
                yield form.encode_problem(problem, request_id)

    return StreamingResponse(written(), media_type=EVENT_STREAM, headers={"X-Accel-Buffering": "no"})


class EventEncoder:
    """The service's own event format: `stage`, `claim`, `refusal`, `claim.withheld`, `problem`, `done`."""

    def encode_stage(self, stage: StageReached) -> str:
        return ServerSentEvent("stage", {"name": stage.name, **stage.facts}).encoded()

    def encode_outcome(self, delivered: Delivery) -> Iterator[str]:
        return (event.encoded() for event in delivered_events(delivered))

    def encode_problem(self, problem: Problem, request_id: str) -> str:
        return ServerSentEvent("problem", problem_content(problem, request_id)).encoded()


def delivered_events(delivered: Delivery) -> Iterator[ServerSentEvent]:
    """The events of a recorded outcome: claims with their citations, or the refusal, then `done`.

    If the profile releases claim by claim, the claims before a rejected one are delivered, and the rest is withheld.
    """
    outcome = delivered.outcome
    known: dict[str, Any] = {"answer_id": delivered.answer_id}
    if delivered.turn is not None:
        known |= {"conversation": delivered.turn.conversation, "asked_as": delivered.asked_as}
    good = released_answer(delivered)
    if good is not None:
        yield from _claim_events(good, delivered)
        if isinstance(outcome, Refusal):
            yield ServerSentEvent("claim.withheld", {"index": len(good.claims), "reason": outcome.reason.value})
    else:
        record = redacted_record(outcome, delivered.profile, questions=delivered.questions)
        said = {"message": record["answer"], "reason": record["refusal_reason"], "needed": record["needed"]}
        yield ServerSentEvent("refusal", said)
    quoted = isinstance(outcome, Answer) and outcome.quoted
    yield ServerSentEvent("done", known | {"complete": good is None or good is outcome, "quoted": quoted})


def released_answer(delivered: Delivery) -> Answer | None:
    """The claims of an outcome to deliver: an answer, or the verified prefix that was recorded as released."""
    outcome = delivered.outcome
    if isinstance(outcome, Answer):
        return outcome
    return outcome.beginning if delivered.released_claims else None


def compact_json(data: object) -> str:
    """JSON on one line."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _claim_events(good: Answer, delivered: Delivery) -> Iterator[ServerSentEvent]:
    cited = cast("list[dict[str, Any]]", redacted_record(good, delivered.profile)["citation_details"])
    for index, claim in enumerate(good.claims):
        of_claim = [detail for detail in cited if detail["claim"] == index]
        yield ServerSentEvent("claim", {"index": index, "text": claim.text, "citations": of_claim})


def _encode_step(form: StreamEncoder, step: StageReached | Heartbeat | FinalResult[Delivery]) -> Iterator[str]:
    match step:
        case StageReached():
            yield form.encode_stage(step)
        case Heartbeat():
            yield ": waiting\n\n"
        case FinalResult():
            yield from form.encode_outcome(step.value)


@dataclass(frozen=True, slots=True)
class _QueueObserver:
    loop: asyncio.AbstractEventLoop
    queue: asyncio.Queue[StageReached | None]

    def stage(self, name: Stage, **facts: StageFact) -> None:
        self.loop.call_soon_threadsafe(self.queue.put_nowait, StageReached(name, facts))
