"""What the `audit` commands read: the log of a data directory, the public key, and bundles."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.errors import UsageError

if TYPE_CHECKING:
    from footnotary.audit.log import AuditLog
    from footnotary.audit.signing import PublicKey
    from footnotary.settings import Settings


def audit_settings(home: Path | None, tenant: str | None) -> Settings:
    """The settings that locate a tenant's records."""
    from footnotary.settings import load_settings

    return load_settings({"home": home, "tenant": tenant})


@contextmanager
def open_log_read_only(settings: Settings) -> Generator[AuditLog]:
    """The tenant's log, opened read-only."""
    from footnotary.audit.log import AuditLog
    from footnotary.wiring import audit_head, tenant_folder

    log = AuditLog(tenant_folder(settings) / "audit.db", audit_head(settings), read_only=True)
    try:
        yield log
    finally:
        log.close()


def verification_key(home: Path | None, key_file: Path | None) -> PublicKey:
    """The public key in a file, or else that of the installation. Raises `UsageError` if there is neither."""
    if key_file is None and (own := installation_key(audit_settings(home, None))):
        return own
    if key_file is None:
        raise UsageError("no public key to check with", hint="name one: --key FILE")
    from footnotary.audit.signing import read_public_key

    return read_public_key(key_file)


def installation_key(settings: Settings) -> PublicKey | None:
    """The public key of the installation; None if no key pair exists yet."""
    from footnotary.audit.signing import read_signer
    from footnotary.wiring import signing_key

    path = signing_key(settings)
    return read_signer(path).public if path.exists() else None


def read_envelope(path: Path) -> object:
    """The unchecked content of a bundle file; None if it is not strict JSON, which fails every check."""
    from footnotary.strict_json import loads_strictly

    try:
        return loads_strictly(path.read_bytes())
    except FileNotFoundError:
        raise UsageError(
            f"{path} does not exist", hint="create it: `footnotary audit export ANSWER_ID --out FILE`"
        ) from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", hint="check the file") from None
    except ValueError:
        return None
