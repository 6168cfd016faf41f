"""Drafts that are true to their passage and answer the question, or another one: rows of our own words."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from footnotary.domain.draft import Claim
from footnotary.ports import Submission
from footnotary.testing.builders import chunk_of, submission_of
from footnotary.text.sentences.splitter import sentences

OWN_ROWS = Path(__file__).with_name("question_drafts.jsonl")
_ID = "Given_1_0"


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    """A question, a passage with its headings, and an answer that is true to it; `on` says whether it answers."""

    question: str
    passage: str
    headings: tuple[str, ...]
    answer: str
    on: bool
    kind: str

    def submission(self) -> Submission:
        """The answer as a draft whose sentences all cite the passage."""
        chunk = replace(chunk_of(_ID, self.passage, act=None, code=None, section=None), section=self.headings)
        claims = (Claim(sentence, (_ID,)) for sentence in sentences(self.answer))
        return submission_of(self.question, (chunk,), *claims)


def question_drafts(path: Path = OWN_ROWS) -> list[QuestionDraft]:
    """The rows of a file, one JSON object a line: `question`, `passage`, `headings`, `answer`, `label`, `kind`."""
    return [_draft(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _draft(row: dict[str, object]) -> QuestionDraft:
    headings = row.get("headings") or ()
    if row["label"] not in ("on", "off") or not isinstance(headings, list | tuple):
        raise ValueError(f"a row has the label on or off and a list of headings: {row}")
    return QuestionDraft(
        question=str(row["question"]),
        passage=str(row["passage"]),
        headings=tuple(map(str, headings)),
        answer=str(row["answer"]),
        on=row["label"] == "on",
        kind=str(row["kind"]),
    )
