"""A key, and a log signed with it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_socket import disable_socket, enable_socket

from footnotary.audit.log import AuditLog
from footnotary.audit.signing import Signer, open_signer


@pytest.fixture(autouse=True)
def no_socket() -> Iterator[None]:
    disable_socket(allow_unix_socket=True)
    yield
    enable_socket()


@pytest.fixture(scope="session")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Signer:
    return open_signer(tmp_path_factory.mktemp("key") / "signing.key")


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "tenant" / "audit.db", tmp_path / "heads" / "tenant.db"


@pytest.fixture
def log(places: tuple[Path, Path], signer: Signer) -> Iterator[AuditLog]:
    opened = AuditLog(*places, signer)
    yield opened
    opened.close()
