"""Pairs of a true and a false claim in free wording, far from their passage's, written one by one by a language model.

`written/free_claims.jsonl.gz` holds them with a passage of their own, or with the key of a text: a page of
`pages.jsonl.gz`, or a passage or section that is read in place. One text in eight is kept for measuring.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from footnotary.reader.evidence_window import window_for
from training.reader.written_rows import WRITTEN, kept, lines_of, section_and_heading, text_in_place, window_around
from training.verifier.rows import read

Row = dict[str, Any]
CLAIM_WORDS = 230


def free_claims(data: Path, *, held_out: bool) -> Iterator[Row]:
    """Claims far from the wording of their passage, a true one and a false one about the same thing."""
    texts = _TextsByKey(data)
    for row in lines_of(WRITTEN / "free_claims.jsonl.gz"):
        if kept(row.get("key") or row["premise"]) == held_out:
            evidence = row.get("premise") or texts[row["key"]]
            for pair in row["pairs"]:
                for claim, supported in ((pair["true"], True), (pair["false"], False)):
                    b = window_for(claim, [evidence], CLAIM_WORDS)
                    yield {"set": "written:free", "a": claim, "b": b, "y": int(supported), "kind": pair["kind"]}


class _TextsByKey:
    """The text of a page, or of a passage or section that is read in place, by what names it in `free_claims`."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._pages = {page["title"]: " ".join(page["sentences"]) for page in lines_of(WRITTEN / "pages.jsonl.gz")}
        self._files: dict[str, list[Row]] = {}

    def __getitem__(self, key: str) -> str:
        kind, name = key.split(": ", 1)
        if kind == "page":
            return self._pages[name]
        file, row, *passage = name.split()
        if kind == "law":
            return " ".join(
                window_around(section_and_heading(self._read(self._data / "corpora" / file)[int(row)])[0], "")[0]
            )
        return text_in_place(self._read(self._data / file)[int(row)], int(passage[0]) if passage else 0)

    def _read(self, path: Path) -> list[Row]:
        if path.name not in self._files:
            self._files[path.name] = list(read(path)) if path.suffix == ".gz" else lines_of(path)
        return self._files[path.name]
