"""Footnotary in the form of a peer: the store alone, and the product with its checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.scale.embedded import written
from benchmarks.speed.peers.facts import K
from footnotary.corpus import Corpus
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Filters, Scope
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.profiles.load import load_profile
from footnotary.render.answer_text import render
from footnotary.settings import load_settings
from footnotary.wiring import build_corpus, build_engine, open_embedder

PROJECT, PER_DOCUMENT = "passages", 100


class OurStore:
    """The embedded store with passages and vectors as they are: what the vector stores do, durably and with BM25."""

    def __init__(self, folder: Path, model_url: str) -> None:  # noqa: ARG002 (the form of a system)
        self._folder = folder

    def ingest(self, texts: list[str], vectors: Any) -> None:
        self._store = EmbeddedStore(self._folder, "given", vectors.shape[1])
        with self._store.bulk(PROJECT):
            for start in range(0, len(texts), PER_DOCUMENT):
                document, chunks = written(start, texts[start : start + PER_DOCUMENT])
                self._store.put(PROJECT, document, chunks, vectors[start : start + PER_DOCUMENT], f"D{start}")

    def search(self, question: str, vector: Any) -> list[int]:  # noqa: ARG002 (the form of a system)
        found = self._store.dense(PROJECT, vector, K, Filters())
        self._store.chunks(PROJECT, [one.id for one in found])
        return [int(one.id[1:-2]) for one in found]


class OurProduct:
    """Ingest of a file with chunking, examination, embedding and checksums; answers that are verified."""

    verifier = "lexical"

    def __init__(self, folder: Path, model_url: str) -> None:
        self._settings = load_settings(
            {
                "home": folder,
                "project": PROJECT,
                "embedder": "fast",
                "verifier": self.verifier,
                "model": "scripted",
                "base_url": model_url,
                "api_key": "none",
            }
        )

    def ingest(self, texts: list[str], vectors: Any) -> None:  # noqa: ARG002 (the form of a system)
        self._settings.home.mkdir(parents=True, exist_ok=True)
        file = self._settings.home / "passages.jsonl"
        rows = [{"act": f"Act {n // PER_DOCUMENT}", "section": str(n), "text": text} for n, text in enumerate(texts)]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        embedder = open_embedder("fast")  # passages are cut and labelled at ingest, so given vectors would not fit
        store = EmbeddedStore(self._settings.home / "store", embedder.name, embedder.dimensions)
        corpus: Corpus = build_corpus(self._settings, store, embedder)
        report = corpus.ingest([file], PROJECT)
        if report.failed:
            raise SystemExit(f"{report.failed[0].path} was not ingested: {report.failed[0].message}")
        self._engine = build_engine(self._settings, load_profile("default"), store, embedder)

    def search(self, question: str, vector: Any) -> list[int]:  # noqa: ARG002 (the form of a system)
        return [-1 for _ in self._engine.search(question, Scope(PROJECT)).hits[:K]]

    def answer(self, question: str, vector: Any) -> str:  # noqa: ARG002 (the form of a system)
        outcome = self._engine.ask(question, Scope(PROJECT))
        if not isinstance(outcome, Answer):
            return f"refused: {outcome.reason}"
        return render(outcome, self._engine.profile.presentation.style)


class OurProductSmall(OurProduct):
    """With the small tier of reading."""

    verifier = "small"


OURS: dict[str, type] = {
    "footnotary-store": OurStore,
    "footnotary-lexical": OurProduct,
    "footnotary-small": OurProductSmall,
}
