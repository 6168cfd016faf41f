"""Settings to a running product: the only package that chooses concrete classes.

Settings are read once, by an entry point, and passed down from here: nothing below this package reads them again.
"""

from footnotary.wiring.audit import audit_head, open_audit_signer, open_notary, signing_key
from footnotary.wiring.corpus_assembly import build_corpus, open_corpus, open_workers
from footnotary.wiring.engine_assembly import EngineWithSettings, Opened, build_engine, open_engine, opened
from footnotary.wiring.models import EMBEDDERS, open_embedder, open_generator, open_model
from footnotary.wiring.readers import (
    models_folder,
    open_reader_for,
    open_uncalibrated_reader,
    open_verifier_for,
    verifier_server,
)
from footnotary.wiring.stores import (
    FolderStore,
    create_folder_store,
    open_built_store,
    open_folder_store,
    open_qdrant_store,
    open_store,
    open_store_like,
    opened_store,
    tenant_folder,
)
from footnotary.wiring.verifiers import (
    open_checks,
    open_injection_classifier,
    open_replay,
    open_row_answerer,
    open_row_scorers,
    verifier_names,
    verify_claim,
)

__all__ = [
    "EMBEDDERS",
    "EngineWithSettings",
    "FolderStore",
    "Opened",
    "audit_head",
    "build_corpus",
    "build_engine",
    "create_folder_store",
    "models_folder",
    "open_audit_signer",
    "open_built_store",
    "open_checks",
    "open_corpus",
    "open_embedder",
    "open_engine",
    "open_folder_store",
    "open_generator",
    "open_injection_classifier",
    "open_model",
    "open_notary",
    "open_qdrant_store",
    "open_reader_for",
    "open_replay",
    "open_row_answerer",
    "open_row_scorers",
    "open_store",
    "open_store_like",
    "open_uncalibrated_reader",
    "open_verifier_for",
    "open_workers",
    "opened",
    "opened_store",
    "signing_key",
    "tenant_folder",
    "verifier_names",
    "verifier_server",
    "verify_claim",
]
