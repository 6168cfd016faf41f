"""What the language model is asked to say in other words, and which of its replies become rows."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np

Row = dict[str, Any]
# The probability that evidence supports a claim, for each (evidence, claim).
Support = Callable[[list[tuple[str, str]]], np.ndarray]
LEAST_WORDS, MOST_WORDS = 7, 40
# A rewording that keeps more of its words than this teaches nothing new.
MOST_SHARED = 0.75
SAME, FOLLOWS, WRONG = 0.6, 0.7, 0.25
REWORD = (
    "You rewrite statements. The new sentence says exactly the same, no more and no less, in other words and another "
    "order. Names, numbers and conditions stay.",
    (
        (
            "Members may cancel a booking up to two days before the visit, unless it was made at a reduced price.",
            "Except where the price was reduced, a booking can be called off by the member who made it until two days "
            "are left before the visit.",
        ),
        (
            "The river was not fully bridged before 1931, when the council opened the second span.",
            "It took until 1931, the year in which the council put the second span into use, for a complete bridge to "
            "cross the river.",
        ),
        (
            "Only the head nurse has to sign the form.",
            "Nobody apart from the head nurse needs to put a signature on the form.",
        ),
    ),
)
FOLLOW = (
    "From each rule or fact write two short sentences in other words. True: what follows from it, for example for a "
    "concrete case. False: nearly the same, but wrong by it.",
    (
        (
            "Members may cancel a booking up to two days before the visit, unless it was made at a reduced price.",
            "True: Someone who paid the full price can still call off a visit five days ahead.\n"
            "False: A booking made at a lower price can be called off a week ahead.",
        ),
        (
            "The council opened the second span in 1931, after the old ferry had closed.",
            "True: The ferry had already stopped when the second span was put into use.\n"
            "False: Ferries went on running for some time after the second span was in use.",
        ),
        (
            "Of the two lakes, Arn is slightly deeper, but Tor holds far more water.",
            "True: Tor is the shallower lake.\nFalse: Arn contains more water than Tor.",
        ),
    ),
)
CONTRASTS = (
    "made:",
    "vitaminc",
    "fm2",
    "dev:fm2",
    "paws",
    "contractnli",
    "cad_nli",
    "feverous",
    "dev:summedits",
    "defacto",
)


def request(kind: tuple[str, tuple[tuple[str, str], ...]], statement: str) -> str:
    """A conversation with worked examples, up to where the model answers."""
    told, examples = kind
    turns = "".join(
        f"<|im_start|>user\n{given}<|im_end|>\n<|im_start|>assistant\n{reply}<|im_end|>\n" for given, reply in examples
    )
    return (
        f"<|im_start|>system\n{told}<|im_end|>\n{turns}<|im_start|>user\n{statement}<|im_end|>\n<|im_start|>assistant\n"
    )


def written_pair(reply: str) -> tuple[str, str] | None:
    """What follows and what is wrong; None where the reply has not both."""
    lines = dict(line.split(": ", 1) for line in reply.splitlines() if line.startswith(("True: ", "False: ")))
    return (lines["True"].strip(), lines["False"].strip()) if len(lines) == 2 else None


def passages(row: Row) -> list[tuple[str, str]]:
    """The evidence of a row that was read, to be written again."""
    return [("", text) for text in row["e"].split("\n\n")]


def shared_words(one: str, other: str) -> float:
    """The share of the words of `other` that occur in `one`."""
    words, known = re.findall(r"\w+", other.lower()), set(re.findall(r"\w+", one.lower()))
    return sum(word in known for word in words) / max(len(words), 1)


def chosen_rows(rows: list[Row], draw: random.Random) -> list[Row]:
    """Claims that can be said again: English, of one line and a fair length, contrasts before others."""
    fit = [
        row
        for row in rows
        if row["k"] == "c" and row["a"].isascii() and LEAST_WORDS <= len(row["a"].split()) <= MOST_WORDS
        and row["set"] not in ("snli", "mnli", "mnli_ni") and "table" not in row["set"] and "record" not in row["set"]
    ]  # fmt: skip
    draw.shuffle(fit)
    first = [row for row in fit if row["set"].startswith(CONTRASTS)]
    rest = [row for row in fit if not row["set"].startswith(CONTRASTS)]
    # Two contrasts for each other row, as long as there are any.
    out: list[Row] = []
    while first or rest:
        out += [first.pop() for _ in range(min(2, len(first)))] + [rest.pop() for _ in range(min(1, len(rest)))]
    return out


def kept_rewordings(rows: list[Row], replies: list[str], support: Support) -> list[Row]:
    fit = [
        (row, reply)
        for row, reply in zip(rows, replies, strict=False)
        if "\n" not in reply and 4 <= len(reply.split()) <= 70 and shared_words(row["a"], reply) <= MOST_SHARED
    ]
    pairs = [(row["a"], reply) if row["y"] >= 0.5 else (reply, row["a"]) for row, reply in fit]
    said = support(pairs)
    kept = [
        {"set": f"reworded:{row['set']}", "k": "c", "e": passages(row), "a": reply, "y": row["y"]}
        for (row, reply), same in zip(fit, said.tolist(), strict=True)
        if same >= SAME
    ]
    print(f"rewordings: {len(replies)} written, {len(fit)} other words, {len(kept)} the same", flush=True)
    return kept


def kept_consequences(rows: list[Row], replies: list[str], support: Support) -> list[Row]:
    fit = [
        (row, pair)
        for row, reply in zip(rows, replies, strict=False)
        if (pair := written_pair(reply)) is not None and min(len(line.split()) for line in pair) >= 4
    ]
    said = support([(row["a"], line) for row, pair in fit for line in pair]).reshape(-1, 2)
    wrong = support([(row["e"], pair[1]) for row, pair in fit])
    kept: list[Row] = []
    for (row, pair), (follows, contradicts), anywhere in zip(fit, said.tolist(), wrong.tolist(), strict=True):
        if follows >= FOLLOWS and contradicts <= WRONG and anywhere <= WRONG:
            for line, label in zip(pair, (1, 0), strict=True):
                kept.append({"set": "follows", "k": "c", "e": passages(row), "a": line, "y": label})
    print(f"consequences: {len(replies)} written, {len(fit)} pairs, {len(kept)} rows kept", flush=True)
    return kept
