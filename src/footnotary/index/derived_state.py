"""What is on disk of a project's derived indexes, and the file that says so: the mark that switches over."""

import base64
import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from footnotary.durable import sync
from footnotary.index.sqlite_changes import Mark
from footnotary.index.tantivy_lexicon import LexiconView, tokens_fingerprint
from footnotary.index.vector_matrix import MatrixView

FORMAT = 1
FILE = "state.json"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Both indexes as of one mark of the truth, or of a later one; `name` is that of the matrix's files, if any."""

    mark: Mark
    lexicon: LexiconView
    matrix: MatrixView
    name: str | None = None


@dataclass(frozen=True, slots=True)
class State:
    """What the files on disk are: the mark they are at, their names, and which rows of the matrix are dead."""

    mark: Mark
    lexicon: str
    matrix: str
    dead: NDArray[np.bool_]

    def to_json(self, dimensions: int) -> str:
        packed = zlib.compress(np.packbits(self.dead).tobytes())
        return json.dumps(
            {
                "format": FORMAT,
                "tokens": tokens_fingerprint(),
                "dimensions": dimensions,
                "generation": self.mark.generation,
                "stamp": self.mark.stamp,
                "lexicon": self.lexicon,
                "matrix": self.matrix,
                "rows": len(self.dead),
                "dead": base64.b64encode(packed).decode("ascii"),
            }
        )

    @staticmethod
    def from_json(text: str, dimensions: int) -> "State | None":
        """None if it is not for these dimensions and this version of us. Raises `ValueError` or `KeyError`."""
        said = json.loads(text)
        if (said["format"], said["tokens"], said["dimensions"]) != (FORMAT, tokens_fingerprint(), dimensions):
            return None
        bits = np.frombuffer(zlib.decompress(base64.b64decode(said["dead"])), np.uint8)
        dead = np.unpackbits(bits, count=said["rows"]).astype(np.bool_)
        return State(Mark(said["generation"], said["stamp"]), said["lexicon"], said["matrix"], dead)


def read_state(folder: Path, dimensions: int) -> State | None:
    """What is on disk; None if it is nothing usable."""
    try:
        return State.from_json((folder / FILE).read_text(encoding="utf-8"), dimensions)
    except (OSError, ValueError, KeyError, TypeError, zlib.error):
        return None


def write_state(folder: Path, state: State, dimensions: int) -> None:
    """Writes it down so that the file is there as it was or as it is now, even after a power cut."""
    path = folder / FILE
    beside = path.with_suffix(".new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(state.to_json(dimensions))
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync(folder)
