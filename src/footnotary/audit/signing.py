"""Ed25519 keys that sign records and bundles, and encryption of contents with an answer's id as the secret."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.durable import fsync_path, make_durable_folder
from footnotary.errors import UsageError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_NONCE_BYTES = 12
_INSTALL_HINT = "pip install 'footnotary[audit]'"


def is_cryptography_installed() -> bool:
    """Whether the cryptography library is installed."""
    try:
        import cryptography  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class PublicKey:
    """Verifies signatures; `id` is the hash of the key's 32 bytes."""

    raw: bytes

    @property
    def id(self) -> str:
        return hashlib.sha256(self.raw).hexdigest()

    def signed(self, message: bytes, signature: bytes) -> bool:
        """Whether this key's owner signed exactly this."""
        from cryptography.exceptions import InvalidSignature

        try:
            self._key().verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def pem(self) -> str:
        """The key as other programs read it (SubjectPublicKeyInfo)."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        return self._key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode("ascii")

    def _key(self) -> Ed25519PublicKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        return Ed25519PublicKey.from_public_bytes(self.raw)


@dataclass(frozen=True, slots=True)
class Signer:
    """Holds the private key of one installation; it never appears in its `repr`."""

    public: PublicKey
    sign: Callable[[bytes], bytes]

    def __repr__(self) -> str:
        return f"Signer({self.public.id[:12]})"


def open_signer(path: Path) -> Signer:
    """The signer whose key is in a file; creates a new key, readable only by its owner, if there is no file."""
    _require_cryptography()
    try:
        return _signer(_read_private_key(path))
    except FileNotFoundError:
        pass
    make_durable_folder(path.parent)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(_generate_pem())
            file.flush()
            os.fsync(file.fileno())
        # Linking fails if another process was first; an existing key is never replaced.
        os.link(temporary, path)
    except FileExistsError:
        pass
    finally:
        temporary.unlink(missing_ok=True)
    fsync_path(path.parent)  # records signed with a lost key could never be verified
    return _signer(_read_private_key(path))


def read_signer(path: Path) -> Signer:
    """The signer whose key is in a file. Raises `UsageError` if there is none; creates none."""
    _require_cryptography()
    try:
        return _signer(_read_private_key(path))
    except FileNotFoundError:
        raise UsageError(
            f"there is no key at {path}",
            hint="it is created with the first signed record; if it existed before, restore signing.key",
        ) from None


def read_public_key(path: Path) -> PublicKey:
    """A public key in PEM. Raises `UsageError` if the file contains none."""
    _require_cryptography()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key = load_pem_public_key(path.read_bytes())
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist", hint="`footnotary audit key` prints the public key") from None
    except (OSError, ValueError):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise UsageError(
            f"{path} does not contain an Ed25519 public key", hint="`footnotary audit key` prints the public key"
        )
    return PublicKey(key.public_bytes_raw())


def encrypt_content(content: bytes, answer_id: str) -> bytes:
    """Encrypts `content` with the answer's id, 130 random bits, as the secret."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + ChaCha20Poly1305(_content_key(answer_id)).encrypt(nonce, content, None)


def decrypt_content(blob: bytes, answer_id: str) -> bytes:
    """Decrypts what `encrypt_content` encrypted. Raises `ValueError` if the id is wrong or the bytes were changed."""
    _require_cryptography()
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    try:
        return ChaCha20Poly1305(_content_key(answer_id)).decrypt(blob[:_NONCE_BYTES], blob[_NONCE_BYTES:], None)
    except InvalidTag:
        raise ValueError("the content cannot be decrypted with this id") from None


def _content_key(answer_id: str) -> bytes:
    # The id is random and used once, so a plain keyed hash is enough for the key derivation.
    return hmac.digest(answer_id.encode(), b"footnotary sealed content 1", "sha256")


def _require_cryptography() -> None:
    if not is_cryptography_installed():
        raise UsageError("signatures need the package cryptography, which is not installed", hint=_INSTALL_HINT)


def _read_private_key(path: Path) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError):
        key = None
    except PermissionError:
        raise UsageError(f"{path} is not readable", hint="run as the user who owns the key") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise UsageError(f"{path} does not contain an Ed25519 private key", hint="restore the file from a backup")
    return key


def _signer(key: Ed25519PrivateKey) -> Signer:
    return Signer(PublicKey(key.public_key().public_bytes_raw()), key.sign)


def _generate_pem() -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
