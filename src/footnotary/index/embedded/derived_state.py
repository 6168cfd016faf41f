"""The state file of a project's derived indexes: which files on disk are current, and at which revision."""

import base64
import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from footnotary.durable import fsync_path, open_private
from footnotary.index.embedded.tantivy_index import LexicalIndexView, tokens_fingerprint
from footnotary.index.embedded.vector_matrix import MatrixView
from footnotary.index.sqlite.changes import Revision

STATE_FORMAT = 1
STATE_FILE_NAME = "state.json"


@dataclass(frozen=True, slots=True)
class IndexSnapshot:
    """Both indexes at one revision of the catalog; `name` is that of the matrix's files, if any."""

    revision: Revision
    lexicon: LexicalIndexView
    matrix: MatrixView
    name: str | None = None


@dataclass(frozen=True, slots=True)
class DerivedIndexState:
    """The files on disk: the revision they are at, their names, and which rows of the matrix are dead."""

    revision: Revision
    lexicon: str
    matrix: str
    dead: NDArray[np.bool_]

    def to_json(self, dimensions: int) -> str:
        packed = zlib.compress(np.packbits(self.dead).tobytes())
        return json.dumps(
            {
                "format": STATE_FORMAT,
                "tokens": tokens_fingerprint(),
                "dimensions": dimensions,
                "generation": self.revision.generation,
                "stamp": self.revision.stamp,
                "lexicon": self.lexicon,
                "matrix": self.matrix,
                "rows": len(self.dead),
                "dead": base64.b64encode(packed).decode("ascii"),
            }
        )

    @staticmethod
    def from_json(text: str, dimensions: int) -> "DerivedIndexState | None":
        """None if it is for other dimensions or another format version. Raises `ValueError` or `KeyError`."""
        said = json.loads(text)
        if (said["format"], said["tokens"], said["dimensions"]) != (STATE_FORMAT, tokens_fingerprint(), dimensions):
            return None
        bits = np.frombuffer(zlib.decompress(base64.b64decode(said["dead"])), np.uint8)
        dead = np.unpackbits(bits, count=said["rows"]).astype(np.bool_)
        return DerivedIndexState(Revision(said["generation"], said["stamp"]), said["lexicon"], said["matrix"], dead)


def read_state(folder: Path, dimensions: int) -> DerivedIndexState | None:
    """The state on disk; None if there is none that can be used."""
    try:
        return DerivedIndexState.from_json((folder / STATE_FILE_NAME).read_text(encoding="utf-8"), dimensions)
    except (OSError, ValueError, KeyError, TypeError, zlib.error):
        return None


def write_state(folder: Path, state: DerivedIndexState, dimensions: int) -> None:
    """Replaces the file atomically: even after a power failure it is the old or the new one."""
    path = folder / STATE_FILE_NAME
    temporary = path.with_suffix(".new")
    with open(temporary, "w", encoding="utf-8", opener=open_private) as file:
        file.write(state.to_json(dimensions))
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    fsync_path(folder)
