"""Collects what the reader of Hindi questions learns from, is calibrated on and is compared by.

    python -m training.reader_hindi.rows --data FOLDER --questions questions.jsonl.gz --table FOLDER --out FOLDER

`questions.jsonl.gz` is what `training.reader.rows` writes: English questions of people. Hindi is XQuAD, split by article:
its passages, the same without the sentences of the answer, parts of it, others of the same article, and those that word
search finds for the question. Writes `learned.jsonl.gz`, `english.jsonl.gz`, `calibrated.jsonl.gz`, `measured.jsonl.gz`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from footnotary.models.word_vectors import WordVectors
from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import terms_of, words
from harness.grounding_rows import article_part
from training.reader_hindi.word_search import WordSearch
from training.reader_hindi.written_rows import written_rows

Row = dict[str, Any]
# The share of each English set that is kept; passages of contracts and tables are left out.
ENGLISH = {
    "iirc_ni": 0.6, "musique_ud": 0.5, "nq_ud": 1, "squad2_ud": 1, "aqa_answerable_ni": 1, "squad_fre_abstract": 0.7,
    "squad_fre": 1, "boolq_dev_contrast": 0.5, "nq_open_oracle": 1, "covidqa_as2": 0.6, "covidqa_od": 0.5, "doqa_ni": 0.4,
    "dev:squad2": 1, "bioasq6_9_golden": 0.3, "qasper_ni": 0.3, "multirc": 0.3, "policies": 0.5,
    "written": 1, "written:lay": 1, "written:without": 1, "written:draft": 0.4, "written:code": 1, "written:law": 1,
    "written:search": 1,
}  # fmt: skip
WITH_RETRIEVED = ("squad_fre", "nq_ud", "nq_open_oracle", "covidqa_od")
CUT = (*WITH_RETRIEVED, "squad2_ud", "dev:squad2")
MOST_WORDS = 200
NEIGHBOURS, LEAST_RELATED, MOST_RELATED = 12, 0.25, 0.9
TEN = 10


def made(kind: str, question: str, heading: str, parts: list[str], at: list[int] | None, group: str) -> Row:
    """A row; it is answerable where `at` is given, which are the places of the answer as far as they are known."""
    label = int(at is not None)
    return {"set": kind, "a": question, "h": heading, "s": parts, "at": at or [], "y": label, "g": group}


def article_rows(data: Path, table: Path, part: str, draw: random.Random) -> Iterator[Row]:
    """The rows of the articles of one part."""
    path = data / "rag" / "xquad_en_hi" / "xquad_hi.jsonl.gz"
    asked = [row for row in read(path) if article_part(row["title"]) == part]
    passages = {row["para_id"]: row for row in asked}
    names = list(passages)
    split = {name: sentences(row["passage"]) for name, row in passages.items()}
    search = WordSearch([f"{row['passage']} {row['title']}" for row in passages.values()])
    related = RelatedWords((row["passage"] for row in passages.values()), table)
    spelled: dict[str, set[str]] = defaultdict(set)
    for row in passages.values():
        spelled[row["title"]] |= {word for word in words(row["passage"]) if len(word) > 3 and terms_of(word)}
    for row in asked:
        found = [names[n] for n in search.best(row["question"], TEN + 2) if names[n] != row["para_id"]][:TEN]
        same = [name for name in names if passages[name]["title"] == row["title"] and name != row["para_id"]]
        for kind, question, parts, at in variants(
            row, split, found, same, sorted(spelled[row["title"]]), related, part, draw
        ):
            heading = row["title"].replace("_", " ") if draw.random() < 0.5 else ""
            yield made(f"hi:{kind}", question, heading, parts, at, row["title"])


def variants(
    row: Row, split: dict[str, list[str]], found: list[str], same: list[str], spelled: list[str], related: RelatedWords,
    part: str, draw: random.Random,
) -> Iterator[tuple[str, str, list[str], list[int] | None]]:  # fmt: skip
    """(kind, question, sentences, places of the answer or None) of one question."""
    question, parts = row["question"], split[row["para_id"]]
    holding = [place for place, text in enumerate(parts) if row["answers"][0] in text]
    best = max(holding, key=lambda place: len(terms_of(question) & terms_of(parts[place])), default=None)
    rest = [text for place, text in enumerate(parts) if place not in holding]
    yield "gold", question, parts, [] if best is None else [best]
    if holding and rest:
        yield "cut", question, rest, None
    if part != "learned":
        for name in found:
            yield "found", question, split[name], None
        yield "near", question, split[draw.choice(same)], None
        return
    for name in (*draw.sample(found, 4), *found[:2]):
        yield "found", question, split[name], None
    for name in same[:3]:
        yield "near", question, split[name], None
    if best is not None:
        for _ in range(3):
            first, last = draw.randint(0, best), draw.randint(best, len(parts) - 1)
            yield "part", question, parts[first : last + 1], [best - first]
        yield "sentence", question, [parts[best]], [0]
        if rest:
            yield "other sentence", question, [draw.choice(rest)], None
    yield from twisted(row, parts, spelled, related, draw)


class RelatedWords:
    """Words of the same texts that are used like a given one: the neighbours of a person, a place, a fuel."""

    def __init__(self, texts: Iterable[str], table: Path) -> None:
        self._words = sorted({word for text in texts for word in words(text) if len(word) > 2 and terms_of(word)})
        self._numbers = {word: number for number, word in enumerate(self._words)}
        self._vectors = WordVectors(table).rows(self._words).vectors

    def of(self, word: str) -> list[str]:
        if (number := self._numbers.get(word)) is None:
            return []
        cosines = self._vectors @ self._vectors[number]
        order = np.argsort(-cosines, kind="stable")[: 3 * NEIGHBOURS]
        return [self._words[n] for n in order if LEAST_RELATED < cosines[n] < MOST_RELATED][:NEIGHBOURS]


def twisted(
    row: Row, parts: list[str], spelled: list[str], related: RelatedWords, draw: random.Random
) -> Iterator[tuple[str, str, list[str], None]]:
    """The question with a word exchanged for one that the passage does not have: of the article, or a related one."""
    known = terms_of(row["passage"]) | terms_of(row["question"])
    shared = [w for w in words(row["question"]) if terms_of(w) and terms_of(w) <= terms_of(row["passage"])]
    for left in draw.sample(shared, min(len(shared), 3)):
        for others in (related.of(left), spelled):
            strange = [word for word in others if not terms_of(word) & known]
            if strange:
                put = draw.choice(strange)
                yield "twisted", " ".join(put if w == left else w for w in words(row["question"])), parts, None
                break


def english_rows(path: Path, draw: random.Random) -> Iterator[Row]:
    """Each question once, with its answer cut out of some, and passages that word search finds for others."""
    seen: set[tuple[str, int, str]] = set()
    kept: dict[str, list[Row]] = defaultdict(list)
    for row in read(path):
        key = (row["a"], row["y"], " ".join(row["s"][:3]))
        if row["set"] not in ENGLISH or (article_part(row["g"]) != "learned" and row["set"] == "dev:squad2"):
            continue
        if key in seen or draw.random() > ENGLISH[row["set"]] or not row["s"]:
            continue
        seen.add(key)
        if sum(len(text.split()) for text in row["s"]) <= MOST_WORDS:
            kept[row["set"]].append(row)
            yield row | {"set": f"en:{row['set']}"}
            if row["set"] in CUT and row["at"] and len(row["s"]) > len(row["at"]) and draw.random() < 0.35:
                rest = [text for place, text in enumerate(row["s"]) if place not in row["at"]]
                yield made("en:cut", row["a"], row["h"], rest, None, row["g"])
    for name in WITH_RETRIEVED:
        rows = [row for row in kept[name] if row["y"]]
        passages = list({" ".join(row["s"]): row for row in rows}.values())[:1500]
        search = WordSearch([" ".join(row["s"]) for row in passages])
        for row in draw.sample(rows, min(len(rows), 1500)):
            others = [passages[n] for n in search.best(row["a"], 6) if passages[n]["s"][0] != row["s"][0]]
            for other in (*others[:1], *draw.sample(others[1:], min(1, len(others[1:])))):
                yield made("en:found", row["a"], other["h"], other["s"], None, row["g"])


def read(path: Path) -> Iterator[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True, help="what training.reader.rows wrote")
    parser.add_argument("--table", type=Path, required=True, help="the folder of static-multilingual")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    draw = random.Random(5)
    files: dict[str, Iterator[Row]] = {
        part: article_rows(options.data, options.table, part, draw) for part in ("learned", "calibrated", "measured")
    }
    files["written"] = written_rows(draw, held_out=False)
    files["written_calibrated"] = written_rows(draw, held_out=True)
    files["english"] = english_rows(options.questions, draw)
    for name, rows in files.items():
        with gzip.open(options.out / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            count = sum(file.write(json.dumps(row, ensure_ascii=False) + "\n") > 0 for row in rows)
        print(name, count, flush=True)


if __name__ == "__main__":
    main()
