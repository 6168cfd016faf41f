"""Data directories with so many sections of real acts, opened as the product opens them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast
from unittest.mock import patch

from benchmarks.scale.embedded import written
from benchmarks.speed.corpora import Row, pieces
from footnotary.cli.questions.demo import corpus_folder
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.ports import Embedder
from footnotary.profiles.load import load_profile
from footnotary.settings import Settings, load_settings
from footnotary.wiring import Opened, engine_assembly, open_embedder, opened

PROJECT = "law"
PER_DOCUMENT, _LONGEST = 5, 600
_MOST, _SKIPPED = 5_000, 500


@lru_cache(maxsize=1)
def sections() -> tuple[Row, ...]:
    """Pieces of real acts of nearly the same length: twice as many are twice as much text."""
    return tuple(row for row in islice(pieces(_LONGEST), _SKIPPED, 2 * _MOST) if len(str(row["text"])) > _LONGEST // 2)[
        :_MOST
    ]


def settings_of(home: Path, **given: object) -> Settings:
    """The fast embedder and lexical mode, unless something else is given."""
    return load_settings({"home": home, "project": PROJECT, "embedder": "fast", "verifier": "lexical", **given})


@contextmanager
def opened_quickly(settings: Settings) -> Iterator[Opened]:
    """As the product opens a data directory, with an embedder that is loaded once for all of them."""
    with patch.object(engine_assembly, "open_embedder", _embedder), opened(settings, load_profile("legal")) as open_:
        yield open_


@contextmanager
def library(home: Path, count: int, **given: object) -> Iterator[Opened]:
    """A data directory with `count` passages in documents of a few, and the demo corpus that is asked about."""
    shutil.copytree(_template(count), home)
    with opened_quickly(settings_of(home, **given)) as open_:
        yield open_


@lru_cache(maxsize=1)
def _templates() -> TemporaryDirectory[str]:
    return TemporaryDirectory()  # removed when the process ends


@lru_cache(maxsize=8)
def _template(count: int) -> Path:
    home = Path(_templates().name) / str(count)
    with opened_quickly(settings_of(home)) as open_:
        open_.corpus.ingest([corpus_folder()], PROJECT)
        texts = [str(row["text"]) for row in sections()[:count]]
        store = cast(EmbeddedStore, open_.store)
        with store.bulk(PROJECT):
            for start in range(0, count, PER_DOCUMENT):
                document, chunks = written(start, texts[start : start + PER_DOCUMENT])
                vectors = open_.engine.embedder.embed_passages([chunk.text for chunk in chunks])
                store.put(PROJECT, document, chunks, vectors, f"D{start}")
    return home


@lru_cache(maxsize=2)
def _embedder(name: str) -> Embedder:
    embedder = open_embedder(name)
    embedder.embed_question("Loads the weights.")
    return embedder


def write_texts(folder: Path, count: int, per_file: int, form: str = "txt") -> Path:
    """`count` sections in files of `per_file`, as texts, Markdown or HTML."""
    folder.mkdir(parents=True)
    for start in range(0, count, per_file):
        some = sections()[start : min(start + per_file, count)]
        parts = [(f"Entry {start + at}", str(row["text"])) for at, row in enumerate(some)]
        (folder / f"part_{start:05}.{form}").write_text(_written(parts, form), encoding="utf-8")
    return folder


def _written(parts: list[tuple[str, str]], form: str) -> str:
    if form == "md":
        return "\n\n".join(f"## {title}\n\n{text}" for title, text in parts)
    if form == "html":
        plain = [(title, text.replace("&", "&amp;").replace("<", "&lt;")) for title, text in parts]
        body = "\n".join(f"<h2>{title}</h2>\n<p>{text}</p>" for title, text in plain)
        return f"<html><body>{body}</body></html>"
    return "\n\n".join(f"{title}\n\n{text}" for title, text in parts)
