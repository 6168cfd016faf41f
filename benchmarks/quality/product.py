"""The product as it is installed, over a question set: real store, real weights, vectors cached between runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from footnotary.corpus import Corpus
from footnotary.engine import Engine
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.ports import Embedder, RelevanceCalibration, Vector, Vectors
from footnotary.profiles.load import load_profile
from footnotary.profiles.overrides import override_profile
from footnotary.reader.shipped import reranker_for
from footnotary.settings import load_settings
from footnotary.wiring import open_checks, open_embedder, open_generator, open_reader_for

PROJECT = "bench"


class CachingEmbedder:
    """An embedder that keeps the vectors it made in a file, so that a second run costs nothing."""

    def __init__(self, embedder: Embedder, folder: Path | None) -> None:
        self._embedder = embedder
        self._path = None if folder is None else folder / f"{embedder.name}.npz"
        self._known: dict[str, Vector] = {}
        if self._path is not None and self._path.is_file():
            with np.load(self._path) as held:
                self._known = dict(zip(held["keys"], held["vectors"], strict=True))

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    @property
    def languages(self) -> tuple[str, ...]:
        return self._embedder.languages

    @property
    def calibration(self) -> RelevanceCalibration:
        return self._embedder.calibration

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._all(texts, self._embedder.embed_passages, "p")

    def embed_question(self, text: str) -> Vector:
        return self._all([text], lambda texts: self._embedder.embed_question(texts[0])[None, :], "q")[0]

    def _all(self, texts: Sequence[str], embed, kind: str) -> Vectors:
        keys = [hashlib.sha256(f"{kind}{text}".encode()).hexdigest() for text in texts]
        missing = [i for i, key in enumerate(keys) if key not in self._known]
        if missing:
            for i, vector in zip(missing, embed([texts[i] for i in missing]), strict=True):
                self._known[keys[i]] = vector
        return np.stack([self._known[key] for key in keys]) if keys else embed([])

    def save(self) -> None:
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            np.savez(self._path, keys=np.array(list(self._known)), vectors=np.array(list(self._known.values())))


@contextmanager
def product(rows: Sequence[dict[str, object]], embedder: CachingEmbedder, profile: str, k: int = 5) -> Iterator[Engine]:
    """An engine over rows that were written to a file and ingested like a user's."""
    policy = override_profile(load_profile(profile), k=k)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.jsonl"
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        store = EmbeddedStore(Path(folder) / "store", embedder.name, embedder.dimensions)
        report = Corpus(store, embedder).ingest([path], PROJECT)
        if report.failed:
            raise SystemExit(f"the set does not go in: {report.failed[0].message}")
        embedder.save()
        settings = load_settings()
        yield Engine(
            store,
            embedder,
            open_generator(settings, policy),
            policy,
            open_checks(policy, settings),
            reader=open_reader_for(policy, settings),
            reranker=reranker_for(policy, settings.verifier),
        )
        store.close()


def open_cached_embedder(name: str, vectors: Path | None) -> CachingEmbedder:
    return CachingEmbedder(open_embedder(name), vectors)
