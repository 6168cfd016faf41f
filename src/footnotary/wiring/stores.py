"""Settings to the tenant's store, embedded or on a Qdrant server."""

from __future__ import annotations

from collections import abc
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from footnotary.domain.identity import ID_FORM, is_semantic_id
from footnotary.errors import UsageError
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.index.manifest import Manifest

if TYPE_CHECKING:
    from footnotary.index.qdrant.store import QdrantStore
    from footnotary.ports import Embedder, ManagedStore
    from footnotary.settings import Settings

FolderStore: TypeAlias = EmbeddedStore


def tenant_folder(settings: Settings) -> Path:
    """One folder per tenant. A tenant's name is an identifier, so it cannot point elsewhere in the file system."""
    if not is_semantic_id(settings.tenant):
        raise UsageError(f"{settings.tenant!r} is not a valid tenant name", hint=f"use {ID_FORM}")
    return settings.home / "tenants" / settings.tenant


def open_store(settings: Settings, embedder: Embedder, *, read_only: bool = False) -> ManagedStore:
    """The tenant's store where the settings say, bound to the embedder that fills it."""
    return _store(settings, Manifest(embedder.name, embedder.dimensions), read_only=read_only)


def open_built_store(settings: Settings, *, read_only: bool = False) -> ManagedStore:
    """The tenant's store as it was built, whichever embedder fills it."""
    return _store(settings, None, read_only=read_only)


def open_store_like(settings: Settings, other: ManagedStore) -> ManagedStore:
    """The tenant's store for the embedder that fills another one."""
    return _store(settings, Manifest(other.manifest.embedder, other.manifest.dimensions), read_only=False)


@contextmanager
def opened_store(settings: Settings, *, read_only: bool = False) -> abc.Generator[ManagedStore]:
    """The tenant's store as it was built, without loading an embedder: to list, show and delete documents."""
    store = open_built_store(settings, read_only=read_only)
    try:
        yield store
    finally:
        store.close()


def open_qdrant_store(settings: Settings) -> QdrantStore:
    """The tenant's store on Qdrant as it was built, for what only such a store can do."""
    return _qdrant_store(settings, tenant_folder(settings), None, read_only=False)


def create_folder_store(folder: Path, embedder: str, dimensions: int) -> FolderStore:
    """A store in a folder of the caller's own, outside any data directory; it is created where it is missing."""
    return EmbeddedStore(folder, embedder, dimensions)


def open_folder_store(folder: Path, *, read_only: bool = False) -> FolderStore:
    """The store that is in a folder of the caller's own. Raises `UsageError` where there is none."""
    return EmbeddedStore.as_built(folder, read_only=read_only)


def _store(settings: Settings, manifest: Manifest | None, *, read_only: bool) -> ManagedStore:
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
        ann_min_chunks=settings.ann_min_chunks,
    )


def _qdrant_store(settings: Settings, folder: Path, manifest: Manifest | None, *, read_only: bool) -> QdrantStore:
    try:
        from footnotary.index.qdrant.point_types import ClusterSharding
        from footnotary.index.qdrant.server import QdrantServer
        from footnotary.index.qdrant.store import QdrantStore
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed", hint="pip install 'footnotary[qdrant]'") from None
    server = QdrantServer(
        settings.qdrant_url,
        api_key=settings.qdrant_api_key,
        timeout_s=settings.qdrant_timeout_s,
        ca_file=settings.qdrant_ca_file,
        spread=ClusterSharding(settings.qdrant_shards, settings.qdrant_replicas),
    )
    try:
        return QdrantStore(server, settings.tenant, folder, manifest, read_only=read_only)
    except BaseException:
        server.close()
        raise
