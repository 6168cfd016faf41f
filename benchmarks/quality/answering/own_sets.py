"""The kinds in our own words: small documents, the demo corpus, law in lay words, Hindi texts, off-question drafts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import footnotary
from benchmarks.quality.answering.trials import QuestionKind, SourceFile, TrialQuestion
from benchmarks.quality.encoder_sets import read

SETS = Path(__file__).parents[1] / "questions"
LAWS = ("ipc_1860", "consumer_protection_2019_en", "rti_2005_en", "dpdp_2023_en", "hipaa_45cfr_160_164")
LAWS += ("code_on_wages_2019_en",)


def own_kinds(data: Path) -> Iterator[QuestionKind]:
    yield _documents("small documents", "small_documents.jsonl", (0.1, 0.1))
    yield _documents("pages", "pages.jsonl", (0.1, 0.1))
    yield _documents("further pages", "pages_2.jsonl", (0.1, 0.1))
    yield _demo_corpus()
    if data.is_dir():
        yield _law(data / "corpora" / "law_mix")
    yield _documents("Hindi texts", "hindi_questions.jsonl", (None, None))
    yield _documents("Hindi pages", "hindi_pages.jsonl", (None, None))
    if data.is_dir():
        yield from _hindi_books(data / "corpora")
    yield _drafts()


def _documents(name: str, file: str, target: tuple[float | None, float | None]) -> QuestionKind:
    questions: list[TrialQuestion] = []
    projects: dict[str, list[SourceFile]] = {}
    for row in read(SETS / file):
        ending = "md" if row["text"].startswith("#") else "txt"
        document = SourceFile(f"{row['id']}.{ending}", row["text"])
        projects[row["id"]] = [document]
        for asked in row["answerable"]:
            gold, phrases = frozenset({document.name}), (asked["phrase"],)
            questions.append(TrialQuestion(asked["question"], True, row["id"], gold, phrases))
        for asked in row["unanswerable"]:
            questions.append(TrialQuestion(asked["question"], False, row["id"], close=asked["kind"]))
    return QuestionKind(name, questions, projects, 100, own=True, target=target, about="each over its one document")


def _demo_corpus() -> QuestionKind:
    folder = Path(footnotary.__file__).parent / "demo_corpus"
    files = [
        SourceFile(path.name, path.read_text(encoding="utf-8")) for path in sorted(folder.iterdir()) if path.is_file()
    ]
    questions = [
        TrialQuestion(
            row["question"], row["answerable"], "demo", frozenset(row.get("gold", ())),
            tuple(filter(None, [row.get("phrase")])), row["profile"], close=row.get("kind", ""),
        )
        for row in read(SETS / "demo_corpus.jsonl")
    ]  # fmt: skip
    about = "the bundled corpus, in users' words"
    return QuestionKind("demo corpus", questions, {"demo": files}, 100, own=True, target=(0.05, 0.2), about=about)


def _law(folder: Path) -> QuestionKind:
    files = [SourceFile(f"{name}.jsonl", (folder / f"{name}.jsonl").read_text(encoding="utf-8")) for name in LAWS]
    questions = [
        TrialQuestion(
            row["question"], row["answerable"], "law", frozenset(row.get("gold", ())),
            profile="legal", close=row.get("kind", ""),
        )
        for row in read(SETS / "law_in_lay_words.jsonl")
    ]  # fmt: skip
    about = "six acts, in users' words"
    return QuestionKind("law in lay words", questions, {"law": files}, 100, own=True, target=(0.05, 0.2), about=about)


def _hindi_books(corpora: Path) -> Iterator[QuestionKind]:
    """Both are read by machine from print, with its errors."""
    rows = read(SETS / "hindi_books.jsonl")
    pages = _said_once(read(corpora / "ncert_class10" / "hindi_ocr_chunks.jsonl.gz"))
    textbook = SourceFile("textbook.jsonl", "".join(json.dumps(page, ensure_ascii=False) + "\n" for page in pages))
    wages = (corpora / "law_mix" / "code_on_wages_2019_hi.jsonl").read_text(encoding="utf-8")
    books = (
        ("Hindi textbook", "textbook", "tutor", textbook),
        ("Hindi law", "wages", "legal", SourceFile("wages.jsonl", wages)),
    )
    for name, book, profile, file in books:
        questions = [
            TrialQuestion(row["question"], row["answerable"], book, profile=profile, close=row["kind"])
            for row in rows
            if row["book"] == book
        ]
        yield QuestionKind(name, questions, {book: [file]}, 100, own=True, about="in users' words, over the whole book")


def _said_once(pages: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The pages without those of which most was read before: the textbook holds many twice."""
    seen: set[tuple[str, ...]] = set()
    for page in pages:
        words = page["text"].split()
        runs = set(zip(words, words[1:], words[2:], words[3:], strict=False))
        if 2 * len(runs & seen) < len(runs):
            yield page
        seen |= runs


def _drafts() -> QuestionKind:
    questions: list[TrialQuestion] = []
    projects: dict[str, list[SourceFile]] = {}
    for row in read(SETS / "off_question_drafts.jsonl"):
        title, heading = row["headings"]
        text = f"# {title}\n\n## {heading}\n\n{row['passage']}\n"
        project = "".join(letter if letter.isalnum() else "_" for letter in title)
        projects[project] = [SourceFile(f"{project}.md", text)]
        on = row["label"] == "on"
        gold = frozenset({f"{project}.md"})
        questions.append(
            TrialQuestion(
                row["question"], on, project, gold if on else frozenset(), draft=row["answer"], close=row["kind"]
            )
        )
    about = "a drafted sentence, true to its passage, that answers another question must be refused"
    return QuestionKind("off-question drafts", questions, projects, 150, own=True, target=(0.05, 0.05), about=about)
