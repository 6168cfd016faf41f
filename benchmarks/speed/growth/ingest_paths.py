"""Paths that change the store: ingest of many files and of long ones, replacing, deleting."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from benchmarks.speed.growth.libraries import PROJECT, library, opened_quickly, sections, settings_of, write_texts
from benchmarks.speed.growth.measuring import GrowthPath, Work


def paths() -> list[GrowthPath]:
    return [
        GrowthPath("ingest files of one section", 50, "files", _files, is_repeatable=False),
        GrowthPath("ingest one JSONL file", 60, "sections", _jsonl, is_repeatable=False),
        GrowthPath("ingest one text file", 50, "sections", _one_file("txt"), is_repeatable=False),
        GrowthPath("ingest one Markdown file", 50, "sections", _one_file("md"), is_repeatable=False),
        GrowthPath("ingest one HTML file", 50, "sections", _one_file("html"), is_repeatable=False),
        GrowthPath("ingest with the default models", 8, "sections", _default_models, is_repeatable=False),
        GrowthPath("ingest unchanged files again", 60, "files", _unchanged),
        GrowthPath("replace one document of", 1_000, "passages", _replace),
        GrowthPath("delete one document of", 1_000, "passages", _delete, is_repeatable=False),
        GrowthPath("delete every document of", 100, "passages", _delete_each, is_repeatable=False),
        GrowthPath("delete a project of", 1_000, "passages", _delete_project, is_repeatable=False),
    ]


@contextmanager
def _files(size: int, folder: Path) -> Iterator[Work]:
    files = write_texts(folder / "files", size, 1)
    with opened_quickly(settings_of(folder / "home")) as open_:
        yield lambda: open_.corpus.ingest([files], PROJECT)


@contextmanager
def _jsonl(size: int, folder: Path) -> Iterator[Work]:
    folder.mkdir(parents=True)
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in sections()[:size])
    (folder / "rows.jsonl").write_text("".join(lines), encoding="utf-8")
    with opened_quickly(settings_of(folder / "home")) as open_:
        yield lambda: open_.corpus.ingest([folder / "rows.jsonl"], PROJECT)


def _one_file(form: str) -> Callable[[int, Path], AbstractContextManager[Work]]:
    @contextmanager
    def prepare(size: int, folder: Path) -> Iterator[Work]:
        files = write_texts(folder / "files", size, size, form)
        with opened_quickly(settings_of(folder / "home")) as open_:
            yield lambda: open_.corpus.ingest([files], PROJECT)

    return prepare


@contextmanager
def _default_models(size: int, folder: Path) -> Iterator[Work]:
    files = write_texts(folder / "files", size, size)
    with opened_quickly(settings_of(folder / "home", embedder="default", verifier="profile")) as open_:
        open_.corpus.ingest_text("first.txt", "Models are loaded by the first text. Tell it to nobody.", PROJECT)
        yield lambda: open_.corpus.ingest([files], PROJECT)


@contextmanager
def _unchanged(size: int, folder: Path) -> Iterator[Work]:
    files = write_texts(folder / "files", size, 1)
    with opened_quickly(settings_of(folder / "home")) as open_:
        open_.corpus.ingest([files], PROJECT)
        yield lambda: open_.corpus.ingest([files], PROJECT)


@contextmanager
def _replace(size: int, folder: Path) -> Iterator[Work]:
    with library(folder, size) as open_:
        numbers = iter(range(1_000_000))
        text = str(sections()[0]["text"])
        yield lambda: open_.corpus.ingest_text("changed.txt", f"{text} Version {next(numbers)}.", PROJECT)


@contextmanager
def _delete(size: int, folder: Path) -> Iterator[Work]:
    with library(folder, size) as open_:
        first = open_.corpus.documents(PROJECT)[0].id
        yield lambda: open_.corpus.delete(PROJECT, first)


@contextmanager
def _delete_each(size: int, folder: Path) -> Iterator[Work]:
    with library(folder, size) as open_:
        ids = [document.id for document in open_.corpus.documents(PROJECT)]
        yield lambda: [open_.corpus.delete(PROJECT, one) for one in ids]


@contextmanager
def _delete_project(size: int, folder: Path) -> Iterator[Work]:
    with library(folder, size) as open_:
        yield lambda: open_.store.delete_project(PROJECT)
