"""A conversation as Markdown with `[^1]` footnotes; what documents and people wrote cannot become markup."""

import re

from footnotary.render.export.conversation import ExportedConversation, ExportedNote, ExportedTurn, source_text

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~$&]")
_LINE_START = re.compile(r"^(\s*\d*)([-+=:.)])", re.MULTILINE)


def markdown(conversation: ExportedConversation) -> str:
    parts = [f"# {_line(conversation.title)}", _line(conversation.promise)]
    for turn in conversation.turns:
        parts += _turn(turn)
    parts += [_note(note) for note in conversation.notes]
    return "\n\n".join(parts) + "\n"


def _turn(turn: ExportedTurn) -> list[str]:
    parts = [f"## {_line(turn.question)}"]
    if turn.asked_as:
        parts.append(f"*Asked as:* {_line(turn.asked_as)}")
    if turn.sentences:
        said = (
            _block(sentence.text) + "".join(f"[^{note.number}]" for note in sentence.notes)
            for sentence in turn.sentences
        )
        parts.append(" ".join(said))
    if turn.refusal:
        parts.append(_block(turn.refusal))
    if turn.remark:
        parts.append(f"> {_line(turn.remark)}")
    for first, second in turn.conflicts:
        parts.append(f"> The sources disagree: “{_line(first)}” and “{_line(second)}”")
    parts.append(f"<sub>{_line(turn.record)}</sub>")
    return parts


def _note(note: ExportedNote) -> str:
    return f"[^{note.number}]: “{_line(note.quote)}” {_line(source_text(note))}"


def _line(text: str) -> str:
    return _block(" ".join(text.split()))


def _block(text: str) -> str:
    """The text with its lines; a mark at the start of one is no list, and none within it is markup."""
    escaped = _MARKUP.sub(lambda found: f"\\{found.group()}", text)
    escaped = _LINE_START.sub(r"\1\\\2", escaped)
    return re.sub(r"[ \t]*\n\s*", "  \n", escaped)
