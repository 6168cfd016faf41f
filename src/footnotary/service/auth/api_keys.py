"""API keys with their tenant and role. Only hashes of the secrets are stored."""

import base64
import hmac
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, cast, get_args

from footnotary.domain.identity import ID_FORM, is_semantic_id, sha256_hex
from footnotary.durable import make_durable_folder, make_private_file
from footnotary.errors import UsageError
from footnotary.index.sqlite.connections import SqliteConnections

Role = Literal["reader", "writer", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS keys (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, role TEXT NOT NULL, name TEXT NOT NULL, secret_sha256 TEXT NOT NULL,
    created_at TEXT NOT NULL, expires_at TEXT, revoked_at TEXT
) STRICT
"""
_SELECT_ALL = "SELECT id, tenant, role, name, created_at, expires_at, revoked_at FROM keys ORDER BY created_at, id"
_SELECT_ONE = "SELECT id, tenant, role, name, created_at, expires_at, revoked_at, secret_sha256 FROM keys WHERE id = ?"
_REPAIR_HINT = "restore a copy of keys.db, or move keys.db* away and create every key again: `footnotary keys create`"
_DUMMY_SECRET_SHA256 = sha256_hex("no key has this secret")


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is stored: everything but its secret."""

    id: str
    tenant: str
    role: Role
    name: str
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    def is_active(self, at: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or at < self.expires_at)


class ApiKeyStore:
    """The keys of one data directory; changes made by another process take effect from the next call on.

    A token is `fn_<id>_<secret>` with 256 random bits of secret. Only the hash is stored: the token is shown once, when
    it is created.
    """

    def __init__(self, home: Path) -> None:
        self.path = home / "keys.db"
        self._connections = SqliteConnections(self.path, read_only=False, repair_hint=_REPAIR_HINT)
        self._has_keys = False

    def close(self) -> None:
        self._connections.close()

    def create(self, tenant: str, role: str, name: str = "", expires_at: datetime | None = None) -> tuple[ApiKey, str]:
        """A new key and its token. Raises `UsageError` for an invalid tenant name or an unknown role."""
        if not is_semantic_id(tenant):
            raise UsageError(f"{tenant!r} is not a valid tenant name", hint=f"use {ID_FORM}")
        if role not in ROLES:
            raise UsageError(f"unknown role {role!r}", hint=f"choose from {', '.join(ROLES)}")
        key = ApiKey(secrets.token_hex(6), tenant, role, name, _now(), expires_at)
        secret = base64.b32encode(secrets.token_bytes(32)).decode().rstrip("=").lower()
        self._lay_out()
        ends = expires_at and expires_at.astimezone(UTC).isoformat()
        row = (key.id, tenant, role, name, sha256_hex(secret), key.created_at.isoformat(), ends)
        with self._connections.transaction() as c:
            c.execute("INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, NULL)", row)
        return key, f"fn_{key.id}_{secret}"

    def all(self) -> list[ApiKey]:
        """Every key ever created, oldest first, revoked and expired ones included."""
        if not self.path.exists():
            return []
        with self._connections.lent() as c:
            rows = c.execute(_SELECT_ALL).fetchall()
        return [_parse_key_row(row) for row in rows]

    def revoke(self, key_id: str) -> bool:
        """Revokes a key at once; returns whether it existed and was not revoked yet."""
        if not self.path.exists():
            return False
        with self._connections.transaction() as c:
            sql = "UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL"
            return c.execute(sql, (_now().isoformat(), key_id)).rowcount > 0

    @property
    def has_keys(self) -> bool:
        """Whether a key was ever created. Revoking the last one locks the service, it does not open it."""
        if not self._has_keys and self.path.exists():
            with self._connections.lent() as c:
                self._has_keys = c.execute("SELECT EXISTS (SELECT 1 FROM keys)").fetchone()[0] == 1
        return self._has_keys

    def holder(self, token: str) -> ApiKey | None:
        """The key of a token, if it is valid now. An unknown key id takes the same comparison, to leak no timing."""
        prefix, _, rest = token.partition("_")
        key_id, _, secret = rest.partition("_")
        row = self._row(key_id) if prefix == "fn" and self.has_keys else None
        kept = cast(str, row[-1]) if row else _DUMMY_SECRET_SHA256
        same = hmac.compare_digest(sha256_hex(secret.encode("utf-8", "replace")), kept)
        key = _parse_key_row(row[:-1]) if row and same else None
        return key if key and key.is_active(_now()) else None

    def _row(self, key_id: str) -> tuple[Any, ...] | None:
        with self._connections.lent() as c:
            return c.execute(_SELECT_ONE, (key_id,)).fetchone()

    def _lay_out(self) -> None:
        make_durable_folder(self.path.parent)
        make_private_file(self.path)
        with self._connections.transaction() as c:
            c.execute(_SCHEMA)


def _parse_key_row(row: tuple[Any, ...]) -> ApiKey:
    id_, tenant, role, name, created, expires, revoked = row
    return ApiKey(id_, tenant, role, name, *map(_parse_time, (created, expires, revoked)))  # pyright: ignore[reportArgumentType]


def _parse_time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _now() -> datetime:
    return datetime.now(UTC)
