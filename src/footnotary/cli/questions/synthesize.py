"""`synthesize`: answers from several sources, claim by claim, for one question or many."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import console, counted, note, print_json, say
from footnotary.cli.questions.ask_options import AskOptions
from footnotary.cli.questions.outcome_output import show_outcome
from footnotary.cli.questions.sessions import session_for
from footnotary.errors import UsageError

if TYPE_CHECKING:
    from footnotary.domain.outcome import Outcome
    from footnotary.engine import Engine


def run_synthesis(question: str | None, options: AskOptions, *, as_json: bool, verbose: bool) -> ExitCode:
    """Answers one question and prints a summary of its validation."""
    if not question or not question.strip():
        raise UsageError("no question given", hint='use footnotary synthesize "…", or --batch FILE for many')
    with session_for(options) as session:
        delivery = session.ask(question)
        outcome = delivery.outcome
        if as_json:
            print_json(
                synthesis_record(outcome, session.engine)
                | ({"answer_id": delivery.answer_id} if delivery.answer_id else {})
            )
            return exit_code_for(outcome)
        code = show_outcome(outcome, session.engine, verbose=verbose, answer_id=delivery.answer_id)
    record = synthesis_record(outcome, session.engine)
    say()
    say(f"evidence sufficient: {'yes' if record['is_sufficient'] else 'no'}")
    say(f"grounded:            {'yes' if record['is_safe'] else 'no'}")
    say(f"sources cited:       {len(record['cited_sources'])} of {len(record['retrieved_semantic_ids'])} retrieved")
    say(f"uncovered claims:    {len(record['uncovered_claims'])}")
    return code


def run_batch(path: Path, options: AskOptions, *, as_json: bool) -> ExitCode:
    """Answers every question of a file, one JSON object per line with `--json`; exit code 3 if any was refused."""
    questions = read_questions(path)
    refused = 0
    with session_for(options) as session:
        for number, question in _with_progress(questions):
            record = synthesis_record(session.ask(question).outcome, session.engine)
            refused += not record["is_safe"]
            if as_json:
                print_json(record, indent=None)
            else:
                say(f"{number}. {question}\n   {record['answer']}\n")
    note(f"{counted(len(questions), 'question')}: {len(questions) - refused} answered, {refused} refused")
    return ExitCode.REFUSED if refused else ExitCode.OK


def read_questions(path: Path) -> list[str]:
    """Reads one question per line, or JSONL with `question` or `query` in each row."""
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip()]
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist", hint="use a file with one question per line") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", hint="use a UTF-8 text file") from None
    if not lines:
        raise UsageError(f"{path} contains no question", hint="put one question on each line")
    return [_parse_question(line, number, path) for number, line in enumerate(lines, 1)]


def _parse_question(line: str, number: int, path: Path) -> str:
    if not line.startswith("{"):
        return line
    try:
        row: Any = json.loads(line)
        question = row.get("question") or row.get("query")
    except ValueError:
        question = None
    if not isinstance(question, str) or not question.strip():
        raise UsageError(f"{path}, line {number}: no question in {line[:60]!r}", hint='write rows as {"question": "…"}')
    return question


def _with_progress(questions: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The questions, with a progress bar on a terminal."""
    from rich.progress import track

    screen = console()
    yield from track(list(enumerate(questions, 1)), "asking", console=screen, disable=not screen.is_terminal)


def synthesis_record(outcome: Outcome, engine: Engine) -> dict[str, Any]:
    """The outcome's record with the coverage of each claim."""
    from footnotary.domain.outcome import Answer
    from footnotary.render.outcome_record import outcome_record

    record = outcome_record(outcome, engine.profile.presentation.style)
    record["claim_coverage"] = (
        [
            {
                "sentence": claim.text,
                "is_covered": True,
                "covering_chunks": list(claim.cites),
                "confidence": max(c.confidence for c in outcome.citations if c.claim == number),
            }
            for number, claim in enumerate(outcome.claims)
        ]
        if isinstance(outcome, Answer)
        else []
    )
    return record


def exit_code_for(outcome: Outcome) -> ExitCode:
    from footnotary.domain.outcome import Answer

    return ExitCode.OK if isinstance(outcome, Answer) else ExitCode.REFUSED
