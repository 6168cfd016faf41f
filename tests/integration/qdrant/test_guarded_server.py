"""A server that asks for a key over TLS, one that stands still, and one that is not there."""

import datetime
import ipaddress
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from qdrant_client.http.exceptions import UnexpectedResponse

from footnotary.errors import BackendError, UsageError
from footnotary.index.qdrant.server import QdrantServer
from footnotary.testing.qdrant_process import QdrantProcess, QdrantUnavailable, started_server

KEY = "a long random word"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[QdrantProcess, Path]]:
    folder = tmp_path_factory.mktemp("guarded")
    certificate, key = folder / "cert.pem", folder / "key.pem"
    _make_certificate(certificate, key)
    settings = {"SERVICE__API_KEY": KEY, "SERVICE__ENABLE_TLS": "true"}
    settings |= {"TLS__CERT": str(certificate), "TLS__KEY": str(key)}
    try:
        with started_server(folder / "data", **settings) as server:
            yield server, certificate
    except QdrantUnavailable as error:
        pytest.skip(str(error))


def test_it_answers_who_has_the_key_and_trusts_its_certificate(guarded: tuple[QdrantProcess, Path]):
    server, certificate = guarded
    asked = QdrantServer(server.url, api_key=KEY, ca_file=certificate, timeout_s=60)
    assert asked.behind("nothing") is None


def test_a_wrong_key_is_refused_and_repeated_nowhere(guarded: tuple[QdrantProcess, Path]):
    server, certificate = guarded
    asked = QdrantServer(server.url, api_key="another word", ca_file=certificate, timeout_s=60)
    with pytest.raises(UsageError, match="rejected the API key") as raised:
        asked.behind("nothing")
    assert "another word" not in f"{raised.value} {raised.value.hint}"


def test_a_certificate_nobody_vouches_for_is_not_trusted(guarded: tuple[QdrantProcess, Path]):
    server, _ = guarded
    with pytest.raises(BackendError, match=r"(?i)certificate"):
        QdrantServer(server.url, api_key=KEY, timeout_s=60).behind("nothing")


def test_a_server_that_stands_still_is_an_error_within_the_deadline(guarded: tuple[QdrantProcess, Path]):
    server, certificate = guarded
    asked = QdrantServer(server.url, api_key=KEY, ca_file=certificate, timeout_s=1)
    with server.paused():
        began = time.monotonic()
        with pytest.raises(BackendError, match="did not answer within 1 s") as raised:
            asked.behind("nothing")
        assert raised.value.retryable
        assert time.monotonic() - began < 60
    again = QdrantServer(server.url, api_key=KEY, ca_file=certificate, timeout_s=60)
    assert again.behind("nothing") is None


def test_a_file_that_holds_no_certificates_is_named(tmp_path: Path):
    with pytest.raises(UsageError, match="qdrant_ca_file"):
        QdrantServer("https://127.0.0.1:1", ca_file=tmp_path / "none.pem")


def test_a_server_that_is_not_there_is_an_error_and_after_a_few_times_is_not_waited_for():
    server = QdrantServer("http://127.0.0.1:9", timeout_s=1)
    for _ in range(5):
        with pytest.raises(BackendError, match="did not answer") as raised:
            server.behind("anything")
        assert raised.value.retryable
    with pytest.raises(BackendError, match="no requests are sent for another"):
        server.behind("anything")


def test_a_key_is_never_sent_in_the_clear():
    with pytest.raises(UsageError, match="unencrypted"):
        QdrantServer("http://qdrant.example:6333", api_key="secret")


def _make_certificate(certificate: Path, key: Path) -> None:
    """One for this machine that vouches for itself."""
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "qdrant")])
    today = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(private, hashes.SHA256())
    )
    certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    pem, plain = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    key.write_bytes(private.private_bytes(pem, plain, serialization.NoEncryption()))


def test_a_request_that_a_busy_server_never_read_is_made_once_more():
    server = QdrantServer("http://127.0.0.1:9", timeout_s=1)
    answers = iter([unread(), 7, unread(), unread()])

    def ask() -> int:
        answer = next(answers)
        if isinstance(answer, int):
            return answer
        raise answer

    assert server._wire.request(ask) == 7
    with pytest.raises(BackendError, match="408") as raised:
        server._wire.request(ask)
    assert raised.value.retryable


def unread() -> UnexpectedResponse:
    return UnexpectedResponse(408, "Request Timeout", b"", httpx.Headers())
