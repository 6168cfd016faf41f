"""These tests reach no network: a socket that is opened is a test that fails."""

from collections.abc import Iterator

import pytest
from pytest_socket import disable_socket, enable_socket


@pytest.fixture(autouse=True)
def no_socket() -> Iterator[None]:
    """Event loops may talk to themselves over a Unix socket pair; nothing else is opened."""
    disable_socket(allow_unix_socket=True)
    yield
    enable_socket()
