"""How a question of a conversation was asked, for programs and as a note for people."""

from typing import Any

from footnotary.domain.conversation import AskedQuestion


def follow_up_record(asked: AskedQuestion | None) -> dict[str, Any] | None:
    """The status, what was typed, what was asked, and the earlier question that was searched for too."""
    if asked is None:
        return None
    return {
        "status": asked.status,
        "typed": asked.typed,
        "asked_as": asked.text,
        "context": asked.context or None,
        "by": asked.by if asked.was_rewritten else None,
    }


def follow_up_note(asked: AskedQuestion) -> str:
    """What a person should know about how the question was asked; empty if it was asked as typed, on its own."""
    match asked.status:
        case "rewritten":
            return f"asked as: {asked.text}"
        case "with_context":
            return f"asked as typed; the search also looked for: {asked.context}"
        case "not_understood":
            return "the follow-up was not understood: ask it as a whole question"
        case _:
            return ""
