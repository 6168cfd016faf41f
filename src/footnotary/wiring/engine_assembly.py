"""Settings and a profile to an engine over the tenant's store."""

from __future__ import annotations

from collections import abc
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.engine import Engine
from footnotary.profiles.load import load_profile
from footnotary.reader.shipped import reranker_for
from footnotary.settings import load_settings
from footnotary.wiring.corpus_assembly import build_corpus
from footnotary.wiring.models import open_embedder, open_generator, open_model, open_quoter
from footnotary.wiring.readers import open_reader_for
from footnotary.wiring.stores import open_store
from footnotary.wiring.verifiers import open_checks

if TYPE_CHECKING:
    from footnotary.corpus import Corpus
    from footnotary.ports import Embedder, ManagedStore
    from footnotary.profiles.schema import Profile
    from footnotary.settings import Settings


@dataclass(frozen=True, slots=True)
class Opened:
    """One tenant's engine and corpus over one store; close it when done."""

    settings: Settings
    store: ManagedStore
    engine: Engine
    corpus: Corpus


@dataclass(frozen=True, slots=True)
class EngineWithSettings(Engine):
    """An engine that also carries the settings it was opened with, so that a session can record its outcomes."""

    settings: Settings | None = None


@contextmanager
def opened(
    settings: Settings | None = None, profile: Profile | None = None, *, read_only: bool = False
) -> abc.Generator[Opened]:
    """Opens the tenant's store under the data directory of the settings, and closes it at the end."""
    settings = settings or load_settings()
    policy = profile or load_profile(settings.profile)
    embedder = open_embedder(settings.embedder)
    store = open_store(settings, embedder, read_only=read_only)
    try:
        engine = build_engine(settings, policy, store, embedder)
        yield Opened(settings, store, engine, build_corpus(settings, store, embedder))
    finally:
        store.close()


def open_engine(profile: str | Path = "default", *, home: str | Path | None = None, **given: object) -> Engine:
    """An engine over the store at `home`, for use from Python; it lives as long as the process.

    `given` are further settings, such as `model="..."` and `base_url="..."`. With `tenant="acme"` ask in
    `Scope(project, "acme")`.
    """
    settings = load_settings({"home": home, "profile": str(profile), **given})
    embedder = open_embedder(settings.embedder)
    engine = build_engine(settings, load_profile(profile), open_store(settings, embedder), embedder)
    values = {field.name: getattr(engine, field.name) for field in fields(engine)}
    return EngineWithSettings(**values, settings=settings)


def build_engine(settings: Settings, policy: Profile, store: ManagedStore, embedder: Embedder) -> Engine:
    """An engine over a store that is open already, with the generator and the models the settings name."""
    expand, rewriter = None, None
    if (model := open_model(settings, policy)) is not None:
        from footnotary.generate.chat.query_expansion import ModelQueryExpander
        from footnotary.generate.chat.question_rewriting import ModelQuestionRewriter

        expand = ModelQueryExpander(model) if policy.retrieval.model_expansion else None
        rewriter = ModelQuestionRewriter(model)
    return Engine(
        store,
        embedder,
        open_generator(settings, policy),
        policy,
        open_checks(policy, settings),
        expand,
        reader=open_reader_for(policy, settings),
        reranker=reranker_for(policy, settings.verifier),
        quoter=open_quoter(settings, policy),
        rewriter=rewriter,
        tenant=settings.tenant,
    )
