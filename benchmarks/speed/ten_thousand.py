"""Ten thousand chunks of law to be asked.

Six acts that questions in lay words are about, whose vectors are kept between runs, and as many sections of other acts as
fill the index. These have random unit vectors, and are found by their words alone: embedding them would take a while.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.quality.answering.own_sets import LAWS, SETS
from benchmarks.quality.encoder_sets import read
from benchmarks.quality.product import CachingEmbedder
from benchmarks.speed.corpora import DATA, RandomPassages, Row, rows, written
from footnotary.corpus import Corpus
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.ports import Embedder
from footnotary.wiring import open_embedder

PROJECT = "ten_thousand"
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
    """The index and the embedder it was made with."""
    embedder = CachingEmbedder(open_embedder("default"), vectors)
    with TemporaryDirectory() as folder:
        store = EmbeddedStore(Path(folder) / "store", embedder.name, embedder.dimensions)
        try:
            asked, others = Path(folder) / "asked", Path(folder) / "others"
            asked.mkdir()
            for name in LAWS:
                (asked / f"{name}.jsonl").write_bytes((DATA / "corpora" / "law_mix" / f"{name}.jsonl").read_bytes())
            _ingest(asked, store, embedder)
            embedder.save()
            _ingest(written(_other_rows(), OTHER_ROWS, others), store, RandomPassages(embedder))
            yield store, embedder
        finally:
            store.close()


def _ingest(folder: Path, store: EmbeddedStore, embedder: Embedder) -> None:
    report = Corpus(store, embedder).ingest([folder], PROJECT)
    if report.failed:
        raise SystemExit(f"{report.failed[0].path} does not go in: {report.failed[0].message}")


def _other_rows() -> Iterator[Row]:
    for row in rows():
        if not any(name in str(row.get("act", "")).casefold() for name in KNOWN_ACTS):
            yield row
