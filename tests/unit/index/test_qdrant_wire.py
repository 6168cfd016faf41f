"""Which addresses of a Qdrant server are used, and with which of them a key."""

import pytest

from footnotary.errors import UsageError
from footnotary.index.circuit_breaker import CircuitBreaker
from footnotary.index.qdrant.client import QdrantConnection


@pytest.mark.parametrize(
    "url", ["http://qdrant.example", "HTTP://qdrant.example:6333", " http://localhost@qdrant.example:6333"]
)
def test_a_key_is_never_sent_in_the_clear_however_the_address_is_written(url: str):
    with pytest.raises(UsageError, match="unencrypted"):
        QdrantConnection(url, "secret", 1.0, None, CircuitBreaker())


@pytest.mark.parametrize("key", [None, "secret"])
def test_what_is_no_address_is_said_to_be_none_with_and_without_a_key(key: str | None):
    with pytest.raises(UsageError, match="is not a valid URL"):
        QdrantConnection("http://[::1", key, 1.0, None, CircuitBreaker())
