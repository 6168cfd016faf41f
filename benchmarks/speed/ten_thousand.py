"""Ten thousand chunks of law to be asked, as an index whose vectors are kept between runs.

Six acts that questions in lay words are about, and as many sections of other acts as fill the index.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.quality.answering.own_sets import LAWS, SETS
from benchmarks.quality.encoder_sets import read
from benchmarks.quality.product import CachingEmbedder
from benchmarks.speed.corpora import DATA, Row, rows
from footnotary.corpus import Corpus
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.wiring import open_embedder

PROJECT = "ten_thousand"
CHUNKS = 10_000
# Rows of other acts, which become about one and a half chunks each.
OTHER_ROWS = 4_800
# Acts that are in the mix already, under names of their own.
KNOWN_ACTS = ("penal code", "right to information", "consumer protection", "code on wages", "digital personal data")


@dataclass(frozen=True, slots=True)
class LawQuestion:
    """A question in lay words, whether the six acts answer it, and the sections that do."""

    text: str
    answerable: bool
    gold: frozenset[str]


def law_questions() -> list[LawQuestion]:
    return [
        LawQuestion(row["question"], row["answerable"], frozenset(row.get("gold", ())))
        for row in read(SETS / "law_in_lay_words.jsonl")
    ]


@contextmanager
def ten_thousand_chunks(vectors: Path) -> Generator[tuple[EmbeddedStore, CachingEmbedder]]:
    """The index and the embedder it was made with. Making the vectors takes some minutes, once."""
    embedder = CachingEmbedder(open_embedder("default"), vectors)
    with TemporaryDirectory() as folder:
        texts = Path(folder) / "texts"
        texts.mkdir()
        for name in LAWS:
            (texts / f"{name}.jsonl").write_bytes((DATA / "corpora" / "law_mix" / f"{name}.jsonl").read_bytes())
        with (texts / "other_acts.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in islice(_other_rows(), OTHER_ROWS))
        store = EmbeddedStore(Path(folder) / "store", embedder.name, embedder.dimensions)
        try:
            report = Corpus(store, embedder).ingest([texts], PROJECT)
            if report.failed:
                raise SystemExit(f"{report.failed[0].path} does not go in: {report.failed[0].message}")
            embedder.save()
            yield store, embedder
        finally:
            store.close()


def _other_rows() -> Iterator[Row]:
    for row in rows():
        if not any(name in str(row.get("act", "")).casefold() for name in KNOWN_ACTS):
            yield row
