"""Foreign text as a prompt shows it: every line marked as data, without template tokens, slot markers or fences."""

import re

from footnotary.domain.chunk import Chunk
from footnotary.text.normalise import squeeze, without_invisible

_MAX_LABEL = 200

# Tokens that the chat templates of common models use to switch roles. Each is broken up so that no tokeniser reads it
# as one token, and stays readable: documents about language models are documents too.
_TEMPLATE_TOKEN = re.compile(
    r"<[|｜]|[|｜]>"
    r"|<{1,2}/?(?:s|bos|eos|pad|unk|sys|system|user|assistant|human|think|thinking|tool_call|tool_response|tools"
    r"|start_of_turn|end_of_turn|start_of_image|begin_of_text|end_of_text)>{1,2}",
    re.IGNORECASE,
)
_ANGLES = str.maketrans("<>", "‹›")
_ROLE_HEADING = re.compile(
    r"(?<!#)#{2,}+(?=[ \t]{0,4}(?:instructions?|response|input|output|system|user|assistant|human|question|answer)\b)",
    re.IGNORECASE,
)

_OPENING, _CLOSING = "[［【〔⟦〚", "]］】〕⟧〛"
_BRACKET = re.compile(f"[{re.escape(_OPENING + _CLOSING)}]")
_MAX_MARKER = 80
_MARKER_WORDS = ("source", "sources", "src", "slot", "doc", "document", "ref", "reference", "citation", "cite", "स्रोत")


def neutralize_markup(text: str, nonce: str = "") -> str:
    """`text` as shown to a model: readable, but without template tokens, slot markers or fences.

    Invisible characters are removed. Quotes are never taken from this form, always from the original.
    """
    text = without_invisible(text)
    if nonce and nonce.lower() in text.lower():
        # Replaced by a space, or two halves around it would join into a new one.
        text = re.sub(re.escape(nonce), " ", text, flags=re.IGNORECASE)
    text = _TEMPLATE_TOKEN.sub(lambda found: found.group().translate(_ANGLES), text)
    text = _ROLE_HEADING.sub(lambda found: "＃" * len(found.group()), text)
    return _without_slot_markers(text)


def data_lines(text: str, nonce: str, label: str = "") -> str:
    """`label`, if there is one, and `text` as lines that start with a bar: none can be a heading or a role."""
    lines = neutralize_markup(text, nonce).splitlines() or [""]
    return "\n".join(f"| {line}" for line in ([f"({label})"] if label else []) + lines)


def source_label(chunk: Chunk, nonce: str) -> str:
    """Where a chunk is from, on one line: act, section, title, page."""
    labels = chunk.labels
    parts = (
        ("Act", labels.act),
        ("Court", labels.court),
        ("Year", labels.year),
        ("Class", labels.class_number),
        ("Subject", labels.subject),
        ("Chapter", labels.chapter),
        ("Section", labels.section),
        ("Title", labels.title or labels.chapter_title),
        ("Page", chunk.page),
    )
    return "; ".join(
        f"{name}: {squeeze(neutralize_markup(str(value), nonce))[:_MAX_LABEL]}"
        for name, value in parts
        if value is not None
    )


def _without_slot_markers(text: str) -> str:
    """`text` with brackets that look like a citation rewritten; other brackets stay."""
    chars = list(text)
    opened: list[int] = []
    for bracket in _BRACKET.finditer(text):
        place = bracket.start()
        if bracket.group() in _OPENING:
            opened.append(place)
        elif opened:
            start = opened.pop()
            if place - start - 1 > _MAX_MARKER:
                continue
            inside = text[start + 1 : place].strip(f" \t(){_OPENING}{_CLOSING}")
            if not _looks_like_marker(inside):
                continue
            # "[1, 3]" may be a closed interval: round brackets would silently make it an open one.
            chars[start], chars[place] = ("⟦", "⟧") if "," in inside else ("(", ")")
    return "".join(chars)


def _looks_like_marker(inside: str) -> bool:
    """Whether `inside` names a source, or contains only numbers, ids and words in capitals ([/INST])."""
    words = inside.replace(",", " ").replace(";", " ").split()
    if not words:
        return False
    if words[0].rstrip("0123456789:#").casefold() in _MARKER_WORDS:
        return True
    return all(word.isupper() or word == "and" or not word.isalpha() for word in words)
