"""The messages of a chat client as a conversation, and its requests for titles and tags, which no document answers."""

import json
import re
from collections.abc import Sequence

from footnotary.domain.conversation import EarlierTurn
from footnotary.service.guard_mode import strip_passages
from footnotary.service.schemas.chat import ChatMessage

_MAX_ANSWER_CHARS = 2000
_TITLE_WORDS = 8
# Open WebUI and LibreChat ask the same model for a title, with the conversation in the message.
_ASKS_TITLE = re.compile(r"\b(?:generate|provide|create|write|suggest)\b[^.\n]{0,120}\btitle\b", re.IGNORECASE)
# Open WebUI asks it for more, in JSON: what each task may get instead of something invented.
_TASK = re.compile(r"\A\s*#{1,6} *Task:", re.IGNORECASE)
_HISTORY_TAG = "<chat_history>"
_EMPTY_REPLIES = {"follow_ups": "[]", "tags": "[]", "queries": "[]", "text": '""'}
_FIRST_QUESTION = re.compile(
    r"^(?:\|\|>)?[ \t]*(?:user|human)[ \t]*:[ \t]*\n?(?P<question>.{1,2000}?)\s*$(?=\n|\Z)",
    re.IGNORECASE | re.MULTILINE,
)


def earlier_turns(messages: Sequence[ChatMessage]) -> list[EarlierTurn]:
    """The questions before the last user message, each with the answer that follows it in the conversation.

    Answers come from the client: they only show what a question refers to. System messages are not read.
    """
    turns: list[EarlierTurn] = []
    for message in messages:
        if message.role == "user":
            turns.append(EarlierTurn(strip_passages(message.text)))
        elif message.role == "assistant" and turns and len(message.text) <= _MAX_ANSWER_CHARS:
            turns[-1] = EarlierTurn(turns[-1].question, _without_sources(message.text))
    return turns[:-1]


def task_reply(messages: Sequence[ChatMessage]) -> str | None:
    """The reply to a task that a chat application gives the model about a conversation; None if this is a question.

    A title is the first words of the first question. Suggested follow-ups, tags, search queries and completions are
    empty: they would be invented.
    """
    title = _conversation_title(messages)
    return _empty_reply(_last_request(messages)) if title is None else title


def _conversation_title(messages: Sequence[ChatMessage]) -> str | None:
    """The title that a client asks for, in JSON if it wants that; None if it asks for none.

    LibreChat may ask in a system message, with the conversation behind it."""
    last = _last_request(messages)
    found = _FIRST_QUESTION.search(last)
    if found is None:
        return None
    asking = last[:600]
    if not last[: found.start()].strip():  # a conversation and no request: that is in a system message
        asking = next((message.text[:600] for message in messages if message.role in ("system", "developer")), "")
    if not _ASKS_TITLE.search(asking):
        return None
    words = found["question"].strip(" \"'").split()
    title = " ".join(words[:_TITLE_WORDS]) + (" …" if len(words) > _TITLE_WORDS else "")
    return json.dumps({"title": title}, ensure_ascii=False) if "json" in last.casefold() else title


def _last_request(messages: Sequence[ChatMessage]) -> str:
    """The last user message, or the last message of any role if no user wrote one."""
    users = [message.text for message in messages if message.role == "user"]
    return users[-1] if users else messages[-1].text if messages else ""


def _empty_reply(request: str) -> str | None:
    instructions, tag, _ = request.partition(_HISTORY_TAG)
    if not tag or not _TASK.match(instructions):
        return None
    wanted = next((name for name in _EMPTY_REPLIES if re.search(rf'[{{,]\s*"{name}"\s*:', instructions)), None)
    return None if wanted is None else f'{{"{wanted}": {_EMPTY_REPLIES[wanted]}}}'


def _without_sources(answer: str) -> str:
    """The answer without the list of its sources, which is a paragraph of its own."""
    return re.split(r"\n\n(?=\[\^?\d|\*\*)", answer)[0]
