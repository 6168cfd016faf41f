"""A scripted language model, and an independent check of what is delivered.

The second checker knows nothing of the product's parsers: it reads the response as a stranger would.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from footnotary.compat.grounding import REFUSAL_MESSAGE
from footnotary.generate.chat.generator import SchemaUnsupported
from footnotary.ports import Message

Reply = str | Callable[[str], str]


class ScriptedChat:
    """A `ChatModel`. `reply` is its reply, or a function of the prompt; `told` are the prompts.

    Unless `structured`, it supports no schema, so that its reply is parsed as text.
    """

    def __init__(self, reply: Reply = "", *, structured: bool = False) -> None:
        self.reply = reply
        self.structured = structured
        self.told: list[str] = []

    @property
    def name(self) -> str:
        return "scripted"

    def complete(self, messages: Sequence[Message], schema: dict[str, object] | None = None) -> str:
        if schema is not None and not self.structured:
            raise SchemaUnsupported("no schemas here")
        self.told.append("\n".join(message.content for message in messages))
        return self.reply(self.told[-1]) if callable(self.reply) else self.reply


_MARKER = re.compile(r"\[SOURCE: ([^\[\]]*)\]")
_FIGURE = re.compile(r"\d+")


def check_delivery(body: dict[str, Any], known: dict[str, str]) -> str | None:
    """What is wrong with a response of `/rag/query` under profile `compliance`; None if nothing is.

    `known` are all passages of the project, by id.
    """
    answer, citations, sources = body["answer"], body["citations"], body["sources"]
    if body["refusal_reason"] is not None:
        if answer != REFUSAL_MESSAGE or citations or sources:
            return "a refusal with additional text"
        return None
    found = _MARKER.findall(answer)
    if not found or sorted(set(found)) != sorted(citations):
        return "the citations are not those of the text"
    if any(cited not in known for cited in found):
        return "a citation of what is not there"
    if [source["source_id"] for source in sources] != citations:
        return "the sources are not the citations"
    bare = _MARKER.sub("", answer).replace("\\[", "").replace("\\]", "")
    if any(char in bare for char in "[]［］【】"):
        return "a bracket that is not a citation"
    if any(unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs", "Cn") and char != "\n" for char in bare):
        return "a character that cannot be seen"
    return _sentences(answer, known)


def _sentences(answer: str, known: dict[str, str]) -> str | None:
    """Each span of text up to its markers must be in what they cite: its numbers, and most of its words."""
    start, text = 0, ""
    cited: list[str] = []
    stretches: list[tuple[str, list[str]]] = []
    for marker in _MARKER.finditer(answer):
        between = answer[start : marker.start()]
        if between.strip(" .\n") and cited:
            stretches.append((text, cited))
            text, cited = "", []
        text += between
        cited.append(marker.group(1))
        start = marker.end()
    stretches.append((text, cited))
    if answer[start:].strip(" .!?;:,\n") and not answer[start:].strip().startswith((";", ",")):
        return "text after the last citation"
    for said, ids in stretches:
        source = " ".join(known[cited] for cited in ids).casefold()
        if any(figure not in source for figure in _FIGURE.findall(said)):
            return "a number that the source does not have"
        words = [word for word in re.findall(r"\w+", said.casefold()) if len(word) > 3]
        if words and sum(word in source for word in words) < len(words) / 2:
            return "words that the source does not have"
    return None
