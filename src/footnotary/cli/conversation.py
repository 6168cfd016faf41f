"""`ask -i`: a conversation in the terminal. After a refusal the user may look further and ask again."""

from dataclasses import replace

from footnotary.cli.asking import Asking, desk_for, engine_for
from footnotary.cli.exits import Exit
from footnotary.cli.outcome import show_outcome
from footnotary.cli.terminal import note
from footnotary.gate.follow_up import standalone

_HELP = "commands: /more looks at more passages, /wider drops the filters, /sources shows what was found, /quit ends"
_COMMANDS = ("/more", "/wider", "/sources")


def converse(asking: Asking, first: str | None, *, style: str | None, verbose: bool, strip: bool) -> Exit:
    """Asks until the user ends it. A follow-up is asked as what it means; earlier answers are never evidence."""
    note(_HELP)
    question, last = first, ""
    code = Exit.OK
    while True:
        if question is None:
            question = _read()
        if question is None or question in ("/quit", "/exit"):
            return code
        if question.startswith("/") and question not in _COMMANDS:
            note(_HELP)
            question = None
            continue
        asking, again = _adjusted(asking, question)
        text = last if again else question
        if not text:
            note(_HELP)
        elif question == "/sources":
            _show_sources(asking, text)
        else:
            with desk_for(asking) as desk:
                if not again:
                    text = standalone(text, [last], desk.engine.profile)
                if text != question and not again:
                    note(f"asked as: {text}")
                last = text
                given = desk.ask(text)
                code = show_outcome(
                    given.outcome, desk.engine, style=style, verbose=verbose, strip=strip, answer_id=given.answer_id
                )
            if code is Exit.REFUSED:
                note("look further? /more for more passages, /wider without filters, or ask differently")
        question = None


def _read() -> str | None:
    """The next line, or None at the end of input."""
    try:
        return input("? ").strip()
    except (EOFError, KeyboardInterrupt):
        return None


def _adjusted(asking: Asking, command: str) -> tuple[Asking, bool]:
    """The options after a command, and whether the last question is meant again."""
    match command:
        case "/more":
            return replace(asking, k=min((asking.k or 5) * 2, 50), graph=True), True
        case "/wider":
            return asking.wider(), True
        case "/sources":
            return asking, True
        case _:
            return asking, False


def _show_sources(asking: Asking, question: str) -> None:
    with engine_for(asking) as (engine, scope):
        for hit in engine.search(question, scope).hits:
            note(f"{hit.score:.2f} [{hit.chunk.id}] {' '.join(hit.chunk.text.split())[:160]}")
