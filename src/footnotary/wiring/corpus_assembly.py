"""Settings to a corpus: the store documents are written to, and the processes that parse them.

What ingests is imported when it is needed: a question does not wait for the parsers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from footnotary.models.onnx_session import usable_cores
from footnotary.reader.shipped import injection_classifier_for
from footnotary.settings import load_settings
from footnotary.wiring.models import open_embedder
from footnotary.wiring.stores import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from footnotary.corpus import Corpus
    from footnotary.ingest.sandbox.worker_pool import ParserPool
    from footnotary.ports import Embedder, ManagedStore
    from footnotary.settings import Settings


def open_corpus(*, home: str | Path | None = None, **given: object) -> Corpus:
    """The corpus at `home`, to ingest and delete documents; it lives as long as the process."""
    settings = load_settings({"home": home, **given})
    embedder = open_embedder(settings.embedder)
    return build_corpus(settings, open_store(settings, embedder), embedder)


def build_corpus(settings: Settings, store: ManagedStore, embedder: Embedder) -> Corpus:
    """The corpus over a store that is open already."""
    from footnotary.corpus import Corpus
    from footnotary.injection.examination import examine

    workers, classifier = partial(open_workers, settings), injection_classifier_for(settings.verifier)
    is_injection = classifier.is_injection if classifier else None
    return Corpus(
        store,
        embedder,
        max_bytes=settings.max_file_mb * 1_000_000,
        workers=workers,
        examine=partial(examine, is_injection=is_injection, threads=usable_cores()),
    )


def open_workers(settings: Settings) -> ParserPool:
    """The processes that parse files, under the settings' limits; to be used as a context manager."""
    from footnotary.ingest.sandbox.protocol import ParseLimits
    from footnotary.ingest.sandbox.worker_pool import ParserPool

    return ParserPool(ParseLimits(memory_bytes=settings.parse_memory_mb << 20), ocr_languages=settings.ocr_languages)
