"""Rows of documents and questions that were written by hand, each question with close ones that are not answered.

`written/documents.jsonl.gz` holds our own short documents sentence by sentence, `lay.jsonl.gz` further questions on them in
the words people type, `pages.jsonl.gz` further documents with such questions, `claims.jsonl.gz` claims on documents,
`codes.jsonl.gz` invented acts of neighbouring sections, `search.jsonl.gz` questions with several passages, `drafts.jsonl.gz`
drafted answers, and `law.jsonl.gz` and `passages.jsonl.gz` questions on texts that are read in place (file, row, and the
words that answer by their place in the text; `also` are the neighbouring sections that answer as well). Each question is shown with the whole text, with the text without its
answer, with neighbours, and with single sentences, as a drafted answer would be read. One text in eight is kept for
measuring.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import terms_of
from harness.grounding_rows import passages_of
from training.verifier.rows import read

Row = dict[str, Any]
WRITTEN = Path(__file__).parent / "written"
SECTION_WORDS = 220
DRAFTS = 2
NEIGHBOUR_DRAFTS = 0.4


def written_questions(data: Path, draw: random.Random, *, held_out: bool) -> Iterator[Row]:
    """The rows to learn from, or those of the documents that are kept for measuring."""
    lay = {row["title"]: row["questions"] for row in lines_of(WRITTEN / "lay.jsonl.gz")}
    for document in lines_of(WRITTEN / "documents.jsonl.gz"):
        if kept(document["title"]) == held_out:
            yield from document_rows(document, draw)
            yield from lay_rows(document, lay.get(document["title"], []), draw)
    for page in lines_of(WRITTEN / "pages.jsonl.gz"):
        if kept(page["title"]) == held_out:
            yield from document_rows(page, draw)
            yield from lay_rows(page, page["questions"], draw)
    codes: dict[str, list[Row]] = defaultdict(list)
    for section in lines_of(WRITTEN / "codes.jsonl.gz"):
        codes[section["code"]].append(section)
    for code, sections in codes.items():
        if kept(code) == held_out:
            yield from code_rows(sections, draw)
    for found in lines_of(WRITTEN / "search.jsonl.gz"):
        if kept(found["q"]) == held_out:
            yield from search_rows(found, draw)
    for passage in lines_of(WRITTEN / "drafts.jsonl.gz"):
        if kept(passage["title"]) == held_out:
            yield from draft_rows(passage)
    texts: dict[str, list[Row]] = {}
    for passage in lines_of(WRITTEN / "passages.jsonl.gz"):
        if kept(f"{passage['file']} {passage['row']}") == held_out:
            if (file := passage["file"]) not in texts:
                texts[file] = list(read(data / file)) if file.endswith(".gz") else lines_of(data / file)
            yield from lay_rows(*_read_in_place(passage, texts[file][passage["row"]]), draw)
    for section in lines_of(WRITTEN / "law.jsonl.gz"):
        # Neighbours are shown with each other's questions, so that a group is kept as one.
        first = section.get("group", [section["row"]])[0]
        if kept(f"{section['file']} {first}") == held_out:
            if (file := section["file"]) not in texts:
                texts[file] = lines_of(data / "corpora" / file)
            yield from section_rows(section, texts[file], draw)


def written_claims(draw: random.Random, *, held_out: bool) -> Iterator[Row]:
    """Claims in free wording on the documents, with the whole text and with the sentences they rest on."""
    documents = {document["title"]: document["sentences"] for document in lines_of(WRITTEN / "documents.jsonl.gz")}
    for row in lines_of(WRITTEN / "claims.jsonl.gz"):
        if kept(row["title"]) != held_out:
            continue
        parts = documents[row["title"]]
        for claim in row["claims"]:
            yield _claim(claim, " ".join(parts))
            first, last = min(claim["at"]), max(claim["at"])
            wide = draw.randint(0, 2)
            yield _claim(claim, " ".join(parts[max(0, first - wide) : last + 1 + wide]))


def _claim(claim: Row, evidence: str) -> Row:
    return {"set": "written:claims", "a": claim["text"], "b": evidence, "y": int(claim["supported"])}


def document_rows(document: Row, draw: random.Random) -> Iterator[Row]:
    parts, title = document["sentences"], document["title"]
    for asked in document["questions"]:
        question, at = asked["q"], asked["answer"]
        yield _row("written", question, title, parts, at, int(bool(at)))
        others = [place for place in range(len(parts)) if place not in at]
        if at:
            yield _row("written:without", question, title, [parts[place] for place in others], [], 0)
            yield _row("written:draft", question, title, [parts[place] for place in at], list(range(len(at))), 1)
            beside = draw.choice(others)
            both = sorted([at[0], beside])
            yield _row("written:draft", question, title, [parts[place] for place in both], [both.index(at[0])], 1)
        terms = terms_of(question)
        near = sorted(others, key=lambda place: (-len(terms & terms_of(parts[place])), place))
        for place in dict.fromkeys((*near[:DRAFTS], draw.choice(others))):
            yield _row("written:draft", question, title, [parts[place]], [], 0)


def lay_rows(document: Row, questions: list[Row], draw: random.Random) -> Iterator[Row]:
    """Each question with the whole text, with a part of it, and without the sentences that answer."""
    parts, title = document["sentences"], document["title"]
    for asked in questions:
        question, at = asked["q"], asked["answer"]
        yield _row("written:lay", question, title, parts, at, int(bool(at)))
        middle = draw.choice(at or range(len(parts)))
        first, last = max(0, middle - draw.randint(1, 4)), min(len(parts), middle + draw.randint(2, 5))
        first, last = min([first, *at]), max([last, *(place + 1 for place in at)])
        yield _row("written:lay", question, title, parts[first:last], [place - first for place in at], int(bool(at)))
        if at:
            rest = [part for place, part in enumerate(parts) if place not in at]
            yield _row("written:lay", question, title, rest, [], 0)
            yield _row("written:draft", question, title, [parts[place] for place in at], list(range(len(at))), 1)


def code_rows(lines: list[Row], draw: random.Random) -> Iterator[Row]:
    """Each question with its own section and with the neighbours that look most like it.

    A line with `unanswered` holds questions that no section of the act answers.
    """
    sections = [line for line in lines if "sentences" in line]
    texts = {section["section"]: terms_of(" ".join(section["sentences"])) for section in sections}
    for section in sections:
        own, heading = section["sentences"], f"{section['code']} > {section['title']}"
        for asked in section["questions"]:
            question, at, terms = asked["q"], asked["answer"], terms_of(asked["q"])
            yield _row("written:code", question, heading, own, at, 1)
            yield _row("written:draft", question, heading, [own[place] for place in at], list(range(len(at))), 1)
            others = [s for s in sections if s["section"] not in (section["section"], *asked["also"])]
            others.sort(key=lambda other: -len(terms & texts[other["section"]]))
            for other in [*others[:2], *draw.sample(others[2:], min(len(others) - 2, 1))]:
                above = f"{other['code']} > {other['title']}"
                yield _row("written:code", question, above, other["sentences"], [], 0)
                if draw.random() < 0.4:
                    yield _row("written:draft", question, above, [draw.choice(other["sentences"])], [], 0)
    for question in (asked for line in lines for asked in line.get("unanswered", ())):
        near = sorted(sections, key=lambda section: -len(terms_of(question) & texts[section["section"]]))
        for section in near[:3]:
            yield _row("written:code", question, f"{section['code']} > {section['title']}", section["sentences"], [], 0)


def search_rows(found: Row, draw: random.Random) -> Iterator[Row]:
    """A question with each passage alone, and with a sentence of it."""
    for passage in found["passages"]:
        parts, at = passage["sentences"], passage["answer"]
        yield _row("written:search", found["q"], passage["title"], parts, at, int(bool(at)))
        drafted = [parts[place] for place in at] or [draw.choice(parts)]
        yield _row("written:draft", found["q"], passage["title"], drafted, list(range(len(at))), int(bool(at)))


def draft_rows(passage: Row) -> Iterator[Row]:
    """Drafted answers under the passage's title."""
    for drafted in passage["drafts"]:
        parts = sentences(drafted["draft"])
        at = list(range(len(parts))) if drafted["on"] else []
        yield _row("written:answer", drafted["q"], passage["title"], parts, at, int(drafted["on"]))


def _read_in_place(passage: Row, held: Row) -> tuple[Row, list[Row]]:
    """A passage of a public set as a document, and its questions by the sentences that answer."""
    text = text_in_place(held, passage.get("passage", 0))
    parts = sentences(text)
    questions: list[Row] = []
    for asked in passage["questions"]:
        at = [n for n, part in enumerate(parts) if any(text[first:last] in part for first, last in asked["at"])]
        questions.append({"q": asked["q"], "answer": at})
    return {"title": passage["title"], "sentences": parts}, questions


def text_in_place(held: Row, passage: int) -> str:
    return passages_of(held["premise"])[passage] if "premise" in held else held.get("passage") or held["text"]


def section_rows(section: Row, held: list[Row], draw: random.Random) -> Iterator[Row]:
    """Each question with its section, with those that answer it too, and with the most similar of its neighbours."""
    own, group = section["row"], section.get("group", [])
    text, heading = section_and_heading(held[own])
    for asked in section["questions"]:
        question = asked["q"]
        also = set(asked.get("also", ())) | ({asked["gold_row"]} if asked.get("gold_row") is not None else set())
        if asked["answered"]:
            first, last = asked["at"]
            parts, at = window_around(text, text[first:last])
            yield _row("written:law", question, heading, parts, at, 1)
            rest = [part for place, part in enumerate(parts) if place not in at]
            if at and len(" ".join(rest).split()) >= 12:
                yield _row("written:law", question, heading, rest, [], 0)
            if group and at:
                yield _row("written:draft", question, heading, [parts[place] for place in at], list(range(len(at))), 1)
                narrow, there = window_around(text, text[first:last], draw.randint(30, SECTION_WORDS // 2))
                yield _row("written:law", question, heading, narrow, there, 1)
        else:
            yield _row("written:law", question, heading, window_around(text, "")[0], [], 0)
        for row in sorted(also - {own}):
            answering, above = section_and_heading(held[row])
            yield _row("written:law", question, above, window_around(answering, "")[0], [], 1)
        terms = terms_of(question)
        others = sorted(
            (row for row in group if row != own and row not in also),
            key=lambda row: -len(terms & terms_of(f"{held[row]['title']} {held[row]['text']}")),
        )
        for row in [*others[:1], *draw.sample(others[1:3], min(len(others[1:3]), int(asked["answered"])))]:
            beside, above = section_and_heading(held[row])
            parts = window_around(beside, "")[0]
            yield _row("written:law", question, above, parts, [], 0)
            if draw.random() < NEIGHBOUR_DRAFTS:
                yield _row("written:draft", question, above, [draw.choice(parts)], [], 0)


def section_and_heading(row: Row) -> tuple[str, str]:
    return row["text"], " > ".join(part for part in (row.get("act") or row.get("chapter"), row["title"]) if part)


def window_around(text: str, quote: str, words: int = SECTION_WORDS) -> tuple[list[str], list[int]]:
    """Sentences in a row of at most so many words that hold the quote, and which of them do."""
    parts = sentences(text)
    place, spans = 0, []
    for part in parts:
        start = text.find(part[:40], place)
        place = max(start, place) + len(part)
        spans.append((max(start, 0), place))
    begin = text.find(quote) if quote else 0
    at = [n for n, (start, end) in enumerate(spans) if quote and start < begin + len(quote) and end > begin]
    first = at[0] if at else 0
    last = at[-1] if at else 0
    grown = True
    while grown:
        grown = False
        for n in (last + 1, first - 1):
            if 0 <= n < len(parts) and len(" ".join([*parts[first : last + 1], parts[n]]).split()) <= words:
                first, last, grown = min(first, n), max(last, n), True
    return parts[first : last + 1], [n - first for n in at]


def _row(name: str, question: str, heading: str, parts: list[str], at: list[int], label: int) -> Row:
    return {"set": name, "a": question, "h": heading, "s": parts, "at": at, "y": label, "g": heading}


def kept(key: str) -> bool:
    return int(hashlib.sha256(key.encode()).hexdigest(), 16) % 8 == 0


def lines_of(path: Path) -> list[Row]:
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.decode("utf-8").splitlines() if line.strip()]
