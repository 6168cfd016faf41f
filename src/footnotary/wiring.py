"""Settings to a running engine: the only file that chooses concrete classes."""

from __future__ import annotations

from collections import abc
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.corpus import Corpus
from footnotary.domain.identity import is_semantic_id
from footnotary.engine import Engine
from footnotary.errors import BackendError, UsageError
from footnotary.generate.extractive import ExtractiveGenerator
from footnotary.index.embedded_store import EmbeddedStore
from footnotary.index.manifest import Manifest
from footnotary.ingest.confined import Workers
from footnotary.ingest.wire import Limits
from footnotary.models.model_packages import locate_model
from footnotary.models.shipped import answerability_for, judge_for, orders_for, reranker_for
from footnotary.ports import ChatModel, Check, Embedder, Generator, ServedStore
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.settings import Settings, load_settings
from footnotary.verify.run import checks_for

if TYPE_CHECKING:
    from footnotary.audit.notary import Notary
    from footnotary.audit.signing import Signer
    from footnotary.evaluate.judging import Judges
    from footnotary.index.qdrant_store import QdrantStore
    from footnotary.replay import Judges as ReplayJudges

EMBEDDERS = {"default": "footnotary-30m", "fast": "static-multilingual"}


@dataclass(frozen=True, slots=True)
class Opened:
    """One tenant's engine and corpus over one store; close it when done."""

    settings: Settings
    store: ServedStore
    engine: Engine
    corpus: Corpus


@contextmanager
def opened(
    settings: Settings | None = None, profile: Profile | None = None, *, read_only: bool = False
) -> abc.Generator[Opened]:
    """Opens the store under the settings' home for the tenant, and closes it at the end."""
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

    `given` are further settings, such as `model="..."` and `base_url="..."`.
    """
    settings = load_settings({"home": home, "profile": str(profile), **given})
    policy = load_profile(profile)
    embedder = open_embedder(settings.embedder)
    return build_engine(settings, policy, open_store(settings, embedder), embedder)


def build_engine(settings: Settings, policy: Profile, store: ServedStore, embedder: Embedder) -> Engine:
    """An engine over a store that is open already, with the generator the settings name."""
    expand = None
    if policy.retrieval.model_expansion and (model := open_model(settings, policy)) is not None:
        from footnotary.generate.expand import ModelExpander

        expand = ModelExpander(model)
    return Engine(
        store,
        embedder,
        open_generator(settings, policy),
        policy,
        open_checks(policy),
        expand,
        answerability=answerability_for(policy),
        reranker=reranker_for(policy),
    )


def open_checks(policy: Profile) -> tuple[tuple[str, Check], ...]:
    """The checks of a profile with the weights they ask; an outcome that is derived again is judged by the same."""
    return checks_for(policy, judge_for(policy), orders_for())


def open_replay(policy: Profile) -> ReplayJudges:
    """What decides under a profile, to derive an outcome again with; nothing is loaded before it is asked."""
    from footnotary.replay import Judges as ReplayJudges

    return ReplayJudges(open_checks(policy), answerability_for(policy), judge_names(policy))


def judge_names(policy: Profile) -> dict[str, str]:
    """The weights that decide under a profile, named exactly; empty where it asks none."""
    asked = {"judge": judge_for(policy), "answerability": answerability_for(policy), "orders": orders_for()}
    return {part: model.name if model else "" for part, model in asked.items()}


def open_corpus(*, home: str | Path | None = None, **given: object) -> Corpus:
    """The corpus at `home`, to put documents in and take them out; it lives as long as the process."""
    settings = load_settings({"home": home, **given})
    embedder = open_embedder(settings.embedder)
    return build_corpus(settings, open_store(settings, embedder), embedder)


def build_corpus(settings: Settings, store: ServedStore, embedder: Embedder) -> Corpus:
    """The corpus over a store that is open already."""
    workers = partial(open_workers, settings)
    return Corpus(store, embedder, max_bytes=settings.max_file_mb * 1_000_000, workers=workers)


def open_workers(settings: Settings) -> Workers:
    """The processes that read files, under the settings' limits; to be used as a context."""
    return Workers(Limits(memory_bytes=settings.parse_memory_mb << 20), ocr_languages=settings.ocr_languages)


def open_store(settings: Settings, embedder: Embedder, *, read_only: bool = False) -> ServedStore:
    """The tenant's store where the settings say, bound to the embedder that fills it."""
    return _store(settings, Manifest(embedder.name, embedder.dimensions), read_only=read_only)


def _store(settings: Settings, manifest: Manifest | None, *, read_only: bool) -> ServedStore:
    """A store made for `manifest`; None opens the one that is there, whichever embedder fills it."""
    folder = tenant_folder(settings)
    if settings.store == "qdrant":
        return _qdrant_store(settings, folder, manifest, read_only=read_only)
    if manifest is None:
        return EmbeddedStore.as_built(folder, read_only=read_only)
    return EmbeddedStore(
        folder,
        manifest.embedder,
        manifest.dimensions,
        read_only=read_only,
        first_pass_from=settings.first_pass_from,
    )


def _qdrant_store(settings: Settings, folder: Path, manifest: Manifest | None, *, read_only: bool) -> QdrantStore:
    try:
        from footnotary.index.qdrant_points import Spread
        from footnotary.index.qdrant_server import QdrantServer
        from footnotary.index.qdrant_store import QdrantStore
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed", hint="pip install 'footnotary[qdrant]'") from None
    server = QdrantServer(
        settings.qdrant_url,
        api_key=settings.qdrant_api_key,
        timeout_s=settings.qdrant_timeout_s,
        ca_file=settings.qdrant_ca_file,
        spread=Spread(settings.qdrant_shards, settings.qdrant_replicas),
    )
    try:
        return QdrantStore(server, settings.tenant, folder, manifest, read_only=read_only)
    except BaseException:
        server.close()
        raise


def open_qdrant_store(settings: Settings) -> QdrantStore:
    """The tenant's store on Qdrant as it was built, for what only such a store can do."""
    return _qdrant_store(settings, tenant_folder(settings), None, read_only=False)


def open_built_store(settings: Settings, *, read_only: bool = False) -> ServedStore:
    """The tenant's store as it was built, whichever embedder fills it."""
    return _store(settings, None, read_only=read_only)


def open_store_like(settings: Settings, other: ServedStore) -> ServedStore:
    """The tenant's store for the embedder that fills another one."""
    return _store(settings, Manifest(other.manifest.embedder, other.manifest.dimensions), read_only=False)


@contextmanager
def opened_store(settings: Settings, *, read_only: bool = False) -> abc.Generator[ServedStore]:
    """The tenant's store as it was built, without loading an embedder: to look at documents and take them out."""
    store = open_built_store(settings, read_only=read_only)
    try:
        yield store
    finally:
        store.close()


def open_notary(settings: Settings, embedder: str) -> Notary:
    """The tenant's audit log, feedback and answer cache; `embedder` names the one that finds the evidence."""
    from footnotary import __version__
    from footnotary.audit.notary import Notary

    return Notary(
        tenant_folder(settings),
        audit_head(settings),
        signer=open_audit_signer(settings),
        software=__version__,
        models=lambda policy: {"embedder": embedder, "reranker": _reranker_name(policy), **judge_names(policy)},
    )


def _reranker_name(policy: Profile) -> str:
    reranker = reranker_for(policy)
    return reranker.name if reranker else ""


def open_audit_signer(settings: Settings) -> Signer | None:
    """What signs records: where signatures can be made there is a key, and where there is a key nothing goes unsigned.

    Raises `UsageError` where there is a key, and no library to sign with, and `BackendError` where a log of the home
    is signed and the key is gone: with a record that another key signed, or none, that log would never verify again.
    """
    from footnotary.audit.signing import is_available, open_signer

    key = signing_key(settings)
    if not key.exists() and (signed := _signed_log(settings)):
        raise BackendError(
            f"{signed} is signed, and its key is not at {key}",
            hint=f"put signing.key back into {settings.home}; if it is lost, move audit.db* of every tenant and the "
            "folder heads aside and keep them: new logs begin with a new key",
        )
    return open_signer(key) if key.exists() or is_available() else None


def _signed_log(settings: Settings) -> Path | None:
    """An audit log of the home, whichever tenant's, whose last record is signed."""
    from footnotary.audit.log import AuditLog

    for path in sorted(settings.home.glob("tenants/*/audit.db")):
        if not is_semantic_id(path.parent.name):  # a copy that somebody put aside
            continue
        head = audit_head(replace(settings, tenant=path.parent.name))
        with closing(AuditLog(path, head, read_only=True)) as log:
            if any(record.signature for record in log.latest(1)):
                return path
    return None


def signing_key(settings: Settings) -> Path:
    """The private key of the installation."""
    return settings.home / "signing.key"


def audit_head(settings: Settings) -> Path:
    """Where the head of the tenant's audit log is kept: not in the tenant's folder, so that it outlives that."""
    return settings.home / "heads" / f"{tenant_folder(settings).name}.db"


def tenant_folder(settings: Settings) -> Path:
    """One folder per tenant. A tenant's name is an identifier, so it cannot lead elsewhere in the file system."""
    if not is_semantic_id(settings.tenant):
        raise UsageError(f"{settings.tenant!r} is no name for a tenant", hint="use letters, digits and _")
    return settings.home / "tenants" / settings.tenant


def open_embedder(name: str) -> Embedder:
    """The shipped embedder of that tier, or one from a folder of weights."""
    from footnotary.models.onnx_embedder import OnnxEmbedder
    from footnotary.models.static_embedder import StaticEmbedder

    folder = locate_model(EMBEDDERS[name]) if name in EMBEDDERS else Path(name)
    if not (folder / "config.json").is_file():
        raise UsageError(f"there is no embedder {name!r}", hint=f"use {' or '.join(EMBEDDERS)}, or a folder of weights")
    return StaticEmbedder(folder) if (folder / "table.npy").is_file() else OnnxEmbedder(folder)


def open_judges(profile: str) -> Judges:
    """What evaluation measures: the product's own verdict under this profile, with the weights it ships."""
    from footnotary.evaluate.judging import Judges, ProductJudge

    policy = load_profile(profile)
    judge = judge_for(policy)
    name = f"guards, words and {judge.name}" if judge else "guards and words"
    return Judges(ProductJudge(profile, name), answerability=answerability_for(policy, always=True))


def open_generator(settings: Settings, profile: Profile) -> Generator:
    """The extractive generator, or one that drafts with the chat model the settings name."""
    model = open_model(settings, profile)
    if model is None:
        return ExtractiveGenerator(profile)
    from footnotary.generate.chat import ChatGenerator

    return ChatGenerator(model, profile)


def open_model(settings: Settings, profile: Profile) -> ChatModel | None:
    """The chat model the settings name; none means that answers are extractive."""
    if settings.model is None:
        return None
    from footnotary.generate.openai_model import OpenAIModel

    return OpenAIModel(
        settings.model,
        base_url=settings.base_url,
        api_key=settings.api_key,
        timeout_s=settings.timeout_s,
        max_tokens=profile.generation.max_tokens,
    )
