"""Questions over one passage and over several, answered or not, with every kind of heading."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from footnotary.text.tokens import terms_of
from harness.grounding_rows import learned, passages_of
from training.reader.questions import half
from training.reader.shown_rows import GENERIC
from training.verifier.rows import read

Row = dict[str, Any]
# Rows that `training.reader.rows` repeats are taken less often here: each is shown in several ways instead.
SHARES = {
    "squad_fre": 0.5, "squad2_ud": 0.7, "dev:squad2": 0.6, "nq_ud": 0.8, "aqa_answerable_ni": 0.7, "boolq_dev_contrast": 0.6,
    "bioasq6_9_golden": 0.6, "multirc": 0.5, "cuad_windows": 0.6, "strategyqa_facts": 0.5,
}  # fmt: skip
MOST_WORDS = 620
TEN = 10
RARE = 40


class Passages:
    """Passages of one kind, found by the rare words they share with a question."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._number: dict[str, int] = {}
        self._terms: dict[str, list[int]] = defaultdict(list)

    def add(self, text: str) -> None:
        if text not in self._number:
            self._number[text] = len(self.texts)
            for term in terms_of(text):
                self._terms[term].append(len(self.texts))
            self.texts.append(text)

    def near(self, question: str, without: set[str], count: int, draw: random.Random) -> list[str]:
        """Passages that share rare words with the question, some of the nearest, filled up with any."""
        score: dict[int, float] = defaultdict(float)
        for term in sorted(terms_of(question)):
            found = self._terms.get(term, ())
            if len(found) <= max(RARE, len(self.texts) // 20):
                for i in found:
                    score[i] += 1 / (1 + len(found)) ** 0.3
        near = [self.texts[i] for i in sorted(score, key=lambda i: -score[i])[: count + 6]]
        near = [text for text in near if text not in without]
        chosen = draw.sample(near, min(len(near), count))
        for _ in range(count * 3):
            if len(chosen) >= count or len(self.texts) <= count + len(without):
                break
            text = draw.choice(self.texts)
            if text not in without and text not in chosen:
                chosen.append(text)
        return chosen


def question_rows(data: Path, path: Path, draw: random.Random) -> Iterator[Row]:
    rows = [row for row in read(path) if draw.random() < SHARES.get(row["set"], 1.0)]
    headings = [row["h"].split(" > ")[-1] for row in rows if row["h"]] or list(GENERIC)
    pools: dict[str, Passages] = defaultdict(Passages)
    for row in rows:
        pools[row["set"]].add(" ".join(row["s"]))
    own: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows:
        own[row["set"], row["a"]].add(" ".join(row["s"]))
    for row in rows:
        text = " ".join(row["s"])
        if len(text.split()) > MOST_WORDS * 1.5:
            continue
        asked = row["a"].lower().rstrip("?") if draw.random() < 0.15 else row["a"]

        def shown(text: str, label: int, asked: str = asked, row: Row = row) -> Row:
            heading = _heading(row["h"], headings, draw)
            return {"set": row["set"], "k": "q", "e": [(heading, text)], "a": asked, "y": label}

        luck = draw.random()
        if luck < 0.62:
            yield shown(text, row["y"])
        rest = [part for i, part in enumerate(row["s"]) if i not in row["at"]]
        if row["y"] and row["at"] and len(" ".join(rest).split()) > 15 and draw.random() < 0.45:
            yield shown(" ".join(rest), 0) | {"set": f"without:{row['set']}"}
        if row["y"] and draw.random() < 0.16:
            for other in pools[row["set"]].near(row["a"], own[row["set"], row["a"]], 1, draw):
                yield shown(other, 0) | {"set": f"near:{row['set']}"}
        if luck >= 0.62 or (row["y"] and draw.random() < 0.08):
            yield _several(row, text, asked, pools[row["set"]], own[row["set"], row["a"]], headings, draw)
    yield from hindi_questions(data, draw, wanted=True)


def _several(
    row: Row, text: str, asked: str, pool: Passages, own: set[str], headings: list[str], draw: random.Random
) -> Row:
    """The row's passage among others; or, of an answered question, the others alone."""
    alone = row["y"] == 1 and draw.random() < 0.25
    count = draw.choice((1, 2, 2, 3, 4, 6, 9))
    passages = pool.near(row["a"], own, count, draw)
    if not alone or not passages:
        passages.insert(draw.randint(0, len(passages)), text)
        alone = False
    kept, words = [], 0
    for passage in sorted(passages, key=lambda passage: passage != text):
        words += len(passage.split())
        if kept and words > MOST_WORDS:
            break
        kept.append(passage)
    draw.shuffle(kept)
    with_headings = draw.random() < 0.5
    shown = [
        (_heading(row["h"] if passage == text else "", headings, draw) if with_headings else "", passage)
        for passage in kept
    ]
    return {"set": f"several:{row['set']}", "k": "q", "e": shown, "a": asked, "y": 0 if alone else row["y"]}


def _heading(own: str, others: list[str], draw: random.Random) -> str:
    """One way of many to show the headings of a passage, so that they tell nothing about the label."""
    luck = draw.random()
    if not own:
        return "" if luck < 0.7 else draw.choice(GENERIC) if luck < 0.82 else draw.choice(others)
    parts = [part.strip() for part in own.split(" > ")]
    return own if luck < 0.4 else "" if luck < 0.65 else parts[-1] if luck < 0.85 else draw.choice(others)


def ten_passages(rows: list[Row], name: str, draw: random.Random) -> Iterator[Row]:
    """Held-out questions with their passage among nine near ones, labelled by their own passage."""
    pool = Passages()
    for row in rows:
        pool.add(" ".join(passages_of(row["premise"])))
    for row in draw.sample(rows, min(len(rows), 500)):
        text = " ".join(passages_of(row["premise"]))
        passages = pool.near(row["claim"], {text}, TEN - 1, draw)
        passages.insert(draw.randint(0, len(passages)), text)
        yield {"set": name, "k": "q", "e": [("", p) for p in passages], "a": row["claim"], "y": row["label"]}


def hindi_questions(data: Path, draw: random.Random, *, wanted: bool) -> Iterator[Row]:
    """Hindi questions with their passage and with a near one; half of the articles are learned, half measured.

    Paragraphs whose English text is measured elsewhere are not learned.
    """
    folder = data / "rag" / "xquad_en_hi"
    measured = {" ".join(r["passage"].split()) for r in read(data / "rag" / "squad2_dev500" / "squad2_dev500.jsonl.gz")}
    for row in read(data / "grounding" / "dev" / "squad2.dev.jsonl.gz"):
        if not learned("squad2", row):
            measured.add(" ".join(" ".join(passages_of(row["premise"])).split()))
    english = {row["id"]: " ".join(row["passage"].split()) for row in read(folder / "xquad_en.jsonl.gz")}
    rows = [row for row in read(folder / "xquad_hi.jsonl.gz") if half(row["title"]) == wanted]
    if wanted:
        rows = [row for row in rows if english[row["id"]] not in measured]
    pool = Passages()
    for row in rows:
        pool.add(row["passage"])
    name = "xquad_hi" if wanted else "q:xquad_hi"
    for row in rows:
        yield {"set": name, "k": "q", "e": [("", row["passage"])], "a": row["question"], "y": 1}
        for other in pool.near(row["question"], {row["passage"]}, 1, draw):
            yield {"set": name, "k": "q", "e": [("", other)], "a": row["question"], "y": 0}
