"""What was made, as files: rows for `eval run` and `eval grounding`, and pages for the person who reviews them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from footnotary.evaluate.made_claims import Corrupted
from footnotary.evaluate.made_questions import UNANSWERABLE, Made
from footnotary.evaluate.rows import lines_of

QUESTIONS, CLAIMS, REVIEW = "questions.jsonl", "claims.jsonl", "REVIEW.md"
_SHOWN = 700

_INTRODUCTION = """# Review

These rows were made by rule from the documents; nobody has read them yet. For each, look at the source and

- set `"reviewed": true` in {questions} where question and expectation are right,
- mend what is nearly right, and delete the line of what is not.

A question tagged `unanswerable` hides the section named under `without`. Delete it where another section answers it.
In {claims}, label 0 says that the changed sentence is not what the source says.
Made again, rows keep their review as long as their question stays the same.
"""


def write_made(folder: Path, questions: Sequence[Made], claims: Sequence[Corrupted]) -> int:
    """Writes the three files, and gives how many rows were reviewed before; those stay as the reviewer left them."""
    folder.mkdir(parents=True, exist_ok=True)
    before = _write(folder / QUESTIONS, [_question(made) for made in questions])
    before += _write(folder / CLAIMS, [_claim(made) for made in claims])
    (folder / REVIEW).write_text(_review(questions, claims), encoding="utf-8")
    return before


def _question(made: Made) -> dict[str, Any]:
    refused = made.kind == UNANSWERABLE
    row: dict[str, Any] = {
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


def _claim(made: Corrupted) -> dict[str, Any]:
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


def _reviewed(path: Path) -> dict[str, dict[str, Any]]:
    """The rows that somebody has reviewed, by id; a file that is none of ours holds none."""
    found: dict[str, dict[str, Any]] = {}
    for _, line in lines_of(path) if path.is_file() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            given = cast("dict[str, Any]", row)
            if given.get("reviewed") is True and isinstance(given.get("id"), str):
                found[given["id"]] = given
    return found


def _review(questions: Sequence[Made], claims: Sequence[Corrupted]) -> str:
    lines = [_INTRODUCTION.format(questions=QUESTIONS, claims=CLAIMS), "## Questions", ""]
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


def _write(path: Path, made: Sequence[dict[str, Any]]) -> int:
    """Writes the rows, those reviewed before in place of those made again; gives how many those are."""
    before = _reviewed(path)
    rows = {row["id"]: row for row in made} | before
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows.values()), encoding="utf-8")
    return len(before)
