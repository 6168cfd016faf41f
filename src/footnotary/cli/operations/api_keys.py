"""`keys`: the API keys of the service. A key is shown once, when it is created."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.errors import UsageError

if TYPE_CHECKING:
    from footnotary.service.auth.api_keys import ApiKey, ApiKeyStore


def create_key(home: Path | None, tenant: str, role: str, name: str, days: int | None, *, as_json: bool) -> ExitCode:
    """Creates a key and prints it; it cannot be shown again."""
    expires_at = None if days is None else datetime.now(UTC) + timedelta(days=days)
    with _open_key_store(home) as ring:
        key, token = ring.create(tenant, role, name, expires_at)
    if as_json:
        print_json(_key_record(key) | {"key": token})
    else:
        say(token)
        note(f"{role} of tenant {tenant}; save it now: only its hash is stored")
    return ExitCode.OK


def list_keys(home: Path | None, *, as_json: bool) -> ExitCode:
    with _open_key_store(home) as ring:
        keys = ring.all()
    if as_json:
        print_json({"keys": [_key_record(key) for key in keys]})
        return ExitCode.OK
    for key in keys:
        say(f"{key.id}  {key.role:<6}  {key.tenant}  {_key_status(key)}{f'  {key.name}' if key.name else ''}")
    if not keys:
        note("no API key configured: the service is open to this machine only")
    return ExitCode.OK


def revoke_key(home: Path | None, key_id: str, *, as_json: bool) -> ExitCode:
    """Revokes a key; a running service rejects it from the next request on."""
    with _open_key_store(home) as ring:
        if not ring.revoke(key_id):
            raise UsageError(f"no active key {key_id!r}", hint="see `footnotary keys list`")
    if as_json:
        print_json({"revoked": key_id})
    else:
        say(f"revoked {key_id}")
    return ExitCode.OK


@contextmanager
def _open_key_store(home: Path | None) -> Generator[ApiKeyStore]:
    from footnotary.service.auth.api_keys import ApiKeyStore
    from footnotary.settings import load_settings

    ring = ApiKeyStore(load_settings({"home": home}).home)
    try:
        yield ring
    finally:
        ring.close()


def _key_record(key: ApiKey) -> dict[str, Any]:
    return {
        "id": key.id,
        "tenant": key.tenant,
        "role": key.role,
        "name": key.name,
        "created_at": key.created_at.isoformat(),
        "expires_at": key.expires_at and key.expires_at.isoformat(),
        "revoked_at": key.revoked_at and key.revoked_at.isoformat(),
    }


def _key_status(key: ApiKey) -> str:
    if key.revoked_at:
        return f"revoked {key.revoked_at:%Y-%m-%d}"
    if key.expires_at:
        return f"{'expires' if key.is_active(datetime.now(UTC)) else 'expired'} {key.expires_at:%Y-%m-%d}"
    return "active"
