"""Labelled questions of people and about provisions, with passages that answer them and near ones that do not."""

from __future__ import annotations

import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import terms_of
from harness.grounding_rows import learned, passages_of
from training.reader.written_rows import written_questions
from training.verifier.provision_questions import scope_rows, sections_of
from training.verifier.rows import ACTS, HELD_OUT, read

Row = dict[str, Any]
QUESTION_SETS = {
    "iirc_ni": 1, "musique_ud": 1, "nq_ud": 2, "cuad_windows": 0.6, "doqa_ni": 1, "squad2_ud": 3, "aqa_answerable_ni": 2,
    "squad_fre_abstract": 1, "squad_fre": 2, "boolq_dev_contrast": 1, "qasper_ni": 1, "strategyqa_facts": 0.5,
    "tatqa_dev": 1, "nq_open_oracle": 1,
}  # fmt: skip
CODES = ("crpc", "cpc", "mva", "iea", "nia", "constitution", "ida")
PROVISIONS = 3_000
NEAREST = 5
WRITTEN_TIMES = 2
COMMON_TERM = 800


def half(key: str) -> bool:
    return int(hashlib.sha256(key.encode()).hexdigest(), 16) % 2 == 0


def question_row(
    name: str, question: str, parts: list[str], label: int, at: list[int], heading: str = "", group: str = ""
) -> Row:
    return {"set": name, "a": question, "h": heading, "s": parts, "at": at, "y": label, "g": group}


def split_passage(row: Row) -> list[str]:
    """Its sentences; the rows of a table are kept as they are."""
    return [part for passage in passages_of(row["premise"]) for part in sentences(passage)][:60]


def short_answers(row: Row) -> list[str]:
    """The answers that can be looked for in a text."""
    answers = [answer for answer in row.get("answers") or [] if isinstance(answer, str)]
    return [answer for answer in answers if len(answer) > 2 and answer.lower() not in ("yes", "no")]


def answer_places(row: Row, parts: list[str]) -> list[int]:
    """Where the answer is: the marked sentences, else the one that holds the answer and most of the question."""
    marked = [s.strip() for s in (row.get("answer_sentences") or [row.get("answer_sentence") or ""]) if s and s.strip()]
    if marked:
        return [i for i, part in enumerate(parts) if any(part.strip() in m or m in part for m in marked)]
    answers = [answer.lower() for answer in short_answers(row)]
    asked = terms_of(row["claim"])
    holding = [(len(asked & terms_of(p)), -i) for i, p in enumerate(parts) if any(a in p.lower() for a in answers)]
    return [-max(holding)[1]] if holding else []


class NearestPassages:
    """Passages by the rare words that they share with a text."""

    def __init__(self, passages: list[str]) -> None:
        held: dict[str, list[int]] = defaultdict(list)
        for place, passage in enumerate(passages):
            for term in terms_of(passage):
                held[term].append(place)
        self._size = len(passages)
        self._places = {term: np.array(places) for term, places in held.items() if len(places) <= COMMON_TERM}

    def to(self, text: str, most: int) -> list[int]:
        score = np.zeros(self._size)
        for term in terms_of(text):
            if (places := self._places.get(term)) is not None:
                score[places] += np.log(1 + self._size / len(places))
        best = np.argsort(-score, kind="stable")[:most]
        return [int(place) for place in best if score[place] > 0]


def unanswered(rows: list[Row], draw: random.Random) -> Iterator[Row]:
    """Questions of people with passages that do not hold the answer: their own without it, and the nearest other one."""
    texts = list(dict.fromkeys(" ".join(row["s"]) for row in rows))
    parts = {" ".join(row["s"]): row["s"] for row in rows}
    index = NearestPassages(texts)
    for row in rows:
        answers = [answer.lower() for answer in row["answers"]]
        if not row["y"] or not answers:
            continue
        rest = [part for part in row["s"] if not any(answer in part.lower() for answer in answers)]
        if len(rest) < len(row["s"]) and len(" ".join(rest).split()) >= 12 and draw.random() < 0.5:
            yield question_row(f"without:{row['set']}", row["a"], rest, 0, [], row["h"], row["g"])
        near = [
            texts[place]
            for place in index.to(row["a"], NEAREST)
            if not any(answer in texts[place].lower() for answer in answers)
        ]
        if near and draw.random() < 0.5:
            yield question_row(f"nearest:{row['set']}", row["a"], parts[draw.choice(near)], 0, [], "", row["g"])


def code_sections(data: Path) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for code in CODES:
        lines = (data / "corpora" / "in_codes_civictech" / f"{code}.jsonl").read_text("utf-8").splitlines()
        found[code] = [row for row in map(json.loads, lines) if len(row["text"].split()) >= 12]
    return found


def provision_row(question: str, row: Row, label: int, _: random.Random) -> Row:
    # The question is made of the title: shown as a heading it would tell the answer.
    return question_row("provisions", question, beginning(sentences(row["text"]), 220), label, [], "", row["act"])


def beginning(parts: list[str], words: int) -> list[str]:
    """The first sentences with at most so many words, one of them at least."""
    kept, size = [], 0
    for part in parts:
        size += len(part.split())
        if kept and size > words:
            break
        kept.append(part)
    return kept


def labelled_questions(data: Path, draw: random.Random) -> Iterator[Row]:
    sections = sections_of(data / ACTS, HELD_OUT, read)
    chosen: dict[str, list[Row]] = {}
    for act in draw.sample(sorted(sections), len(sections)):
        if sum(map(len, chosen.values())) < PROVISIONS:
            chosen[act] = sections[act]
    for rows in (chosen, code_sections(data)):
        for row in scope_rows(rows, draw, provision_row):
            yield from (row, row) if row["y"] else (row,)  # two neighbours are asked about for each section
    for name, passes in QUESTION_SETS.items():
        answered: list[Row] = []
        for row in read(data / "grounding" / "train2" / f"{name}.train.jsonl.gz"):
            if row["level"] != "question" or ("_test" in row["id"] and name == "nq_ud"):
                continue
            parts = split_passage(row)
            at = answer_places(row, parts) if row["label"] else []
            found = question_row(name, row["claim"], parts, row["label"], at, row.get("title") or "", str(row["group"]))
            answered.append(found | {"answers": short_answers(row)})
            for _ in range(int(passes) + (draw.random() < passes % 1)):
                yield found
        yield from unanswered(answered, draw)
    for row in read(data / "grounding" / "train" / "multirc_answerability.train.jsonl.gz"):
        if row["level"] == "question":
            yield question_row("multirc", row["claim"], split_passage(row), row["label"], [], "", str(row["group"]))
    for name, times in (("squad2", 4), ("mtrag_un", 2), ("mtrag_human", 1)):
        for row in read(data / "grounding" / "dev" / f"{name}.dev.jsonl.gz"):
            if row["level"] == "question" and learned(name, row):
                parts = split_passage(row)
                for _ in range(times):
                    at = answer_places(row, parts) if row["label"] else []
                    yield question_row(f"dev:{name}", row["claim"], parts, row["label"], at, "", str(row["group"]))
    yield from policy_questions(data, draw, wanted=True)
    for _ in range(WRITTEN_TIMES):
        yield from written_questions(data, draw, held_out=False)


def policy_questions(data: Path, draw: random.Random, *, wanted: bool) -> Iterator[Row]:
    """Questions on privacy policies with their passage, and with others of the same policy.

    A passage that answers a question with the same answer somewhere counts as answering this one too, and is left out.
    """
    rows = [row for row in read(data / "rag" / "policyqa" / "dev.jsonl.gz") if half(row["policy"]) == wanted]
    policies: dict[str, list[Row]] = defaultdict(list)
    together: dict[tuple[object, ...], set[str]] = defaultdict(set)
    relatives: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        policies[row["policy"]].append(row)
        for answer in row["answers"]:
            together[row["policy"], row["segment"], answer].add(row["question"])
    for questions in together.values():
        for question in questions:
            relatives[question] |= questions
    for held in policies.values():
        answering: dict[str, set[str]] = defaultdict(set)
        for row in held:
            answering[row["question"]].add(row["passage"])
        passages = list(dict.fromkeys(row["passage"] for row in held))
        for row in held:
            question, asked = row["question"], terms_of(row["question"])
            parts = sentences(row["passage"])
            at = [i for i, part in enumerate(parts) if any(part in a or a in part for a in row["answers"])]
            yield question_row("policies", question, parts, 1, at, "", row["policy"])
            related = {passage for other in relatives[question] | {question} for passage in answering[other]}
            others = [passage for passage in passages if passage not in related]
            if others and draw.random() < 0.5:
                others = sorted(others, key=lambda passage: -len(asked & terms_of(passage)))[:4]
            if others:
                yield question_row("policies", question, sentences(draw.choice(others)), 0, [], "", row["policy"])
