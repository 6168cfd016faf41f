"""The connection to a Qdrant server: client, timeout, circuit breaker, and translation of errors into ours."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import httpx
import numpy as np
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from footnotary.errors import BackendError, UsageError
from footnotary.index.circuit_breaker import CircuitBreaker
from footnotary.index.qdrant.point_types import CollectionNotFound, PointFilter, QdrantPoint, SparseVector
from footnotary.ports import Vector

T = TypeVar("T")

DENSE_VECTOR_NAME, SPARSE_VECTOR_NAME = "meaning", "words"


class QdrantConnection:
    """One server or cluster at one URL; threads may share it. `api_key` appears in no message.

    `ca_file` holds the certificate authorities to trust instead of the system's.
    """

    def __init__(
        self, url: str, api_key: str | None, timeout_s: float, ca_file: Path | None, breaker: CircuitBreaker
    ) -> None:
        self.url = url
        self._breaker = breaker
        self._timeout_s = timeout_s
        if api_key and _is_unencrypted(url):
            raise UsageError("the API key for Qdrant would be sent unencrypted", hint="use an https:// URL")
        trust: dict[str, Any] = {} if ca_file is None else {"verify": _ssl_context(ca_file)}
        try:
            self.client = QdrantClient(
                url=url, api_key=api_key, timeout=max(1, round(timeout_s)), check_compatibility=False, **trust
            )
        except ValueError as error:
            raise _invalid_url(url, error) from None

    def request(self, ask: Callable[[], T]) -> T:
        """The server's response. Raises `NoCollection`, `UsageError` or `BackendError`, never a client's error."""
        try:
            return self._request_once(ask)
        except CollectionNotFound:  # it may just have been replaced by another under the same alias
            return self._request_once(ask)
        except BackendError as error:
            if not _was_dropped_unread(error.__cause__):
                raise
            return self._request_once(ask)

    def _request_once(self, ask: Callable[[], T]) -> T:
        if (wait := self._breaker.remaining_pause_s()) > 0:
            raise BackendError(
                f"Qdrant at {self.url} failed repeatedly; no requests are sent for another {wait:.0f} s",
                hint="check that the server is running",
                retryable=True,
            )
        try:
            answer = ask()
        except UnexpectedResponse as error:
            status = error.status_code or 0
            if status < 500 and status not in (408, 429):
                self._breaker.succeeded()  # it responds, even if with an error
            else:
                self._breaker.failed()
            raise self._translated(status, error.content) from error
        except (ResponseHandlingException, ApiException, httpx.HTTPError, OSError) as error:
            self._breaker.failed()
            raise BackendError(
                f"Qdrant at {self.url} did not answer within {self._timeout_s:g} s: {error}",
                hint="check that the server is running and qdrant_url is correct",
                retryable=True,
            ) from error
        except UnicodeEncodeError as error:
            raise UsageError(
                f"{error.object[error.start : error.start + 1]!r} is not a character that can be stored",
                hint="the text contains half of a surrogate pair; decode the file again",
            ) from error
        self._breaker.succeeded()
        return answer

    def _translated(self, status: int, content: bytes) -> Exception:
        said = content[:300].decode("utf-8", "replace")
        if status == 404 and "ollection" in said:
            return CollectionNotFound(said)
        if status in (401, 403):
            return UsageError(f"Qdrant at {self.url} rejected the API key", hint="set FOOTNOTARY_QDRANT_API_KEY")
        passing = status >= 500 or status in (408, 429)
        return BackendError(
            f"Qdrant at {self.url} answered {status}: {said}",
            hint="try again, and check the server's log" if passing else "this request changed nothing",
            retryable=passing,
        )


def to_point_struct(point: QdrantPoint) -> models.PointStruct:
    vectors: dict[str, Any] = {}
    if point.dense is not None:
        vectors[DENSE_VECTOR_NAME] = _to_floats(point.dense)
    if point.sparse is not None and point.sparse.dimensions:
        vectors[SPARSE_VECTOR_NAME] = _to_sparse_vector(point.sparse)
    return models.PointStruct(id=point.id, vector=vectors, payload=dict(point.payload))


def to_query_request(
    asked: Vector | SparseVector, where: PointFilter, limit: int, fields: Sequence[str], ef: int
) -> models.QueryRequest:
    return models.QueryRequest(
        query=_to_sparse_vector(asked) if isinstance(asked, SparseVector) else _to_floats(asked),
        using=SPARSE_VECTOR_NAME if isinstance(asked, SparseVector) else DENSE_VECTOR_NAME,
        filter=to_filter(where),
        params=models.SearchParams(hnsw_ef=max(ef, 2 * limit)),
        limit=limit,
        with_payload=list(fields),
    )


def to_filter(where: PointFilter) -> models.Filter:
    def conditions(named: Mapping[str, Sequence[str] | Sequence[int]]) -> list[Any]:
        return [
            models.FieldCondition(key=name, match=models.MatchAny(any=cast(Any, list(values))))
            for name, values in named.items()
        ]

    return models.Filter(must=conditions(where.among), must_not=conditions(where.without))


def dense_vector_of(vectors: Any) -> Vector:
    return np.array(vectors[DENSE_VECTOR_NAME], np.float32)


def _to_floats(vector: Vector) -> list[float]:
    return cast(list[float], vector.astype(float).tolist())


def _to_sparse_vector(sparse: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=list(sparse.dimensions), values=list(sparse.weights))


def _ssl_context(ca_file: Path) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=str(ca_file))
    except OSError as error:
        raise UsageError(
            f"qdrant_ca_file = {str(ca_file)!r} cannot be used: {error}", hint="name a file of PEM certificates"
        ) from None


def _was_dropped_unread(cause: BaseException | None) -> bool:
    """Whether a busy server dropped the request before reading it: then its 408 response has no body."""
    return isinstance(cause, UnexpectedResponse) and cause.status_code == 408 and not cause.content


def _is_unencrypted(url: str) -> bool:
    """Whether requests leave the machine unencrypted; the scheme is case-insensitive."""
    try:
        address = httpx.URL(url.strip())
    except httpx.InvalidURL as error:
        raise _invalid_url(url, error) from None
    return address.scheme == "http" and address.host not in ("localhost", "127.0.0.1", "::1")


def _invalid_url(url: str, error: Exception) -> UsageError:
    return UsageError(f"qdrant_url = {url!r} is not a valid URL: {error}", hint="use one such as http://host:6333")
