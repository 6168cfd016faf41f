"""`ask -i`: a conversation in the terminal. After a refusal the user can widen the search and ask again."""

from dataclasses import replace

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note
from footnotary.cli.questions.ask_options import AskOptions
from footnotary.cli.questions.outcome_output import show_outcome
from footnotary.cli.questions.sessions import engine_for, session_for
from footnotary.domain.conversation import AskedQuestion, EarlierTurn
from footnotary.domain.outcome import Answer
from footnotary.render.follow_up_record import follow_up_note

_HELP = "commands: /more searches more passages, /wider drops the filters, /sources shows what was found, /quit ends"
_COMMANDS = ("/more", "/wider", "/sources")
_ENDS = ("/quit", "/exit", "quit", "exit")


def converse(options: AskOptions, first: str | None, *, style: str | None, verbose: bool, strip: bool) -> ExitCode:
    """Asks until the user quits. A follow-up is rewritten as a standalone question; earlier answers are no evidence."""
    note(_HELP)
    question, last = first, AskedQuestion("", "")
    turns: list[EarlierTurn] = []
    code = ExitCode.OK
    while True:
        if question is None:
            question = _next_line()
        if question is None or question.casefold() in _ENDS:
            return code
        if not question:
            question = None
            continue
        if question.startswith("/") and question not in _COMMANDS:
            note(_HELP)
            question = None
            continue
        options, again = _adjusted(options, question)
        if again and not last.text:
            note(_HELP)
        elif question == "/sources":
            _show_sources(options, last.text)
        else:
            with session_for(options) as session:
                if again:
                    del turns[-1:]
                else:
                    last = session.session.understand_after(question, turns)
                    if said := follow_up_note(last):
                        note(said)
                delivery = session.ask(last.text, last.context)
                answer = delivery.outcome.text if isinstance(delivery.outcome, Answer) else ""
                turns.append(EarlierTurn(last.text, answer))
                code = show_outcome(
                    delivery.outcome,
                    session.engine,
                    style=style,
                    verbose=verbose,
                    strip=strip,
                    answer_id=delivery.answer_id,
                )
            if code is ExitCode.REFUSED:
                note("search more? /more for more passages, /wider without filters, or rephrase the question")
        question = None


def _next_line() -> str | None:
    """The next line, or None at the end of input."""
    try:
        return input("? ").strip()
    except (EOFError, KeyboardInterrupt):
        return None


def _adjusted(options: AskOptions, command: str) -> tuple[AskOptions, bool]:
    """The options after a command, and whether to repeat the last question."""
    match command:
        case "/more":
            return replace(options, top_k=min((options.top_k or 5) * 2, 50), graph=True), True
        case "/wider":
            return options.without_filters(), True
        case "/sources":
            return options, True
        case _:
            return options, False


def _show_sources(options: AskOptions, question: str) -> None:
    with engine_for(options) as (engine, scope):
        for hit in engine.search(question, scope).hits:
            note(f"{hit.score:.2f} [{hit.chunk.id}] {' '.join(hit.chunk.text.split())[:160]}")
