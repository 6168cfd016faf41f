"""Rows of Hindi documents and questions that were written by hand, half of them close ones that are not answered.

`written/*.jsonl.gz` hold our own documents sentence by sentence, with the sentences that answer each question. A question
is shown with the whole text, a part of it, the text without its answer, single sentences as a drafted answer would be
read, and the documents that word search finds for it; sections of an invented act stand next to each other. One
document in eight is kept for calibration.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from footnotary.text.tokens import terms_of
from training.reader.written_rows import kept, lines_of
from training.reader_hindi.word_search import WordSearch

Row = dict[str, Any]
WRITTEN = Path(__file__).parent / "written"
FOUND, SENTENCES, HEADED = 2, 2, 0.6


def written_rows(draw: random.Random, *, held_out: bool) -> Iterator[Row]:
    """The rows to learn from, or those of the documents that are kept for calibration."""
    for path in sorted(WRITTEN.glob("*.jsonl.gz")):
        documents = lines_of(path)
        search = WordSearch([f"{document['title']} {' '.join(document['sentences'])}" for document in documents])
        for place, document in enumerate(documents):
            if kept(document.get("act", document["title"])) != held_out:
                continue
            for asked in document["questions"]:
                others = [documents[n] for n in search.best(asked["q"], FOUND + 2) if n != place]
                for kind, parts, at in _shown(document, asked, others, draw, whole=held_out):
                    heading = document["title"] if draw.random() < HEADED else ""
                    yield {
                        "set": f"hi:{kind}", "a": asked["q"], "h": heading, "s": parts,
                        "at": at or [], "y": int(at is not None), "g": document["title"],
                    }  # fmt: skip


def _shown(
    document: Row, asked: Row, others: Sequence[Row], draw: random.Random, *, whole: bool
) -> Iterator[tuple[str, list[str], list[int] | None]]:
    """(kind, sentences, places of the answer or None); only the document itself if `whole`."""
    parts, at = document["sentences"], asked["answer"]
    yield "written", parts, at or None
    if whole:
        return
    middle = draw.choice(at or range(len(parts)))
    first, last = max(0, middle - draw.randint(0, 4)), min(len(parts), middle + draw.randint(1, 5))
    first, last = min([first, *at]), max([last, *(place + 1 for place in at)])
    yield "written part", parts[first:last], [place - first for place in at] or None
    rest = [place for place in range(len(parts)) if place not in at]
    if at:
        yield "written sentence", [parts[place] for place in at], list(range(len(at)))
        if rest:
            yield "written without", [parts[place] for place in rest], None
    near = sorted(rest, key=lambda place: -len(terms_of(asked["q"]) & terms_of(parts[place])))
    for place in near[: SENTENCES if at else 1]:
        yield "written other sentence", [parts[place]], None
    for other in others[:FOUND]:
        if not (other.get("act") == document.get("act") is not None and not at):  # a neighbour may answer it
            yield "written found", other["sentences"], None
