"""Rows of documents and questions that were written by hand, each question with close ones that are not answered.

`written/documents.jsonl` holds our own short documents sentence by sentence, `written/lay.jsonl` further questions on
them in the words people type, `written/pages.jsonl` pages, policies and handbooks with such questions, `written/claims.jsonl` claims on them, `written/codes.jsonl` invented acts of neighbouring sections, and `written/law.jsonl` questions on sections of real acts, which are read in place (file, row,
and the words that answer by their place in the section's text). Each question is shown with the whole text, with the
text without its answer, with neighbours, and with single sentences, as a drafted answer would be read. One document,
act or section in eight is kept for measuring.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import terms_of

Row = dict[str, Any]
WRITTEN = Path(__file__).parent / "written"
SECTION_WORDS = 220
DRAFTS = 2


def written_questions(data: Path, draw: random.Random, *, held_out: bool) -> Iterator[Row]:
    """The rows to learn from, or those of the documents that are kept for measuring."""
    lay = {row["title"]: row["questions"] for row in _lines(WRITTEN / "lay.jsonl")}
    for document in _lines(WRITTEN / "documents.jsonl"):
        if _kept(document["title"]) == held_out:
            yield from document_rows(document, draw)
            yield from lay_rows(document, lay.get(document["title"], []), draw)
    for page in _lines(WRITTEN / "pages.jsonl"):
        if _kept(page["title"]) == held_out:
            yield from document_rows(page, draw)
            yield from lay_rows(page, page["questions"], draw)
    codes: dict[str, list[Row]] = defaultdict(list)
    for section in _lines(WRITTEN / "codes.jsonl"):
        codes[section["code"]].append(section)
    for code, sections in codes.items():
        if _kept(code) == held_out:
            yield from code_rows(sections, draw)
    for section in _lines(WRITTEN / "law.jsonl"):
        if _kept(f"{section['file']} {section['row']}") == held_out:
            yield from section_rows(data, section)


def written_claims(draw: random.Random, *, held_out: bool) -> Iterator[Row]:
    """Claims in free wording on the documents, with the whole text and with the sentences they rest on."""
    documents = {document["title"]: document["sentences"] for document in _lines(WRITTEN / "documents.jsonl")}
    for row in _lines(WRITTEN / "claims.jsonl"):
        if _kept(row["title"]) != held_out:
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


def code_rows(sections: list[Row], draw: random.Random) -> Iterator[Row]:
    """Each question with its own section and with the neighbours that look most like it."""
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


def section_rows(data: Path, section: Row) -> Iterator[Row]:
    held = _lines(data / "corpora" / section["file"])
    text, heading = _section(held[section["row"]])
    for asked in section["questions"]:
        question = asked["q"]
        if asked["answered"]:
            first, last = asked["at"]
            parts, at = _window(text, text[first:last])
            yield _row("written:law", question, heading, parts, at, 1)
            rest = [part for place, part in enumerate(parts) if place not in at]
            if at and len(" ".join(rest).split()) >= 12:
                yield _row("written:law", question, heading, rest, [], 0)
            continue
        yield _row("written:law", question, heading, _window(text, "")[0], [], 0)
        if (gold := asked.get("gold_row")) is not None and gold != section["row"]:
            answering, above = _section(held[gold])
            yield _row("written:law", question, above, _window(answering, "")[0], [], 1)


def _section(row: Row) -> tuple[str, str]:
    return row["text"], " > ".join(part for part in (row.get("act") or row.get("chapter"), row["title"]) if part)


def _window(text: str, quote: str) -> tuple[list[str], list[int]]:
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
            if 0 <= n < len(parts) and len(" ".join([*parts[first : last + 1], parts[n]]).split()) <= SECTION_WORDS:
                first, last, grown = min(first, n), max(last, n), True
    return parts[first : last + 1], [n - first for n in at]


def _row(name: str, question: str, heading: str, parts: list[str], at: list[int], label: int) -> Row:
    return {"set": name, "a": question, "h": heading, "s": parts, "at": at, "y": label, "g": heading}


def _kept(key: str) -> bool:
    return int(hashlib.sha256(key.encode()).hexdigest(), 16) % 8 == 0


def _lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
