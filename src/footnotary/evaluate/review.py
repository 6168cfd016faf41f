"""What was made, as files: rows for `eval run` and `eval grounding`, and pages for the person who reviews them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from footnotary.durable import sync
from footnotary.errors import UsageError
from footnotary.evaluate.made_claims import Corrupted
from footnotary.evaluate.made_questions import UNANSWERABLE, Made
from footnotary.evaluate.rows import objects_of

QUESTIONS, CLAIMS, REVIEW, MADE = "questions.jsonl", "claims.jsonl", "REVIEW.md", "made.json"
_SHOWN = 700
_HINT = "mend or delete the line; nothing was written"

_Row: TypeAlias = dict[str, Any]

_INTRODUCTION = """# Review

These rows were made by rule from the documents; nobody has read them yet. For each, look at the source and

- set `"reviewed": true` in {questions} where question and expectation are right,
- mend what is nearly right, and delete the line of what is not.

A question tagged `unanswerable` hides the section named under `without`. Delete it where another section answers it.
In {claims}, label 0 says that the changed sentence is not what the source says.
Made again, rows keep their review as long as their question stays the same; questions you mended and rows you added
stay, and lines you deleted stay away: {made} says which rows were made before. Delete it, or the file of rows, to have
all of them again.
"""


def write_made(folder: Path, questions: Sequence[Made], claims: Sequence[Corrupted]) -> int:
    """Writes the three files, and gives how many rows were reviewed before; those stay as the reviewer left them.

    Rows that somebody added stay too, and made ones that somebody deleted are not written again. Raises `UsageError`,
    naming file and line, for a line that is no row; then nothing was written.
    """
    before = _made_before(folder / MADE)
    gone = {name: _deleted(folder / name, before.get(name, frozenset())) for name in (QUESTIONS, CLAIMS)}
    questions = [made for made in questions if made.id not in gone[QUESTIONS]]
    claims = [made for made in claims if _claim(made)["id"] not in gone[CLAIMS]]
    asked, reviewed = _merged(folder / QUESTIONS, [_question(made) for made in questions], _question_id)
    claimed, reviewed_too = _merged(folder / CLAIMS, [_claim(made) for made in claims], _claim_id)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / QUESTIONS, asked)
    _write(folder / CLAIMS, claimed)
    # After the rows: a row that is listed and was never written would pass for a deleted one.
    listed = {name: sorted(gone[name] | {*map(_id, rows)}) for name, rows in ((QUESTIONS, asked), (CLAIMS, claimed))}
    _replace(folder / MADE, json.dumps(listed, ensure_ascii=False, indent=1) + "\n")
    (folder / REVIEW).write_text(_review(questions, claims), encoding="utf-8")
    return reviewed + reviewed_too


def _made_before(path: Path) -> dict[str, frozenset[str]]:
    """The ids of the rows of each file, by its name, that were written before or deleted even then."""
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): frozenset(map(str, ids)) for name, ids in content.items()}
    except (ValueError, RecursionError, AttributeError, TypeError):
        hint = "delete it, and delete again the rows that come back; nothing was written"
        raise UsageError(f"{path} does not list what was made", hint=hint) from None


def _deleted(path: Path, before: frozenset[str]) -> frozenset[str]:
    """Which of the rows written before are no longer in the file; none where the whole file was taken away."""
    return before - {_id(row) for _, row in objects_of(path, _HINT)} if path.is_file() else frozenset()


def _question(made: Made) -> _Row:
    refused = made.kind == UNANSWERABLE
    row: _Row = {
        "id": made.id,
        "question": made.question,
        "expected": "refusal" if refused else "answer",
        "relevant": [] if refused else [made.relevant],
        "tags": [made.kind, made.language],
        "group": made.relevant,
        "reviewed": False,
    }
    if made.answer:
        row["answer"] = made.answer
    if made.without:
        row["without"] = [made.without]
    return row


def _claim(made: Corrupted) -> _Row:
    return {
        "id": f"{made.task}-{made.id}",
        "task": made.task,
        "claim": made.claim,
        "passages": [made.passage],
        "label": made.label,
        "group": made.source,
        "original": made.original,
        "reviewed": False,
    }


def _merged(path: Path, made: Sequence[_Row], id_as_made: Callable[[_Row], str | None]) -> tuple[list[_Row], int]:
    """The rows made, those reviewed or mended before in their place, and behind them the other rows that people left
    there; and how many were reviewed. A row as it was made, and made no more, goes."""
    held = [row for _, row in objects_of(path, _HINT)] if path.is_file() else []
    ids = {row["id"] for row in made}
    touched = [row for row in held if row.get("reviewed") is True or _id(row) != id_as_made(row)]
    by_id = {_id(row): row for row in touched}
    others = [row for row in touched if _id(row) not in ids]
    count = sum(row.get("reviewed") is True for row in held)
    return [by_id.get(row["id"], row) for row in made] + others, count


def _id(row: _Row) -> str:
    return str(row.get("id"))


def _question_id(row: _Row) -> str | None:
    """The id of a question that says what this row says; None where no question was made like it."""
    match row:
        case {"tags": [str(kind), *_], "question": str(question), "group": str(relevant)}:
            match row:
                case {"without": [str(without)]}:
                    pass
                case _:
                    without = ""
            return Made(kind, question, relevant, "", "", "", without).id
        case _:
            return None


def _claim_id(row: _Row) -> str | None:
    """The id of a claim that says what this row says; None where no claim was made like it."""
    match row:
        case {"task": str(task), "claim": str(claim), "group": str(source)}:
            return f"{task}-{Corrupted(task, claim, '', '', source).id}"
        case _:
            return None


def _review(questions: Sequence[Made], claims: Sequence[Corrupted]) -> str:
    lines = [_INTRODUCTION.format(questions=QUESTIONS, claims=CLAIMS, made=MADE), "## Questions", ""]
    for made in questions:
        lines += [f"### {made.kind}: {made.question}", "", f"`{made.id}`", ""]
        lines.append(
            "Expected: a refusal." if made.kind == UNANSWERABLE else f"Expected: an answer from `{made.relevant}`."
        )
        lines += ["", *([f"Answer: {made.answer}", ""] if made.answer else [])]
        lines += [f"Hidden: `{made.without}`", ""] if made.without else []
        lines += [_quoted(made.source), ""]
    lines += ["## Changed sentences", ""]
    for claim in (claim for claim in claims if not claim.label):
        lines += [
            f"- {claim.task}, from `{claim.source}`",
            f"  - says: {_line(claim.original)}",
            f"  - changed: {_line(claim.claim)}",
        ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + " …"
    return "\n".join(f"> {line}" for line in shown.splitlines())


def _line(text: str) -> str:
    return " ".join(text.split())


def _write(path: Path, rows: Sequence[_Row]) -> None:
    """Puts the rows in the place of the file, which holds people's work, at one go: it is there before or after."""
    _replace(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _replace(path: Path, content: str) -> None:
    beside = path.with_name(f"{path.name}.part")
    beside.write_text(content, encoding="utf-8")
    sync(beside)
    beside.replace(path)
