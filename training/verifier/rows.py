"""Collects all training and development data of the verifiers into files of short rows.

    python -m training.verifier.rows --data FOLDER --made made.jsonl.gz --out FOLDER

Writes train.jsonl.gz, dev.jsonl.gz (each row: head 0 = support, 1 = answerability). Long premises are narrowed by the
product's own `window_for`, to a random size for each training row so that the model handles any.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from footnotary.reader.evidence_window import window_for
from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import terms_of
from harness.grounding_rows import LEARNED, learned, passages_of
from training.verifier import questions
from training.verifier.generated.build import EDITS
from training.verifier.generated.paraphrase import paraphrase
from training.verifier.provision_questions import scope_rows, sections_of

# Non-commercial sets stay out of the shipped weights.
EXCLUDED_SETS = ("anli", "averitec")
# How often a row of a set is seen in one pass: sets like the product's use count more, the short and easy ones less.
PASSES = {
    "snli": 0.3, "mnli": 0.8, "mnli_ni": 0.5, "conjnli": 0.6, "multirc_answerability": 1.0, "defacto": 2.0, "fib": 2.0,
    "diasumfact": 2.0, "cg2c": 2.0, "wice_tokens": 3.0, "factcheck_gpt": 1.5, "control": 2.0, "feverous": 1.5,
    "faithdial_audit": 1.5, "q2": 1.5, "nli4ct": 1.5,
}  # fmt: skip
# Acts that the product is measured on are not learned from.
HELD_OUT = (
    "wages",
    "consumer-protection",
    "right-to-information",
    "digital-personal-data",
    "penal-code",
    "hindu-marriage",
)
HELD_OUT += ("sexual-harassment-of-women", "bharatiya-nyaya")
ALTERED = (
    "ragtruth",
    "fever_nli",
    "feverous",
    "defacto",
    "diasumfact",
    "cg2c",
    "covidfact",
    "climate_fever",
    "mctest_nli",
)
ALTERED += ("control", "scitail", "nli4ct", "q2", "fib")
SHARE_WITH_DISTRACTORS = 0.35
ACTS = Path("corpora", "in_acts", "all_acts_en_sections.jsonl.gz")
DEV_WORDS = (230,)
WORDS = (60, 350)
Row = dict[str, Any]


def read(path: Path) -> Iterator[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def train_rows(data: Path, draw: random.Random) -> Iterator[Row]:
    for path in sorted((data / "grounding" / "train").glob("*.jsonl.gz")):
        name = path.name.split(".")[0]
        if name in EXCLUDED_SETS:
            continue
        for row in read(path):
            passes = PASSES.get(name, 1.0)
            times = int(passes) + (draw.random() < passes % 1)
            passages = passages_of(row["premise"])
            for claim, label in _claims(row, draw):
                for _ in range(times):
                    yield _row(name, claim, passages, label, draw, head=int(row["level"] == "question"))


def learned_rows(data: Path, draw: random.Random, both: bool) -> Iterator[Row]:
    for name, passes in LEARNED.items():
        for row in read(data / "grounding" / "dev" / f"{name}.dev.jsonl.gz"):
            if not both and not learned(name, row):
                continue
            passages, head = passages_of(row["premise"]), int(row["level"] == "question")
            for _ in range(int(passes) + (draw.random() < passes % 1)):
                for claim, label in _claims(row, draw):
                    if row["level"] != "response" or len(claim.split()) <= 160:
                        yield _row(f"dev:{name}", claim, passages, label, draw, head=head)


def _claims(row: Row, draw: random.Random) -> Iterator[tuple[str, int]]:
    """Whole responses where they are short, and their sentences where each has a label."""
    claim = row["claim"].strip()
    if row.get("sentences"):
        for start, end, label in row["sentences"]:
            if len(claim[start:end].split()) >= 4:
                yield claim[start:end].strip(), int(label)
        if len(claim.split()) > 90 or draw.random() < 0.5:
            return
    yield claim, int(row["label"])


def _row(source: str, claim: str, passages: list[str], label: int, draw: random.Random, head: int) -> Row:
    words = draw.randint(*WORDS)
    return {"set": source, "head": head, "a": claim, "b": window_for(claim, passages, words), "y": label}


def made_rows(path: Path, draw: random.Random) -> Iterator[Row]:
    """The made rows; a part of them among the evidence of others of their source, as passages are."""
    others: dict[str, list[str]] = defaultdict(list)
    for row in read(path):
        evidence, near = row["premise"], others[row["source"]]
        if near and draw.random() < SHARE_WITH_DISTRACTORS:
            parts = draw.sample(near, min(len(near), draw.randint(1, 4)))
            parts.insert(draw.randint(0, len(parts)), evidence)
            evidence = "\n".join(parts)
        near.append(row["premise"])
        del near[:-60]
        evidence = window_for(row["claim"], [evidence], WORDS[1])
        yield {"set": f"made:{row['kind']}", "head": 0, "a": row["claim"], "b": evidence, "y": row["label"]}


def altered_rows(data: Path, draw: random.Random) -> Iterator[Row]:
    """Claims that people or models wrote and that are supported, each with one fact changed, and reworded as it is."""
    for name in ALTERED:
        for row in read(data / "grounding" / "train" / f"{name}.train.jsonl.gz"):
            passages = passages_of(row["premise"])
            whole = " ".join(passages)
            for claim, label in _claims(row, draw):
                if label != 1 or len(claim.split()) < 5 or draw.random() < 0.25:
                    continue
                kinds = draw.choices(list(EDITS), [share for _, share, _ in EDITS.values()], k=12)
                for kind in dict.fromkeys(kinds):
                    changed = EDITS[kind][0](claim, draw, whole)
                    if changed and changed != claim and changed not in whole:
                        yield _row(f"altered:{kind}", changed, passages, 0, draw, head=0)
                        break
                if draw.random() < 0.3 and (other := paraphrase(claim, draw)) is not None:
                    yield _row("altered:kept", other[0], passages, 1, draw, head=0)


def statute_questions(data: Path, draw: random.Random) -> Iterator[Row]:
    """Titles of sections as questions; the other side is the section of the same act that shares most with it."""
    for rows in sections_of(data / ACTS, HELD_OUT, read).values():
        terms = [terms_of(f"{row['title']} {row['text'][:1500]}") for row in rows]
        for i, row in enumerate(rows):
            if draw.random() > 0.55 or (asked := questions.from_title(row["title"], row["act"], draw)) is None:
                continue
            yield _question_row("titles", asked, [_with_title(row, draw)], 1, draw)
            wanted = terms_of(asked)
            near = sorted((j for j in range(len(rows)) if j != i), key=lambda j: -len(terms[j] & wanted))[:4]
            same = {j for j in near if terms_of(rows[j]["title"]) >= terms_of(row["title"])}
            if near := [j for j in near if j not in same]:
                yield _question_row("titles", asked, [_with_title(rows[draw.choice(near)], draw)], 0, draw)
            parts = sentences(row["text"])
            asked_of = [(part, q) for part in parts[:6] if (q := questions.from_sentence(part, draw)) is not None]
            if asked_of:
                yield from _questions_about(parts, *draw.choice(asked_of), "statutes", draw)


def _with_title(row: Row, draw: random.Random) -> str:
    return f"{row['title']}\n{row['text']}" if draw.random() < 0.5 else row["text"]


def prose_questions(data: Path, draw: random.Random) -> Iterator[Row]:
    """Questions on sentences of encyclopaedic, scientific and news premises of the training sets."""
    for name in (
        "ragtruth",
        "cg2c",
        "fib",
        "defacto",
        "control",
        "factcheck_gpt",
        "fever_nli",
        "feverous",
        "covidfact",
    ):
        seen: set[str] = set()
        for row in read(data / "grounding" / "train" / f"{name}.train.jsonl.gz"):
            text = " ".join(passages_of(row["premise"]))
            if text[:80] in seen:
                continue
            seen.add(text[:80])
            parts = sentences(text)
            found = [(part, q) for part in parts if (q := questions.from_sentence(part, draw)) is not None]
            for part, asked in draw.sample(found, min(len(found), 3)):
                yield from _questions_about(parts, part, asked, f"prose:{name}", draw)


_WORDS_SEEN: list[str] = []


def _questions_about(parts: list[str], sentence: str, asked: str, source: str, draw: random.Random) -> Iterator[Row]:
    whole = " ".join(parts)
    yield _question_row(source, asked, [whole], 1, draw)
    rest = " ".join(part for part in parts if part != sentence)
    shared = terms_of(asked)
    elsewhere = any(len(shared & terms_of(part)) > 0.7 * len(shared) for part in parts if part != sentence)
    if len(rest.split()) > 15 and not elsewhere:
        yield _question_row(source, asked, [rest], 0, draw)
    if (other := questions.near_miss_question(asked, whole, _WORDS_SEEN, draw)) is not None:
        yield _question_row(source, other, [whole], 0, draw)
    if draw.random() < 0.3:
        _WORDS_SEEN.extend(w for w in whole.lower().split() if w.isalpha() and len(w) > 4)


def user_questions(data: Path, draw: random.Random) -> Iterator[Row]:
    """Real questions: over web passages and privacy policies, against their own passages and others."""
    by_question: dict[str, list[str]] = {}
    for row in read(data / "grounding" / "train" / "ragtruth.train.jsonl.gz"):
        by_question[row["question"]] = passages_of(row["premise"])
    yield from _with_other_passages(list(by_question.items()), "web", 4, draw)
    policies: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    for row in read(data / "rag" / "policyqa" / "dev.jsonl.gz"):
        policies[row["policy"]].append((row["question"], [row["passage"]]))
    for asked in policies.values():
        yield from _with_other_passages(asked, "policies", 1, draw)


def _with_other_passages(
    asked: list[tuple[str, list[str]]], source: str, times: int, draw: random.Random
) -> Iterator[Row]:
    terms = [terms_of(" ".join(passages)) for _, passages in asked]
    for question, passages in asked:
        wanted = terms_of(question)
        near = sorted((j for j in range(len(asked)) if asked[j][1] != passages), key=lambda j: -len(terms[j] & wanted))
        for _ in range(times):
            yield _question_row(source, question, passages, 1, draw)
            if near:
                yield _question_row(source, question, asked[draw.choice(near[:3])][1], 0, draw)


def _question_row(source: str, question: str, passages: list[str], label: int, draw: random.Random) -> Row:
    if draw.random() < 0.2:
        question = question.lower().rstrip("?")
    return _row(source, question, passages, label, draw, head=1)


def dev_rows(data: Path) -> Iterator[Row]:
    """Dev rows at each window size; of a long response every sentence is a row, to be joined by its least."""
    for path in sorted((data / "grounding" / "dev").glob("*.jsonl.gz")):
        name = path.name.split(".")[0]
        draw = random.Random(5)
        rows = [row for row in read(path) if not learned(name, row)]
        if len(rows) > 2000 and name not in ("lfqa_verif",):
            rows = draw.sample(rows, 2000)
        for row in rows:
            passages = passages_of(row["premise"])
            claim = row["claim"].strip()
            parts = [claim]
            if row["level"] == "response" and len(claim.split()) > 12:
                parts = [part for part in sentences(claim) if len(part.split()) > 2] or [claim]
            for words in DEV_WORDS:
                for part in parts:
                    yield {
                        "set": name, "id": row["id"], "task": row["task"], "words": words, "group": str(row["group"]),
                        "head": int(row["level"] == "question"), "a": part, "b": window_for(part, passages, words),
                        "y": int(row["label"]), "whole": False,
                    }  # fmt: skip
                if len(parts) > 1 and len(claim.split()) <= 130:
                    yield {
                        "set": name, "id": row["id"], "task": row["task"], "words": words, "group": str(row["group"]),
                        "head": 0, "a": claim, "b": window_for(claim, passages, words), "y": int(row["label"]),
                        "whole": True,
                    }  # fmt: skip


def write(path: Path, rows: Iterator[Row]) -> int:
    count = 0
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=6) as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--made", type=Path, help="what training.verifier.generated wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", choices=("train", "dev", "made", "questions", "scope", "altered", "learned"))
    parser.add_argument("--both", action="store_true", help="learn from both halves, once all is chosen and measured")
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    draw = random.Random(options.seed)

    def asked() -> Iterator[Row]:
        yield from prose_questions(options.data, draw)
        yield from statute_questions(options.data, draw)
        yield from user_questions(options.data, draw)

    parts = {
        "train": lambda: train_rows(options.data, draw),
        "learned": lambda: learned_rows(options.data, draw, options.both),
        "questions": asked,
        "scope": lambda: scope_rows(sections_of(options.data / ACTS, HELD_OUT, read), draw),
        "altered": lambda: altered_rows(options.data, draw),
        "made": lambda: made_rows(options.made, draw),
        "dev": lambda: dev_rows(options.data),
    }
    for name, rows in parts.items():
        if options.only in (None, name) and not (name == "made" and options.made is None):
            print(name, write(options.out / f"{name}.jsonl.gz", rows()), flush=True)


if __name__ == "__main__":
    main()
