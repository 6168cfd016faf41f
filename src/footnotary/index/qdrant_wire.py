"""The way to a Qdrant server: one client, one deadline, one breaker, and no error but ours."""

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
from footnotary.index.breaker import Breaker
from footnotary.index.qdrant_points import NoCollection, Point, Sparse, Where
from footnotary.ports import Vector

T = TypeVar("T")

DENSE, SPARSE = "meaning", "words"


class QdrantWire:
    """One server or cluster under one address; threads may share it. `api_key` appears in no message.

    `ca_file` names the authorities that may vouch for the server, in place of those the machine knows.
    """

    def __init__(self, url: str, api_key: str | None, timeout_s: float, ca_file: Path | None, breaker: Breaker) -> None:
        self.url = url
        self._breaker = breaker
        self._timeout_s = timeout_s
        if api_key and _is_readable_by_others(url):
            raise UsageError("a key for Qdrant would be sent unencrypted", hint="use an https:// address")
        trust: dict[str, Any] = {} if ca_file is None else {"verify": _trusting(ca_file)}
        try:
            self.client = QdrantClient(
                url=url, api_key=api_key, timeout=max(1, round(timeout_s)), check_compatibility=False, **trust
            )
        except ValueError as error:
            raise _no_address(url, error) from None

    def asked(self, ask: Callable[[], T]) -> T:
        """What the server answers. Raises `NoCollection`, `UsageError` or `BackendError`, never one of the client's."""
        try:
            return self._asked_once(ask)
        except NoCollection:  # or else it was just replaced by one that has its name now
            return self._asked_once(ask)
        except BackendError as error:
            if not _unread(error.__cause__):
                raise
            return self._asked_once(ask)

    def _asked_once(self, ask: Callable[[], T]) -> T:
        if (wait := self._breaker.waits_s()) > 0:
            raise BackendError(
                f"Qdrant at {self.url} failed repeatedly, and is not asked for another {wait:.0f} s",
                hint="see whether the server runs",
                retryable=True,
            )
        try:
            answer = ask()
        except UnexpectedResponse as error:
            status = error.status_code or 0
            if status < 500 and status not in (408, 429):
                self._breaker.succeeded()  # it answers, if not what was hoped for
            else:
                self._breaker.failed()
            raise self._translated(status, error.content) from error
        except (ResponseHandlingException, ApiException, httpx.HTTPError, OSError) as error:
            self._breaker.failed()
            raise BackendError(
                f"Qdrant at {self.url} did not answer within {self._timeout_s:g} s: {error}",
                hint="see whether the server runs and qdrant_url is right",
                retryable=True,
            ) from error
        except UnicodeEncodeError as error:
            raise UsageError(
                f"{error.object[error.start : error.start + 1]!r} is no character that can be stored",
                hint="the text holds half of a surrogate pair; decode the file again",
            ) from error
        self._breaker.succeeded()
        return answer

    def _translated(self, status: int, content: bytes) -> Exception:
        said = content[:300].decode("utf-8", "replace")
        if status == 404 and "ollection" in said:
            return NoCollection(said)
        if status in (401, 403):
            return UsageError(f"Qdrant at {self.url} refuses the key", hint="set FOOTNOTARY_QDRANT_API_KEY")
        passing = status >= 500 or status in (408, 429)
        return BackendError(
            f"Qdrant at {self.url} answered {status}: {said}",
            hint="try again, and see the server's log" if passing else "nothing was changed by this call",
            retryable=passing,
        )


def struct(point: Point) -> models.PointStruct:
    vectors: dict[str, Any] = {}
    if point.dense is not None:
        vectors[DENSE] = _floats(point.dense)
    if point.sparse is not None and point.sparse.dimensions:
        vectors[SPARSE] = _sparse(point.sparse)
    return models.PointStruct(id=point.id, vector=vectors, payload=dict(point.payload))


def query(asked: Vector | Sparse, where: Where, limit: int, fields: Sequence[str], ef: int) -> models.QueryRequest:
    return models.QueryRequest(
        query=_sparse(asked) if isinstance(asked, Sparse) else _floats(asked),
        using=SPARSE if isinstance(asked, Sparse) else DENSE,
        filter=matching(where),
        params=models.SearchParams(hnsw_ef=max(ef, 2 * limit)),
        limit=limit,
        with_payload=list(fields),
    )


def matching(where: Where) -> models.Filter:
    def conditions(named: Mapping[str, Sequence[str] | Sequence[int]]) -> list[Any]:
        return [
            models.FieldCondition(key=name, match=models.MatchAny(any=cast(Any, list(values))))
            for name, values in named.items()
        ]

    return models.Filter(must=conditions(where.among), must_not=conditions(where.without))


def dense_of(vectors: Any) -> Vector:
    return np.array(vectors[DENSE], np.float32)


def _floats(vector: Vector) -> list[float]:
    return cast(list[float], vector.astype(float).tolist())


def _sparse(sparse: Sparse) -> models.SparseVector:
    return models.SparseVector(indices=list(sparse.dimensions), values=list(sparse.weights))


def _trusting(ca_file: Path) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=str(ca_file))
    except OSError as error:
        raise UsageError(
            f"qdrant_ca_file = {str(ca_file)!r} cannot be used: {error}", hint="name a file of certificates in PEM"
        ) from None


def _unread(cause: BaseException | None) -> bool:
    """Whether a busy server gave the request up before it had read it: then it says so without a word."""
    return isinstance(cause, UnexpectedResponse) and cause.status_code == 408 and not cause.content


def _is_readable_by_others(url: str) -> bool:
    """Whether what goes there leaves the machine unencrypted; a scheme is the same in capitals."""
    try:
        address = httpx.URL(url.strip())
    except httpx.InvalidURL as error:
        raise _no_address(url, error) from None
    return address.scheme == "http" and address.host not in ("localhost", "127.0.0.1", "::1")


def _no_address(url: str, error: Exception) -> UsageError:
    return UsageError(f"qdrant_url = {url!r} is no address: {error}", hint="such as http://host:6333")
