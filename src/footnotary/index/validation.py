"""Validation of a document, its chunks and vectors before any store accepts them."""

from collections.abc import Sequence

import numpy as np

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document
from footnotary.domain.identity import sha256_hex
from footnotary.errors import BackendError, InvariantError, UsageError
from footnotary.ports import Vector, Vectors

_UNIT_LENGTH_TOLERANCE = 1e-6


def validate_document(
    project: str, document: Document, chunks: Sequence[Chunk], vectors: Vectors, dimensions: int
) -> None:
    """Raises unless ids are distinct, texts, spans and digests agree, and every chunk has a valid vector."""
    if not project:
        raise UsageError("a project needs a name", hint="name one with --project")
    seen: set[str] = set()
    for chunk in chunks:
        if chunk.id in seen:
            raise UsageError(
                f"document {document.id!r} gives the id {chunk.id!r} to two passages",
                hint="this is an error in chunking; please report it with the document",
            )
        seen.add(chunk.id)
        _validate_chunk(document, chunk)
    validate_vectors(vectors, len(chunks), dimensions)


def validate_vectors(vectors: Vectors, count: int, dimensions: int) -> None:
    if vectors.shape != (count, dimensions):
        raise BackendError(
            f"{count} chunks need vectors of shape {(count, dimensions)}, but the embedder gave {vectors.shape}",
            hint="the embedder in use is not the one the index was opened for",
        )
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
    bad = np.flatnonzero(~np.isfinite(lengths) | (lengths == 0))
    if len(bad):
        raise BackendError(
            f"vector {int(bad[0])} of {count} is zero or not finite, as are {len(bad) - 1} more",
            hint="the embedder failed; nothing was stored",
        )


def unit_vector(vector: Vector, dimensions: int) -> Vector:
    """A question's vector scaled to length one, after the same checks."""
    validate_vectors(vector[np.newaxis, :] if vector.ndim == 1 else vector, 1, dimensions)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def unit_vectors(vectors: Vectors) -> Vectors:
    """The rows scaled to length one; rows of length one stay unchanged, bit for bit."""
    rows = vectors.astype(np.float32)
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return np.where(np.abs(lengths - 1) < _UNIT_LENGTH_TOLERANCE, rows, rows / lengths).astype(np.float32)


def _validate_chunk(document: Document, chunk: Chunk) -> None:
    if chunk.document_id != document.id:
        raise InvariantError(f"chunk {chunk.id!r} belongs to {chunk.document_id!r}, not to {document.id!r}")
    if chunk.span.of(document.text) != chunk.text:
        raise InvariantError(
            f"chunk {chunk.id!r} differs from the text of document {document.id!r} at "
            f"{chunk.span.start}..{chunk.span.end}"
        )
    try:
        digest = sha256_hex(chunk.text)
    except UnicodeEncodeError as error:
        raise UsageError(
            f"chunk {chunk.id!r} contains {chunk.text[error.start]!r}, which is not a valid character",
            hint="the text has half of a surrogate pair; decode the file again",
        ) from error
    if digest != chunk.digest:
        raise InvariantError(f"chunk {chunk.id!r} has digest {digest}, not {chunk.digest}")
