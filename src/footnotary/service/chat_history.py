"""The messages of a chat client as a conversation, and its requests for a title, which no document answers."""

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


def conversation_title(messages: Sequence[ChatMessage]) -> str | None:
    """The title that a client asks for: the first words of the first question, because a title may contain nothing
    else.

    None if the last message asks for none. In JSON where the client wants that.
    """
    last = next((message.text for message in reversed(messages) if message.role == "user"), "")
    if not _ASKS_TITLE.search(last[:600]):
        return None
    found = _FIRST_QUESTION.search(last)
    if found is None:
        return None
    words = found["question"].strip(" \"'").split()
    title = " ".join(words[:_TITLE_WORDS]) + (" …" if len(words) > _TITLE_WORDS else "")
    return json.dumps({"title": title}, ensure_ascii=False) if "json" in last.casefold() else title


def _without_sources(answer: str) -> str:
    """The answer without the list of its sources, which is a paragraph of its own."""
    return re.split(r"\n\n(?=\[\^?\d|\*\*)", answer)[0]
