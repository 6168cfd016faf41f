"""Questions about one provision and its neighbours: what answers it, and what is only about something similar.

A statute has sections that share nearly all their words: the offence and its aggravated form, conduct with machinery
and conduct with animals, the definition and the penalty. An answerability model has to distinguish them.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from footnotary.reader.evidence_window import window_for
from footnotary.text.tokens import content_terms, terms_of
from training.verifier import questions
from training.verifier.generated.paraphrase import paraphrase

Row = dict[str, Any]
WORDS = (60, 230)
NEIGHBOURS = 6
NEGATIVES_PER_QUESTION = 2
SHARE_REWORDED = 0.5
_PENAL = re.compile(r"(?i)\b(?:punish(?:ed|able|ment)|imprisonment|fine (?:which|of|not)|penalty)\b")
_DEFINES = re.compile(r"(?i)\b(?:is said to|means|is called|denotes?|includes|is a person who)\b")
_PENALTY = re.compile(r"(?i)^(?:punishment|penalty|penalties) (?:for|of|on) ")
_PENAL_ASKED = (
    "What is the punishment for {0}?",
    "What penalty is there for {0}?",
    "What are the consequences for {0}?",
    "What is the term of imprisonment for {0}?",
    "How is a person punished for {0}?",
    "What happens to someone found guilty of {0}?",
    "What is the penalty for a person involved in {0}?",
)
_DEFINED_ASKED = (
    "What is {0}?",
    "What is meant by {0}?",
    "What is the definition of {0}?",
    "What does '{0}' mean?",
    "How is {0} defined?",
    "When does {0} occur?",
)


def scope_rows(
    sections: dict[str, list[Row]],
    draw: random.Random,
    as_row: Callable[[str, Row, int, random.Random], Row] | None = None,
) -> Iterator[Row]:
    """For the sections of each act: questions with the section asked about, and with those most similar to it."""
    as_row = as_row or _row
    for rows in sections.values():
        titles = [terms_of(row["title"]) for row in rows]
        terms = [titles[i] | terms_of(row["text"][:1500]) for i, row in enumerate(rows)]
        spread = Counter(term for found in terms for term in found)
        weight = {term: math.log(1 + len(rows) / count) for term, count in spread.items()}
        for i, row in enumerate(rows):
            asked = _question_for(row, draw)
            if asked is None:
                continue
            question, penal = asked
            # Users do not know the words of the title.
            if draw.random() < SHARE_REWORDED and (reworded := paraphrase(question, draw)) is not None:
                question = reworded[0]
            yield as_row(question, row, 1, draw)
            wanted = terms_of(question)
            near = sorted(
                (j for j in range(len(rows)) if j != i and titles[j] != titles[i]),
                key=lambda j: -math.fsum(weight[t] * (2 if t in titles[j] else 1) for t in wanted & terms[j]),
            )[:NEIGHBOURS]
            # A section that lacks a word of the question, or is about more than it asks, is about something else.
            wrong = [j for j in near if content_terms(question) and (titles[i] - terms[j] or titles[j] - titles[i])]
            for j in draw.sample(wrong, min(NEGATIVES_PER_QUESTION, len(wrong))):
                yield as_row(question, rows[j], 0, draw)
            if (turned := _question_of_other_kind(row, penal, draw)) is not None:
                yield as_row(turned, row, 0, draw)


def sections_of(path: Path, held_out: tuple[str, ...], read: Any) -> dict[str, list[Row]]:
    acts: dict[str, list[Row]] = defaultdict(list)
    for row in read(path):
        if row.get("section") and len(row["text"].split()) >= 12 and not any(h in row["slug"] for h in held_out):
            acts[row["slug"]].append(row)
    return acts


def _question_for(row: Row, draw: random.Random) -> tuple[str, bool] | None:
    """A question that the section answers, and whether it asks for a penalty."""
    title = re.sub(r"\s+", " ", row["title"]).strip(" .[]—-")
    if not 1 <= len(title.split()) <= 22:
        return None
    subject = questions.as_inner_clause(_PENALTY.sub("", title))
    if _PENAL.search(row["text"]) and draw.random() < 0.7:
        return draw.choice(_PENAL_ASKED).format(subject), True
    if _DEFINES.search(row["text"][:400]) and len(title.split()) <= 6 and draw.random() < 0.7:
        return draw.choice(_DEFINED_ASKED).format(subject), False
    found = questions.from_title(row["title"], row["act"], draw)
    return None if found is None else (found, False)


def _question_of_other_kind(row: Row, penal: bool, draw: random.Random) -> str | None:
    """The penalty asked of a section that names none, or what a thing is of one that only punishes it."""
    title = re.sub(r"\s+", " ", row["title"]).strip(" .[]—-")
    if not 1 <= len(title.split()) <= 8:
        return None
    subject = questions.as_inner_clause(_PENALTY.sub("", title))
    if not penal and not _PENAL.search(row["text"]):
        return draw.choice(_PENAL_ASKED).format(subject) if draw.random() < 0.3 else None
    if _PENALTY.match(title) and not _DEFINES.search(row["text"]):
        return draw.choice(_DEFINED_ASKED[1:5]).format(subject)
    return None


def _row(question: str, row: Row, label: int, draw: random.Random) -> Row:
    title, number = row["title"].strip(" .[]—-"), row["section"]
    shown = draw.random()
    if shown < 0.6:
        text = f"{title} {row['act']} {number} {number}. {title}\n{title}\n\n{row['text']}"
    elif shown < 0.85:
        text = f"{title}\n{row['text']}"
    else:
        text = row["text"]
    return {
        "set": "scope",
        "head": 1,
        "a": question,
        "b": window_for(question, [text], draw.randint(*WORDS)),
        "y": label,
    }
