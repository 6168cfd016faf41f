"""Labelled rows from files: a claim, its premise, and whether the premise supports it."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    ValidationError,
    model_validator,
)

from footnotary.errors import UsageError

Level = Literal["response", "sentence", "claim", "subclaim", "question"]
Label = Literal[0, 1] | StrictBool
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]

SUFFIXES = (".jsonl", ".jsonl.gz")
_HINT = 'a row is an object such as {"claim": "…", "premise": "…" or ["…"], "label": 1 or 0}'
_ALLOWED = {
    "label": "1 (supported) or 0",
    "level": "response, sentence, claim, subclaim or question",
    "premise": "a text or a list of texts",
    "passages": "a text or a list of texts",
}
_SAMPLE_SEED = 13


class LabelledRow(BaseModel):
    """One labelled claim. `label` is 1 where the premise supports it, 0 where it does not.

    A row of level `question` is about answerability: the claim is a question, and 1 says that the premise answers it.
    A row of question, passages and answerable is the same.
    Rows of one `group` stem from one source and are resampled together. `sentences` are (start, end, label) within
    the claim. Other keys are ignored.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: Name
    dataset: Name
    task: Name = "claims"
    split: str = ""
    premise: str | list[str] = Field(validation_alias=AliasChoices("premise", "passages"))
    claim: str
    label: Label
    level: Level = "claim"
    sentences: list[tuple[int, int, Label]] | None = None
    spans: list[Any] | None = None
    question: str | None = None
    group: Name

    @model_validator(mode="before")
    @classmethod
    def _questions_may_be_called_so(cls, given: object) -> object:
        if not isinstance(given, dict) or "claim" in given or not {"question", "answerable"} <= given.keys():
            return cast("object", given)
        row = cast("dict[str, Any]", given)
        passages = {"passages": row["passage"]} if "passage" in row else {}
        return {"level": "question", "claim": row["question"], "label": row["answerable"], **passages, **row}

    @model_validator(mode="after")
    def _sentences_lie_in_the_claim(self) -> LabelledRow:
        for start, end, _ in self.sentences or ():
            if not 0 <= start < end <= len(self.claim):
                raise ValueError(f"sentence {start} to {end} is not within the claim of {len(self.claim)} characters")
        return self

    @property
    def passages(self) -> tuple[str, ...]:
        return (self.premise,) if isinstance(self.premise, str) else tuple(self.premise)

    @property
    def supported(self) -> bool:
        return bool(self.label)

    @property
    def key(self) -> str:
        """A digest of what is scored, so that a changed row is scored again; the label is not part of it."""
        identity = [self.level == "question", self.claim, self.passages, [s[:2] for s in self.sentences or ()]]
        if self.level == "response":
            identity.append(self.level)
        return hashlib.sha256(json.dumps(identity, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()[
            :32
        ]


def read_rows(paths: Sequence[Path], limit: int | None = None) -> tuple[LabelledRow, ...]:
    """The rows of these files and folders, in order; of each file at most `limit`, drawn deterministically.

    Defaults: `dataset` is the file's name, `id` the line, `group` the id. Raises `UsageError` with file and line for
    an invalid row, and for a duplicate id within a dataset.
    """
    seen: dict[tuple[str, str], str] = {}
    rows: list[LabelledRow] = []
    for path in _row_files(paths):
        found = [(row, number) for number, row in _read_file(path)]
        for row, number in found:
            place = f"{path}, line {number}"
            if (row.dataset, row.id) in seen:
                raise UsageError(
                    f"{place}: duplicate id {row.id!r}, first used in {seen[row.dataset, row.id]}",
                    hint="give every row of a dataset a unique id",
                )
            seen[row.dataset, row.id] = place
        if not found:
            raise UsageError(f"{path} contains no rows", hint=_HINT)
        if limit is not None and len(found) > limit:
            kept = set(random.Random(_SAMPLE_SEED).sample(range(len(found)), limit))  # noqa: S311 - a sample, not a secret
            found = [one for i, one in enumerate(found) if i in kept]
        rows += [row for row, _ in found]
    return tuple(rows)


def dataset_sha256(paths: Sequence[Path]) -> str:
    """The hash of one file, or of the hashes of several."""
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in _row_files(paths)]
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _row_files(paths: Sequence[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.name.endswith(SUFFIXES) and p.is_file())
            if not inside:
                raise UsageError(f"{path} contains no file of rows", hint=f"use {' or '.join(SUFFIXES)}")
            files += inside
        elif not path.name.endswith(SUFFIXES):
            raise UsageError(f"{path} is not a file of rows", hint=f"use {' or '.join(SUFFIXES)}")
        elif not path.is_file():
            raise UsageError(f"{path} does not exist", hint="check the path")
        else:
            files.append(path)
    return list(dict.fromkeys(files))


def _read_file(path: Path) -> Iterator[tuple[int, LabelledRow]]:
    stem = path.name.removesuffix(".gz").removesuffix(".jsonl")
    for number, given in read_objects(path, _HINT):
        place = f"{path}, line {number}"
        given |= {key: str(given[key]) for key in ("id", "group") if isinstance(given.get(key), int)}
        identity = given.get("id", f"line {number}")
        defaults = {"dataset": stem, "id": identity, "group": identity}
        try:
            yield number, LabelledRow.model_validate(defaults | {k: v for k, v in given.items() if v is not None})
        except ValidationError as error:
            raise UsageError(f"{place}: {_first_error(error)}", hint=_HINT) from None


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with gzip.open(path, "rb") if path.name.endswith(".gz") else path.open("rb") as stream:
            for number, raw in enumerate(stream, 1):
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                if line.strip():
                    yield number, line
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error}", hint="convert the file") from None
    except (OSError, EOFError, zlib.error) as error:
        raise UsageError(f"{path} cannot be read: {error}", hint="check the file") from None


def read_objects(path: Path, hint: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The object on each line that is not blank, with its line number. Raises `UsageError` for any other JSON."""
    for number, line in read_lines(path):
        try:
            content = parse_json(line)
        except (ValueError, RecursionError):
            raise UsageError(f"{path}, line {number} is not JSON", hint=hint) from None
        if not isinstance(content, dict):
            raise UsageError(f"{path}, line {number} is not an object", hint=hint)
        yield number, cast("dict[str, Any]", content)


def parse_json(text: str) -> Any:
    """Parses JSON and replaces lone surrogates, which cannot be written to a report.

    Raises `ValueError` or `RecursionError` for invalid JSON.
    """
    content = json.loads(text)
    if "\\ud" not in text.lower():
        return content
    whole = json.dumps(content, ensure_ascii=False).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return json.loads(whole)


def _first_error(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = str(first["loc"][0]) if first["loc"] else "row"
    if first["type"] == "missing":
        return f"{where} is missing"
    if where in _ALLOWED:
        return f"{where} must be {_ALLOWED[where]}"
    return f"{where}: {first['msg'].removeprefix('Value error, ')}"
