"""Settings to the tenant's audit log, with the key that signs its records."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.domain.identity import is_semantic_id
from footnotary.errors import BackendError
from footnotary.reader.shipped import reranker_for
from footnotary.wiring.readers import served_model
from footnotary.wiring.stores import tenant_folder
from footnotary.wiring.verifiers import verifier_names

if TYPE_CHECKING:
    from footnotary.audit.recorder import Notary
    from footnotary.audit.signing import Signer
    from footnotary.profiles.schema import Profile
    from footnotary.settings import Settings


def open_notary(settings: Settings, embedder: str) -> Notary:
    """The tenant's audit log, feedback and answer cache; `embedder` names the one that finds the evidence."""
    from footnotary import __version__
    from footnotary.audit.recorder import Notary

    return Notary(
        tenant_folder(settings),
        audit_head(settings),
        signer=open_audit_signer(settings),
        software=__version__,
        models=lambda policy: {
            "embedder": embedder,
            "reranker": _reranker_name(policy, settings),
            **verifier_names(policy, settings),
            **served_model(policy, settings),
        },
    )


def _reranker_name(policy: Profile, settings: Settings) -> str:
    reranker = reranker_for(policy, settings.verifier)
    return reranker.name if reranker else ""


def open_audit_signer(settings: Settings) -> Signer | None:
    """The signer of records: if signing is possible a key is created, and if there is a key every record is signed.

    Raises `UsageError` if there is a key and no library to sign with, and `BackendError` if a log of the data directory
    is signed and the key is missing: after an unsigned record, or one signed by another key, that log would never
    verify again.
    """
    from footnotary.audit.signing import is_cryptography_installed, open_signer

    key = signing_key(settings)
    if not key.exists() and (signed := _signed_log(settings)):
        raise BackendError(
            f"{signed} is signed, and its key is not at {key}",
            hint=f"put signing.key back into {settings.home}; if it is lost, move audit.db* of every tenant and the "
            "folder heads aside and keep them: new logs begin with a new key",
        )
    return open_signer(key) if key.exists() or is_cryptography_installed() else None


def _signed_log(settings: Settings) -> Path | None:
    """An audit log of the data directory, of any tenant, whose last record is signed."""
    from footnotary.audit.log import AuditLog

    for path in sorted(settings.home.glob("tenants/*/audit.db")):
        if not is_semantic_id(path.parent.name):  # a copy that somebody set aside
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
    """Where the head of the tenant's audit log is kept: outside the tenant's folder, so that it outlives the folder."""
    return settings.home / "heads" / f"{tenant_folder(settings).name}.db"
